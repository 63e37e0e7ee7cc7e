"""A file without weights is one and the same sentence at every door that takes an agent's name."""

import os

import pytest
import torch

import impulse_agents
from commands import impulse
from impulse_table.workers import agent_tasks


class Code:
    """What runs a command where it is read without care."""

    def __reduce__(self):
        return os.system, ("exit 3",)


@pytest.fixture(params=["passwd", "empty", "zip", "folder", "pipe", "device", "code", "cut"])
def given(request, tmp_path):
    path = tmp_path / f"{request.param}.safetensors"
    if request.param == "passwd":
        return "/etc/passwd"
    if request.param == "device":
        return "/dev/zero"
    if request.param == "empty":
        path.touch()
    elif request.param == "zip":
        path.write_bytes(b"PK\5\6" + bytes(18))
    elif request.param == "folder":
        path.mkdir()
    elif request.param == "pipe":
        os.mkfifo(path)
    else:
        torch.save({"config": Code(), "weights": {}}, path)
        if request.param == "cut":
            path.write_bytes(path.read_bytes()[:300])
    return str(path)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "random", "policy:{}", "--games", "2"],
        ["match", "random", "policy+search:{}:4", "--games", "2"],
        ["play", "--agents", "policy:{}"],
        ["agents", "calibrate", "{}"],
        ["agents", "migrate", "{}", "--out", "new.safetensors"],
        ["evaluate", "{}", "--out", "{}.results"],
        ["agents", "model-card", "{}"],
        ["train", "--warm-start", "{}", "--timesteps", "8", "--out", "{}.run"],
        ["train", "imitate", "--warm-start", "{}", "--out", "{}.run"],
    ],
)
def test_a_command_says_it_in_one_sentence(given, words, capsys):
    assert impulse(*(word.format(given) for word in words)) == 2
    said = capsys.readouterr().err.strip().splitlines()[-1]
    assert said.startswith("error: ")
    assert given in said
    assert "checkpoint" in said
    assert "bug" not in said


def test_python_and_the_table_say_it_in_one_sentence(given):
    # At the table it used to be "list index out of range".
    name = f"policy:{given}"
    for door in (impulse_agents.make, lambda name: agent_tasks.check([name], 2)):
        with pytest.raises(impulse_agents.AgentError, match="checkpoint") as raised:
            door(name)
        assert given in str(raised.value)
        assert "\n" not in str(raised.value)
