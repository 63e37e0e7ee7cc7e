"""Measures how fast the agents decide.

Every agent is asked about positions of its own games, nothing on the clock but its answers, on one
core. The agents take turns, so that a busy machine slows down all of them; medians are shown.
"""

from itertools import chain, product, repeat
from statistics import median
from time import perf_counter, process_time
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.checkpoints import shipped
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import TreeSearchAgent
from impulse_env.options import Options
from impulse_training.bench.bench_options import AgentsArgs
from impulse_training.report.table import Table

FASTEST: Final = ("random", *registry.RULE_BASED)
SEARCHER: Final = "greedy"
"""The agent that plays the games in which the searches are timed."""
MIDDLE: Final = range(40, 120, 20)
"""Decisions of a game after which positions are taken; with two players it has about 170."""


def positions(agent: Agent, options: Options, games: int, seed: int) -> list[ObservationBatch]:
    """Return observations from self-play games of the agent, after each count in `MIDDLE`."""
    rng = np.random.default_rng(seed)
    deals = rng.integers(2**63, size=games)
    agent_by_seat = np.zeros((games, options.players), np.int64)
    tables = GameRunner(
        [agent],
        options,
        deals,
        agent_by_seat,
        RngStreams.from_generator(rng, games * options.players),
    )
    found = []
    for decision in range(max(MIDDLE) + 1):
        if decision in MIDDLE:
            running = np.flatnonzero(tables.batch.seats >= 0)
            found.append(ObservationBatch.from_batch(tables.batch, running, with_views=True))
        tables.step()
    return found


def rate(agent: Agent, asked: list[ObservationBatch], seconds: float, seed: int) -> float:
    """Return the decisions a second over those positions, again and again."""
    streams = [RngStreams.from_seeds(range(seed, seed + len(seen))) for seen in asked]
    decisions, elapsed = 0, 0.0
    for seen, own in chain.from_iterable(repeat(list(zip(asked, streams, strict=True)))):
        began = perf_counter()
        agent.act(seen, own)
        elapsed += perf_counter() - began
        decisions += len(seen)
        if elapsed >= seconds:
            return decisions / elapsed
    raise AssertionError("endless")


def rates(args: AgentsArgs) -> dict[str, float]:
    """Return the decisions a second of `FASTEST`, medians of several rounds."""
    options = Options(players=args.players)
    players = {name: registry.make(name) for name in FASTEST}
    asked = {
        name: positions(agent, options, args.games, args.seed) for name, agent in players.items()
    }
    rounds = [
        {name: rate(players[name], asked[name], args.seconds, args.seed) for name in FASTEST}
        for _ in range(args.repeats + 1)
    ][1:]
    return {name: median(one[name] for one in rounds) for name in FASTEST}


def trained(players: int) -> tuple[str, ...]:
    """Return the shipped checkpoint for so many players, if there is one."""
    return tuple(name for name in shipped() if name == f"{players}p")


def searchers(args: AgentsArgs) -> tuple[str, ...]:
    """Return the names, without their budget, of the searches that are timed."""
    if args.searchers is not None:
        return args.searchers
    return ("ismcts", *(f"policy+search:{name}" for name in trained(args.players)))


def make_searcher(name: str, simulations: int) -> TreeSearchAgent:
    """Return a search that runs all simulations, even if they change nothing."""
    agent = registry.make(f"{name}:{simulations}")
    if not isinstance(agent, TreeSearchAgent):
        raise AgentError(f"{name} is not a search with a number of simulations")
    agent.config["early_stop"] = 0
    return agent


def search_seconds(
    agent: TreeSearchAgent, asked: ObservationBatch, seed: int
) -> tuple[list[float], float]:
    """Return the seconds of each decision in turn, and their mean processor time."""
    times = []
    on_processor = 0.0
    for row in range(len(asked)):
        one, own = asked.take(np.array([row])), RngStreams.from_seeds([seed + row])
        began, began_on_processor = perf_counter(), process_time()
        agent.act(one, own)
        times.append(perf_counter() - began)
        on_processor += process_time() - began_on_processor
    return times, on_processor / len(asked)


def speeds(args: AgentsArgs) -> Table:
    """Return the decisions per second of the fastest agents."""
    found = rates(args)
    return Table(
        f"Decisions a second, {args.players} players, one core",
        ("Agent", "decisions/s", "against random"),
        tuple(
            (name, f"{value:,.0f}", f"{value / found['random']:.2f}x")
            for name, value in found.items()
        ),
    )


def search_times(args: AgentsArgs) -> Table:
    """Return the time of the searches for positions in the middle of a game."""
    options = Options(players=args.players)
    asked = positions(registry.make(SEARCHER), options, args.searches, args.seed)
    middle = asked[len(asked) // 2]
    rows = []
    for name, simulations in product(searchers(args), args.simulations):
        agent = make_searcher(name, simulations)
        search_seconds(agent, middle.take(np.arange(1)), args.seed)
        times, on_processor = search_seconds(agent, middle, args.seed)
        seconds = f"{np.mean(times):.4f}", f"{max(times):.4f}"
        rows.append((f"{name}:{simulations}", *seconds, f"{simulations / on_processor:,.0f}"))
    return Table(
        f"Seconds a decision, mid-game, {args.players} players, {len(middle)} of them",
        ("Agent", "mean", "slowest", "simulations/s"),
        tuple(rows),
        "Simulations a second of one core's time, whatever else the machine does.",
    )


def network_times(args: AgentsArgs) -> tuple[Table, ...]:
    """Return the time of the shipped agent's network, if there is one."""
    if not trained(args.players):
        return ()
    from impulse_training.bench.forward import forward_times  # torch takes seconds to import

    asked = positions(registry.make(SEARCHER), Options(players=args.players), 64, args.seed)
    middle = asked[len(asked) // 2]
    return tuple(
        forward_times(name, middle, args.seconds, args.repeats) for name in trained(args.players)
    )
