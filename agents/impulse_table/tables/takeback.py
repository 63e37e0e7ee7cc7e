"""Choices that can be taken back: those since which nothing hidden was shown.

A seat may go back to its last decision while all that was hidden from it then is unchanged and
still hidden. No card may have come from the deck, been turned over or been shown. So a person who
takes a choice back learns nothing, except what others would decide. Agents remember nothing, so
nobody asks them; every other person must agree.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from impulse_env.engine.constants import Seat, State
from impulse_env.game import Game
from impulse_env.information import as_seen


def shows(before: State, after: State, seat: Seat) -> bool:
    """Whether anything that was hidden from a seat has changed or is no longer hidden.

    Args:
        before: A full state.
        after: The full state some decisions later.
        seat: The seat.
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
            before: The full state before the decision.
            seat: The seat that decided.
            after: The full state after it.
        """
        self._steps.append((step, seat))
        blind = {seat: shows(before, after, seat) for seat in {seat for _, seat in self._steps}}
        self._steps = [way for way in self._steps if not blind[way[1]]]

    def of(self, seat: Seat) -> int | None:
        """Return the number of a seat's last decision; None if it cannot be taken back."""
        return max((step for step, other in self._steps if other == seat), default=None)

    def forget(self, step: int) -> None:
        """Forget the decisions from a number on, as they were taken back."""
        self._steps = [way for way in self._steps if way[0] < step]


@dataclass(frozen=True)
class Earlier:
    """The position at a person's earlier decision.

    Attributes:
        game: The game before the decision.
        chances: The states of the seats' random generators.
        undone: The number of decisions since then, including that one.
    """

    game: Game
    chances: list[Any]
    undone: int


class Past:
    """The decisions of one person that can still be taken back.

    Args:
        seat: The person's seat; agents play all others.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._ways = WaysBack()
        self._positions: dict[int, tuple[Game, list[Any]]] = {}
        self._step = 0

    def took(self, before: Game, after: Game, chances: Sequence[np.random.Generator]) -> None:
        """Note a decision.

        Args:
            before: A copy of the game before the decision.
            after: The game after it.
            chances: The generator of each seat. After the person's decision, the agents have not
                yet drawn from theirs.
        """
        assert before.seat is not None
        if before.seat == self._seat:
            states = [chance.bit_generator.state for chance in chances]
            self._positions[self._step] = before, states
        self._ways.took(self._step, before.state, before.seat, after.state)
        self._step += 1
        if self._ways.of(self._seat) is None:
            self._positions.clear()

    def back(self) -> Earlier | None:
        """Undo the person's last decision: return its position; None if it cannot be taken back."""
        step = self._ways.of(self._seat)
        if step is None:
            return None
        self._ways.forget(step)
        undone, self._step = self._step - step, step
        return Earlier(*self._positions.pop(step), undone)
