"""Wherever a training is killed or its disk is full, it can be resumed, and little is lost."""

import copy
import os
import shutil
from dataclasses import replace

import pytest
import torch

import impulse_agents
from faults import full_disk, killed_at
from impulse_agents.network.agent import PolicyAgent
from impulse_training.run import learning_curve
from impulse_training.run.storage.result import ResumeError
from impulse_training.selfplay.state import folder as folders
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.folder import TrainingFolder
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.train import train
from trainings import tiny

TINY = tiny(
    num_envs=4,
    epochs=1,
    policy_layers=(),
    value_layers=(),
    snapshots=1,
    keep_snapshots=2,
    timesteps=32,
)


def forks(test):
    """Mark a test that forks processes."""
    skipped = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
    return skipped(pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")(test))


@pytest.fixture(scope="module")
def saves(tmp_path_factory):
    """What a training handed to `TrainingFolder.save` after 32, 64, 96 and 128 steps."""
    handed = []
    folder = tmp_path_factory.mktemp("saves") / "run"

    def note(self, state, agent, curve, average):
        handed.append(copy.deepcopy((state, agent, curve, average)))
        save(self, state, agent, curve, average)

    save = TrainingFolder.save
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TrainingFolder, "save", note)
        train(replace(TINY, average=0.9, out=folder))
        for steps in (64, 96, 128):
            train(resumed_args(folder, timesteps=steps))
    return handed


def begun(path, saves, count):
    """A folder with so many saves of a training."""
    path.mkdir()
    (path / "args.json").write_text("{}")
    for one in saves[:count]:
        TrainingFolder(path, TINY.keep_snapshots).save(*one)
    return path


def steps_of(path):
    return state_file.load_latest(path)[0]["budget"]["steps"]


def looks(path):
    """What tells one state of a folder from another: the files, and what they are of."""
    found = sorted(str(one.relative_to(path)) for one in path.rglob("*") if one.is_file())
    policy = PolicyAgent.load(path / "policy.safetensors").config["training"]["steps"]
    points = len(learning_curve.read(path / "curve.csv"))
    return (*found, steps_of(path), policy, points)


@forks
@pytest.mark.parametrize("count", [1, 2])
def test_killed_at_any_operation_of_a_save_a_training_continues(tmp_path, saves, count):
    first = begun(tmp_path / "begun", saves, count)
    seen, number = {}, 0
    while True:
        number += 1
        path = shutil.copytree(first, tmp_path / str(number))
        folder = TrainingFolder(path, TINY.keep_snapshots)
        if not killed_at(number, lambda folder=folder: folder.save(*saves[count])):
            break
        assert steps_of(path) in (32 * count, 32 * (count + 1))  # at most this save is lost
        seen.setdefault(looks(path), path)
        shutil.rmtree(path) if path not in seen.values() else None
    assert number > 20
    assert {look[-3] for look in seen} == {32 * count, 32 * (count + 1)}
    for path in seen.values() if count > 1 else ():  # with all kinds of files
        trained = train(resumed_args(path, timesteps=160))
        assert trained.steps == 160
        assert not list(path.rglob("*.part"))
        kept = impulse_agents.make(f"policy:{trained.checkpoint}")
        assert kept.config["training"]["steps"] == 160
        points = learning_curve.read(path / "curve.csv")
        assert [point["steps"] for point in points] == sorted({p["steps"] for p in points})


@forks
def test_killed_in_its_first_save_a_training_continues_or_says_that_there_is_none(tmp_path, saves):
    number, outcomes = 0, set()
    while True:
        number += 1
        path = begun(tmp_path / str(number), saves, 0)
        if not killed_at(number, lambda path=path: TrainingFolder(path, 2).save(*saves[0])):
            break
        if state_file.has_state(path):
            assert steps_of(path) == 32
            outcomes.add("resumed")
        else:
            with pytest.raises(ResumeError, match="was saved there"):
                resumed_args(path)
            outcomes.add("nothing there")
        folders.check_free(path, may_overwrite=True)
        shutil.rmtree(path)
    assert outcomes == {"resumed", "nothing there"}


