"""Records of games between agents: the command `impulse games record`."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.asking.faults import AgentFault, AgentFaultError
from impulse_agents.asking.guard import GuardedAgent, guarded
from impulse_agents.asking.limits import Limits
from impulse_agents.base import Agent
from impulse_env.errors import ImpulseError
from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_env.records.record import Header, Record, SeatedAgent, record_of
from impulse_training.rollout.faults import tell_faults


class RecordingError(ImpulseError, ValueError):
    """Games cannot be recorded as asked; the message says why."""


@dataclass(frozen=True)
class Args:
    """Play games between agents and write a record of each.

    The record of a game in which an agent fails ends there, and says so.
    """

    agents: tuple[str, ...]
    """One for every seat, or one for each; they move one seat on from game to game."""
    players: int | None = None
    """Players of a game, 2 to 6; as many as agents are named if not given."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1
    """How many."""
    seed: int = 0
    """Of the first game; the next ones have the numbers that follow."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; who takes longer fails. Agents then decide in
    a process of their own, in one game at a time."""
    game_time_limit: float | None = None
    """Seconds that a seat may take for all of its decisions in a game."""
    memory_limit: float | None = None
    """GiB that agents may take beside what they have when they are made; on Linux alone."""
    out: Path = Path("runs/games")
    """Folder for the records, SEED.jsonl each; a record that is there is written again."""


def record_game(agents: Sequence[Agent], options: Options, seed: int) -> Record:
    """Return the record of a game.

    Args:
        agents: The one on every seat.
        options: Of the game.
        seed: Of the deal and the agents.

    Raises:
        AgentError: An agent does not play such games, or fails.
    """
    record, fault = _played(agents, options, seed)
    if fault is not None:
        raise AgentFaultError(fault)
    return record


def _played(
    agents: Sequence[Agent], options: Options, seed: int
) -> tuple[Record, AgentFault | None]:
    """Return the record of a game, and what an agent did wrong, with which the record ends."""
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


def main(args: Args) -> dict[str, Any]:
    """Play, write, and print the names of the files; `passed` unless an agent failed.

    Raises:
        AgentError: There is no such agent, or it cannot play these games.
        OptionError: There is no such game.
        OutputError: The folder cannot be written.
        RecordingError: The agents do not fill the seats.
        LimitError: There is no such limit.
    """
    options = Options(args.players or max(2, len(args.agents)), args.team_size)
    if len(args.agents) not in (1, options.players):
        raise RecordingError(
            f"one agent, or one for each of {options.players} seats; not {len(args.agents)}"
        )
    check_least(args, 1, "games")
    check_least(args, 0, "seed")
    check_output("--out", args.out, is_folder=True)
    made = [registry.make(name) for name in dict.fromkeys(args.agents)]
    names = args.agents * (options.players // len(args.agents))
    written, faults = [], []
    with guarded(made, Limits.of(args), options) as entrants:
        by_name = {agent.name: agent for agent in entrants}
        for number in range(args.games):
            turned = [names[(seat - number) % options.players] for seat in range(options.players)]
            agents = [by_name[name] for name in turned]
            record, fault = _played(agents, options, args.seed + number)
            faults += [] if fault is None else [fault]
            path = args.out / f"{args.seed + number}.jsonl"
            record.save(path)
            print(path)
            written.append(str(path))
    told = tell_faults(faults, args.games, "their records end there")
    return {"records": written, "faults": told, "passed": not faults}
