"""MaskablePPO trains a baseline, and its agent plays like every other."""

import numpy as np
import pytest
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import impulse_agents
from commands import impulse, refusal
from impulse_env.options import OptionError
from impulse_training.rollout import match
from impulse_training.sb3.sb3_options import Args
from impulse_training.sb3.train import agent_of, make_env, make_model, train
from impulse_training.sb3.vec_env import ImpulseVecEnv

TINY = {
    "num_envs": 8,
    "rollout_steps": 16,
    "minibatch_size": 64,
    "epochs": 1,
    "width": 16,
    "policy_layers": (16,),
    "value_layers": (),
    "card_dim": 4,
    "eval_games": 4,
    "eval_opponents": ("random", "greedy"),
    "opponents": ("miner",),
}


def test_the_vec_env_is_make_vec_with_the_ends_of_episodes():
    env = ImpulseVecEnv(4, players=2, target_score=2)
    env.seed(3)
    seen, rng, ended = env.reset(), np.random.default_rng(1), 0
    assert (seen == env.envs.reset(seed=3)[0]).all()
    assert is_masking_supported(env)
    while ended < 6:
        masks = get_action_masks(env)
        assert masks.shape == (4, env.action_space.n)
        seen, rewards, dones, infos = env.step(
            np.where(masks, rng.random(masks.shape), -1).argmax(1)
        )
        for game in range(4):
            assert ("terminal_observation" in infos[game]) == dones[game]
            if dones[game]:
                ended += 1
                assert rewards[game] != 0
                assert infos[game]["terminal_observation"].shape == seen[game].shape
                assert infos[game]["TimeLimit.truncated"] is False
    assert env.env_is_wrapped(VecMonitor) == [False] * 4
    assert env.get_attr("autoreset_mode", [0, 2]) == [env.envs.autoreset_mode] * 2
    env.close()


def test_a_policy_of_its_own_learns_on_it():
    env = VecMonitor(ImpulseVecEnv(8, players=3, opponents="miner"))
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=32, n_epochs=1, seed=1)
    assert model.learn(128).num_timesteps == 128


def test_a_baseline_is_trained_saved_and_plays(tmp_path):
    made = train(Args(timesteps=300, out=tmp_path / "run", **TINY))
    assert made.steps == 384
    assert not made.was_interrupted
    assert {"win/random", "win/greedy", "rating"} <= made.curve[-1].keys()
    agent = impulse_agents.make(f"policy:{made.folder}")
    training = agent.config["training"]
    (leg,) = training["legs"]
    assert training["steps"] == leg["steps"] == 384
    assert (leg["args"]["opponents"], "started_from" in training) == (["miner"], False)
    options = Args().options
    assert match.play([agent, impulse_agents.make("random")], options, 4, 1).games == 4


def test_a_baseline_goes_on_from_another(tmp_path):
    first = train(Args(timesteps=128, out=tmp_path / "first", **TINY))
    sizes = {"width", "policy_layers", "value_layers", "card_dim"}
    args = Args(
        timesteps=128,
        warm_start=str(first.folder),
        out=tmp_path / "second",
        **{name: value for name, value in TINY.items() if name not in sizes},
    )
    second = train(args)
    assert second.agent.config["network"]["width"] == 16
    before = second.agent.config["training"]["started_from"]
    assert before == first.agent.config["training"]


def test_the_warm_start_gives_the_weights(tmp_path):
    first = train(Args(timesteps=128, out=tmp_path / "first", **TINY))
    args = Args(timesteps=128, warm_start=str(first.folder), **TINY)
    agent = agent_of(args, make_model(args, make_env(args)))
    for name, weights in first.agent.network.state_dict().items():
        assert agent.network.state_dict()[name].equal(weights)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minibatch_size": 200}, "minibatch_size must be at most num_envs x rollout_steps"),
        ({"players": 4, "opponents": ("miner", "greedy")}, "opponents must be 1 agent, or 3"),
        ({"epochs": 0}, "epochs must be 1 or more"),
        ({"seed": -1}, "seed must be 0 or more"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_anything_is_written(options, message, tmp_path):
    with pytest.raises(OptionError, match=message):
        train(Args(timesteps=128, out=tmp_path / "run", **{**TINY, **options}))
    assert not (tmp_path / "run").exists()


def test_the_command_names_the_agent(tmp_path, capsys):
    sizes = ("--num-envs", 8, "--rollout-steps", 8, "--minibatch-size", 64, "--width", 8)
    more = ("--eval-games", 2, "--eval-opponents", "random", "--opponents", "random")
    out = ("--timesteps", 64, "--out", tmp_path / "run")
    assert impulse("train", "sb3", *out, *sizes, *more) == 0
    assert f"the agent is policy:{tmp_path / 'run'}" in capsys.readouterr().out
    assert impulse("train", "sb3", "--opponents", "nobody", *sizes) == 2
    assert "nobody" in refusal(capsys)
