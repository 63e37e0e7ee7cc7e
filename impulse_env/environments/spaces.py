"""The spaces of the environments."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from impulse_env import observation
from impulse_env.actions import N_ACTIONS


class ActionSpace(spaces.Discrete):
    """`Discrete(N_ACTIONS)` with a masked sample that is several times faster and also uniform."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(N_ACTIONS, seed)
        self._size = N_ACTIONS
        # Made now, not at the first sample: an earlier copy must continue with the same numbers.
        _ = self.np_random

    def sample(self, mask: NDArray[np.int8] | None = None, probability: Any = None) -> np.int64:
        """Return a uniformly drawn action; with a mask, among the actions where it is 1.

        A mask of another kind goes to `Discrete.sample`, which raises its own errors.
        """
        if probability is None and type(mask) is np.ndarray and mask.shape == (self._size,):
            flags = mask.tobytes() if mask.dtype == np.int8 else b""
            legal = flags.count(1)
            if legal and legal + flags.count(0) == self._size:
                # The product is below `legal`: random() is at most 1 - 2**-53.
                return mask.nonzero()[0][int(self.np_random.random() * legal)]
        return super().sample(mask, probability)


def vector_space(players: int) -> "spaces.Box[np.uint8]":
    """Return the space of the observation vector, the same for every agent."""
    high = np.asarray(observation.high(players), np.uint8)
    return spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
