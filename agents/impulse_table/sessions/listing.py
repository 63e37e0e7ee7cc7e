"""The public tables of a server: those that their hosts have listed."""

from dataclasses import dataclass
from typing import Any, Final

from impulse_table.sessions.open_tables import OpenTables
from impulse_table.tables.store import Store
from impulse_table.tables.table import SavedTable, TableError

_MOST: Final = 30
"""Rows of the list; the newest tables come first."""


@dataclass(frozen=True)
class _Row:
    """The content of a file at its last reading, valid until the file changes."""

    changed: int
    saved: SavedTable | None
    is_over: bool


class Listing:
    """The list of public tables, with what everybody may know.

    Args:
        store: The tables on disk.
        open_tables: The sessions of open tables.
    """

    def __init__(self, store: Store, open_tables: OpenTables) -> None:
        self._store = store
        self._open = open_tables
        self._known: dict[str, _Row] = {}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each listed table, JSON-able. It reads files, a few milliseconds each.

        ``players`` are names of agents, and of persons who gave one. ``seats`` is the number of
        seats for persons, ``taken`` the number of those that are occupied now. A row contains no
        token. Raises OSError.
        """
        rows = {name: self._read(name) for name in self._store.names()}
        self._known = {name: row for name, row in rows.items() if row is not None}
        listed = [row for row in self._known.values() if row.saved is not None]
        listed.sort(key=lambda row: -row.changed)
        return [self._row(row) for row in listed[:_MOST]]

    def _read(self, name: str) -> _Row | None:
        """Return the content of a table's file; None if it cannot be read."""
        try:
            changed = self._store.path(name).stat().st_mtime_ns
            known = self._known.get(name)
            if known is not None and known.changed == changed:
                return known
            saved, game = self._store.check(name)
        except (TableError, OSError):
            return None
        return _Row(
            changed, saved if saved.listed else None, game.is_over or saved.stopped is not None
        )

    def _row(self, row: _Row) -> dict[str, Any]:
        saved = row.saved
        assert saved is not None, "only listed tables have rows"
        session = self._open.sessions.get(saved.name)
        here = {seat for page in tuple(session.clients) for seat in page.seats} if session else ()
        return {
            "name": saved.name,
            "players": [holder.name or holder.player for holder in saved.seats],
            "seats": sum(holder.is_person for holder in saved.seats),
            "taken": len(here),
            "over": row.is_over,
        }
