"""Tests whether another setting makes a search stronger.

Every candidate plays the unchanged search, each deal once from every seat. A sequential test with
stated error rates decides between two hypotheses: the candidate wins as often as the other, or more
often by a given difference. At equal time the candidate gets the number of simulations that takes
as long per decision as the baseline search, measured in similar games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import process_time
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from impulse_agents import registry
from impulse_agents.asking.ask import warm
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import MOST_SIMULATIONS, TreeSearchAgent
from impulse_env.options import Options, check_least
from impulse_training.evaluation.evaluation_options import SearchTrialsArgs
from impulse_training.report.table import Table
from impulse_training.rollout import match
from impulse_training.run.common_options import ConfigError
from impulse_training.statistics.hypothesis_tests import SequentialTest

SETTINGS: Final = {
    "turns": (1, 1000),
    "temperature": (1e-3, 1e3),
    "exploration": (0, 1e3),
    "value_weight": (0, 1),
    "reuse": (1, 100),
    "early_stop": (0, 1),
}
"""The settings that a trial can change, fields of `SEARCH_CONFIG`, with the range of each."""
REPORT_EVERY: Final = 20
"""Deals between two progress reports."""
TIMED_DEALS: Final = 4
"""Deals played first to measure how long the searches take."""


class TimedAgent(Agent):
    """A search that measures its processor time, but not that of loading compiled code.

    Attributes:
        agent: The search.
        seconds: Processor time so far.
        decisions: Decisions so far.
    """

    needs_views: ClassVar[bool] = True

    def __init__(self, agent: TreeSearchAgent, options: Options) -> None:
        warm([agent], options)
        self.agent, self.name = agent, agent.name
        self.seconds, self.decisions = 0.0, 0

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Let the agent choose."""
        began = process_time()
        actions = self.agent.act(seen, streams)
        self.seconds += process_time() - began
        self.decisions += len(seen)
        return actions

    @property
    def milliseconds(self) -> float:
        """The mean time of a decision."""
        return 1000 * self.seconds / self.decisions


@dataclass(frozen=True)
class Candidate:
    """A candidate to compare with a search.

    Attributes:
        agent: The name of another search with its simulations; None for the same search.
        changes: Settings that differ from it.
    """

    agent: str | None
    changes: dict[str, float]

    @classmethod
    def read(cls, text: str) -> "Candidate":
        """Return the candidate of ``exploration=2,turns=3`` or ``NAME,…``; raises `ConfigError`."""
        first, *rest = text.split(",")
        parts = [first, *rest] if "=" in first else rest
        changes = {}
        for part in parts:
            name, _, value = part.partition("=")
            low, high = SETTINGS.get(name, (np.nan, np.nan))
            try:
                changes[name] = float(value)
            except ValueError:
                changes[name] = np.nan
            if not low <= changes[name] <= high:
                allowed = ", ".join(f"{key}={a:g} to {b:g}" for key, (a, b) in SETTINGS.items())
                raise ConfigError(f"a search has no setting {part!r}; allowed: {allowed}")
        return cls(None if "=" in first else first, changes)


def make_search(name: str, changes: dict[str, float], scale: float = 1.0) -> TreeSearchAgent:
    """Return a search with changed settings; `scale` multiplies its number of simulations."""
    agent = registry.make(name)
    if not isinstance(agent, TreeSearchAgent) or agent.budget.simulations is None:
        raise ConfigError(
            f"{name} is not a search with a number of simulations, such as ismcts:100"
        )
    if scale != 1:
        scaled = round(scale * agent.budget.simulations)
        simulations = min(max(scaled, 1), MOST_SIMULATIONS)
        before, _, behind = name.rpartition(f":{agent.budget}")
        agent = make_search(f"{before}:{simulations}{behind}", {})
    for field, value in changes.items():
        agent.config[field] = value
    return agent


def play_deal(entrants: Sequence[Agent], options: Options, deal: int) -> float:
    """Play a deal once from every seat; return the first entrant's share of the wins."""
    result = match.play(entrants, options, options.team_count, deal)
    return float(result.wins[0] + result.truncated / options.team_count) / result.games


