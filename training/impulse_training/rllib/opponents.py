"""Who plays in the games of `impulse_training.rllib.train`, and how RLlib learns from them.

In every game one seat is the policy that learns. Each of the others is drawn: the same policy
again, one of its snapshots, or an agent that does not learn. All seats that the policy plays are
learned from.
"""

import zlib
from typing import Any, Final, Protocol

import numpy as np

from impulse_training.rllib.rllib_options import OpponentWeights

LEARNER: Final = "learner"
"""The learning module; its snapshots are ``past_0`` and so on."""


class Episode(Protocol):
    """What is needed of RLlib's episodes."""

    id_: str


class PolicyMapping:
    """RLlib's mapping from the agents of an episode to modules.

    It follows from the episode's id, so that all parts of an episode agree. One agent is always the
    learner's. The environment, which draws by itself, may have given just that seat to an agent
    that does not learn, and a snapshot be on each of the others: a few games teach nothing.
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
