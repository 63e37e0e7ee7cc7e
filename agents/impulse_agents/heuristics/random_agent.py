"""The baseline agent: a random legal action, all equally likely."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.selection import one_of


class RandomAgent(Agent):
    """Plays uniformly at random among the legal actions."""

    is_stochastic = True

    def __init__(self) -> None:
        self.name = "random"

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Draw an action from each mask."""
        return one_of(seen.masks != 0, streams)

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return the same share for every legal action."""
        legal = (seen.masks != 0).astype(np.float32)
        return legal / legal.sum(axis=1, keepdims=True)
