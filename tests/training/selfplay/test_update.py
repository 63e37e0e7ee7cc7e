"""PPO's update: its gradient is that of Stable-Baselines3, and each part is as in the paper."""

import math

import numpy as np
import pytest
import torch

from impulse_training.run.machine.group import Group
from impulse_training.sb3.sb3_options import Args as BaselineArgs
from impulse_training.sb3.train import make_model
from impulse_training.sb3.vec_env import ImpulseVecEnv
from impulse_training.selfplay.critic import hands_of
from impulse_training.selfplay.learner import Judgement, Sight
from impulse_training.selfplay.rollout import Minibatch
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.update import loss_of, magnet_weight, update
from updates import SIZES, OneMinibatch, learner_of, minibatch


def test_gradients_are_those_of_stable_baselines3():
    then, learner = minibatch(), learner_of()
    given = {"epochs": 1, "ent_coef": 0.03, "vf_coef": 0.7, "clip_range": 0.15, **SIZES}
    small = {"rollout_steps": 2, "minibatch_size": 2, "learning_rate": 1e-3}
    args, model = Args(**given), make_model(BaselineArgs(**small, **given), ImpulseVecEnv(1))
    model.policy.network.load_state_dict(learner.network.state_dict())
    model.rollout_buffer = OneMinibatch(then)
    model.rollout_buffer.values = (then.returns - then.advantages).numpy()
    model.rollout_buffer.returns = then.returns.numpy()
    model._setup_learn(0)
    model.train()
    figures = update(learner, OneMinibatch(then), args, 1e-3)
    theirs = dict(model.policy.network.named_parameters())
    for name, weights in learner.network.named_parameters():
        assert torch.allclose(weights.grad, theirs[name].grad, rtol=1e-5, atol=1e-7), name
        assert torch.allclose(weights, theirs[name], rtol=1e-5, atol=1e-6), name
    logged = model.logger.name_to_value
    assert figures["policy_loss"] == pytest.approx(logged["train/policy_gradient_loss"], abs=1e-6)
    assert figures["value_loss"] == pytest.approx(logged["train/value_loss"], rel=1e-5)
    assert figures["entropy"] == pytest.approx(-logged["train/entropy_loss"], rel=1e-5)
    assert figures["clip_fraction"] == pytest.approx(logged["train/clip_fraction"])
    assert figures["kl"] == pytest.approx(logged["train/approx_kl"], rel=1e-4)
    assert figures["explained_variance"] == pytest.approx(
        logged["train/explained_variance"], rel=1e-5
    )
    assert figures["learning_rate"] == 1e-3


def test_the_loss_by_hand():
    """Two decisions; the second's ratio of 3 is clipped to 1.2 where that gains less."""
    judged = Judgement(
        values=torch.tensor([0.5, 1.0]),
        log_probs=torch.tensor([math.log(0.5), math.log(0.6)]),
        policies=torch.zeros(2, 1),
        entropies=torch.tensor([0.3, 0.5]),
    )
    then = Minibatch(
        sight=Sight(torch.zeros(2, 1), torch.ones(2, 1, dtype=torch.bool), torch.zeros(2, 0)),
        actions=torch.zeros(2),
        log_probs=torch.tensor([math.log(0.5), math.log(0.2)]),
        policies=torch.zeros(2, 1).half(),
        advantages=torch.tensor([-1.0, 1.0]),
        returns=torch.tensor([1.0, 1.0]),
    )
    loss = loss_of(judged, then, 0.2)
    scale = 1 / math.sqrt(2)  # the standard deviation of -1 and 1, from two numbers
    assert loss.policy_loss.item() == pytest.approx(-(-1 * scale + 1.2 * scale) / 2)
    assert loss.value_loss.item() == pytest.approx(0.25 / 2)
    assert loss.entropy.item() == pytest.approx(0.4)
    assert loss.clip_fraction.item() == 0.5
    assert loss.kl.item() == pytest.approx((2 - math.log(3)) / 2)


def test_an_update_moves_towards_what_was_better_than_expected():
    then, learner = minibatch(), learner_of()
    good = then._replace(
        log_probs=learner.judge(then.sight, then.actions).log_probs.detach(),
        advantages=torch.where(torch.arange(200) < 100, 1.0, -1.0),
    )
    update(learner, OneMinibatch(good), Args(epochs=20, ent_coef=0.0, **SIZES), 1e-3)
    change = learner.judge(then.sight, then.actions).log_probs - good.log_probs
    assert change[:100].mean() > 0 > change[100:].mean()


