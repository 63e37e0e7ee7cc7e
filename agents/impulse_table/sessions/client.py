"""A page at a table: what it has been told already, and so what is new to it."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from impulse_env.engine.constants import Seat
from impulse_table.tables.journal import Entry, Viewer

_NOTES: Final = 20
"""Most that waits to be said; older ones are dropped."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class News(NamedTuple):
    """How a table stands for one viewer, whatever a page may have been told of it.

    Attributes:
        deciding_seat: Who is to decide; None once the game is over.
        fields: What is said anew each time, JSON-able.
        parts: The drawing, part by part, in order.
        journal: What has happened, from the first decision on.
        taken_back: How often something of that was taken back.
    """

    deciding_seat: Seat | None
    fields: dict[str, Any]
    parts: dict[str, str]
    journal: Sequence[Entry]
    taken_back: int


class Client:
    """One page at a table.

    A page is told how things stand whenever it is ready to hear it; what it missed meanwhile is
    not sent after it.

    Attributes:
        seats: Seats that sit at this page; none: a spectator.
        by: Whose eyes it looks through, None: everybody's.
        is_host: Whether it is the page of whoever began the game.
        decided: The number of the last decision that it took, from 0; None: it has taken none.
        hint: What it waits for.
    """

    def __init__(self, send: Send) -> None:
        self.seats: list[Seat] = []
        self.by: Viewer = None
        self.is_host = False
        self.decided: int | None = None
        self.hint: asyncio.Task[None] | None = None
        self._send = send
        self._notes: deque[dict[str, Any]] = deque(maxlen=_NOTES)
        self._farewell: str | None = None
        self._wake = asyncio.Event()
        self._parts: dict[str, str] = {}
        self._told = 0
        self._taken_back = 0

    def note(self, kind: str, **fields: Any) -> None:
        """Say something besides how the game stands."""
        self._notes.append({"type": kind, **fields})
        self._wake.set()

    def dismiss(self, message: str) -> None:
        """Say why the page is put out of its seat, and nothing after it."""
        self._farewell = message
        self._wake.set()

    def refresh(self) -> None:
        """Say how the game stands, soon."""
        self._wake.set()

    def drop_hint(self) -> None:
        """Wait for no hint any more; whoever still thinks about one is interrupted."""
        if self.hint is not None:
            self.hint.cancel()

    def look(self, by: Viewer) -> None:
        """Look through other eyes; everything is told anew."""
        self.by = by
        self._parts, self._told = {}, 0
        self.refresh()

    def pass_to(self, deciding_seat: Seat | None) -> Seat | None:
        """Return the seat that the page has to be passed to, None if it need not be."""
        is_elsewhere = deciding_seat in self.seats and deciding_seat != self.by
        return deciding_seat if is_elsewhere else None

    async def tell(self, news: Callable[[Viewer], News]) -> None:
        """Go on telling how the table stands, which `news` says, until the page is put out."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._farewell is not None:
                return await self._send(farewell(self._farewell, can_watch=True))
            await self._send(self._what_is_new(news(self.by)))
            while self._notes:
                await self._send(self._notes.popleft())

    def _what_is_new(self, news: News) -> dict[str, Any]:
        """Return how the game stands, with the parts and the log that are new to this page."""
        if news.taken_back != self._taken_back:
            self._parts, self._told, self._taken_back = {}, 0, news.taken_back
        message = {
            "type": "state",
            "whole": not self._parts,
            "by": self.by,
            "here": self.seats,
            "host": self.is_host,
            "curtain": self.pass_to(news.deciding_seat),
            **news.fields,
            "order": list(news.parts),
            "parts": {
                name: drawn for name, drawn in news.parts.items() if self._parts.get(name) != drawn
            },
            "log": [entry.seen_by(self.by) for entry in news.journal[self._told :]],
        }
        self._parts, self._told = news.parts, len(news.journal)
        return message


def farewell(message: str, *, can_watch: bool = False) -> dict[str, Any]:
    """Return the last that a page is told, after which it does not come back by itself.

    Args:
        message: Why, for a person.
        can_watch: Whether it may come back without a seat.
    """
    return {"type": "end", "message": message, "watch": can_watch}
