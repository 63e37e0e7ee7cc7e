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
    """Make the report of a tournament again from its games, and print its tables."""

    folder: Path
    """Folder of the tournament: holds games.jsonl and settings.json."""
    anchor: str | None = None
    """The agent that has rating 0; otherwise the mean is 0."""
    replays: Replays = "none"
    """Write pages of the games worth a look, or of all, where there are none yet, and link them
    from the report."""
    analyse: str | None = None
    """On these pages, let this trained agent, such as policy:2p, say how well each choice was
    made."""
    adjust: str | None = None
    """Also tell what agents won with the luck taken out, as judged by this: rules, or a trained
    agent such as policy:2p."""
    workers: int | None = None
    """Processes that write these pages; as many as there are cores if not given."""


def main(args: Args) -> dict[str, Any]:
    """Make the report of a folder again and print its tables; return ``summary.json``."""
    from impulse_training.report.page import report_on
    from impulse_training.report.replays import write_replays
    from impulse_training.run.terminal.screen import Screen
    from impulse_training.tournament.luck import check_judge, luck_of_games
    from impulse_training.tournament.workers.local import processes

    store = Store.read(args.folder)
    if not store.games.exists():
        raise TournamentError(f"there are no games in {args.folder}: it has no games.jsonl")
    check_output("FOLDER", args.folder, is_folder=True)
    console = Screen()
    workers = processes(args.workers)
    check_judge(args.adjust, store.settings)
    write_replays(store, args.replays, args.analyse, workers, console)
    luck = None if args.adjust is None else luck_of_games(store, args.adjust, workers, console)
    return report_on(args.folder, store.results(), console, args.anchor, luck)
