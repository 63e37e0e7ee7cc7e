"""The scout's network: every number of the observation on one scale, then two layers."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from impulse_env import observation
from impulse_env.observation import Section


class ScoutNetwork(nn.Module):
    """Logits of the actions and a value, from an observation.

    Args:
        high: The largest value of each number of the observation.
        actions: How many actions there are.
        width: Of both layers.
    """

    def __init__(self, high: Sequence[int], actions: int, width: int) -> None:
        super().__init__()
        self.register_buffer("scale", 1 / torch.tensor(high).float(), persistent=False)
        self.body = nn.Sequential(
            nn.Linear(len(high), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        # At first all actions are about equally likely.
        nn.init.orthogonal_(self.policy.weight, 0.01)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, shape ``(n, actions)``, and values, shape ``(n,)``."""
        hidden = self.body(observations * self.scale)
        return self.policy(hidden), self.value(hidden)[:, 0]


def make_network(
    players: int, layout: Sequence[Section], actions: int, width: int = 128
) -> ScoutNetwork:
    """Return a fresh network; the entry point ``scout`` of the group ``impulse.networks``.

    Args:
        players: 2 to 6.
        layout: The sections of the observation, in order; a network that treats cards and places
            as what they are finds them here.
        actions: How many actions there are.
        width: What ``--network-args '{"width": 64}'`` sets.
    """
    return ScoutNetwork(observation.high(players).tolist(), actions, width)
