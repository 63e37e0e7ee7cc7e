"""On an accelerator a training does what it does on the processor."""

import pytest
import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.actions import N_ACTIONS
from impulse_training.run.machine.device import has_bfloat16
from impulse_training.selfplay.environment.make import make_opponent_pool
from impulse_training.selfplay.learner import Learner, Sight
from impulse_training.selfplay.train import train
from impulse_training.selfplay.train_options import Args
from networks import NETWORK, network, observations

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs an NVIDIA GPU")
SMALL = {
    "num_envs": 64,
    "rollout_steps": 8,
    "minibatch_size": 128,
    "eval_games": 4,
    "eval_opponents": ("random",),
    "snapshot_every": 1,
}
SIZES = {"width": 16, "policy_layers": (16,), "value_layers": (16,), "card_dim": 4}


@needs_cuda
def test_a_training_runs_there_and_is_resumed_here(tmp_path):
    made = train(Args(timesteps=2000, device="cuda", out=tmp_path / "run", **SMALL))
    assert made.steps >= 2000
    assert PolicyAgent.load(made.checkpoint).network.action.weight.device.type == "cpu"


@needs_cuda
def test_an_agent_decides_there_as_here():
    made, seen = network(2), observations(2).numpy()
    config = checkpoint_config(2, NETWORK)
    here = PolicyAgent(made, config, "here").evaluate(seen)
    there = PolicyAgent(made.to("cuda"), config, "there").evaluate(seen)
    for one, other in zip(here, there, strict=True):
        assert torch.allclose(torch.from_numpy(one), torch.from_numpy(other), atol=1e-3)


@needs_cuda
def test_past_policies_play_there():
    pool = make_opponent_pool(Args(device="cuda", snapshots_at_once=2))
    devices = [agent.network.action.weight.device.type for agent in pool.agents[1:3]]
    assert devices == ["cuda", "cuda"]


@needs_cuda
def test_trained_opponents_play_there_and_the_others_as_ever():
    pool = make_opponent_pool(Args(device="cuda", opponents=("greedy", "policy:2p"), snapshots=0))
    greedy, trained = pool.agents[1:]
    assert greedy.name == "greedy"
    assert (trained.name, trained.network.action.weight.device.type) == ("policy:2p", "cuda")
    assert trained.compiled is None


def test_bfloat16_is_asked_for_by_device():
    assert has_bfloat16("meta") is False
    assert isinstance(has_bfloat16("cpu"), bool)


def test_bfloat16_changes_little_of_what_is_learned_from():
    seen = observations(2)
    masks = torch.rand(len(seen), N_ACTIONS, generator=torch.Generator().manual_seed(1)) < 0.2
    masks[:, 0] = True
    actions = torch.zeros(len(seen), dtype=torch.int64)
    sight = Sight(seen, masks, torch.zeros((len(seen), 0), dtype=torch.uint8))
    agent = PolicyAgent(network(2), checkpoint_config(2, NETWORK), "made")
    found = []
    for is_bfloat16 in (False, True):
        learner = Learner(
            Args(width=16, policy_layers=(16,), value_layers=(16,), card_dim=4), agent
        )
        learner._is_bfloat16 = is_bfloat16  # also on a processor without it
        with torch.no_grad():
            found.append(learner.judge(sight, actions)[:4])  # without a critic or a magnet
    for exact, rounded in zip(*found, strict=True):
        assert rounded.dtype == exact.dtype
        assert 0 < float((exact - rounded).abs().max()) < 0.1
