"""PPO's update: its gradient is that of Stable-Baselines3, and each part is as in the paper."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.actions import N_ACTIONS
from impulse_training.sb3.sb3_options import Args as BaselineArgs
from impulse_training.sb3.train import make_model
from impulse_training.sb3.vec_env import ImpulseVecEnv
from impulse_training.selfplay.learner import Judgement, Learner
from impulse_training.selfplay.rollout import Minibatch
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.update import entropy_weight, loss_of, update
from networks import NETWORK, network, observations

SIZES = {"width": 16, "policy_layers": (16,), "value_layers": (16,), "card_dim": 4}


def learner_of(**options):
    agent = PolicyAgent(network(2), checkpoint_config(2, NETWORK), "made")
    return Learner(Args(**SIZES, **options), agent)


def minibatch(count=200):
    """Return decisions at random."""
    rng = torch.Generator().manual_seed(3)
    seen = observations(2)
    seen = seen[torch.arange(count) % len(seen)]
    masks = torch.rand(count, N_ACTIONS, generator=rng) < 0.1
    masks[:, 0] = True
    values, advantages = torch.randn(2, count, generator=rng)
    return Minibatch(
        observations=seen,
        masks=masks,
        actions=torch.multinomial(masks.float(), 1, generator=rng)[:, 0],
        values=values,
        log_probs=torch.rand(count, generator=rng).log(),
        policies=masks.float().log().clamp(min=-60_000).half(),
        advantages=advantages,
        returns=values + advantages,
    )


class OneMinibatch:
    """A rollout of one minibatch, for either implementation."""

    def __init__(self, then):
        self.then = then
        self.learned_values, self.learned_returns = then.values.numpy(), then.returns.numpy()
        self.values, self.returns = self.learned_values, self.learned_returns

    def minibatches(self, size):
        yield self.then

    def get(self, size):
        then = self.then
        yield SimpleNamespace(
            observations=then.observations,
            actions=then.actions,
            action_masks=then.masks,
            old_values=then.values,
            old_log_prob=then.log_probs,
            advantages=then.advantages,
            returns=then.returns,
        )


def test_gradients_are_those_of_stable_baselines3():
    then, learner = minibatch(), learner_of()
    given = {"epochs": 1, "ent_coef": 0.03, "vf_coef": 0.7, "clip_range": 0.15, **SIZES}
    small = {"rollout_steps": 2, "minibatch_size": 2, "learning_rate": 1e-3}
    args, model = Args(**given), make_model(BaselineArgs(**small, **given), ImpulseVecEnv(1))
    model.policy.network.load_state_dict(learner.network.state_dict())
    model.rollout_buffer = OneMinibatch(then)
    model._setup_learn(0)
    model.train()
    figures = update(learner, OneMinibatch(then), args, 1e-3)
    theirs = dict(model.policy.network.named_parameters())
    for name, weights in learner.network.named_parameters():
        assert torch.allclose(weights.grad, theirs[name].grad, rtol=1e-5, atol=1e-7), name
        assert torch.allclose(weights, theirs[name], rtol=1e-5, atol=1e-6), name
    logged = model.logger.name_to_value
    assert figures.policy_loss == pytest.approx(logged["train/policy_gradient_loss"], abs=1e-6)
    assert figures.value_loss == pytest.approx(logged["train/value_loss"], rel=1e-5)
    assert figures.entropy == pytest.approx(-logged["train/entropy_loss"], rel=1e-5)
    assert figures.clip_fraction == pytest.approx(logged["train/clip_fraction"])
    assert figures.kl == pytest.approx(logged["train/approx_kl"], rel=1e-4)
    assert figures.explained_variance == pytest.approx(logged["train/explained_variance"], rel=1e-5)
    assert figures.learning_rate == 1e-3


def test_the_loss_by_hand():
    """Two decisions; the second's ratio of 3 is clipped to 1.2 where that gains less."""
    judged = Judgement(
        values=torch.tensor([0.5, 1.0]),
        log_probs=torch.tensor([math.log(0.5), math.log(0.6)]),
        policies=torch.zeros(2, 1),
        entropies=torch.tensor([0.3, 0.5]),
    )
    then = Minibatch(
        observations=torch.zeros(2, 1),
        masks=torch.ones(2, 1, dtype=torch.bool),
        actions=torch.zeros(2),
        values=torch.zeros(2),
        log_probs=torch.tensor([math.log(0.5), math.log(0.2)]),
        policies=torch.zeros(2, 1).half(),
        advantages=torch.tensor([-1.0, 1.0]),
        returns=torch.tensor([1.0, 1.0]),
    )
    loss = loss_of(judged, then, 0.2)
    scale = 1 / math.sqrt(2)  # the standard deviation of -1 and 1, from two numbers
    assert loss.policy.item() == pytest.approx(-(-1 * scale + 1.2 * scale) / 2)
    assert loss.value.item() == pytest.approx(0.25 / 2)
    assert loss.entropy.item() == pytest.approx(-0.4)
    assert loss.clipped.item() == 0.5
    assert loss.divergence.item() == pytest.approx((2 - math.log(3)) / 2)


