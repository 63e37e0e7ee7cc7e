"""A page at a table: what the server has sent to it, and so what is new to it."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple

from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_table.tables.journal import Entry, Viewer

_NOTES: Final = 20
"""Notes that can wait for a page; beyond that, the oldest are dropped."""

Send = Callable[[dict[str, Any]], Awaitable[None]]


class RefusalError(ImpulseError, ValueError):
    """A page asked for something impossible; the message is for the person at the page."""


class News(NamedTuple):
    """The whole state of a table for one viewer.

    Attributes:
        deciding_seat: The seat of the person who must decide; None if nobody must.
        fields: The fields to send every time, JSON-able.
        parts: The drawing, part by part, in order.
        journal: The events, from the first decision on.
        taken_back: How many decisions were taken back.
    """

    deciding_seat: Seat | None
    fields: dict[str, Any]
    parts: dict[str, str]
    journal: Sequence[Entry]
    taken_back: int


class Client:
    """One page at a table.

    A page gets the current state whenever it is ready to receive; it does not get the states that
    it missed meanwhile.

    Attributes:
        seats: Seats of this page; empty for a spectator.
        by: The seat of its viewpoint; None: it shows only what everybody sees.
        is_host: Whether it is the page of the person who began the game.
        decided: The number of its last decision, from 0; None if it has made none.
        hint: The hint that it waits for.
        checking: The check of an agent that it has chosen for a seat.
    """

    def __init__(self, send: Send) -> None:
        self.seats: list[Seat] = []
        self.by: Viewer = None
        self.is_host = False
        self.decided: int | None = None
        self.hint: asyncio.Task[None] | None = None
        self.checking: asyncio.Task[None] | None = None
        self._send = send
        self._notes: deque[dict[str, Any]] = deque(maxlen=_NOTES)
        self._farewell: str | None = None
        self._wake = asyncio.Event()
        self._parts: dict[str, str] = {}
        self._sent = 0
        self._taken_back = 0

    def note(self, kind: str, **fields: Any) -> None:
        """Send a message other than the state of the table."""
        self._notes.append({"type": kind, **fields})
        self._wake.set()

    def dismiss(self, message: str) -> None:
        """Tell the page why it loses its seat, and send nothing after that."""
        self._farewell = message
        self._wake.set()

    def refresh(self) -> None:
        """Send the state of the table soon."""
        self._wake.set()

    def drop_hint(self) -> None:
        """Cancel the hint, and interrupt the agent that is thinking about it."""
        if self.hint is not None:
            self.hint.cancel()

    def look(self, by: Viewer) -> None:
        """Change the viewpoint; the page gets the whole state again."""
        self.by = by
        self._parts, self._sent = {}, 0
        self.refresh()

    def pass_to(self, deciding_seat: Seat | None) -> Seat | None:
        """Return the seat whose person must take over the page; None if nobody must."""
        is_elsewhere = deciding_seat in self.seats and deciding_seat != self.by
        return deciding_seat if is_elsewhere else None

    async def tell(self, news: Callable[[Viewer], News]) -> None:
        """Send the state of the table, from `news`, at each change until the page is dismissed."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            if self._farewell is not None:
                return await self._send(farewell(self._farewell, can_watch=True))
            await self._send(self._changes(news(self.by)))
            while self._notes:
                await self._send(self._notes.popleft())

    def _changes(self, news: News) -> dict[str, Any]:
        """Return the state of the table, with the parts and log entries that this page lacks."""
        if news.taken_back != self._taken_back:
            self._parts, self._sent, self._taken_back = {}, 0, news.taken_back
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
            "log": [entry.seen_by(self.by) for entry in news.journal[self._sent :]],
        }
        self._parts, self._sent = news.parts, len(news.journal)
        return message


def farewell(message: str, *, can_watch: bool = False) -> dict[str, Any]:
    """Return the last message to a page, after which it does not reconnect by itself.

    Args:
        message: The reason, in a sentence for people.
        can_watch: Whether it may come back as a spectator.
    """
    return {"type": "end", "message": message, "watch": can_watch}
