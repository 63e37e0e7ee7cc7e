"""PPO's update: the loss of a minibatch, and the optimizer's steps over a rollout.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017), with the clipped objective, the
normalised advantages and the clipped gradient of Stable-Baselines3's PPO.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from impulse_training.selfplay.learner import Judgement, Learner
from impulse_training.selfplay.rollout import Minibatch, Rollout
from impulse_training.selfplay.train_options import Args

_MOST_GRADIENT: Final = 0.5
"""Longer gradients are shortened to this norm."""
_LEAST_DEVIATION: Final = 1e-8


class Loss(NamedTuple):
    """The parts of a minibatch's loss, tensors of one number.

    Attributes:
        policy: The clipped objective's negative.
        value: The mean squared error of the values.
        entropy: The mean entropy's negative.
        behavior: The mean KL divergence of the policy from the one that played.
        clipped: The share of decisions whose ratio is out of the clip range.
        divergence: The estimated KL divergence from the policy that decided.
    """

    policy: Tensor
    value: Tensor
    entropy: Tensor
    behavior: Tensor
    clipped: Tensor
    divergence: Tensor

    def weighted(self, args: Args, number: int) -> Tensor:
        """Return the loss that is minimised in an update.

        Args:
            args: The weights of the parts.
            number: Number of the update, from 1 on.
        """
        loss = self.policy + entropy_weight(args, number) * self.entropy
        loss = loss + args.vf_coef * self.value
        # Without a weight, no gradient passes through it.
        return loss + args.behavior_kl * self.behavior if args.behavior_kl else loss


def entropy_weight(args: Args, number: int) -> float:
    """Return the weight of the entropy bonus in an update, numbered from 1 on."""
    if args.ent_power == 0:
        return args.ent_coef
    return max(args.ent_floor, args.ent_coef * number**-args.ent_power)


def loss_of(judged: Judgement, then: Minibatch, clip_range: float) -> Loss:
    """Return the loss of decisions.

    Args:
        judged: What the network says of them now.
        then: The decisions, with what the network said of them then.
        clip_range: PPO's clip range.
    """
    advantages = then.advantages
    advantages = (advantages - advantages.mean()) / (advantages.std() + _LEAST_DEVIATION)
    change = judged.log_probs - then.log_probs
    ratio = change.exp()
    objective = torch.min(
        advantages * ratio, advantages * ratio.clamp(1 - clip_range, 1 + clip_range)
    )
    with torch.no_grad():
        clipped = ((ratio - 1).abs() > clip_range).float().mean()
        divergence = (ratio - 1 - change).mean()
    return Loss(
        policy=-objective.mean(),
        value=torch.nn.functional.mse_loss(then.returns, judged.values),
        entropy=-judged.entropies.mean(),
        behavior=_behavior(judged, then),
        clipped=clipped,
        divergence=divergence,
    )


def _behavior(judged: Judgement, then: Minibatch) -> Tensor:
    """Return the mean KL divergence from the policies that played."""
    # Illegal actions have probability 0 exactly; half precision cannot hold their logarithms.
    apart = (judged.policies - then.policies.float()).masked_fill(~then.masks, 0)
    return (judged.policies.exp() * apart).sum(1).mean()


@dataclass(frozen=True)
class UpdateFigures:
    """Means over the minibatches of an update.

    Attributes:
        policy_loss: See `Loss`, like the next four.
        value_loss: The mean squared error of the values.
        entropy: The policy's mean entropy, in nats.
        clip_fraction: The share of decisions out of the clip range.
        behavior_kl: The KL divergence of the policy from the one that played.
        kl: The KL divergence the other way round, estimated from the actions taken.
        explained_variance: The share of the returns' variance that the values of the rollout
            explain, at most 1.
        learning_rate: Adam's learning rate.
    """

    policy_loss: float
    value_loss: float
    entropy: float
    behavior_kl: float
    clip_fraction: float
    kl: float
    explained_variance: float
    learning_rate: float


def update(
    learner: Learner, rollout: Rollout, args: Args, rate: float, number: int = 1
) -> UpdateFigures:
    """Learn from a rollout.

    Args:
        learner: Its weights change.
        rollout: A rollout with its advantages.
        args: The options of the run.
        rate: Adam's learning rate.
        number: Number of the update, from 1 on.
    """
    learner.network.train()
    for group in learner.optimizer.param_groups:
        group["lr"] = rate
    losses = []
    for _ in range(args.epochs):
        for then in rollout.minibatches(args.minibatch_size):
            judged = learner.judge(then.observations, then.actions, then.masks)
            loss = loss_of(judged, then, args.clip_range)
            learner.optimizer.zero_grad()
            loss.weighted(args, number).backward()
            torch.nn.utils.clip_grad_norm_(learner.network.parameters(), _MOST_GRADIENT)
            learner.optimizer.step()
            losses.append(torch.stack([part.detach() for part in loss]))
    policy, value, entropy, behavior, clipped, divergence = torch.stack(losses).mean(0).tolist()
    return UpdateFigures(
        policy_loss=policy,
        value_loss=value,
        entropy=-entropy,
        behavior_kl=behavior,
        clip_fraction=clipped,
        kl=divergence,
        explained_variance=_explained(rollout),
        learning_rate=rate,
    )


def _explained(rollout: Rollout) -> float:
    """Return the share of the returns' variance that the values explain; NaN without variance."""
    values, returns = rollout.learned_values, rollout.learned_returns
    variance = float(np.var(returns))
    return float("nan") if variance == 0 else 1 - float(np.var(returns - values)) / variance
