"""The persons at a table: who is away since when, and the agents that play for them."""

import asyncio
import time
from collections.abc import Callable, Collection

from impulse_env.engine.constants import Seat
from impulse_table.tables.table import STAND_IN, Table, TableError


class Presence:
    """The persons of a table.

    An agent takes over a seat only while somebody else is at the table; an empty table waits.

    Args:
        table: The table; `Presence` updates its `Table.stand_ins`.
        taken_over: Called after an agent has taken over a seat because its time was up.
        clock: Returns seconds, and never goes back.
    """

    def __init__(
        self,
        table: Table,
        taken_over: Callable[[], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._taken_over = taken_over
        self._clock = clock
        self._here: set[Seat] = set()
        persons = [seat for seat, holder in enumerate(table.saved.seats) if holder.is_person]
        self._since = dict.fromkeys(persons, clock())
        self._timer: asyncio.TimerHandle | None = None

    def away(self, seat: Seat) -> int | None:
        """Return the seconds that a person has been away; None for agents and persons here."""
        return int(self._clock() - self._since[seat]) if seat in self._since else None

    def update(self, here: Collection[Seat]) -> list[Seat]:
        """Note the seats of persons who are here; return the seats that agents give back."""
        now = self._clock()
        for seat, holder in enumerate(self._table.saved.seats):
            if seat in here:
                self._since.pop(seat, None)
            elif holder.is_person:
                self._since.setdefault(seat, now)
        self._here = set(here)
        stand_ins = self._table.stand_ins
        returned = [seat for seat in stand_ins if seat in here or not here]
        for seat in returned:
            del stand_ins[seat]
        self.wait()
        return returned

    def relieve(self, seat: Seat) -> None:
        """Let an agent play for a person who is away; raises `TableError`."""
        if seat not in self._since:
            raise TableError(f"nobody is away from seat {seat}")
        if self._table.saved.seats[seat].agent is not None:
            raise TableError(f"an agent plays seat {seat} already")
        if not self._here:
            raise TableError(
                "somebody must be at the table while an agent plays for another person"
            )
        self._table.stand_ins.setdefault(seat, STAND_IN)

    def wait(self) -> None:
        """Restart the timer for the next person whose time away runs out."""
        self.close()
        minutes = self._table.saved.away_minutes
        waiting = [since for seat, since in self._since.items() if self._is_open(seat)]
        if minutes is not None and self._here and waiting:
            left = max(0.0, min(waiting) + 60 * minutes - self._clock())
            self._timer = asyncio.get_running_loop().call_later(left, self._take_over)

    def _take_over(self) -> None:
        minutes = self._table.saved.away_minutes
        assert minutes is not None, "the timer runs only with a limit"
        latest = self._clock() - 60 * minutes
        stand_ins = self._table.stand_ins
        due = [seat for seat, since in self._since.items() if since <= latest]
        fresh = {seat: STAND_IN for seat in due if self._is_open(seat)}
        stand_ins.update(fresh)
        self.wait()
        if fresh:
            self._taken_over()

    def _is_open(self, seat: Seat) -> bool:
        """Whether no agent plays the seat for its person."""
        holder = self._table.saved.seats[seat]
        return seat not in self._table.stand_ins and holder.agent is None

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
