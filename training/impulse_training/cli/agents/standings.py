"""The command `impulse agents standings`: rates agents by games, and shows the table."""

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
    """Show the agents' ratings, or rate agents by games against a fixed panel.

    Each named agent plays every line-up of the panel on fixed deals, at the table size that
    --players and --team-size set. Its rating becomes a row of the table. The command stores all
    games and never repeats one.
    """

    agents: Annotated[tuple[str, ...], conf.Positional] = ()
    """Agents to rate. Without one, the command only shows the table."""
    all: bool = False
    """Rate every agent of the project at every table size that it supports."""
    players: int | None = None
    """Players of a game, 2 to 6; 2 by default when rating an agent."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1200
    """Games of each agent at each table size, rounded up to whole deals."""
    file: Path | None = None
    """File of the rows. Default: the project's file in a checkout, otherwise ./standings.json,
    whose rows are shown with the project's."""
    folder: Path = Path("runs/standings")
    """Folder of the games."""
    workers: int | None = None
    """Number of processes; one per core by default."""
    shares: bool = False
    """Show the games won, raw and luck-adjusted, instead of the ratings."""
    markdown: bool = False
    """Print the table as Markdown."""
    picture: Path | None = None
    """Plot strength against milliseconds per decision into this file, .svg or .png."""


def main(args: Args) -> dict[str, Any]:
    """Rate the named agents, and show the table."""
    from impulse_training.evaluation.standings.picture import draw
    from impulse_training.evaluation.standings.table import shares_table, standings_table
    from impulse_training.report.printing import markdown, print_table
    from impulse_training.run.terminal.screen import Screen

    if args.all and (args.agents or args.players or args.team_size):
        raise StandingsError("--all takes no agents, --players or --team-size: it rates all")
    if args.picture is not None and args.picture.suffix not in _PICTURES:
        raise StandingsError(
            f"--picture must end in {' or '.join(_PICTURES)}, not be {args.picture}"
        )
    if args.picture is not None:
        check_output("--picture", args.picture)
    check_once(args, "agents")
    console = Screen()
    standings = StandingsFile(args.file)
    if args.all or args.agents:
        check_output("--file", standings.path)
        check_output("--folder", args.folder, is_folder=True)
    with resumable(args.folder):
        for table, names in _to_rate(args).items():
            _place(args, table, names, standings, console)
    rows = _selected(args, standings)
    if not rows:
        raise StandingsError("there are no standings for this table size")
    table_of_all = shares_table(rows) if args.shares else standings_table(rows)
    if args.markdown:
        print(markdown(table_of_all), end="")
    else:
        print_table(console, table_of_all)
    if args.picture is not None:
        draw(rows, args.picture)
        console.print(f"wrote the picture {args.picture}")
    return {"rows": [asdict(row) for row in rows], "file": str(standings.path)}


def _to_rate(args: Args) -> dict[Table, tuple[str, ...]]:
    """Return the names of the agents to rate, by table size."""
    if args.all:
        return {table: tuple(project_agents(table)) for table in TABLES}
    if not args.agents:
        return {}
    table = args.players or 2, args.team_size
    Options(*table)  # raises what is wrong with it
    return {table: args.agents}


def _place(
    args: Args, table: Table, names: tuple[str, ...], standings: StandingsFile, console: "Console"
) -> None:
    from impulse_training.evaluation.standings.place import Placing, missing_panel
    from impulse_training.tournament.workers import local

    if known := [name for name in names if name in PANEL]:
        raise StandingsError(f"{known[0]} is in the panel, whose ratings are fixed")
    workers = local.processes(args.workers)
    placing = Placing(table, args.games, args.folder, workers, command(), console)
    for name in names:
        placing.check(name)
    if missing_panel(standings.panel(table)):
        for row in placing.panel():
            standings.put(row)
    panel = {name: row.rating for name, row in standings.panel(table).items()}
    for name in names:
        row = placing.place(name, panel)
        standings.put(row)
        console.print(
            f"    {row.rating:+z.0f} points, {100 * row.won:.1f} % of {row.games:,} games won (par "
            f"{100 * row.par:.0f} %), {row.milliseconds:.3g} ms per decision; saved in "
            f"{standings.path}"
        )


def _selected(args: Args, standings: StandingsFile) -> list[Standing]:
    """Return the rows of the table size in the options, or all rows."""
    if args.players is None or args.all:
        return list(standings.rows.values())
    size = args.players, args.team_size
    return [row for row in standings.rows.values() if row.table == size]
