"""A new training never writes over another one, or beside one that is running, unasked."""

import os
import signal
import subprocess
import time
from contextlib import suppress

import pytest

import impulse_agents
from commands import PROGRAM, impulse, refusal, run_impulse
from impulse_training.run.storage import result
from impulse_training.run.storage.folder_lock import locked
from impulse_training.selfplay.environment.seat_games import SeatGames
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.train import train
from paths import ROOT

TINY = (
    "--num-envs 8 --rollout-steps 8 --minibatch-size 32 --width 8 --policy-layers 8 "
    "--value-layers 8 --card-dim 2 --opponents random --eval-opponents random --eval-games 2"
).split()


def trained(*words):
    return impulse("train", *TINY, "--timesteps", 128, *words)


def test_a_training_that_is_there_is_replaced_if_that_is_asked_for(tmp_path, capsys):
    run = tmp_path / "run"
    assert trained("--out", run) == 0
    before = (run / "state.safetensors").read_bytes()
    (run / "notes.txt").write_text("mine")
    capsys.readouterr()
    assert trained("--out", run) == 2
    assert refusal(capsys) == (
        f"{run} already has a run: --resume {run} continues it, --overwrite replaces it"
    )
    assert (run / "state.safetensors").read_bytes() == before
    assert trained("--out", run, "--overwrite", "--timesteps", 64) == 0
    state = state_file.load(run / "state.safetensors")
    assert state["budget"]["steps"] == 64
    assert [one.name for one in (run / "snapshots").iterdir()] == ["000000000064.safetensors"]
    assert len(list((run / "tensorboard").iterdir())) == 1
    assert (run / "notes.txt").read_text() == "mine"
    assert not (run / "state.previous.safetensors").exists()


def test_files_of_others_are_never_overwritten(tmp_path, capsys):
    (tmp_path / "policy.safetensors").write_text("of somebody")
    for words in ((), ("--overwrite",)):
        assert trained("--out", tmp_path, *words) == 2
        assert "policy.safetensors already exists, but" in refusal(capsys)
    assert (tmp_path / "policy.safetensors").read_text() == "of somebody"
    assert trained("--out", tmp_path / "policy.safetensors") == 2
    assert refusal(capsys).endswith("policy.safetensors cannot be written: it is not a folder")


def test_a_training_that_never_saved_says_so(tmp_path, capsys):
    (tmp_path / "args.json").write_text("{}")
    assert trained("--out", tmp_path) == 2
    assert refusal(capsys) == (f"{tmp_path} already has a run: --overwrite replaces it")
    assert impulse("train", "--resume", tmp_path) == 2
    assert "was saved there; restart a run that ended before its first save" in refusal(capsys)
    assert trained("--out", tmp_path, "--overwrite") == 0


def test_two_processes_never_write_into_the_same_folder(tmp_path, capsys):
    assert trained("--out", tmp_path) == 0
    capsys.readouterr()
    with locked(tmp_path):
        assert impulse("train", "--resume", tmp_path, "--timesteps", 256) == 2
        sentence = f"process {os.getpid()} on .* is writing to {tmp_path}: wait until it ends"
        assert sentence.split(" on ")[0] in refusal(capsys)
        assert trained("--out", tmp_path, "--overwrite") == 2
        assert "is writing to" in refusal(capsys)
    assert impulse("train", "--resume", tmp_path, "--timesteps", 256) == 0


def test_trainings_of_the_same_second_have_folders_of_their_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(result, "strftime", lambda _: "20260101-120000")
    assert [trained(), trained()] == [0, 0]
    assert len(list((tmp_path / "runs").glob("*/policy.safetensors"))) == 2


def test_snapshots_on_disk_have_a_limit(tmp_path):
    words = ("--save-every", 0, "--timesteps", 640, "--out", tmp_path)
    assert trained(*words, "--keep-snapshots", 3) == 0
    kept = sorted(int(one.stem) for one in (tmp_path / "snapshots").iterdir())
    assert len(kept) == 3
    assert (kept[0], kept[-1]) == (0, 640)
    assert trained(*words, "--keep-snapshots", 0, "--overwrite") == 0
    assert not (tmp_path / "snapshots").exists()


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_sigterm_keeps_everything(tmp_path, monkeypatch):
    steps = []

    def counted(env, actions):
        steps.append(1)
        if len(steps) == 20:
            os.kill(os.getpid(), signal.SIGTERM)
        return step(env, actions)

    step = SeatGames.step
    monkeypatch.setattr(SeatGames, "step", counted)
    assert trained("--timesteps", 6400, "--out", tmp_path) == 0
    assert (
        state_file.load(tmp_path / "state.safetensors")["budget"]["steps"] == 192
    )  # 3 rollouts of 64
    policy = impulse_agents.make(f"policy:{tmp_path / 'policy.safetensors'}")
    assert policy.config["training"]["steps"] == 192


@pytest.mark.slow
def test_a_full_disk_is_one_sentence_and_the_save_before_is_good(tmp_path):
    resource = pytest.importorskip("resource", reason="limits of POSIX")
    assert trained("--out", tmp_path) == 0
    size = (tmp_path / "state.safetensors").stat().st_size
    done = run_impulse(
        *("train", "--resume", tmp_path, "--timesteps", 256),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size // 2, size // 2)),
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith(
        f"error: {tmp_path}/state.next.safetensors cannot be written: File too large (the "
    )
    assert last.endswith(
        f"MB free); the saved state is intact, and --resume {tmp_path} continues from it"
    )
    assert state_file.load(tmp_path / "state.safetensors")["budget"]["steps"] == 128
    assert train(resumed_args(tmp_path, timesteps=256)).steps == 256


def killed_on_its_way(command, folder, saves, delay):
    """Run a training until it has saved so often, and kill it a moment later; its exit code."""
    state, seen = folder / "state.safetensors", set()
    if state.exists():
        seen.add(state.stat().st_mtime_ns)
        saves += 1
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and len(seen) < saves:
            time.sleep(0.002)
            with suppress(FileNotFoundError):
                seen.add(state.stat().st_mtime_ns)
        time.sleep(delay)
        process.kill()
        said = process.communicate()[1]
    assert "Traceback" not in said
    return process.returncode


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_killed_again_and_again_a_training_ends_as_if_it_had_not_been(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    words = (*TINY, "--timesteps", 2560, "--save-every", 0, "--eval-steps", 640)
    assert impulse("train", *words, "--out", whole) == 0
    command = [*PROGRAM, "train", *map(str, words), "--out", str(killed)]
    for number in range(3):
        code = killed_on_its_way(command, killed, 3 + 3 * number, 0.013 * number)
        assert code == -signal.SIGKILL
        command = [*PROGRAM, "train", "--resume", str(killed)]
    assert impulse("train", "--resume", killed) == 0
    states = [state_file.load(folder / "state.safetensors") for folder in (whole, killed)]
    for name, weights in states[0]["network"].items():
        assert (states[1]["network"][name] == weights).all()
    curves = [[point["rating"] for point in one["loop"]["curve"]] for one in states]
    assert curves[0] == curves[1]
    assert len(states[1]["training"]["legs"]) == 4
    assert sum(leg["steps"] for leg in states[1]["training"]["legs"]) == 2560
