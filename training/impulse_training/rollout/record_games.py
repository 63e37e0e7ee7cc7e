"""Records games between agents."""

from collections.abc import Iterator, Sequence
from time import perf_counter

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.asking.faults import AgentFault, AgentFaultError
from impulse_agents.asking.guard import GuardedAgent, guarded
from impulse_agents.asking.limits import Limits
from impulse_agents.base import Agent
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_env.records.record import Header, Record, SeatedAgent, record_of


class RecordingError(ImpulseError, ValueError):
    """Games cannot be recorded; the message says why."""


def record_game(agents: Sequence[Agent], options: Options, seed: int) -> Record:
    """Return the record of a game.

    Args:
        agents: The agent on each seat.
        options: The options of the game.
        seed: Random seed for the deal and the agents.

    Raises:
        AgentError: An agent does not support these games, or fails.
    """
    record, fault = _played(agents, options, seed)
    if fault is not None:
        raise AgentFaultError(fault)
    return record


def _played(
    agents: Sequence[Agent], options: Options, seed: int
) -> tuple[Record, AgentFault | None]:
    """Return the record of a game, and the failure that ended it, or None."""
    seats = range(options.players)
    seeds = [int(np.random.default_rng([seed, seat]).integers(1 << 53)) for seat in seats]
    seated = tuple(SeatedAgent(agents[seat].name, seeds[seat]) for seat in seats)
    header = Header(options, seated, seed=seed)
    game, rngs = header.new_game(), [np.random.default_rng(one) for one in seeds]
    actions: list[int] = []
    used = [0.0] * options.players
    while (seat := game.seat) is not None:
        agent, start = agents[seat], perf_counter()
        if isinstance(agent, GuardedAgent):
            agent.used = used[seat]
        try:
            actions.append(ask_in_game(agent, game, rngs[seat]))
        except AgentFaultError as error:
            fault = error.fault.at(seed, seat, len(actions))
            why = f"{fault.agent} on seat {seat} failed: {fault.detail}"
            return record_of(header, actions, why=why), fault
        used[seat] += perf_counter() - start
        game.step(actions[-1])
    return record_of(header, actions), None


def record_games(
    names: Sequence[str], options: Options, games: int, seed: int, limits: Limits
) -> Iterator[tuple[Record, AgentFault | None]]:
    """Play games in order; yield the record of each with an agent's failure, or None.

    If an agent fails, the record of that game ends there and states the reason.

    Args:
        names: One agent per seat, or one for all seats; after each game they move by one seat.
        options: The options of the games.
        games: Number of games.
        seed: Random seed of the first game; the following games use the following numbers.
        limits: The limits of time and memory of agents.

    Raises:
        AgentError: An agent does not exist, or cannot play these games.
        RecordingError: The agents do not fill the seats.
    """
    seats = options.players
    if len(names) not in (1, seats):
        raise RecordingError(
            f"agents must be one, or one for each of {seats} seats; not {len(names)}"
        )
    made = [registry.make(name) for name in dict.fromkeys(names)]
    seated = tuple(names) * (seats // len(names))
    with guarded(made, limits, options) as entrants:
        by_name = {agent.name: agent for agent in entrants}
        for number in range(games):
            turned = [by_name[seated[(seat - number) % seats]] for seat in range(seats)]
            yield _played(turned, options, seed + number)
