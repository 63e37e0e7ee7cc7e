"""The command `impulse games record`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impulse_agents.asking.limits import Limits
from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_training.cli.framework.command import Command
from impulse_training.rollout.faults import tell_faults
from impulse_training.rollout.record_games import record_games

COMMAND = Command(
    examples=(
        "impulse games record greedy policy:2p --games 10 --out runs/games",
        "impulse games record random --players 4 --seed 7",
    ),
    has_json=True,
)


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
    check_least(args, 1, "games")
    check_least(args, 0, "seed")
    check_output("--out", args.out, is_folder=True)
    written, faults = [], []
    played = record_games(args.agents, options, args.games, args.seed, Limits.of(args))
    for seed, (record, fault) in enumerate(played, args.seed):
        faults += [] if fault is None else [fault]
        path = args.out / f"{seed}.jsonl"
        record.save(path)
        print(path)
        written.append(str(path))
    told = tell_faults(faults, args.games, "their records end there")
    return {"records": written, "faults": told, "passed": not faults}
