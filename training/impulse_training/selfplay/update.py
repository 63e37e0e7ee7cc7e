"""PPO's update: the loss of a minibatch, and the optimizer's steps over a rollout.

Schulman et al., "Proximal Policy Optimization Algorithms" (2017), with the clipped objective, the
normalised advantages and the clipped gradient of Stable-Baselines3's PPO.
"""

from typing import Final, NamedTuple

import torch
from torch import Tensor
from torch.nn.functional import mse_loss

from impulse_training.run.machine.group import Group
from impulse_training.run.masking import probabilities
from impulse_training.selfplay.learner import Judgement, Learner
from impulse_training.selfplay.rollout import Minibatch, Rollout
from impulse_training.selfplay.train_options import Args

_LEAST_DEVIATION: Final = 1e-8
_ALONE: Final = Group()


class Loss(NamedTuple):
    """The parts of a minibatch's loss, tensors of one number, under the names of the log.

    Attributes:
        policy_loss: The clipped objective's negative.
        value_loss: The mean squared error of the values.
        entropy: The policy's mean entropy, in nats.
        behavior_kl: The mean KL divergence of the policy from the one that played.
        magnet_kl: The mean KL divergence of the policy from the average one, or 0.
        critic_loss: The mean squared error of the critic that sees all hands, or 0.
        clip_fraction: The share of decisions whose ratio is out of the clip range.
        kl: The KL divergence the other way round, estimated from the actions taken.
    """

    policy_loss: Tensor
    value_loss: Tensor
    entropy: Tensor
    behavior_kl: Tensor
    magnet_kl: Tensor
    critic_loss: Tensor
    clip_fraction: Tensor
    kl: Tensor

    def weighted(self, args: Args, number: int) -> Tensor:
        """Return the loss that is minimised in an update.

        Args:
            args: The weights of the parts.
            number: Number of the update, from 1 on.
        """
        pull = self.magnet_kl if args.magnet == "average" else -self.entropy
        loss = self.policy_loss + magnet_weight(args, number) * pull
        loss = loss + args.vf_coef * self.value_loss
        # Without a weight, no gradient passes through a part.
        if args.behavior_kl:
            loss = loss + args.behavior_kl * self.behavior_kl
        return loss if args.critic == "own" else loss + args.vf_coef * self.critic_loss


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
    magnet = critic = torch.zeros_like(mean)
    if judged.magnet is not None:
        magnet = _divergence(judged.policies, judged.magnet, then.sight.masks)
    if judged.judged is not None:
        critic = mse_loss(then.returns, judged.judged)
    return Loss(
        policy_loss=-objective.mean(),
        value_loss=mse_loss(then.returns, judged.values),
        entropy=judged.entropies.mean(),
        behavior_kl=_divergence(judged.policies, then.policies.float(), then.sight.masks),
        magnet_kl=magnet,
        critic_loss=critic,
        clip_fraction=((ratio - 1).abs() > clip_range).float().mean(),
        kl=(ratio - 1 - change).detach().mean(),
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
    return (probabilities(policies) * apart).sum(1).mean()


def update(
    learner: Learner,
    rollout: Rollout,
    args: Args,
    rate: float,
    number: int = 1,
    group: Group = _ALONE,
) -> dict[str, float]:
    """Learn from a rollout, and return metrics by the names of the log.

    They are the means of `Loss`, the ``learning_rate``, and ``explained_variance``: the share of
    the returns' variance that the values of the rollout explain, at most 1.

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
    means = dict(zip(Loss._fields, torch.stack(losses).mean(0).tolist(), strict=True))
    return {**means, "explained_variance": _explained(rollout), "learning_rate": rate}


def _explained(rollout: Rollout) -> float:
    """Return the share of the returns' variance that the values explain; NaN without variance."""
    returns = rollout.returns[rollout.learned]
    left = rollout.advantages[rollout.learned]
    variance = float(returns.var(correction=0))
    return float("nan") if variance == 0 else 1 - float(left.var(correction=0)) / variance
