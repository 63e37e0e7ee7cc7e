"""The agent that every other must beat: a legal action, all equally likely."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent


class RandomAgent(Agent):
    """Plays uniformly at random among the legal actions."""

    summary: ClassVar[str] = "any legal action, all equally likely"

    def __init__(self) -> None:
        self.name = "random"

    def act(
        self,
        observations: NDArray[np.uint8],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
    ) -> NDArray[np.int64]:
        """Draw from the masks alone."""
        # The k-th legal action of each row is where the count of legal ones first reaches k.
        counts = np.cumsum(masks, axis=1, dtype=np.int16)
        wanted = (rng.random(len(masks)) * counts[:, -1]).astype(np.int16)  # from 0
        return (counts <= wanted[:, None]).sum(axis=1)
