"""A training of the value alone changes what it says, and nothing that the policy does."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.config_check import KINDS
from impulse_env.batch import GameBatch
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.run.value_only import freeze_policy
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.train import train
from trainings import tiny

TINY = tiny(
    width=16,
    num_envs=64,
    rollout_steps=32,
    minibatch_size=512,
    eval_games=4,
    opponents=("random", "miner"),
    timesteps=4096,
)
SHARING = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, inputs, actions):
        super().__init__()
        self.body = nn.Linear(inputs, actions)

    def forward(self, observations):
        logits = self.body(observations.float())
        return logits, logits.mean(1)


def make(players, layout, actions):
    return Net(layout[-1].stop, actions)
"""


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """A training of everything."""
    return train(replace(TINY, out=tmp_path_factory.mktemp("first") / "run"))


@pytest.fixture(scope="module")
def second(first, tmp_path_factory):
    """One of the value alone that began as that."""
    out = tmp_path_factory.mktemp("second") / "run"
    return train(replace(TINY, out=out, warm_start=str(first.checkpoint), value_only=True))


def read(trained):
    """Return the logits and the values of a training's agent on some deals."""
    observations = GameBatch(Options(), range(50)).observations
    return PolicyAgent.load(trained.checkpoint).evaluate(observations)


@pytest.mark.parametrize("kind", KINDS)
def test_the_values_weights_are_its_own_layers(kind):
    sizes = {"width": 8, "policy": (8,), "value": (8, 8), "card_dim": 4}
    network = build_network(3, {"kind": kind, **sizes})
    freeze_policy(network, 3)
    assert {name for name, weight in network.named_parameters() if weight.requires_grad} == {
        *("critic.0.weight", "critic.0.bias", "critic.2.weight", "critic.2.bias"),
        *("value.weight", "value.bias"),
    }


def test_the_policy_stays_as_it_is_and_the_value_does_not(first, second):
    before, after = read(first), read(second)
    np.testing.assert_array_equal(before[0], after[0])
    assert np.abs(before[1] - after[1]).max() > 1e-3
    weights = [PolicyAgent.load(one.checkpoint).network.state_dict() for one in (first, second)]
    for name in weights[0]:
        is_same = torch.equal(weights[0][name], weights[1][name])
        assert is_same == (not name.startswith(("critic", "value"))), name


@pytest.mark.slow
def test_it_learns_what_the_games_are_worth(tmp_path):
    """The value of a policy that nobody has taught anything explains nothing; then it does."""
    more = {"gae_lambda": 1.0, "gamma": 1.0, "num_envs": 256, "rollout_steps": 64, "width": 64}
    args = replace(TINY, value_only=True, out=tmp_path / "run", eval_steps=1 << 15, **more)
    curve = train(replace(args, timesteps=1 << 17)).curve
    explained = [point["explained_variance"] for point in curve]
    assert explained[0] < 0.1 < explained[-1]


def test_a_training_continues_with_the_value_alone_and_with_everything_again(first, tmp_path):
    args = replace(TINY, out=tmp_path / "run")
    trained = train(args)
    before = read(trained)
    trained = train(resumed_args(trained.folder, value_only=True, timesteps=8192))
    after = read(trained)
    np.testing.assert_array_equal(before[0], after[0])
    assert (before[1] != after[1]).any()
    trained = train(resumed_args(trained.folder, value_only=False, timesteps=12288))
    assert (read(trained)[0] != after[0]).any()


def test_a_network_whose_value_has_nothing_of_its_own_is_refused_before_anything_is_there(tmp_path):
    (tmp_path / "net.py").write_text(SHARING, encoding="utf-8")
    args = replace(TINY, network=f"{tmp_path / 'net.py'}:make", value_only=True)
    with pytest.raises(ConfigError, match="--value-only needs a network whose value head has"):
        train(replace(args, out=tmp_path / "run"))
    assert not (tmp_path / "run").exists()
