"""The tables of a server that are listed: those whose host said so, and no other."""

from dataclasses import dataclass
from typing import Any, Final

from impulse_table.sessions.open_tables import OpenTables
from impulse_table.tables.store import Store
from impulse_table.tables.table import SavedTable, TableError

_MOST: Final = 30
"""Tables that are listed, the newest first."""


@dataclass(frozen=True)
class _Kept:
    """What a file said when it was read: it is read anew once it has changed."""

    changed: int
    saved: SavedTable | None
    is_over: bool


class Listing:
    """Tells of listed tables what everybody may know.

    Args:
        store: The tables on disk.
        open_tables: Those that are played at.
    """

    def __init__(self, store: Store, open_tables: OpenTables) -> None:
        self._store = store
        self._open = open_tables
        self._kept: dict[str, _Kept] = {}

    def rows(self) -> list[dict[str, Any]]:
        """Return a row for each listed table, JSON-able; it reads files, some milliseconds each.

        ``players`` are names, of agents and of persons who gave one; ``taken`` is at how many of
        the ``seats`` for persons somebody sits now. Nothing in it opens a seat. Raises OSError.
        """
        kept = {name: self._read(name) for name in self._store.names()}
        self._kept = {name: row for name, row in kept.items() if row is not None}
        listed = [row for row in self._kept.values() if row.saved is not None]
        listed.sort(key=lambda row: -row.changed)
        return [self._row(row) for row in listed[:_MOST]]

    def _read(self, name: str) -> _Kept | None:
        """Return what a table's file says; None if it cannot be read, as the log says."""
        try:
            changed = self._store.path(name).stat().st_mtime_ns
            before = self._kept.get(name)
            if before is not None and before.changed == changed:
                return before
            saved, game = self._store.check(name)
        except (TableError, OSError):
            return None
        return _Kept(changed, saved if saved.listed else None, game.is_over)

    def _row(self, kept: _Kept) -> dict[str, Any]:
        saved = kept.saved
        assert saved is not None, "only listed tables have rows"
        session = self._open.sessions.get(saved.name)
        here = {seat for page in tuple(session.clients) for seat in page.seats} if session else ()
        return {
            "name": saved.name,
            "players": [holder.name or holder.player for holder in saved.seats],
            "seats": sum(holder.is_person for holder in saved.seats),
            "taken": len(here),
            "over": kept.is_over,
        }
