"""Rounds that learn from a rollout while the next one is played."""

import threading
from copy import deepcopy

import pytest
import torch

from impulse_training.run.budget import Budget
from impulse_training.selfplay import learner
from impulse_training.selfplay import rounds as module
from impulse_training.selfplay.environment.make import make_env
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.train import make_agent
from impulse_training.selfplay.update import update
from trainings import tiny


def made(**changes):
    args = tiny(rollout_steps=8, timesteps=10**6, **changes)
    return Rounds(args, make_agent(args), make_env(args), Budget(None, 10**6))


def log_probs(network, rollout):
    """What a network says of the actions that were taken in a rollout."""
    masks = rollout.columns["masks"]
    with torch.no_grad():
        logits = network(rollout.columns["observations"], None, masks)[0]
    chances = logits.masked_fill(~masks, -torch.inf).log_softmax(1)
    return chances.gather(1, rollout.columns["actions"][:, None])[:, 0]


def played_by(rounds, network):
    """Whether a network played all new decisions of the latest rollout."""
    rollout = rounds.rollout
    new = slice(rollout._carried, rollout._count)
    then = rollout.columns["log_probs"][new]
    return torch.allclose(log_probs(network, rollout)[new], then, atol=1e-4)


@pytest.mark.parametrize("network", ["pointers", "map"])
@pytest.mark.parametrize("is_compiled", [True, False])
def test_a_rollout_is_played_with_weights_that_are_one_update_older(
    network, is_compiled, monkeypatch
):
    if not is_compiled:
        monkeypatch.setattr(learner, "pack_if_compiled", lambda network: None)
    rounds = made(overlap=True, network=network, learning_rate=0.05)
    assert rounds.round() == {}
    assert (rounds.updates, rounds.steps) == (0, 8 * rounds.args.num_envs)
    for number in (1, 2):
        before = deepcopy(rounds.learner.network).eval()
        metrics = rounds.round()
        assert metrics["clip_fraction"] > 0
        assert rounds.updates == number
        assert played_by(rounds, before)
        assert not played_by(rounds, rounds.learner.network.eval())


def test_its_critic_is_one_update_older_as_well():
    rounds = made(overlap=True, critic="hands", learning_rate=0.05)
    rounds.round()
    before = deepcopy(rounds.learner.critic)
    rounds.round()
    rollout = rounds.rollout
    rows = slice(rollout._carried, rollout._count)
    seen = [rollout.columns[name][rows] for name in ("observations", "hands")]
    with torch.no_grad():
        then, now = before(*seen)[:, 0], rounds.learner.critic(*seen)[:, 0]
    assert torch.allclose(rollout.columns["values"][rows], then, atol=1e-5)
    assert not torch.allclose(then, now, atol=1e-2)


def test_an_update_learns_from_the_rollout_before(monkeypatch):
    rounds, learned, threads = made(overlap=True), [], set()

    def noted(learning, rollout, *arguments):
        learned.append(rollout.columns["observations"].clone())
        threads.add(threading.current_thread())
        return update(learning, rollout, *arguments)

    monkeypatch.setattr(module, "update", noted)
    played = []
    for _ in range(4):
        rounds.round()
        played.append(rounds.rollout.columns["observations"].clone())
    rounds.finish()
    assert threads == {threading.main_thread()}
    for mine, theirs in zip(learned, played, strict=True):
        assert torch.equal(mine, theirs)
    assert rounds.finish() == {}
    assert len(learned) == 4
    assert rounds.round() == {}  # there is nothing to learn from but what is played now


def test_no_decision_is_lost_between_two_rollouts():
    rounds = made(overlap=True, learn_share=1.0)
    learned = waiting = 0
    for _ in range(5):
        rounds.round()
        learned += len(rounds.rollout.learned)
        waiting = len(rounds.rollout.pending)
        assert learned + waiting == rounds.steps


def test_without_overlap_the_newest_weights_play():
    rounds = made(overlap=False, learning_rate=0.05)
    for number in (1, 2):
        before = deepcopy(rounds.learner.network).eval()
        assert rounds.round()
        assert rounds.updates == number
        assert played_by(rounds, before)
    assert rounds.finish() == {}


def test_an_error_of_a_game_ends_the_round(monkeypatch):
    rounds = made(overlap=True)
    rounds.round()

    def broken(actions):
        raise ValueError("an opponent failed")

    monkeypatch.setattr(rounds.env, "step", broken)
    with pytest.raises(ValueError, match="an opponent failed"):
        rounds.round()
