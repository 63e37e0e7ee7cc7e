"""The command `impulse agents standings`: places agents by games, and shows the table."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from tyro import conf

from impulse_agents.standings import Standing, StandingsError
from impulse_env.files import check_output
from impulse_env.options import Options, check_once
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.standings.protocol import PANEL, TABLES, Table, project_agents
from impulse_training.evaluation.standings.rows import StandingsFile
from impulse_training.run.terminal.command_line import command
from impulse_training.run.terminal.interrupt import resumable

if TYPE_CHECKING:
    from rich.console import Console

COMMAND = Command(
    examples=(
        "impulse agents standings",
        "impulse agents standings my_agent.py:Best --players 4",
        "impulse agents standings --all",
    ),
    has_json=True,
    extra="tournament",
)
_PICTURES: Final = (".svg", ".png")


@dataclass(frozen=True)
class Args:
    """Show how strong the agents are, or place agents among them by games.

    Agents that are named play every line-up of a fixed panel on fixed deals, at the table that
    --players and --team-size tell, and get a row; what was played is kept and not played again.
    """

    agents: Annotated[tuple[str, ...], conf.Positional] = ()
    """Whom to place; none: only show the table."""
    all: bool = False
    """Place every agent of the project at every table that it can play."""
    players: int | None = None
    """Players of a game, 2 to 6; to place an agent 2 if not given."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1200
    """Of each agent at each table; rounded up to whole deals."""
    file: Path | None = None
    """Where rows are kept; that of the project in a checkout, else standings.json here, whose rows
    are shown among those of the project."""
    folder: Path = Path("runs/standings")
    """Where the games are kept."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""
    shares: bool = False
    """Show what each agent won, plain and with the luck taken out, instead of the ratings."""
    markdown: bool = False
    """Print the table as Markdown."""
    picture: Path | None = None
    """Draw strength against milliseconds into this file, .svg or .png."""


def main(args: Args) -> dict[str, Any]:
    """Place the agents that are named, and show the table."""
    from impulse_training.evaluation.standings.picture import draw
    from impulse_training.evaluation.standings.table import shares_table, standings_table
    from impulse_training.report.printing import markdown, print_table
    from impulse_training.run.terminal.screen import Screen

    if args.all and (args.agents or args.players or args.team_size):
        raise StandingsError("--all places every agent at every table: name none beside it")
    if args.picture is not None and args.picture.suffix not in _PICTURES:
        raise StandingsError(f"a picture is {' or '.join(_PICTURES)}, not {args.picture}")
    if args.picture is not None:
        check_output("--picture", args.picture)
    check_once(args, "agents")
    console = Screen()
    kept = StandingsFile(args.file)
    if args.all or args.agents:
        check_output("--file", kept.path)
        check_output("--folder", args.folder, is_folder=True)
    with resumable(args.folder):
        for table, names in _wanted(args).items():
            _place(args, table, names, kept, console)
    rows = _shown(args, kept)
    if not rows:
        raise StandingsError("there are no standings of such a table")
    table_of_all = shares_table(rows) if args.shares else standings_table(rows)
    if args.markdown:
        print(markdown(table_of_all), end="")
    else:
        print_table(console, table_of_all)
    if args.picture is not None:
        draw(rows, args.picture)
        console.print(f"the picture is {args.picture}")
    return {"rows": [asdict(row) for row in rows], "file": str(kept.path)}


def _wanted(args: Args) -> dict[Table, tuple[str, ...]]:
    """Return whom to place at which table."""
    if args.all:
        return {table: tuple(project_agents(table)) for table in TABLES}
    if not args.agents:
        return {}
    table = args.players or 2, args.team_size
    Options(*table)  # raises what is wrong with it
    return {table: args.agents}


def _place(
    args: Args, table: Table, names: tuple[str, ...], kept: StandingsFile, console: "Console"
) -> None:
    from impulse_training.evaluation.standings.place import Placing, missing_panel
    from impulse_training.tournament.workers import local

    if known := [name for name in names if name in PANEL]:
        raise StandingsError(f"{known[0]} is one of the panel, whose ratings stay as they are")
    workers = local.processes(args.workers)
    placing = Placing(table, args.games, args.folder, workers, command(), console)
    for name in names:
        placing.check(name)
    if missing_panel(kept.panel(table)):
        for row in placing.panel():
            kept.put(row)
    panel = {name: row.rating for name, row in kept.panel(table).items()}
    for name in names:
        row = placing.place(name, panel)
        kept.put(row)
        console.print(
            f"    {row.rating:+z.0f} points, {100 * row.won:.1f} % of {row.games:,} games won (par "
            f"{100 * row.par:.0f} %), {row.milliseconds:.3g} ms a decision; the row is in "
            f"{kept.path}"
        )


def _shown(args: Args, kept: StandingsFile) -> list[Standing]:
    """Return the rows of the table that is asked for, or of all."""
    if args.players is None or args.all:
        return list(kept.rows.values())
    wanted = args.players, args.team_size
    return [row for row in kept.rows.values() if row.table == wanted]
