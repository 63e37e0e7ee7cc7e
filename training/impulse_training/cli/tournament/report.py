"""The command `impulse tournament report`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_training.cli.framework.command import Command
from impulse_training.report.replay_choice import Replays
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.store import Store

COMMAND = Command(
    examples=("impulse tournament report runs/t1",), has_json=True, extra="tournament"
)


@dataclass(frozen=True)
class Args:
    """Rebuild the report of a tournament from its games, and print its tables."""

    folder: Path
    """Folder of the tournament, with games.jsonl and settings.json."""
    anchor: str | None = None
    """Agent with rating 0; by default the mean rating is 0."""
    replays: Replays = "none"
    """Write missing replay pages of notable games or of all games, and link them from the
    report."""
    analyse: str | None = None
    """Let this trained agent, such as policy:2p, rate every choice on the replay pages."""
    adjust: str | None = None
    """Also report luck-adjusted results. The value names the judge: rules, or a trained agent such
    as policy:2p."""
    workers: int | None = None
    """Processes that write the pages; one per core by default."""


def main(args: Args) -> dict[str, Any]:
    """Rebuild the report of a folder and print its tables; return ``summary.json``."""
    from impulse_training.report.page import report_on
    from impulse_training.report.replays import write_replays
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.tournament.luck import check_judge, luck_of_games
    from impulse_training.tournament.workers.local import processes

    store = Store.read(args.folder)
    if not store.games.exists():
        raise TournamentError(f"{args.folder} has no games: games.jsonl is missing")
    check_output("FOLDER", args.folder, is_folder=True)
    console = Screen()
    workers = processes(args.workers)
    check_judge(args.adjust, store.settings)
    write_replays(store, args.replays, args.analyse, workers, console)
    luck = None if args.adjust is None else luck_of_games(store, args.adjust, workers, console)
    return report_on(args.folder, store.results(), console, args.anchor, luck)
