"""Proposals to which all persons at a table must agree: a choice taken back, an end of the game."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from impulse_env.engine.constants import Seat


@dataclass
class Proposal:
    """A proposal to the persons at a table.

    Attributes:
        seat: The seat that proposes.
        at: The number of decisions at that time; another decision cancels the proposal. None: it
            stays.
        to: The number of the decision to go back to, from 0; None for another proposal.
        waiting: Seats of persons who have not answered.
    """

    seat: Seat
    at: int | None
    to: int | None
    waiting: set[Seat] = field(default_factory=set)


class Agreement:
    """The open proposal of one kind at a table, and the answers to it.

    Args:
        carry_out: Called with the proposal once all agree.
    """

    def __init__(self, carry_out: Callable[[Proposal], None]) -> None:
        self._carry_out = carry_out
        self._proposal: Proposal | None = None

    def ask(
        self,
        seat: Seat,
        others: Collection[Seat],
        at: int | None = None,
        to: int | None = None,
    ) -> None:
        """Carry out a proposal, or ask the other persons first; arguments as in `Proposal`."""
        self._proposal = Proposal(seat, at, to, set(others))
        self._settle()

    def answer(self, seats: Collection[Seat], at: int, agrees: bool) -> Proposal | None:
        """Take a page's answer for its seats; the page that asked can withdraw its proposal.

        Args:
            seats: The seats of the page.
            at: The number of decisions so far.
            agrees: Whether they agree.

        Returns:
            The proposal; None if none waits for them.
        """
        proposal = self.pending(at)
        if proposal is None:
            return None
        withdraws = proposal.seat in seats and not agrees
        if not withdraws and not proposal.waiting.intersection(seats):
            return None
        if agrees:
            proposal.waiting.difference_update(seats)
            self._settle()
        else:
            self._proposal = None
        return proposal

    def drop(self) -> None:
        """Forget the open proposal."""
        self._proposal = None

    def pending(self, at: int) -> Proposal | None:
        """Return the open proposal, given the number of decisions so far; None if none is open."""
        if self._proposal is not None and self._proposal.at not in (None, at):
            self._proposal = None
        return self._proposal

    def summary(self, at: int) -> dict[str, Any] | None:
        """Return the open proposal, JSON-able; None if none is open."""
        proposal = self.pending(at)
        if proposal is None:
            return None
        return {"seat": proposal.seat, "waiting": sorted(proposal.waiting)}

    def _settle(self) -> None:
        proposal = self._proposal
        if proposal is not None and not proposal.waiting:
            self._proposal = None
            self._carry_out(proposal)
