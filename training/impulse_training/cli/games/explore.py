"""The command `impulse games explore`."""

from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from impulse_agents.luck.values import values_of
from impulse_env.extras import missing_extra
from impulse_env.files import check_output, write_atomically
from impulse_env.options import check_least
from impulse_env.records.recorded_games import RecordedGame
from impulse_training.cli.framework.command import Command
from impulse_training.report.explore.explore_options import ExploreArgs as Args
from impulse_training.report.explore.line_filter import ExploreError, LineFilter
from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.page import (
    folder_of,
    games_to_tell,
    name_of,
    page,
    write_replays,
)
from impulse_training.tournament.games_for_analysis import games_in

if TYPE_CHECKING:
    from rich.console import Console

COMMAND = Command(
    examples=(
        "impulse games explore runs/games",
        "impulse games explore runs/t1 --html openings.html --replays 3",
        "impulse games explore runs/games --agent policy:2p --judge rules",
    ),
    has_json=True,
    extra="tournament",
)
_PAGE: Final = ".html"


def main(args: Args) -> dict[str, Any]:
    """Print the openings, or write the explorer's page.

    Raises:
        ExploreError: The options contradict each other, or no game matches the filters.
        OptionError: A number is too small.
        RecordError, TournamentError, DatasetError: The games cannot be read.
        AgentError: The judge does not exist, or does not support these games.
        OSError: There are no games, or the page cannot be written.
    """
    from impulse_training.report.explore.table import as_json, show
    from impulse_training.run.terminal.screen import Screen

    _check(args)
    console = Screen(soft_wrap=args.html is not None)
    values = None if args.judge is None else values_of(args.judge)
    openings = Openings(LineFilter.of(args), args.depth, args.cards, values)
    _with_progress(
        "games", openings.read(chain.from_iterable(map(_plays, args.games))), None, console
    )
    openings.finish(args.least)
    if args.html is None:
        show(openings, args.rows, console)
        return as_json(openings)
    return _write(openings, args, console)


def _check(args: Args) -> None:
    """Raise an error for bad options before the games are read."""
    check_least(args, 1, "depth", "least", "rows")
    check_least(args, 0, "drawings", "replays")
    if not args.games:
        raise ExploreError("name the games to explore: records, folders of them, or a tournament")
    for path in args.games:
        if not path.exists():
            raise FileNotFoundError(2, "there is no such file or folder", str(path))
    if args.html is None:
        if args.replays:
            raise ExploreError("--replays needs --html FILE: the replays belong to that page")
    elif args.html.suffix != _PAGE:
        raise ExploreError(f"{args.html} cannot be written: --html must end in {_PAGE}")
    else:
        check_output("--html", args.html)
        if args.replays:
            check_output("--html", folder_of(args.html), is_folder=True)


def _plays(path: Path) -> Iterator[RecordedGame]:
    """Return the games at a path; Parquet files need an extra of their own."""
    try:
        return games_in(path)
    except ImportError as error:
        raise missing_extra(f"reading {path}", error, "data,tournament") or error from error


def _write(openings: Openings, args: Args, console: "Console") -> dict[str, Any]:
    """Write the games' pages, and then the explorer's page."""
    from impulse_training.report.explore.table import summary

    assert args.html is not None
    folder = folder_of(args.html)
    replayed = games_to_tell(openings, args.replays) if args.replays else []
    links = {game: f"{folder.name}/{name_of(openings.games[game])}" for game in replayed}
    text = page(openings, args, links)
    replays = write_replays(openings, replayed, folder)
    _with_progress("replays", (done for done, _ in enumerate(replays, 1)), len(replayed), console)
    write_atomically(args.html, text)
    console.print(f"{args.html} ({len(text.encode()) / 1000:.0f} kB): {summary(openings)}")
    if replayed:
        console.print(f"{folder}: {len(replayed):,} pages of games")
    return {
        "file": str(args.html),
        "games": len(openings.games),
        "read": openings.count,
        "left_out": openings.left_out,
        "lines": len(openings.lines),
        "nodes": len(openings.tree),
        "replays": len(replayed),
    }


def _with_progress(what: str, done: Iterable[int], total: int | None, console: "Console") -> None:
    """Exhaust an iterable of counts while showing a progress bar."""
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    with Progress(
        TextColumn(what),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(what, total=total)
        for count in done:
            bar.update(task, completed=count)
