"""Tianshou trains with masks, by Q-learning and by PPO, and plays all seats of a table."""

import gymnasium
import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")

from tianshou.data import Collector, VectorReplayBuffer  # noqa: E402 - they need Tianshou
from tianshou.utils.net.common import Net  # noqa: E402

pytestmark = pytest.mark.interop


def are_legal(transitions):
    """Whether each action was legal where it was taken."""
    return transitions.obs.mask[np.arange(len(transitions)), transitions.act.astype(int)]


def has_changed(before, after):
    """Whether every tensor is another one."""
    old, new = before.state_dict(), after.state_dict()
    return all(not torch.equal(old[name], new[name]) for name in old)


def untrained(page):
    """The two networks as the page began with them."""
    torch.manual_seed(1)
    network = Net(state_shape=page["size"], action_shape=180, hidden_sizes=[64])
    torch.manual_seed(1)
    body = Net(state_shape=page["size"], hidden_sizes=[64])
    return network, page["MaskedActor"](preprocess_net=body, action_shape=180, softmax_output=False)


def test_the_page_trains_with_legal_actions_alone(shown):
    """Policy gradients do not support masks: with an actor that does not read them PPO plays
    illegal actions, which `illegal="raise"` refuses.
    """
    network, actor = untrained(shown)
    transitions, _ = shown["collector"].buffer.sample(0)
    assert (len(transitions), shown["result"].train_step) == (1000, 1000)
    assert are_legal(transitions).all()
    assert has_changed(network, shown["network"])

    buffer = VectorReplayBuffer(400, 4)
    Collector(shown["ppo"], shown["games"], buffer).collect(n_step=200, reset_before_collect=True)
    transitions, _ = buffer.sample(0)
    assert are_legal(transitions).all()
    plain = shown["DiscreteActor"].forward(shown["actor"], transitions.obs.obs)[0].argmax(-1)
    assert not transitions.obs.mask[np.arange(len(plain)), plain].all()
    logits, _ = shown["actor"](transitions.obs)
    assert (logits.softmax(-1).detach().numpy()[~transitions.obs.mask] == 0).all()
    assert has_changed(actor, shown["actor"])

    transitions, _ = shown["played"].sample(0)
    assert are_legal(transitions).all()
    assert shown["outcome"].n_collected_episodes == transitions.done.sum() == 2
    assert (shown["outcome"].returns.sum(1) == 0).all()
    what_the_others_decisions_pay_is_lost(transitions)
    with pytest.raises(TypeError, match="no len"):
        Collector(shown["dqn"], gymnasium.make_vec("impulse_env:Impulse-v0"), buffer)


def what_the_others_decisions_pay_is_lost(transitions):
    """The page says so of games of several agents; if it fails, the page is to be changed."""
    seats = np.array([int(name[-1]) for name in transitions.obs.agent_id])
    last = seats[transitions.done]
    own = transitions.rew[np.arange(len(seats)), seats]
    assert own.sum() == transitions.rew[transitions.done][range(2), last].sum()
    assert np.abs(transitions.rew).sum() == 4
    assert np.abs(own).sum() == 2
