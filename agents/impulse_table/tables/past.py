"""What one person among agents can go back to: the game and everybody's chance, as they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from impulse_env.engine.constants import Seat
from impulse_env.game import Game
from impulse_table.tables.taking_back import WaysBack


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
