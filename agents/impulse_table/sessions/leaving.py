"""Ways out of a running game: an agent plays for a person, resignation, an end by agreement."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_table.sessions.client import Client, RefusalError
from impulse_table.sessions.presence import Presence
from impulse_table.tables.agreement import Agreement, Proposal
from impulse_table.tables.protocol import Answer, Concede, Delegate, Resign
from impulse_table.tables.table import STAND_IN, SeatHolder, Table
from impulse_table.workers.pool import WorkerError

_OVER: Final = "The game is over: nobody can leave it now."
_RESIGNED: Final = "This seat has resigned: an agent plays it to the end."

_log: Final = logging.getLogger(__name__)


class Leaving:
    """Lets the persons of a table out of its game.

    Args:
        table: The table, whose seats it updates.
        people: The persons at the table.
        check: Raises `ImpulseError` if no agent of a name can play at the table.
        changed: Called with a seat whose player has changed, or None if the game is over.

    Attributes:
        proposal: The proposal to end the game.
    """

    def __init__(
        self,
        table: Table,
        people: Presence,
        check: Callable[[str], Awaitable[None]],
        changed: Callable[[Seat | None], None],
    ) -> None:
        self.proposal = Agreement(self._end)
        self._table = table
        self._people = people
        self._check = check
        self._changed = changed

    def take(self, page: Client, message: Delegate | Resign | Concede) -> None:
        """Handle a page's message; raises `RefusalError`."""
        if self._table.is_over:
            raise RefusalError(_OVER)
        if isinstance(message, Concede):
            return self._propose(page)
        self._own_seat(page, message.seat)
        if isinstance(message, Resign):
            return self._resign(page, message.seat, message.agent or STAND_IN)
        if message.agent is None:
            return self._return(message.seat)
        self._once_checked(page, message.agent, partial(self._delegate, page, message.seat))

    def answer(self, page: Client, message: Answer) -> Proposal:
        """Take a page's answer to the proposal to end the game; raises `RefusalError`."""
        proposal = self.proposal.answer(page.seats, self._table.step, message.agrees)
        if proposal is None:
            raise RefusalError("Nobody asks you now to end the game.")
        return proposal

    def _own_seat(self, page: Client, seat: Seat) -> SeatHolder:
        if seat not in page.seats:
            raise RefusalError(f"Seat {seat} is not at this page.")
        holder = self._table.saved.seats[seat]
        if holder.has_resigned:
            raise RefusalError(_RESIGNED)
        return holder

    # --- An agent plays -----------------------------------------------------------------------

    def _delegate(self, page: Client, seat: Seat, agent: str) -> None:
        self._own_seat(page, seat).agent = agent
        self._changed(seat)

    def _return(self, seat: Seat) -> None:
        holder = self._table.saved.seats[seat]
        if holder.agent is not None:
            holder.agent = None
            self._changed(seat)

    def _resign(self, page: Client, seat: Seat, agent: str) -> None:
        seats = self._table.saved.seats
        others = [one for number, one in enumerate(seats) if one.is_person and number != seat]
        if len(seats) == 2 or all(other.has_resigned for other in others):
            self._give_up(page, seat, None)
        else:
            self._once_checked(page, agent, partial(self._give_up, page, seat))

    def _give_up(self, page: Client, seat: Seat, agent: str | None) -> None:
        holder = self._own_seat(page, seat)
        holder.has_resigned, holder.agent = True, agent
        _log.info("table %s: seat %d has resigned", self._table.name, seat)
        self._changed(None if self._table.is_over else seat)

    def _once_checked(self, page: Client, agent: str, then: Callable[[str], None]) -> None:
        """Do something once an agent is known to play at this table; one at a time for a page."""
        if page.checking is not None and not page.checking.done():
            raise RefusalError("The page waits for an agent already: try again in a moment.")
        page.checking = asyncio.create_task(self._try(page, agent, then))

    async def _try(self, page: Client, agent: str, then: Callable[[str], None]) -> None:
        try:
            await self._check(agent)
            if self._table.is_over:
                raise RefusalError(_OVER)
            then(agent)
        except (WorkerError, ImpulseError) as error:
            page.note("refusal", message=f"{str(error).rstrip('.')}.")
        except Exception as error:
            _log.error("table %s: %s was not seated", self._table.name, agent, exc_info=error)
            page.note("refusal", message="No agent took the seat: the server's log says why.")

    # --- An end by agreement ------------------------------------------------------------------

    def _propose(self, page: Client) -> None:
        if page.by is None:
            raise RefusalError("Only a seat can propose to end the game.")
        if self._table.saved.seats[page.by].has_resigned:
            raise RefusalError(_RESIGNED)
        open_now = self.proposal.pending(self._table.step)
        if open_now is not None:
            raise RefusalError("Somebody proposes that already: answer there.")
        self.proposal.ask(page.by, self._asked(page))

    def _asked(self, page: Client) -> list[Seat]:
        """Return the seats whose persons must agree: not those away for whom an agent plays."""
        return [
            seat
            for seat, holder in enumerate(self._table.saved.seats)
            if holder.is_person
            and not holder.has_resigned
            and seat not in page.seats
            and (self._people.away(seat) is None or self._table.agent_at(seat) is None)
        ]

    def _end(self, proposal: Proposal) -> None:
        self._table.saved.is_agreed = True
        _log.info("table %s: the game ended by agreement", self._table.name)
        self._changed(None)
