"""The command `python -m impulse_training.tournament`; `--help` explains every option."""

import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from impulse_agents.base import AgentError
from impulse_env.options import Options
from impulse_training.arguments import parse
from impulse_training.report.page import report_on
from impulse_training.rollout.game_result import GameResult
from impulse_training.tournament import local
from impulse_training.tournament import ray as cluster
from impulse_training.tournament.play import TABLES
from impulse_training.tournament.replay import find, record, replay
from impulse_training.tournament.run import run
from impulse_training.tournament.schedule import Schedule
from impulse_training.tournament.settings import Settings, TournamentError
from impulse_training.tournament.store import Store

COMMAND: Final = "python -m impulse_training.tournament"
FAILED: Final = 2
INTERRUPTED: Final = 130


@dataclass(frozen=True)
class Args:
    """Play a tournament: every line-up of the agents on every deal, on every side of the table.

    The same settings give the same games, however many processes or machines play them. Finished
    games are kept: the same command again plays the missing ones.
    """

    agents: tuple[str, ...] = (
        "greedy",
        "random",
    )
    """Who plays; an unknown name lists those that exist."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    versus: bool = False
    """The first of two agents on one side, the second on all others."""
    games: int = 1000
    """Of the whole tournament; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    target_score: int = Options.target_score
    """Points that win."""
    max_turns: int = Options.max_turns
    """Player turns after which a game is truncated."""
    out: Path = Path("runs/tournament")
    """Folder of the tournament."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""
    tables: int = TABLES
    """Most games side by side in a process."""
    ray: str | None = None
    """Play on the Ray cluster of this address, or "auto"."""
    ray_installed: bool = False
    """Do not send the code to the cluster: it is there."""
    anchor: str | None = None
    """Agent that has rating 0; else the mean is 0."""
    replay: int | None = None
    """Print this game of the folder again instead, in words."""
    record: Path | None = None
    """With --replay: write the game into this file instead."""

    @property
    def settings(self) -> Settings:
        """What determines the games; raises `TournamentError`."""
        return Settings(
            self.agents,
            self.players,
            self.team_size,
            self.games,
            self.seed,
            self.versus,
            self.target_score,
            self.max_turns,
        )


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return the exit code."""
    args = parse(Args, COMMAND, arguments)
    try:
        if args.replay is not None:
            _replay(args.out, args.replay, args.record)
        elif args.record is not None:
            raise TournamentError("--record takes the number of a game: --replay N --record FILE")
        else:
            _play(args)
    except (TournamentError, AgentError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print(
            f"\ninterrupted; the finished games are in {args.out}, "
            "and the same command plays the missing ones",
            file=sys.stderr,
        )
        return INTERRUPTED
    return 0


def _replay(folder: Path, number: int, file: Path | None) -> None:
    """Print a finished game in words, or write its record."""
    store = Store.read(folder)
    result = find(store, number)
    if file is not None:
        record(store.settings, result).save(file)
        print(file)
        return
    for line in replay(store.settings, result):
        print(line)


def _play(args: Args) -> None:
    """Play the tournament and print what came out."""
    workers = os.cpu_count() or 1 if args.workers is None else args.workers
    for name, value in (("workers", workers), ("tables", args.tables)):
        if value < 1:
            raise TournamentError(f"{name} must be 1 or more, not {value}")

    def players(schedule: Schedule, numbers: Sequence[int]) -> Iterator[GameResult]:
        if args.ray is not None:
            return cluster.play_all(
                schedule, numbers, args.ray, args.tables, is_installed=args.ray_installed
            )
        return local.play_all(schedule, numbers, workers, args.tables)

    console = Console(highlight=False, soft_wrap=True)
    settings = args.settings
    if args.anchor is not None and args.anchor not in settings.agents:
        raise TournamentError(f"the anchor {args.anchor!r} is none of {', '.join(settings.agents)}")
    results = run(settings, args.out, players, console)
    report_on(settings, args.out, results, console, args.anchor)


if __name__ == "__main__":
    sys.exit(main())
