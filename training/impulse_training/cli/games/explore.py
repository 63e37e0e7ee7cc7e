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
from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.page import (
    folder_of,
    games_to_tell,
    name_of,
    page,
    write_replays,
)
from impulse_training.report.explore.wanted import ExploreError, Wanted
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
    """Print the openings, or write the explorer.

    Raises:
        ExploreError: Something else is asked for than can be shown, or no line is wanted.
        OptionError: A number is too small.
        RecordError, TournamentError, DatasetError: The games cannot be read.
        AgentError: The judge is nobody, or does not know such games.
        OSError: There are no games, or the page cannot be written.
    """
    from impulse_training.report.explore.table import as_json, show
    from impulse_training.run.terminal.screen import Screen

    _check(args)
    console = Screen(soft_wrap=args.html is not None)
    values = None if args.judge is None else values_of(args.judge)
    found = Openings(Wanted.of(args), args.depth, args.cards, values)
    _shown("games", found.read(chain.from_iterable(map(_plays, args.games))), None, console)
    found.finish(args.least)
    if args.html is None:
        show(found, args.rows, console)
        return as_json(found)
    return _write(found, args, console)


def _check(args: Args) -> None:
    """Raise what can be said before games are read."""
    check_least(args, 1, "depth", "least", "rows")
    check_least(args, 0, "drawings", "replays")
    if not args.games:
        raise ExploreError("name the games to explore: records, folders of them, or a tournament")
    for path in args.games:
        if not path.exists():
            raise FileNotFoundError(2, "there is no such file or folder", str(path))
    if args.html is None:
        if args.replays:
            raise ExploreError("--replays are written beside a page: say --html FILE")
    elif args.html.suffix != _PAGE:
        raise ExploreError(f"{args.html} cannot be written: the name of a page ends in {_PAGE}")
    else:
        check_output("--html", args.html)
        if args.replays:
            check_output("--html", folder_of(args.html), is_folder=True)


def _plays(path: Path) -> Iterator[RecordedGame]:
    """Return the games of a place; Parquet files need an extra of their own."""
    try:
        return games_in(path)
    except ImportError as error:
        raise missing_extra(f"reading {path}", error, "data,tournament") or error from error


def _write(found: Openings, args: Args, console: "Console") -> dict[str, Any]:
    """Write the page, and those of games before it."""
    from impulse_training.report.explore.table import summary

    assert args.html is not None
    folder = folder_of(args.html)
    told = games_to_tell(found, args.replays) if args.replays else []
    links = {game: f"{folder.name}/{name_of(found.games[game])}" for game in told}
    text = page(found, args, links)
    replays = write_replays(found, told, folder)
    _shown("replays", (done for done, _ in enumerate(replays, 1)), len(told), console)
    write_atomically(args.html, text)
    console.print(f"{args.html} ({len(text.encode()) / 1000:.0f} kB): {summary(found)}")
    if told:
        console.print(f"{folder}: pages of games: {len(told):,}")
    return {
        "file": str(args.html),
        "games": len(found.games),
        "read": found.count,
        "left_out": found.left_out,
        "lines": len(found.lines),
        "nodes": len(found.tree),
        "replays": len(told),
    }


def _shown(what: str, done: Iterable[int], total: int | None, console: "Console") -> None:
    """Show how far it is."""
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
