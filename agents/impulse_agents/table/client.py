"""A page at a table: what it has been told already, and so what is new to it."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from impulse_agents.table import client_view
from impulse_agents.table.journal import Viewer
from impulse_env.engine.constants import Seat

if TYPE_CHECKING:
    from impulse_agents.table.session import Session

_NOTES: Final = 20
"""Most that waits to be said; older ones are dropped."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class Client:
    """One page at a table.

    A page is told how things stand whenever it is ready to hear it; what it missed meanwhile is
    not sent after it.

    Attributes:
        seats: Seats that sit at this page; none: a spectator.
        by: Whose eyes it looks through, None: everybody's.
    """

    def __init__(self, send: Send) -> None:
        self.seats: list[Seat] = []
        self.by: Viewer = None
        self.hint: asyncio.Task[None] | None = None
        self._send = send
        self._notes: deque[dict[str, Any]] = deque(maxlen=_NOTES)
        self._wake = asyncio.Event()
        self._parts: dict[str, str] = {}
        self._told = 0

    def note(self, kind: str, **fields: Any) -> None:
        """Say something besides how the game stands."""
        self._notes.append({"type": kind, **fields})
        self._wake.set()

    def refresh(self) -> None:
        """Say how the game stands, soon."""
        self._wake.set()

    def look(self, by: Viewer) -> None:
        """Look through other eyes; everything is told anew."""
        self.by = by
        self._parts, self._told = {}, 0
        self.refresh()

    async def tell(self, room: "Session") -> None:
        """Go on telling until the connection ends."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            await self._send(self._news(room))
            while self._notes:
                await self._send(self._notes.popleft())

    def _news(self, room: "Session") -> dict[str, Any]:
        """Return how the game stands, with the parts and the log that are new to this page."""
        parts = client_view.parts(room.table, self.by)
        entries = room.journal[self._told :]
        news = {
            "type": "state",
            "whole": not self._parts,
            "by": self.by,
            "here": self.seats,
            "curtain": room.pass_to(self),
            **client_view.standing(room.table, self.by),
            "seats": client_view.seats(room.table),
            "thinking": room.thinking,
            "trouble": room.trouble,
            "pause": room.pause,
            "order": list(parts),
            "parts": {
                name: drawn for name, drawn in parts.items() if self._parts.get(name) != drawn
            },
            "log": [entry.seen(self.by) for entry in entries],
        }
        self._parts, self._told = parts, len(room.journal)
        return news
