r"""Networks without what those of the project have: what cards and places as actions are worth.

They are networks of one's own to a training, and as large as its others by default:

    impulse train ablation \
        --arms network=notebooks/lab/networks/plain_networks.py:flat network=pointers
"""

from collections.abc import Sequence
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.features import Features, PrecomputedFeatures, highest
from impulse_agents.network.policy_network import dense_layers, initialise
from impulse_env.observation import Section

WIDTH: Final = 256
HIDDEN: Final = (128,)


class Flat(nn.Module):
    """One dense layer over the bare numbers, codes among them."""

    scale: Tensor

    def __init__(self, layout: Sequence[Section]) -> None:
        super().__init__()
        scale = 1 / torch.from_numpy(highest(layout)).float()
        self.register_buffer("scale", scale, persistent=False)
        self.dense = nn.Linear(len(scale), WIDTH)

    def forward(self, observations: Tensor) -> Tensor:
        """Return the features, shape ``(n, WIDTH)``."""
        return F.relu(self.dense(observations * self.scale))


class Embedded(nn.Module):
    """One dense layer over embedded cards and places, as the networks of the project have it."""

    def __init__(self, layout: Sequence[Section]) -> None:
        super().__init__()
        self.features = Features(layout, WIDTH)

    def forward(self, observations: Tensor) -> Tensor:
        """Return the features, shape ``(n, WIDTH)``."""
        return PrecomputedFeatures(self.features)(observations)


class PlainNetwork(nn.Module):
    """Features, and a head each for the policy and the value.

    Args:
        features: Returns them, shape ``(n, WIDTH)``.
        actions: How many actions there are.
    """

    def __init__(self, features: nn.Module, actions: int) -> None:
        super().__init__()
        self.features = features
        self.policy, _ = dense_layers(WIDTH, HIDDEN)
        self.critic, width = dense_layers(WIDTH, HIDDEN)
        self.action, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        initialise(self, 2**0.5)
        initialise(self.action, 0.01)
        initialise(self.value, 1.0)

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits, shape ``(n, actions)``, and values, shape ``(n,)``."""
        found = self.features(observations)
        return self.action(self.policy(found)), self.value(self.critic(found))[:, 0]


def flat(players: int, layout: Sequence[Section], actions: int) -> PlainNetwork:
    """Return a fresh network that reads bare numbers; arguments as of `impulse.networks`."""
    return PlainNetwork(Flat(layout), actions)


def cards(players: int, layout: Sequence[Section], actions: int) -> PlainNetwork:
    """Return a fresh network that embeds cards and places, and scores none of them as an action."""
    return PlainNetwork(Embedded(layout), actions)
