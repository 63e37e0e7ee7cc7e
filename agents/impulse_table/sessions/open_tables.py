"""The open tables, each read from disk once."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from impulse_table.sessions.session import Session
from impulse_table.tables.store import Store
from impulse_table.workers.pool import WorkerPool

_MOST: Final = 200
"""Number of sessions beyond which those without a page are closed."""
_IDLE: Final = 600.0
"""Seconds after which a session without a page is closed; its table stays on disk."""
_ROUND: Final = 60.0
"""Seconds between two searches for such sessions."""


class OpenTables:
    """Sessions by the names of their tables.

    Args:
        store: The tables on disk.
        workers: The processes in which agents think.
        clock: Returns seconds, and never goes back.

    Attributes:
        sessions: The open sessions.
    """

    def __init__(
        self, store: Store, workers: WorkerPool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.sessions: dict[str, Session] = {}
        self._clock = clock
        self._empty_since: dict[str, float] = {}
        self._store = store
        self._workers = workers
        self._reading: dict[str, asyncio.Task[Session]] = {}

    async def session(self, name: str) -> Session:
        """Return the session of a table; read the table from disk if it is not open.

        Raises:
            TableError: No table has that name.
            DamagedTableError: Its file is damaged.
        """
        if name in self.sessions:
            return self.sessions[name]
        if name not in self._reading:
            self._reading[name] = asyncio.create_task(self._read(name))
        return await asyncio.shield(self._reading[name])

    async def _read(self, name: str) -> Session:
        try:
            # A long game of six players takes seconds; other tables play meanwhile.
            table = await asyncio.to_thread(self._store.read, name)
            if len(self.sessions) >= _MOST:
                self._close_empty_sessions()
            self.sessions[name] = Session(table, self._store, self._workers)
            return self.sessions[name]
        finally:
            del self._reading[name]

    def _close_empty_sessions(self) -> None:
        for name in [name for name, session in self.sessions.items() if not session.clients]:
            self.sessions.pop(name).close()

    async def close_idle_sessions(self) -> None:
        """Close idle sessions regularly, until cancelled."""
        while True:
            await asyncio.sleep(_ROUND)
            self.look_for_idle_sessions()

    def look_for_idle_sessions(self) -> None:
        """Close the sessions that have been without a page for `_IDLE` seconds."""
        now = self._clock()
        empty = [name for name, session in self.sessions.items() if not session.clients]
        self._empty_since = {name: self._empty_since.get(name, now) for name in empty}
        for name, since in list(self._empty_since.items()):
            if now - since >= _IDLE:
                del self._empty_since[name]
                self.sessions.pop(name).close()

    def close(self) -> None:
        """Close all sessions."""
        for session in self.sessions.values():
            session.close()
