"""The rows of the standings, from the project and from a file."""

from pathlib import Path

from impulse_agents import standings
from impulse_agents.standings import FILE, Standing
from impulse_training.evaluation.standings.protocol import PANEL, Table
from impulse_training.run.provenance.checkout import checkout

Rows = dict[tuple[Table, str], Standing]


class StandingsFile:
    """The rows of the project and of a file; a row of the file replaces one of the project.

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
        """Store a row; it replaces an older one of the same agent and table."""
        # Read again first, to keep rows that another process wrote in the meantime.
        self._read_own()
        self.rows[row.table, row.agent] = self._own[row.table, row.agent] = row
        standings.write(list(self._own.values()), self.path)

    def _read_own(self) -> None:
        for row in standings.read(self.path):
            self.rows[row.table, row.agent] = self._own[row.table, row.agent] = row

    def panel(self, table: Table) -> dict[str, Standing]:
        """Return the rows of the panel at a table, by name."""
        rows = ((name, self.rows.get((table, name))) for name in PANEL)
        return {name: row for name, row in rows if row is not None}
