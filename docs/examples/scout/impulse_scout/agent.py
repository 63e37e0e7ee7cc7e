"""The agent `scout`: rules of thumb, on top of what its network says if it has one."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents import Agent, ObservationBatch, RngStreams
from impulse_agents.selection import best_of
from impulse_env import N_ACTIONS
from impulse_env.actions import NAMES

LIKES = {"use": 1.0, "ships": 0.4, "gate": 0.2, "pass": -1.0}
"""What the scout likes beforehand, by the first word of an action's name: to act, and to move."""


class Scout(Agent):
    """Does something rather than nothing, and moves rather than stays.

    Args:
        checkpoint: A trained network, whose logits are added to what the scout likes; what follows
            the colon in ``scout:CHECKPOINT``.
    """

    def __init__(self, checkpoint: str | None = None) -> None:
        self.name = "scout" if checkpoint is None else f"scout:{checkpoint}"
        self.likes = np.array([LIKES.get(name.split()[0], 0.0) for name in NAMES], np.float32)
        self.policy = None
        if checkpoint is not None:
            from impulse_agents.network.agent import PolicyAgent  # torch takes seconds to import

            self.policy = PolicyAgent.load(checkpoint)

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Score the actions of every game, and play the best legal ones."""
        scores = np.broadcast_to(self.likes, (len(seen), N_ACTIONS))
        if self.policy is not None:
            self.policy.check(seen.observations)
            scores = scores + self.policy.evaluate(seen.observations)[0]
        return best_of(scores, seen.masks, streams)
