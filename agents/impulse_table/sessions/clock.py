"""The clock of a table: the time that persons have for a turn and for the whole game."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

from impulse_env.engine.constants import Seat
from impulse_table.tables.table import Table

_SLACK: Final = 0.05
"""Seconds that a timer may be early."""


class Clock:
    """Measures the time of the persons at a table.

    A person's clock runs while that person must decide and somebody is at the table. After the
    seconds for a turn, an agent plays the seat until the turn ends; after the minutes for the game,
    to the end. A restart of the server gives back the time of the decision that it interrupts.

    Args:
        table: The table; `Clock` updates its `Table.late` and the used time in its `Table.saved`.
        ran_out: Called after the time of the deciding person has run out.
        clock: Returns seconds, and never goes back.
    """

    def __init__(
        self,
        table: Table,
        ran_out: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._ran_out = ran_out
        self._clock = clock
        self._turn = table.game.turn
        self._used: dict[Seat, float] = {}
        self._running: Seat | None = None
        self._since = clock()
        self._timer: asyncio.TimerHandle | None = None

    def follow(self, is_empty: bool) -> None:
        """Note that the table has changed.

        Args:
            is_empty: Whether nobody is at the table, so that no clock runs.
        """
        limits = self._table.saved.clock
        if limits is None:
            return
        self._settle()
        deciding, before = self._table.deciding_person, self._running
        if before is not None and before == self._table.game.seat and limits.is_up(before):
            deciding = before  # its time is up, which the timer has yet to report
        self._running = None if is_empty else deciding
        self.close()
        if self._running is not None:
            left = min(left for left in self._left(self._running) if left is not None)
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(max(0.0, left), self._run_out)

    def summary(self) -> dict[str, Any] | None:
        """Return the clock of the table, JSON-able, with the seconds left of each seat, or None.

        ``left`` has a pair for each seat, for the turn and for the game; None: no limit.
        """
        limits = self._table.saved.clock
        if limits is None:
            return None
        self._settle()
        return {
            "turn_seconds": limits.turn_seconds,
            "game_minutes": limits.game_minutes,
            "agent": limits.agent,
            "running": self._running,
            "left": [self._left(seat) for seat in range(len(self._table.saved.seats))],
        }

    def _left(self, seat: Seat) -> tuple[float | None, float | None]:
        limits = self._table.saved.clock
        assert limits is not None, "only a table with a clock has time left"
        turn, game = limits.turn_seconds, limits.game_minutes
        of_turn = None if turn is None else turn - self._used.get(seat, 0.0)
        of_game = None if game is None else 60 * game - limits.used[seat]
        return of_turn, of_game

    def _settle(self) -> None:
        """Add the time since the last change to the seat whose clock runs."""
        limits, now = self._table.saved.clock, self._clock()
        assert limits is not None, "only the clock of a table runs"
        if self._running is not None:
            limits.used[self._running] += now - self._since
            self._used[self._running] = self._used.get(self._running, 0.0) + now - self._since
        self._since = now
        if self._turn != self._table.game.turn:
            self._turn = self._table.game.turn
            self._used.clear()
            self._table.late.clear()

    def _run_out(self) -> None:
        seat, limits = self._running, self._table.saved.clock
        assert seat is not None, "the timer runs for a seat"
        assert limits is not None, "the timer runs only with a clock"
        self._settle()
        self._running = None
        of_turn, of_game = self._left(seat)
        if of_game is not None and of_game <= _SLACK and limits.game_minutes is not None:
            limits.used[seat] = 60.0 * limits.game_minutes
        if of_turn is not None and of_turn <= _SLACK:
            self._table.late.add(seat)
        self._ran_out()

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