def test_values_without_variance_explain_nothing():
    then = minibatch()._replace(returns=torch.ones(200))
    figures = update(learner_of(), OneMinibatch(then), Args(epochs=1, **SIZES), 1e-3)
    assert np.isnan(figures["explained_variance"])


def test_the_divergence_from_the_behaviour_pulls_back_as_by_hand():
    """The gradient with respect to a logit is p (log p/q - KL)."""
    logits = torch.tensor([[0.3, -0.2, 0.9]], requires_grad=True)
    masks = torch.tensor([[True, True, False]])
    played = torch.tensor([[math.log(0.25), math.log(0.75), -60_000]]).half()
    policies = logits.masked_fill(~masks, -1e8).log_softmax(1)
    twice = torch.zeros(2)  # one decision twice: advantages are normalised
    judged = Judgement(twice, twice, policies.expand(2, 3), twice)
    then = Minibatch(
        sight=Sight(twice, masks.expand(2, 3), twice),
        actions=twice,
        log_probs=twice,
        policies=played.expand(2, 3),
        advantages=twice,
        returns=twice,
    )
    loss = loss_of(judged, then, 0.2).behavior_kl
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
            before = learner.judge(then.sight, then.actions)
        played = then._replace(log_probs=before.log_probs, policies=before.policies.half())
        args = Args(epochs=10, behavior_kl=weight, **SIZES)
        distances.append(update(learner, OneMinibatch(played), args, 1e-3)["behavior_kl"])
    assert 0 < distances[1] < distances[0] / 2


def test_the_weight_of_the_entropy_falls_by_a_power_to_its_floor():
    args = Args(ent_coef=0.1, ent_power=0.5, ent_floor=0.02)
    assert [magnet_weight(args, number) for number in (1, 4, 10_000)] == [0.1, 0.05, 0.02]
    assert magnet_weight(Args(ent_coef=0.1), 10_000) == 0.1
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


THREE = torch.tensor([[True, True, False]])


def judgement(policies, **more):
    """Return a judgement of one decision, twice, with advantages of 0."""
    twice = torch.zeros(2)
    judged = Judgement(twice, twice, policies.expand(2, 3), twice, **more)
    sight = Sight(twice, THREE.expand(2, 3), twice)
    return judged, Minibatch(sight, twice.long(), twice, torch.zeros(2, 3).half(), twice, twice)


def test_the_magnet_pulls_to_the_average_policy_as_by_hand():
    """The gradient with respect to a logit is p (log p/q - KL)."""
    logits = torch.tensor([[0.3, -0.2, 0.9]], requires_grad=True)
    policies = logits.masked_fill(~THREE, -1e8).log_softmax(1)
    average = torch.tensor([[0.7, 0.3, 1.0]]).log().expand(2, 3)
    judged, then = judgement(policies, magnet=average)
    loss = loss_of(judged, then, 0.2)
    chances = policies.detach().exp()[0, :2].tolist()
    ratios = [math.log(p / q) for p, q in zip(chances, (0.7, 0.3), strict=True)]
    expected = sum(p * ratio for p, ratio in zip(chances, ratios, strict=True))
    assert loss.magnet_kl.item() == pytest.approx(expected, rel=1e-4)
    args = Args(magnet="average", average=0.9, ent_coef=0.5, vf_coef=0.0, ent_power=0.5)
    loss.weighted(args, 4).backward()
    by_hand = [0.25 * p * (ratio - expected) for p, ratio in zip(chances, ratios, strict=True)]
    assert logits.grad[0].tolist() == pytest.approx([*by_hand, 0.0])


def test_the_uniform_magnet_is_the_entropy_bonus():
    """KL(p || uniform) = log n - H(p): the gradient of -H is p (log p + H)."""
    logits = torch.tensor([[0.3, -0.2, 0.9]], requires_grad=True)
    policies = logits.masked_fill(~THREE, -1e8).log_softmax(1)
    entropy = -(policies.exp() * policies.masked_fill(~THREE, 0)).sum(1)
    judged, then = judgement(policies)
    loss = loss_of(judged._replace(entropies=entropy.expand(2)), then, 0.2)
    loss.weighted(Args(ent_coef=0.5, vf_coef=0.0), 1).backward()
    chances = policies.detach().exp()[0, :2].tolist()
    by_hand = [0.5 * p * (math.log(p) + entropy.item()) for p in chances]
    assert logits.grad[0].tolist() == pytest.approx([*by_hand, 0.0], abs=1e-6)