def searches(
    args: SearchTrialsArgs, candidate: Candidate, scale: float = 1.0
) -> tuple[TreeSearchAgent, TreeSearchAgent]:
    """Return the candidate, with a multiple of its simulations, and the reference search."""
    reference = Candidate.read(args.agent)
    if reference.agent is None:
        raise ConfigError(f"the reference must be the name of a search, not {args.agent}")
    name, changes = candidate.agent, candidate.changes
    if name is None:
        name, changes = reference.agent, {**reference.changes, **changes}
    return make_search(name, changes, scale), make_search(reference.agent, reference.changes)


def equal_time(args: SearchTrialsArgs, candidate: Candidate) -> float:
    """Return the factor on the candidate's simulations at which both searches take equal time."""
    options = Options(players=args.players)
    tried, present = (TimedAgent(agent, options) for agent in searches(args, candidate))
    for deal in range(TIMED_DEALS):
        play_deal([tried, present], options, args.seed + args.games + deal)
    return present.milliseconds / tried.milliseconds


def try_out(args: SearchTrialsArgs, text: str, console: Console) -> tuple[str, ...]:
    """Play a candidate until the test decides or all games are played; return its row."""
    candidate, options = Candidate.read(text), Options(players=args.players)
    scale = equal_time(args, candidate) if args.equal == "time" else 1.0
    tried, present = (TimedAgent(agent, options) for agent in searches(args, candidate, scale))
    par = 1 / options.team_count
    test = SequentialTest(par, par + args.difference, args.alpha, args.beta)
    for deal in range(args.games // options.team_count):
        test.add(play_deal([tried, present], options, args.seed + deal))
        if test.count % REPORT_EVERY == 0 or test.accepted is not None:
            console.print(*_row(text, tried, present, test, options))
        if test.accepted is not None:
            break
    return _row(text, tried, present, test, options)


def _row(
    text: str, tried: TimedAgent, present: TimedAgent, test: SequentialTest, options: Options
) -> tuple[str, ...]:
    verdict = {test.low: "no", test.high: "yes", None: "undecided"}[test.accepted]
    error = 1.96 * np.sqrt(test.variance / test.count)
    return (
        text,
        str(tried.agent.budget),
        f"{tried.milliseconds:.1f}",
        f"{present.milliseconds:.1f}",
        f"{test.count * options.team_count:,}",
        f"{100 * test.mean:.1f} ± {100 * error:.1f}",
        f"{test.log_likelihood_ratio:+z.2f}",
        verdict,
    )


def table(args: SearchTrialsArgs, console: Console) -> Table:
    """Try all candidates; return a table with a row for each."""
    rows = [try_out(args, text, console) for text in args.candidates]
    par = 1 / args.players
    return Table(
        f"Tried against {args.agent}, at equal {args.equal}",
        (
            "Candidate",
            "simulations",
            "ms",
            "ms of the baseline",
            "games",
            "won, %",
            "LLR",
            "better",
        ),
        tuple(rows),
        f"{args.players} players, seed {args.seed}, every deal once from every seat; ms of "
        f"processor time per decision. Better: wins {100 * (par + args.difference):g} % and not "
        f"{100 * par:g} %, with error rates of {100 * args.alpha:g} and {100 * args.beta:g} %; "
        f"undecided after {args.games:,} games.",
    )


def check(args: SearchTrialsArgs) -> None:
    """Raise an `ImpulseError` unless all candidates can be tried."""
    check_least(args, 0, "seed")
    check_least(args, 2, "games")
    check_least(args, 0.001, "difference", "alpha", "beta")
    if max(args.alpha, args.beta) >= 0.5 or args.difference >= 1 - 1 / args.players:
        raise ConfigError(
            "alpha and beta must be below 0.5, and par plus difference below 1; not "
            f"{args.alpha:g}, {args.beta:g} and {args.difference:g}"
        )
    if not args.candidates:
        raise ConfigError(
            "name at least one candidate: a setting such as exploration=2, or a search"
        )
    for candidate in map(Candidate.read, args.candidates):
        for agent in searches(args, candidate):
            agent.check_players(args.players)
