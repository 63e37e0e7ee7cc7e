"""The players in the games of `impulse_training.rllib.train`.

In every game, the learning policy plays one seat. The player of each other seat is sampled: the
same policy, one of its snapshots, or an agent that does not learn. The policy learns from all seats
that it plays.
"""

import zlib
from typing import Any, Final, Protocol

import numpy as np

from impulse_training.rllib.rllib_options import OpponentWeights

LEARNER: Final = "learner"
"""The learning module; its snapshots are ``past_0`` and so on."""


class Episode(Protocol):
    """The part of RLlib's episodes that `PolicyMapping` reads."""

    id_: str


class PolicyMapping:
    """RLlib's mapping from the agents of an episode to modules.

    The mapping depends only on the episode's id, so that all parts of an episode agree. The learner
    always plays one agent. The environment samples independently and may give that seat to an agent
    that does not learn. If snapshots play all other seats, the policy learns nothing from the game.
    """

    def __init__(self, players: int, opponent_weights: OpponentWeights) -> None:
        self._agents = [f"player_{seat}" for seat in range(players)]
        self._modules = [LEARNER, *opponent_weights.past_modules]
        both = max(opponent_weights.current + opponent_weights.past, 1e-9)
        past = opponent_weights.past / both / max(1, len(opponent_weights.past_modules))
        chances = np.full(len(self._modules), past)
        chances[0] = 1 - past * len(opponent_weights.past_modules)
        self._chances = chances

    def __call__(self, agent_id: str, episode: Episode, **kwargs: Any) -> str:
        """Return the name of the module that plays for an agent."""
        rng = np.random.default_rng(zlib.crc32(episode.id_.encode()))
        drawn = rng.choice(len(self._modules), size=len(self._agents), p=self._chances)
        drawn[rng.integers(len(self._agents))] = 0
        return self._modules[drawn[self._agents.index(agent_id)]]