def test_the_average_of_the_weights_by_hand():
    then, learner = minibatch(), learner_of(average=0.75)
    weights = learner.network.action.bias
    seen = []
    for _ in range(3):
        update(learner, OneMinibatch(then), Args(epochs=1, **SIZES), 1e-2)
        seen.append(weights.detach().clone())
    expected = 0.75 * (0.75 * seen[0] + 0.25 * seen[1]) + 0.25 * seen[2]
    assert torch.allclose(learner.average.module.action.bias, expected, atol=1e-7)
    assert not torch.allclose(expected, seen[2], atol=1e-5)


def test_a_critic_of_hands_learns_the_returns_and_leaves_the_policy_alone():
    then = minibatch()
    hands = torch.randint(0, 2, (200, 80), dtype=torch.uint8)
    then = then._replace(sight=then.sight._replace(hands=hands), returns=hands[:, 3].float())
    for critic in ("hands", "hands-q"):
        torch.manual_seed(0)
        learner, plain = learner_of(critic=critic), learner_of()
        args = Args(epochs=40, critic=critic, **SIZES)
        figures = [update(learner, OneMinibatch(then), args, 1e-2)["critic_loss"] for _ in range(2)]
        # The observations do not tell the card, so the network's own value cannot know it.
        assert (
            figures[1]
            < 0.02
            < torch.nn.functional.mse_loss(
                learner.judge(then.sight, then.actions).values, then.returns
            )
        )
        one = Args(epochs=1, critic=critic, **SIZES)
        again = learner_of(critic=critic)
        update(again, OneMinibatch(then), one, 1e-3)
        update(plain, OneMinibatch(then), Args(epochs=1, **SIZES), 1e-3)
        for name, weights in plain.network.named_parameters():
            assert torch.equal(weights, again.network.get_parameter(name)), name


def test_the_gradient_of_a_critic_by_hand():
    """The gradient of the squared error is 2 (q - r) / n for the action taken, 0 for others."""
    then = minibatch(2)
    hands = torch.ones((2, 80), dtype=torch.uint8)
    then = then._replace(sight=then.sight._replace(hands=hands), returns=torch.tensor([0.3, -0.4]))
    learner = learner_of(critic="hands-q")
    judged = learner.judge(then.sight, then.actions)
    loss_of(judged, then, 0.2).critic_loss.backward()
    bias = learner.critic.judge.bias.grad
    worths = learner.critic(then.sight.observations, hands).detach()
    expected = torch.zeros_like(bias)
    for row, action in enumerate(then.actions.tolist()):
        expected[action] += worths[row, action] - then.returns[row]  # 2 / n = 1
    assert torch.allclose(bias, expected, atol=1e-6)


def test_a_q_critic_values_a_decision_by_the_policy():
    learner = learner_of(critic="hands-q")
    sight = minibatch(20).sight._replace(hands=torch.ones((20, 80), dtype=torch.uint8))
    learner.prepare()
    choices = learner.choose(sight)
    worths = learner.critic(sight.observations, sight.hands).detach()
    expected = (choices.policies.exp() * worths).sum(1)
    assert torch.allclose(choices.values, expected, atol=1e-5)
    taken = worths.gather(1, choices.actions[:, None])[:, 0]
    assert torch.allclose(choices.judged, taken, atol=1e-5)
    assert torch.allclose(learner.values_of(sight), expected, atol=1e-5)


def test_hands_are_counted_clockwise_from_the_seat():
    hands = torch.full((2, 6, 12), -1, dtype=torch.int8)
    hands[0, 1, :3] = torch.tensor([5, 5, 79])
    hands[1, 0, :1], hands[1, 2, :2] = torch.tensor([7]), torch.tensor([1, 2])
    found = hands_of(hands, torch.tensor([0, 1]), 3).view(2, 2, 80)
    assert found.nonzero().tolist() == [[0, 0, 5], [0, 0, 79], [1, 0, 1], [1, 0, 2], [1, 1, 7]]
    assert found[0, 0, 5] == 2


def test_the_step_of_a_group_of_one_changes_nothing():
    then = minibatch()
    one, other = learner_of(), learner_of()
    args = Args(epochs=1, **SIZES)
    first = update(one, OneMinibatch(then), args, 1e-3)
    assert first == update(other, OneMinibatch(then), args, 1e-3, 1, Group())
    for name, weights in one.network.named_parameters():
        assert torch.equal(weights, other.network.get_parameter(name))