def test_an_update_moves_towards_what_was_better_than_expected():
    then, learner = minibatch(), learner_of()
    good = then._replace(
        log_probs=learner.judge(then.observations, then.actions, then.masks).log_probs.detach(),
        advantages=torch.where(torch.arange(200) < 100, 1.0, -1.0),
    )
    update(learner, OneMinibatch(good), Args(epochs=20, ent_coef=0.0, **SIZES), 1e-3)
    change = learner.judge(then.observations, then.actions, then.masks).log_probs - good.log_probs
    assert change[:100].mean() > 0 > change[100:].mean()


def test_values_without_variance_explain_nothing():
    then = minibatch()._replace(returns=torch.ones(200))
    figures = update(learner_of(), OneMinibatch(then), Args(epochs=1, **SIZES), 1e-3)
    assert np.isnan(figures.explained_variance)


def test_the_divergence_from_the_behaviour_pulls_back_as_by_hand():
    """The gradient with respect to a logit is p (log p/q - KL)."""
    logits = torch.tensor([[0.3, -0.2, 0.9]], requires_grad=True)
    masks = torch.tensor([[True, True, False]])
    played = torch.tensor([[math.log(0.25), math.log(0.75), -60_000]]).half()
    policies = logits.masked_fill(~masks, -1e8).log_softmax(1)
    twice = torch.zeros(2)  # one decision twice: advantages are normalised
    judged = Judgement(twice, twice, policies.expand(2, 3), twice)
    then = Minibatch(
        observations=twice,
        masks=masks.expand(2, 3),
        actions=twice,
        values=twice,
        log_probs=twice,
        policies=played.expand(2, 3),
        advantages=twice,
        returns=twice,
    )
    loss = loss_of(judged, then, 0.2).behavior
    chances = policies.detach().exp()[0, :2].tolist()
    ratios = [math.log(p / q) for p, q in zip(chances, (0.25, 0.75), strict=True)]
    expected = sum(p * ratio for p, ratio in zip(chances, ratios, strict=True))
    assert loss.item() == pytest.approx(expected, rel=1e-3)
    loss.backward()
    by_hand = [p * (ratio - expected) for p, ratio in zip(chances, ratios, strict=True)]
    assert logits.grad[0].tolist() == pytest.approx([*by_hand, 0.0], abs=1e-3)


def test_an_update_with_the_divergence_stays_nearer_to_what_played():
    then = minibatch()
    distances = []
    for weight in (0.0, 10.0):
        learner = learner_of()
        with torch.no_grad():
            before = learner.judge(then.observations, then.actions, then.masks)
        played = then._replace(log_probs=before.log_probs, policies=before.policies.half())
        args = Args(epochs=10, behavior_kl=weight, **SIZES)
        distances.append(update(learner, OneMinibatch(played), args, 1e-3).behavior_kl)
    assert 0 < distances[1] < distances[0] / 2


def test_the_weight_of_the_entropy_falls_by_a_power_to_its_floor():
    args = Args(ent_coef=0.1, ent_power=0.5, ent_floor=0.02)
    assert [entropy_weight(args, number) for number in (1, 4, 10_000)] == [0.1, 0.05, 0.02]
    assert entropy_weight(Args(ent_coef=0.1), 10_000) == 0.1
    then = minibatch()
    grads = []
    for number in (1, 16):
        learner = learner_of()
        plain = Args(epochs=1, vf_coef=0.0, ent_coef=1.0, ent_power=1.0, **SIZES)
        flat = then._replace(advantages=torch.zeros(200))
        update(learner, OneMinibatch(flat), plain, 1e-9, number)
        grads.append(torch.cat([w.grad.flatten() for w in learner.network.parameters()]))
    # The entropy is all that is left of the loss, unless its gradient was shortened.
    direction = torch.nn.functional.cosine_similarity(*grads, dim=0)
    assert direction.item() == pytest.approx(1, abs=1e-3)
    assert grads[1].norm() < grads[0].norm()
