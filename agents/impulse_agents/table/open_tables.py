"""The tables that are being played at, each read from disk once."""

import asyncio
from typing import Final

from impulse_agents.advice.worker_pool import WorkerPool
from impulse_agents.table.session import Session
from impulse_agents.table.store import Store

_MOST: Final = 200
"""Sessions, beyond which those without a page are closed."""


class OpenTables:
    """Sessions by the names of their tables.

    Attributes:
        sessions: Those that are open.
    """

    def __init__(self, store: Store, workers: WorkerPool) -> None:
        self.sessions: dict[str, Session] = {}
        self._store = store
        self._workers = workers
        self._reading: dict[str, asyncio.Task[Session]] = {}

    async def session(self, name: str) -> Session:
        """Return the session of a table; it is read from disk if it has to be.

        Raises:
            TableError: There is none of that name.
            DamagedTableError: It cannot be played on.
        """
        if name in self.sessions:
            return self.sessions[name]
        if name not in self._reading:
            self._reading[name] = asyncio.create_task(self._read(name))
        return await asyncio.shield(self._reading[name])

    async def _read(self, name: str) -> Session:
        try:
            # A long game between six takes seconds, in which other tables play.
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

    def close(self) -> None:
        """Let nobody decide any more."""
        for session in self.sessions.values():
            session.close()
