"""Choices that can be taken back: those after which nothing hidden has been shown.

A seat may go back to its last decision as long as whatever was hidden from it then still is, and is
still the same: no card has come from the deck, none has been turned over, nobody has shown one. So
a person who takes something back knows no more than before, except of what others would decide.
Agents remember nothing, so that with them alone nobody is asked; every other person must agree.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from impulse_env.engine.constants import Seat, State
from impulse_env.game import Game
from impulse_env.information import as_seen


def shows(before: State, after: State, seat: Seat) -> bool:
    """Whether anything that was hidden from a seat is another, or open to it, afterwards.

    Args:
        before: A full record.
        after: The record some decisions later.
        seat: From whom it was hidden.
    """
    was, is_now = _bytes(before), _bytes(after)
    saw, sees = _bytes(as_seen(before, seat)), _bytes(as_seen(after, seat))
    hidden = was != saw
    return bool(np.any(was[hidden] != is_now[hidden]) or np.any(saw[hidden] != sees[hidden]))


def _bytes(state: State) -> np.ndarray:
    return np.frombuffer(state.tobytes(), np.uint8)


class WaysBack:
    """The decisions that can still be taken back, by the seats that took them."""

    def __init__(self) -> None:
        self._steps: list[tuple[int, Seat]] = []

    def took(self, step: int, before: State, seat: Seat, after: State) -> None:
        """Note that a seat has decided.

        Args:
            step: The number of the decision, from 0.
            before: The record in which it was taken.
            seat: Who took it.
            after: The record that came of it.
        """
        self._steps.append((step, seat))
        blind = {seat: shows(before, after, seat) for seat in {seat for _, seat in self._steps}}
        self._steps = [way for way in self._steps if not blind[way[1]]]

    def of(self, seat: Seat) -> int | None:
        """Return the number of the last decision of a seat; None if it cannot be taken back."""
        return max((step for step, other in self._steps if other == seat), default=None)

    def forget(self, step: int) -> None:
        """Forget the decisions from that number on: they were taken back."""
        self._steps = [way for way in self._steps if way[0] < step]


@dataclass
class Request:
    """Somebody wants to take back a decision, and others are asked.

    Attributes:
        seat: Who wants to.
        at: How many decisions had been taken then; it has lapsed once there are more.
        to: The number of the decision, from 0.
        waiting: Seats of persons who have not answered.
    """

    seat: Seat
    at: int
    to: int
    waiting: set[Seat] = field(default_factory=set)


class TakeBacks:
    """What is asked at a table about taking back, and what is answered.

    Args:
        rewind: Called with the number of a decision once all agree to go on from there.
    """

    def __init__(self, rewind: Callable[[int], None]) -> None:
        self._rewind = rewind
        self._request: Request | None = None

    def ask(self, seat: Seat, at: int, to: int, others: Sequence[Seat]) -> None:
        """Take back a decision, or ask the other persons first."""
        self._request = Request(seat, at, to, set(others))
        self._settle()

    def answer(self, seats: Sequence[Seat], at: int, agrees: bool) -> Request | None:
        """Take the answer of the seats at a page; returns what it is about, None if nothing is."""
        request = self.pending(at)
        if request is None or not request.waiting.intersection(seats):
            return None
        if agrees:
            request.waiting.difference_update(seats)
            self._settle()
        else:
            self._request = None
        return request

    def pending(self, at: int) -> Request | None:
        """Return what is asked now that so many decisions have been taken."""
        if self._request is not None and self._request.at != at:
            self._request = None
        return self._request

    def told(self, at: int) -> dict[str, Any] | None:
        """Return what is asked, JSON-able."""
        request = self.pending(at)
        if request is None:
            return None
        return {"seat": request.seat, "waiting": sorted(request.waiting)}

    def _settle(self) -> None:
        if self._request is not None and not self._request.waiting:
            to, self._request = self._request.to, None
            self._rewind(to)


@dataclass(frozen=True)
class Earlier:
    """How things stood when the person was to decide.

    Attributes:
        game: The game.
        chances: The states of the seats' generators.
        undone: How many decisions were taken since, that one included.
    """

    game: Game
    chances: list[Any]
    undone: int


class Past:
    """The decisions of one person, kept for as long as they can be taken back.

    Args:
        seat: The person's; agents have all others.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._ways = WaysBack()
        self._kept: dict[int, tuple[Game, list[Any]]] = {}
        self._step = 0

    def took(self, before: Game, after: Game, chances: Sequence[np.random.Generator]) -> None:
        """Note a decision.

        Args:
            before: A copy of the game in which it was taken.
            after: What came of it.
            chances: The generator of each seat; the agents have drawn nothing since an own one.
        """
        assert before.seat is not None
        if before.seat == self._seat:
            states = [chance.bit_generator.state for chance in chances]
            self._kept[self._step] = before, states
        self._ways.took(self._step, before.state, before.seat, after.state)
        self._step += 1
        if self._ways.of(self._seat) is None:
            self._kept.clear()

    def back(self) -> Earlier | None:
        """Return what the last decision of the person goes back to; None if it stands."""
        step = self._ways.of(self._seat)
        if step is None:
            return None
        self._ways.forget(step)
        undone, self._step = self._step - step, step
        return Earlier(*self._kept.pop(step), undone)
