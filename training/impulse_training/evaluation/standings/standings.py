"""The command `impulse agents standings`: places agents by games, and shows the table."""

from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.console import Console

from impulse_agents import standings
from impulse_agents.standings import FILE, Standing, StandingsError
from impulse_env.files import check_output
from impulse_env.options import Options, check_once
from impulse_training.evaluation.standings.picture import draw
from impulse_training.evaluation.standings.place import Placing, missing_panel
from impulse_training.evaluation.standings.protocol import PANEL, TABLES, Table, project_agents
from impulse_training.evaluation.standings.standings_options import StandingsArgs
from impulse_training.evaluation.standings.table import shares_table, standings_table
from impulse_training.report.printing import markdown, print_table
from impulse_training.run.checkout import checkout
from impulse_training.run.command_line import command
from impulse_training.run.interrupt import resumable
from impulse_training.run.screen import Screen
from impulse_training.tournament import local

_PICTURES: Final = (".svg", ".png")
Rows = dict[tuple[Table, str], Standing]


class Kept:
    """The rows: those of the project, and those of a file, which come first.

    Attributes:
        path: The file.
        rows: By table and agent.
    """

    def __init__(self, path: Path | None) -> None:
        inside = FILE if checkout() is not None else Path("standings.json")
        self.path = path or inside
        self.rows: Rows = {}
        self._own: Rows = {}
        for row in standings.read():
            self.rows[row.table, row.agent] = row
        self._read_own()

    def put(self, row: Standing) -> None:
        """Keep a row, in place of an older one of that agent at that table."""
        # What another process has placed meanwhile is kept, too.
        self._read_own()
        self.rows[row.table, row.agent] = self._own[row.table, row.agent] = row
        standings.write(list(self._own.values()), self.path)

    def _read_own(self) -> None:
        for row in standings.read(self.path):
            self.rows[row.table, row.agent] = self._own[row.table, row.agent] = row

    def panel(self, table: Table) -> dict[str, Standing]:
        """Return the rows of the panel at a table, by name."""
        found = ((name, self.rows.get((table, name))) for name in PANEL)
        return {name: row for name, row in found if row is not None}


def main(args: StandingsArgs) -> dict[str, Any]:
    """Place the agents that are named, and show the table."""
    if args.all and (args.agents or args.players or args.team_size):
        raise StandingsError("--all places every agent at every table: name none beside it")
    if args.picture is not None and args.picture.suffix not in _PICTURES:
        raise StandingsError(f"a picture is {' or '.join(_PICTURES)}, not {args.picture}")
    if args.picture is not None:
        check_output("--picture", args.picture)
    check_once(args, "agents")
    console = Screen()
    kept = Kept(args.file)
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


def _wanted(args: StandingsArgs) -> dict[Table, tuple[str, ...]]:
    """Return whom to place at which table."""
    if args.all:
        return {table: tuple(project_agents(table)) for table in TABLES}
    if not args.agents:
        return {}
    table = args.players or 2, args.team_size
    Options(*table)  # raises what is wrong with it
    return {table: args.agents}


def _place(
    args: StandingsArgs, table: Table, names: tuple[str, ...], kept: Kept, console: Console
) -> None:
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


def _shown(args: StandingsArgs, kept: Kept) -> list[Standing]:
    """Return the rows of the table that is asked for, or of all."""
    if args.players is None or args.all:
        return list(kept.rows.values())
    wanted = args.players, args.team_size
    return [row for row in kept.rows.values() if row.table == wanted]
