"""A short training runs to its end, and what it leaves can be played and cannot do harm."""

import json
import pickle
import re
from dataclasses import replace

import pytest
import torch

import impulse_agents
from bots import bot
from faulty_agents import FAULTY
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import CheckpointError, read_checkpoint
from impulse_agents.network.weights_file import write_weights
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.options import Options
from impulse_training.run.common_options import ConfigError
from impulse_training.run.storage.result import DivergedError
from impulse_training.selfplay import option_checks
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.train import train
from impulse_training.selfplay.train_options import Args

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
    "eval_every": 1e9,
    "snapshot_every": 1,
    "snapshots": 2,
    "eval_opponents": ("random", "greedy"),
}


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    return train(Args(timesteps=400, out=tmp_path_factory.mktemp("run"), **TINY))


def decisions(count=20):
    return ObservationBatch.from_batch(GameBatch(Options(), range(count))), RngStreams.from_seeds(
        range(count)
    )


def test_a_training_leaves_its_files(trained):
    assert trained.steps >= 400
    assert not trained.was_interrupted
    assert trained.checkpoint.is_file()
    assert list((trained.folder / "tensorboard").iterdir())
    lines = (trained.folder / "curve.csv").read_text().splitlines()
    assert lines[0].startswith(
        "seconds,steps,rating,rating_low,rating_high,"
        "win/random,low/random,high/random,win/greedy,low/greedy,high/greedy,"
    )
    assert len(lines) == 1 + len(trained.curve)
    assert json.loads((trained.folder / "args.json").read_text())["timesteps"] == 400


def test_a_checkpoint_plays_as_the_agent_did(trained):
    loaded = impulse_agents.make(f"policy:{trained.checkpoint}")
    left = trained.agent.act(*decisions())
    right = loaded.act(*decisions())
    assert (left == right).all()
    assert loaded.config["players"] == 2


@pytest.mark.parametrize("players", [3, 4])
def test_more_players_and_teams_train_as_well(players, tmp_path):
    team_size = 2 if players == 4 else None
    args = Args(players=players, team_size=team_size, timesteps=128, out=tmp_path, **TINY)
    assert train(args).checkpoint.is_file()


def test_matrices_are_multiplied_as_exactly_as_asked(tmp_path):
    trained = train(Args(bfloat16=True, timesteps=128, out=tmp_path / "less", **TINY))
    assert torch.get_float32_matmul_precision() == "medium"
    train(Args(timesteps=128, out=tmp_path / "most", **TINY))
    assert torch.get_float32_matmul_precision() == "highest"
    train(resumed_args(trained.folder, timesteps=256))
    assert torch.get_float32_matmul_precision() == "medium"
    torch.set_float32_matmul_precision("highest")


def test_a_training_needs_an_end():
    with pytest.raises(ValueError, match="minutes or timesteps"):
        train(Args(**TINY))


def test_a_rollout_that_cannot_fit_is_refused_with_the_number_that_fits(monkeypatch):
    monkeypatch.setattr(option_checks, "free_memory", lambda device: 1 << 30)

    def most(overlap):
        args = Args(timesteps=1, num_envs=1 << 16, overlap=overlap)
        with pytest.raises(ConfigError, match=r"GiB, and cpu has 1\.0 GiB free") as refused:
            option_checks.check_args(args)
        fits = re.search(r"at most --num-envs ([\d,]+)", str(refused.value))
        number = int(fits[1].replace(",", ""))
        option_checks.check_args(replace(args, num_envs=number))
        return number

    assert most(overlap=True) == pytest.approx(most(overlap=False) / 2, rel=0.05)


def test_a_diverging_training_is_reported_and_not_saved(tmp_path):
    # It used to be an illegal action.
    with pytest.raises(DivergedError, match=r"after 256 steps: .* a smaller --learning-rate"):
        train(Args(learning_rate=1e30, timesteps=400, out=tmp_path, **TINY))
    assert not (tmp_path / "state.safetensors").exists()


def test_an_opponent_that_fails_ends_the_training_in_a_sentence_and_it_can_continue(tmp_path):
    pool = {"opponents": (f"{FAULTY}:Raises",), "save_every": 0.0, "timesteps": 1000}
    args = Args(out=tmp_path, **pool, **TINY)
    with pytest.raises(AgentError, match=rf"s failed: ValueError: boom; .*--resume {tmp_path}"):
        train(args)
    options = resumed_args(tmp_path, timesteps=1000, opponents=("random",))
    assert train(options).steps >= 1000


def test_a_program_in_any_language_plays_in_the_pool(tmp_path):
    pool = {"opponents": (bot("first"),), "fixed_fraction": 1.0, "eval_opponents": (bot("first"),)}
    trained = train(Args(**TINY | pool, timesteps=128, out=tmp_path))
    assert f"win/{bot('first')}" in trained.curve[-1]


def test_a_truncated_checkpoint_is_a_clear_error(trained, tmp_path):
    part = tmp_path / "part.safetensors"
    part.write_bytes(trained.checkpoint.read_bytes()[:-500])
    with pytest.raises(CheckpointError, match=r"part\.safetensors is not a checkpoint"):
        impulse_agents.make(f"policy:{part}")


@pytest.mark.parametrize("content", [b"", b"not a checkpoint", pickle.dumps({"weights": 1})])
def test_a_foreign_file_is_a_clear_error(content, tmp_path):
    path = tmp_path / "foreign.safetensors"
    path.write_bytes(content)
    with pytest.raises(CheckpointError, match=r"foreign\.safetensors is not a checkpoint"):
        PolicyAgent.load(path)


def test_a_checkpoint_of_another_observation_is_a_clear_error(trained, tmp_path):
    config, weights = read_checkpoint(trained.checkpoint)
    config["layout"]["observation"] += 1
    write_weights(tmp_path / "old.safetensors", json.dumps(config), weights)
    with pytest.raises(CheckpointError, match="another version of the observation"):
        PolicyAgent.load(tmp_path / "old.safetensors")


def test_a_checkpoint_that_is_not_there_is_a_clear_error(tmp_path):
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        PolicyAgent.load(tmp_path / "none.safetensors")


def test_a_policy_at_another_table_is_a_clear_error(trained):
    batch = GameBatch(Options(players=3), [0])
    with pytest.raises(impulse_agents.AgentError, match="trained for 2 players"):
        trained.agent.act(ObservationBatch.from_batch(batch), RngStreams.from_seeds([0]))


class Harmful:
    """What a file of another origin might hold."""

    def __reduce__(self):
        return (print, ("executed",))


def test_loading_executes_nothing(tmp_path, capsys):
    torch.save({"config": "{}", "weights": Harmful()}, tmp_path / "bad.safetensors")
    with pytest.raises(CheckpointError, match="is not a checkpoint"):
        PolicyAgent.load(tmp_path / "bad.safetensors")
    assert "executed" not in capsys.readouterr().out
