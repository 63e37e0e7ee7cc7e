"""A training that teaches the value alone, and leaves the policy as it is.

A policy learns from what its value says, and the value from what the policy did on the way there:
in the end the value may have foretold games that nobody plays any more, or learned some by heart.
More games of the policy as it is then mend the value, and nothing that was measured of the play
changes.
"""

import torch
from torch import nn

from impulse_agents.network.build import Network
from impulse_env.observation import size
from impulse_training.run.common_options import ConfigError


def value_weights(network: Network, players: int) -> list[nn.Parameter]:
    """Return the weights that the value depends on and the policy does not.

    Raises:
        ConfigError: There are none.
    """
    weights = list(network.parameters())
    observations = torch.zeros(1, size(players), dtype=torch.uint8, device=weights[0].device)
    logits, values = network(observations)
    of_policy = torch.autograd.grad(logits.sum(), weights, retain_graph=True, allow_unused=True)
    of_value = torch.autograd.grad(values.sum(), weights, allow_unused=True)
    own = [
        weight
        for weight, acts, foretells in zip(weights, of_policy, of_value, strict=True)
        if acts is None and foretells is not None
    ]
    if not own:
        raise ConfigError(
            "--value-only needs a network whose value has weights of its own; the policy of this "
            "one reads all that its value reads"
        )
    return own


def freeze_policy(network: Network, players: int) -> None:
    """Let only the weights learn that are the value's alone; see `value_weights`."""
    own = set(value_weights(network, players))
    for weight in network.parameters():
        weight.requires_grad = weight in own
