"""PPO's update: the loss of a minibatch, and the optimizer's steps over a rollout.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017), with the clipped objective, the
normalised advantages and the clipped gradient of Stable-Baselines3's PPO.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import torch
from torch import Tensor

from impulse_training.selfplay.group import Group
from impulse_training.selfplay.learner import Judgement, Learner
from impulse_training.selfplay.rollout import Minibatch, Rollout
from impulse_training.selfplay.train_options import Args

_LEAST_DEVIATION: Final = 1e-8
_ALONE: Final = Group()


class Loss(NamedTuple):
    """The parts of a minibatch's loss, tensors of one number.

    Attributes:
        policy: The clipped objective's negative.
        value: The mean squared error of the values.
        entropy: The mean entropy's negative.
        behavior: The mean KL divergence of the policy from the one that played.
        magnet: The mean KL divergence of the policy from the average one, or 0.
        critic: The mean squared error of the critic that sees all hands, or 0.
        clipped: The share of decisions whose ratio is out of the clip range.
        divergence: The estimated KL divergence from the policy that decided.
    """

    policy: Tensor
    value: Tensor
    entropy: Tensor
    behavior: Tensor
    magnet: Tensor
    critic: Tensor
    clipped: Tensor
    divergence: Tensor

    def weighted(self, args: Args, number: int) -> Tensor:
        """Return the loss that is minimised in an update.

        Args:
            args: The weights of the parts.
            number: Number of the update, from 1 on.
        """
        pull = self.magnet if args.magnet == "average" else self.entropy
        loss = self.policy + magnet_weight(args, number) * pull
        loss = loss + args.vf_coef * self.value
        # Without a weight, no gradient passes through a part.
        if args.behavior_kl:
            loss = loss + args.behavior_kl * self.behavior
        return loss if args.critic == "own" else loss + args.vf_coef * self.critic


def magnet_weight(args: Args, number: int) -> float:
    """Return the weight of the magnet in an update, numbered from 1 on.

    The uniform magnet is the entropy bonus: the divergence from equally likely actions is the
    entropy's negative but for a constant.
    """
    if args.ent_power == 0:
        return args.ent_coef
    return max(args.ent_floor, args.ent_coef * number**-args.ent_power)


def loss_of(judged: Judgement, then: Minibatch, clip_range: float, group: Group = _ALONE) -> Loss:
    """Return the loss of decisions.

    Args:
        judged: What the network says of them now.
        then: The decisions, with what the network said of them then.
        clip_range: PPO's clip range.
        group: The processes, whose advantages are normalised together.
    """
    mean, deviation = _moments(then.advantages, group)
    advantages = (then.advantages - mean) / (deviation + _LEAST_DEVIATION)
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
        behavior=_divergence(judged.policies, then.policies.float(), then.sight.masks),
        magnet=(
            torch.zeros_like(divergence)
            if judged.magnet is None
            else _divergence(judged.policies, judged.magnet, then.sight.masks)
        ),
        critic=(
            torch.zeros_like(divergence)
            if judged.judged is None
            else torch.nn.functional.mse_loss(then.returns, judged.judged)
        ),
        clipped=clipped,
        divergence=divergence,
    )


def _moments(advantages: Tensor, group: Group) -> tuple[Tensor, Tensor]:
    """Return mean and standard deviation of all processes' advantages."""
    if group.size == 1:
        return advantages.mean(), advantages.std()
    count = advantages.new_tensor([len(advantages)])
    count, total = group.sum(torch.cat([count, advantages.sum()[None]]))
    mean = total / count
    squares = group.sum((advantages - mean).square().sum())
    return mean, (squares / (count - 1)).sqrt()


def _divergence(policies: Tensor, others: Tensor, masks: Tensor) -> Tensor:
    """Return the mean KL divergence of policies from others, by their log-probabilities."""
    # Illegal actions have probability 0 exactly; half precision cannot hold their logarithms.
    apart = (policies - others).masked_fill(~masks, 0)
    return (policies.exp() * apart).sum(1).mean()


@dataclass(frozen=True)
class UpdateFigures:
    """Means over the minibatches of an update.

    Attributes:
        policy_loss: See `Loss`, like the next four.
        value_loss: The mean squared error of the values.
        entropy: The policy's mean entropy, in nats.
        clip_fraction: The share of decisions out of the clip range.
        behavior_kl: The KL divergence of the policy from the one that played.
        magnet_kl: See `Loss`, like the next.
        critic_loss: The mean squared error of the critic that sees all hands.
        kl: The KL divergence the other way round, estimated from the actions taken.
        explained_variance: The share of the returns' variance that the values of the rollout
            explain, at most 1.
        learning_rate: Adam's learning rate.
    """

    policy_loss: float
    value_loss: float
    entropy: float
    behavior_kl: float
    magnet_kl: float
    critic_loss: float
    clip_fraction: float
    kl: float
    explained_variance: float
    learning_rate: float


def update(
    learner: Learner,
    rollout: Rollout,
    args: Args,
    rate: float,
    number: int = 1,
    group: Group = _ALONE,
) -> UpdateFigures:
    """Learn from a rollout.

    Args:
        learner: Its weights change.
        rollout: A rollout with its advantages.
        args: The options of the run.
        rate: Adam's learning rate.
        number: Number of the update, from 1 on.
        group: The processes that learn together, each from its own rollout.
    """
    learner.network.train()
    for parameters in learner.optimizer.param_groups:
        parameters["lr"] = rate
    losses = []
    # All processes take equally many steps.
    count = max(group.all(rollout.minibatch_count(args.minibatch_size)))
    for _ in range(args.epochs):
        for then in rollout.minibatches(count):
            judged = learner.judge(then.sight, then.actions)
            loss = loss_of(judged, then, args.clip_range, group)
            # A mean over fewer decisions than in other processes counts less.
            rows = then.advantages.new_tensor(len(then.actions))
            share = rows * group.size / group.sum(rows.clone())
            learner.step(loss.weighted(args, number) * share, group)
            losses.append(torch.stack([part.detach() for part in loss]))
    means = Loss(*torch.stack(losses).mean(0))
    return UpdateFigures(
        policy_loss=means.policy.item(),
        value_loss=means.value.item(),
        entropy=-means.entropy.item(),
        behavior_kl=means.behavior.item(),
        magnet_kl=means.magnet.item(),
        critic_loss=means.critic.item(),
        clip_fraction=means.clipped.item(),
        kl=means.divergence.item(),
        explained_variance=_explained(rollout),
        learning_rate=rate,
    )


def _explained(rollout: Rollout) -> float:
    """Return the share of the returns' variance that the values explain; NaN without variance."""
    returns = rollout.returns[rollout.learned]
    left = rollout.advantages[rollout.learned]
    variance = float(returns.var(correction=0))
    return float("nan") if variance == 0 else 1 - float(left.var(correction=0)) / variance
