"""Several processes learn with one gradient, that of all their decisions together."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from impulse_agents.network.agent import PolicyAgent
from impulse_training.run.machine.group import Group, joined
from impulse_training.run.storage.tree_file import read_tree
from impulse_training.selfplay.state.folder import placed
from impulse_training.selfplay.state.state_file import MOST_BYTES, STATE
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.update import update
from updates import OneMinibatch, learner_of, minibatch

SIZES = ("--width", "16", "--policy-layers", "16", "--value-layers", "16", "--card-dim", "4")
SMALL = (
    *("--num-envs", "8", "--rollout-steps", "16", "--minibatch-size", "64", "--eval-games", "2"),
    *("--eval-opponents", "random", "--opponents", "warrior", "--snapshot-every", "1", *SIZES),
)
GRADIENTS = """
import sys
import torch
from impulse_training.run.machine.group import joined
from impulse_training.selfplay.rollout import Minibatch
from impulse_training.selfplay.train_options import Args
from impulse_training.selfplay.update import update
from updates import OneMinibatch, learner_of, minibatch, rows_of
with joined("cpu") as group:
    then, learner = minibatch(), learner_of()
    mine = slice(0, 120) if group.is_first else slice(120, 200)
    args = Args(epochs=1, ent_coef=0.03, behavior_kl=0.1)
    update(learner, OneMinibatch(rows_of(then, mine)), args, 1e-3, 1, group)
    torch.save(dict(learner.network.named_parameters()), f"{sys.argv[1]}/{group.rank}.pt")
    grads = [weights.grad for weights in learner.network.parameters()]
    torch.save(grads, f"{sys.argv[1]}/{group.rank}-grad.pt")
"""


def together(*command: str, size: int = 2) -> list[str]:
    """Run a command of Python in so many processes of a group; return what each printed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    found = [
        subprocess.Popen(
            (sys.executable, *command),
            env={
                **os.environ,
                "RANK": str(rank),
                "LOCAL_RANK": str(rank),
                "WORLD_SIZE": str(size),
                "MASTER_ADDR": "127.0.0.1",
                "MASTER_PORT": str(port),
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for rank in range(size)
    ]
    printed = [process.communicate(timeout=300)[0] for process in found]
    assert [process.returncode for process in found] == [0] * size, "\n".join(printed)
    return printed


def test_gradients_are_those_of_one_process_with_the_same_rows(tmp_path):
    together("-c", GRADIENTS, str(tmp_path))
    alone, args = learner_of(), Args(epochs=1, ent_coef=0.03, behavior_kl=0.1)
    update(alone, OneMinibatch(minibatch()), args, 1e-3)
    for rank in range(2):
        weights = torch.load(tmp_path / f"{rank}.pt")
        grads = torch.load(tmp_path / f"{rank}-grad.pt")
        for (name, ours), theirs in zip(alone.network.named_parameters(), grads, strict=True):
            assert torch.allclose(ours.grad, theirs, rtol=1e-4, atol=1e-6), name
            assert torch.allclose(ours, weights[name], rtol=1e-4, atol=1e-5), name


@pytest.mark.slow
def test_a_training_of_two_processes_ends_with_equal_weights_and_is_resumed(tmp_path):
    run = ("-m", "impulse_training.cli", "train")
    whole, halves = tmp_path / "whole", tmp_path / "halves"
    limits = ("--timesteps", "1024", "--learning-rate", "1e-3", "--final-learning-rate", "1e-3")
    printed = together(*run, *limits, *SMALL, "--out", str(whole))
    assert "wins against random" in printed[0]
    assert "wins against" not in printed[1]
    weights = [
        read_tree(folder / STATE, MOST_BYTES)["network"] for folder in (whole, whole / "rank-1")
    ]
    assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[0])
    seen = [
        read_tree(folder / STATE, MOST_BYTES)["env"]["states"]
        for folder in (whole, whole / "rank-1")
    ]
    assert (seen[0] != seen[1]).any()  # each has games of its own
    together(*run, *limits, "--timesteps", "512", *SMALL, "--out", str(halves))
    together(*run, "--resume", str(halves), *limits)
    resumed = PolicyAgent.load(halves / "policy.safetensors").network.state_dict()
    assert all(torch.equal(weights[0][name], resumed[name]) for name in resumed)


def test_one_process_is_a_group_of_its_own(monkeypatch):
    monkeypatch.delenv("WORLD_SIZE", raising=False)
    with joined("cpu") as group:
        assert group == Group(0, 1)
        assert (group.first(3), group.all(3), group.seed(7)) == (3, [3], 7)
    assert Group(2, 3).seed(7) != Group(1, 3).seed(7) != 7
    assert Group(1, 2).seed(2**32 - 1) < 2**32
    args = Args(out=Path("runs/here"))
    assert placed(args, group) == args