@forks
def test_killed_where_it_is_overwritten_a_training_can_be_overwritten_again(tmp_path, saves):
    first = begun(tmp_path / "begun", saves, 3)
    (first / "mine.txt").write_text("mine")
    (first / "snapshots" / "best.safetensors").write_text("mine")
    number = 0
    while True:
        number += 1
        path = shutil.copytree(first, tmp_path / str(number))
        is_killed = killed_at(number, lambda path=path: folders.clear(path))
        folders.check_free(path, may_overwrite=True)
        folders.clear(path)
        left = sorted(str(one.relative_to(path)) for one in path.rglob("*") if one.is_file())
        assert left == ["mine.txt", "snapshots/best.safetensors"]
        if not is_killed:
            break
    assert number > 5


@forks
def test_killed_where_a_damaged_state_is_put_out_of_the_way_it_continues(tmp_path, saves):
    first = begun(tmp_path / "begun", saves, 3)
    (first / "state.safetensors").write_bytes((first / "state.safetensors").read_bytes()[:-1000])
    number = 0
    while True:
        number += 1
        path = shutil.copytree(first, tmp_path / str(number))

        def go_on(path=path):
            state_file.recover(path)
            TrainingFolder(path, 2).save(*saves[2])

        is_killed = killed_at(number, go_on)
        assert steps_of(path) in (64, 96)
        if not is_killed:
            break


def test_a_full_disk_at_any_write_leaves_the_save_before(tmp_path, saves):
    path = begun(tmp_path / "run", saves, 2)
    failed = 0
    while error := error_of_save(path, saves[2], failed + 1):
        failed += 1
        assert error.filename.startswith(str(path))
        assert "No space left" in str(error)
        assert steps_of(path) in (64, 96)
        assert not list(path.rglob("*.part"))
    assert failed > 8
    assert steps_of(path) == 96


def error_of_save(path, save, number):
    """The error of saving where the disk is full from such an operation on, None if it is not."""
    with full_disk(number):
        try:
            TrainingFolder(path, 2).save(*save)
        except OSError as error:
            return error
    return None


@pytest.mark.parametrize("damage", ["cut", "empty", "flipped", "gone"])
def test_a_damaged_state_is_reported_and_the_previous_one_used(tmp_path, saves, capsys, damage):
    path = begun(tmp_path / "run", saves, 2)
    state = path / "state.safetensors"
    content = state.read_bytes()
    middle = len(content) // 2
    state.write_bytes(
        {
            "cut": content[:-1000],
            "empty": b"",
            "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "gone": b"",
        }[damage]
    )
    if damage == "gone":
        state.unlink()
    trained = train(resumed_args(path, timesteps=96))
    assert "; the run continues from the previous save at 32 steps" in capsys.readouterr().out
    assert trained.steps == 96
    assert [leg["steps"] for leg in trained.agent.config["training"]["legs"]] == [32, 64]
    assert steps_of(path) == 96


def test_without_a_save_before_a_damaged_state_is_refused(tmp_path, saves):
    path = begun(tmp_path / "run", saves, 1)
    (path / "state.safetensors").write_bytes((path / "state.safetensors").read_bytes()[:-1000])
    with pytest.raises(
        ResumeError, match=r"state\.safetensors is not a training state, or only part"
    ):
        train(resumed_args(path))


def test_what_is_made_of_a_state_is_made_again_where_it_is_missing(tmp_path, saves):
    path = begun(tmp_path / "run", saves, 2)
    for name in ("policy.safetensors", "curve.csv", "args.json"):
        (path / name).unlink()
    shutil.rmtree(path / "snapshots")
    trained = train(resumed_args(path))
    kept = impulse_agents.make(f"policy:{trained.checkpoint}")
    for name, value in kept.network.state_dict().items():
        assert torch.equal(value, saves[1][0]["network"][name])
    assert {one.name for one in path.iterdir()} >= {"policy.safetensors", "curve.csv", "args.json"}
    assert [one.name for one in (path / "snapshots").iterdir()] == ["000000000064.safetensors"]


def test_a_policy_that_was_calibrated_stays_so_if_its_training_has_nothing_to_do(tmp_path, saves):
    path = begun(tmp_path / "run", saves, 2)
    policy = PolicyAgent.load(path / "policy.safetensors")
    policy.config["note"] = "added later"
    policy.save(path / "policy.safetensors")
    train(resumed_args(path))
    assert PolicyAgent.load(path / "policy.safetensors").config["note"] == "added later"
    train(resumed_args(path, timesteps=96))
    assert "note" not in PolicyAgent.load(path / "policy.safetensors").config
