"""Random generators for agents: one for every game, in one array.

An agent's play in a game must not depend on the other games of a batch. Each row is an xorshift64
generator, and compiled agents draw from the same states.
"""

from collections.abc import Iterable
from typing import Self

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import plain
from impulse_env.engine.rng import state_of_seed, xorshift

_MANTISSA = 53


class RngStreams:
    """Independent random generators, one row for each game.

    Attributes:
        states: The generators' states, shape ``(n,)``, uint64, never 0; each draw changes them in
            place.
    """

    def __init__(self, states: NDArray[np.uint64]) -> None:
        self.states = states

    @classmethod
    def from_seeds(cls, seeds: Iterable[int]) -> Self:
        """Return a generator for each seed, which may be any integer."""
        return cls(np.array([state_of_seed(int(seed)) for seed in seeds], np.uint64))

    @classmethod
    def from_generator(cls, rng: np.random.Generator, count: int) -> Self:
        """Return generators whose states are drawn from another."""
        return cls(rng.integers(1, 1 << 64, size=count, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.states)

    def take(self, rows: NDArray[np.intp]) -> Self:
        """Return copies of some generators; `put` writes their states back."""
        return type(self)(self.states[rows])

    def put(self, rows: NDArray[np.intp], some: Self) -> None:
        """Set the states of some rows to those of copies."""
        self.states[rows] = some.states

    def bits(self) -> NDArray[np.uint64]:
        """Draw 64 bits from each generator, never all 0; shape ``(n,)``."""
        return plain(xorshift)(self.states).copy()

    def random(self) -> NDArray[np.float64]:
        """Draw a number from [0, 1) from each generator, shape ``(n,)``."""
        return (self.bits() >> np.uint64(64 - _MANTISSA)) * np.float64(2.0**-_MANTISSA)
