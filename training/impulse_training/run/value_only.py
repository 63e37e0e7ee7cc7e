"""Freezes the policy, to train the value head only.

During training the value head learns from games of earlier policies, so it may lag behind the
final policy or overfit. More games of the frozen policy correct the value head, while the agent's
play, and every measurement of it, stays the same.
"""

import torch

from impulse_agents.network.build import Network
from impulse_env.observation import size
from impulse_training.run.common_options import ConfigError


def freeze_policy(network: Network, players: int) -> None:
    """Freeze all weights except those that affect the value but not the policy.

    Raises:
        ConfigError: There are no such weights.
    """
    weights = list(network.parameters())
    observations = torch.zeros(1, size(players), dtype=torch.uint8, device=weights[0].device)
    logits, values = network(observations)
    of_policy = torch.autograd.grad(logits.sum(), weights, retain_graph=True, allow_unused=True)
    of_value = torch.autograd.grad(values.sum(), weights, allow_unused=True)
    for weight, acts, foretells in zip(weights, of_policy, of_value, strict=True):
        weight.requires_grad = acts is None and foretells is not None
    if not any(weight.requires_grad for weight in weights):
        raise ConfigError(
            "--value-only needs a network whose value head has its own weights; here all of them "
            "affect the policy"
        )
