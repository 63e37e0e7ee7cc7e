"""The features of `agents.network` as Stable-Baselines3 wants them, and the way back."""

from typing import Any, Final

from gymnasium import spaces
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import Tensor, nn

from agents.network import Features


class CardFeatures(BaseFeaturesExtractor):
    """`Features` as a features extractor: counts scaled, cards embedded, for any `players`."""

    def __init__(self, space: spaces.Box, players: int, width: int, card_dim: int) -> None:
        super().__init__(space, width)
        self.network = Features(players, width, card_dim)

    def forward(self, observations: Tensor) -> Tensor:
        """Return the features, shape ``(n, width)``."""
        return self.network(observations)


_NAMES: Final = {
    "features_extractor.network.": "features.",
    "mlp_extractor.policy_net.": "policy.",
    "mlp_extractor.value_net.": "critic.",
    "action_net.": "action.",
    "value_net.": "value.",
}
"""What Stable-Baselines3 calls the parts of a `PolicyNetwork`."""


def policy_arguments(players: int, network: dict[str, Any]) -> dict[str, Any]:
    """Return the `policy_kwargs` that make Stable-Baselines3 build that network.

    Args:
        players: 2 to 6.
        network: The arguments of `PolicyNetwork` but for `players`.
    """
    return {
        "features_extractor_class": CardFeatures,
        "features_extractor_kwargs": {
            "players": players,
            "width": network["width"],
            "card_dim": network["card_dim"],
        },
        "net_arch": {"pi": list(network["policy"]), "vf": list(network["value"])},
        "activation_fn": nn.ReLU,
    }


def weights_of(policy: nn.Module) -> dict[str, Tensor]:
    """Return the weights of a Stable-Baselines3 policy as those of a `PolicyNetwork`: views."""
    return {
        name.replace(theirs, ours, 1): tensor
        for name, tensor in policy.state_dict().items()
        for theirs, ours in _NAMES.items()
        if name.startswith(theirs)
    }
