"""Chat among the persons at a table; only in memory, never in the table's file or its record."""

import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

from impulse_env.engine.constants import Seat
from impulse_table.sessions.client import RefusalError
from impulse_table.tables.table import Table

KEPT: Final = 50
"""Lines that a page gets when it joins; older ones are forgotten."""
AT_ONCE: Final = 5
"""Lines that a seat may send at once."""
SECONDS: Final = 2.0
"""Seconds until it may send another one after that."""


class Chat:
    """The lines that the persons at a table have sent.

    Args:
        table: The table.
        clock: Returns seconds, and never goes back.
    """

    def __init__(self, table: Table, clock: Callable[[], float] = time.monotonic) -> None:
        self.lines: deque[dict[str, Any]] = deque(maxlen=KEPT)
        self._table = table
        self._clock = clock
        self._left: dict[Seat, tuple[float, float]] = {}

    @property
    def is_open(self) -> bool:
        """Whether at least two persons have seats at the table."""
        return sum(holder.is_person for holder in self._table.saved.seats) > 1

    def add(self, seat: Seat | None, text: str) -> dict[str, Any]:
        """Add a line of the person at a seat and return it, JSON-able; raises `RefusalError`."""
        if seat is None or not self.is_open:
            raise RefusalError("There is no other person at this table to chat with.")
        wait = self._wait(seat)
        if wait:
            raise RefusalError(f"You send too many lines: try again in {int(wait) + 1} s.")
        line = {"seat": seat, "name": self._table.saved.seats[seat].name, "text": text}
        self.lines.append(line)
        return line

    def _wait(self, seat: Seat) -> float:
        """Count a line of a seat; return 0, or the seconds until the seat may send it."""
        now = self._clock()
        left, then = self._left.get(seat, (float(AT_ONCE), now))
        left = min(float(AT_ONCE), left + (now - then) / SECONDS)
        if left < 1:
            return (1 - left) * SECONDS
        self._left[seat] = left - 1, now
        return 0.0
