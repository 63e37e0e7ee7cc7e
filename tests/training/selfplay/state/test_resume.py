"""A training that was stopped and resumed is the training that was never stopped."""

import csv
import os
import signal
from dataclasses import replace

import pytest
import torch

import impulse_agents
from impulse_agents.network.agent import PolicyAgent
from impulse_training.run.storage.result import ResumeError
from impulse_training.run.storage.tree_file import read_tree, write_tree
from impulse_training.selfplay import train
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.train_options import Args
from trainings import tiny

TINY = tiny(
    width=16,
    rollout_steps=16,
    snapshots=2,
    snapshot_every=2,
    opponents=("random", "core_rush"),
    # Both trainings see the same share of the budget spent: the learning rate depends on it.
    timesteps=1280,
)


def weights(trained):
    return trained.agent.network.state_dict()


def last_row(folder):
    with (folder / "curve.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))[-1]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return train.train(replace(TINY, out=tmp_path_factory.mktemp("whole")))


@pytest.fixture
def stopped(tmp_path, monkeypatch):
    """A training that Ctrl-C ended in the 5th of its 10 rollouts."""
    steps = []
    step = SeatGames.step

    def counted(env, actions):
        steps.append(1)
        if len(steps) == 4 * TINY.rollout_steps + 7:
            os.kill(os.getpid(), signal.SIGINT)
        return step(env, actions)

    with monkeypatch.context() as patch:
        patch.setattr(SeatGames, "step", counted)
        trained = train.train(replace(TINY, out=tmp_path))
    assert trained.was_interrupted
    assert trained.steps == 640
    return trained


def test_going_on_with_a_training_that_has_ended_changes_no_file(tmp_path):
    ended = train.train(replace(TINY, out=tmp_path))
    kept = [
        tmp_path / name
        for name in ("policy.safetensors", "state.safetensors", "curve.csv", "args.json")
    ]
    kept += (tmp_path / "snapshots").iterdir()
    before = {path: path.read_bytes() for path in kept}
    again = train.train_or_resume(replace(TINY, out=tmp_path))
    assert {path: path.read_bytes() for path in kept} == before
    assert (again.steps, again.curve) == (ended.steps, ended.curve)
    for mine, theirs in zip(weights(again).values(), weights(ended).values(), strict=True):
        assert torch.equal(mine, theirs)


def test_ctrl_c_in_the_midst_of_a_rollout_loses_nothing(stopped):
    assert stopped.curve[-1]["steps"] == 640
    assert state_file.load(stopped.folder / "state.safetensors")["budget"]["steps"] == 640
    kept = impulse_agents.make(f"policy:{stopped.checkpoint}")
    assert kept.config["training"]["steps"] == 640
    assert all(torch.equal(weights(stopped)[k], v) for k, v in kept.network.state_dict().items())


def test_resumed_equals_uninterrupted(whole, stopped):
    resumed = train.train(resumed_args(stopped.folder))
    assert resumed.steps == whole.steps == 1280
    assert all(torch.equal(weights(whole)[k], v) for k, v in weights(resumed).items())
    rows = [last_row(one.folder) for one in (whole, resumed)]
    for name in ("steps", "rating", "win/random", "reward", "length", "rounds", "entropy"):
        assert rows[0][name] == rows[1][name]
    states = [state_file.load(one.folder / "state.safetensors") for one in (whole, resumed)]
    assert (states[0]["env"]["states"] == states[1]["env"]["states"]).all()
    assert (states[0]["opponent_pool"]["games"] == states[1]["opponent_pool"]["games"]).all()


@pytest.mark.parametrize(
    "more",
    [
        {"average": 0.9, "magnet": "average", "critic": "hands-q", "played_starts": 0.5},
        {"games": "device", "critic": "hands", "alike_fraction": 0.5},
        {"overlap": True, "learn_share": 0.5, "critic": "hands"},
    ],
    ids=["methods", "device", "overlap"],
)
def test_every_method_and_games_on_a_device_are_resumed_to_the_bit(more, tmp_path, monkeypatch):
    args = replace(TINY, timesteps=640, eval_games=2, **more)
    whole = train.train(replace(args, out=tmp_path / "whole"))
    a_round, count = Rounds.round, []

    def counted(rounds, after_step):
        count.append(1)
        if len(count) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return a_round(rounds, after_step)

    with monkeypatch.context() as patch:
        patch.setattr(Rounds, "round", counted)
        stopped = train.train(replace(args, out=tmp_path / "stopped"))
    assert stopped.was_interrupted
    assert stopped.steps < 640
    resumed = train.train(resumed_args(stopped.folder))
    assert resumed.steps == whole.steps
    states = [state_file.load(one.folder / "state.safetensors") for one in (whole, resumed)]
    for part in ("network", "beside", "optimizer", "rollout"):
        assert repr(states[0][part]) == repr(states[1][part])
    assert all(torch.equal(weights(whole)[k], v) for k, v in weights(resumed).items())
    for key in states[0]["env"]:
        assert repr(states[0]["env"][key]) == repr(states[1]["env"][key])
    assert (states[0]["env"]["states"] == states[1]["env"]["states"]).all()
    if "average" in more:
        files = [one.folder / "average.safetensors" for one in (whole, resumed)]
        averages = [PolicyAgent.load(file).network.state_dict() for file in files]
        assert all(torch.equal(averages[0][k], v) for k, v in averages[1].items())
        assert not all(torch.equal(averages[0][k], v) for k, v in weights(whole).items())
        with (whole.folder / "curve.csv").open(encoding="utf-8") as file:
            assert "average/rating" in next(csv.reader(file))


def test_a_resumed_training_tells_where_it_comes_from(stopped, tmp_path):
    folder = tmp_path / "longer"
    first = replace(TINY, out=folder, warm_start=str(stopped.checkpoint), timesteps=128)
    begun = train.train(first).agent.config["training"]
    resumed = train.train(resumed_args(folder, timesteps=256)).agent.config["training"]
    assert resumed["started_from"] == begun["started_from"]
    assert (
        begun["started_from"]
        == impulse_agents.make(f"policy:{stopped.checkpoint}").config["training"]
    )
    assert [leg["steps"] for leg in resumed["legs"]] == [128, 128]
    assert resumed["legs"][0] == begun["legs"][0]
    assert [leg["args"]["timesteps"] for leg in resumed["legs"]] == [128, 256]
    assert resumed["steps"] == 256


def test_it_learns_something_on_the_way(whole, stopped):
    changed = [not torch.equal(weights(whole)[k], v) for k, v in weights(stopped).items()]
    assert any(changed)


def test_a_killed_training_continues_from_its_latest_state(whole, tmp_path, monkeypatch):
    """At most one interval is lost, and nothing is different in the end."""
    args = replace(TINY, out=tmp_path, save_every=0.0)
    start = train.Training._check_weights
    rollouts = []

    def killed(training):
        rollouts.append(1)
        if len(rollouts) == 8:
            raise SystemExit(9)
        start(training)

    with monkeypatch.context() as patch:
        patch.setattr(train.Training, "_check_weights", killed)
        with pytest.raises(SystemExit):
            train.train(args)
    assert state_file.load(tmp_path / "state.safetensors")["budget"]["steps"] == 6 * 128
    resumed = train.train(resumed_args(tmp_path))
    assert all(torch.equal(weights(whole)[k], v) for k, v in weights(resumed).items())


def test_more_may_be_asked_of_a_finished_training(stopped):
    longer = train.train(resumed_args(stopped.folder, timesteps=1408))
    assert longer.steps == 1408


def test_a_state_of_another_version_is_refused_in_words(stopped):
    path = stopped.folder / "state.safetensors"
    write_tree(path, read_tree(path, state_file.MOST_BYTES) | {"format": 1})
    message = rf"version \(format 1, not 8\): start a new run with --warm-start {stopped.folder}"
    with pytest.raises(ResumeError, match=message):
        train.train(resumed_args(stopped.folder))


def test_an_option_that_is_not_known_is_refused_in_words(stopped):
    # It used to be passed over, so that a renamed one fell back to its default without a word.
    path = stopped.folder / "state.safetensors"
    state = read_tree(path, state_file.MOST_BYTES)
    state["args"] |= {"places": 8, "batch": 64}
    write_tree(path, state)
    with pytest.raises(
        ResumeError, match="another version, with the unknown options batch, places"
    ):
        train.train(resumed_args(stopped.folder))


def test_a_folder_without_a_training_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    for folder, message in (
        (tmp_path, "no run to resume in .*: no state.safetensors was saved .* --overwrite"),
        (tmp_path / "none", "there is no run to resume in .*none: there is no such folder"),
        (tmp_path / "file", "there is no run to resume in .*file: .*file is a file"),
    ):
        with pytest.raises(ResumeError, match=message):
            train.train(resumed_args(folder))
        with pytest.raises(ResumeError, match=message):
            train.train(Args(resume=folder))
