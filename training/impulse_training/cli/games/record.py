"""The command `impulse games record`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_env.options import Options, check_least
from impulse_training.cli.framework.command import Command
from impulse_training.rollout.faults import tell_faults
from impulse_training.rollout.record_games import record_games
from impulse_training.run.common_options import LimitArgs

COMMAND = Command(
    examples=(
        "impulse games record greedy policy:2p --games 10 --out runs/games",
        "impulse games record random --players 4 --seed 7",
    ),
    has_json=True,
)


@dataclass(frozen=True)
class Args(LimitArgs):
    """Play games between agents and save a record of each.

    If an agent fails, the record of that game ends there and states the reason.
    """

    agents: tuple[str, ...]
    """One agent for all seats, or one per seat; after each game they move by one seat."""
    players: int | None = None
    """Players of a game, 2 to 6; the number of agents by default."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1
    """Number of games."""
    seed: int = 0
    """Random seed of the first game; the following games use the following numbers."""
    out: Path = Path("runs/games")
    """Folder for the records, named SEED.jsonl; existing records are overwritten."""


def main(args: Args) -> dict[str, Any]:
    """Play and save the games, and print the files; `passed` is false if an agent failed.

    Raises:
        AgentError: An agent does not exist, or cannot play these games.
        OptionError: The game does not exist.
        OutputError: The folder cannot be written.
        RecordingError: The agents do not fill the seats.
        LimitError: A limit is invalid.
    """
    options = Options(args.players or max(2, len(args.agents)), args.team_size)
    check_least(args, 1, "games")
    check_least(args, 0, "seed")
    check_output("--out", args.out, is_folder=True)
    written, faults = [], []
    played = record_games(args.agents, options, args.games, args.seed, args.limits)
    for seed, (record, fault) in enumerate(played, args.seed):
        faults += [] if fault is None else [fault]
        path = args.out / f"{seed}.jsonl"
        record.save(path)
        print(path)
        written.append(str(path))
    reported = tell_faults(faults, args.games, "their records end there")
    return {"records": written, "faults": reported, "passed": not faults}
