"""Networks of other authors: found by name, tried out, kept in checkpoints, not run unasked."""

import numpy as np
import pytest
import torch

from impulse_agents import plugins
from impulse_agents.network import build
from impulse_agents.network.agent import ROWS_PER_THREAD, PolicyAgent, threads_for
from impulse_agents.network.build import NetworkError, build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.actions import N_ACTIONS
from impulse_env.observation import size

SOURCE = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, inputs, actions, width):
        super().__init__()
        self.body = nn.Linear(inputs, width)
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, observations):
        hidden = self.body(observations.float()).relu()
        return self.policy(hidden), self.value(hidden)[:, 0]


def make(players, layout, actions, width=8):
    return Net(layout[-1].stop, actions, width)


def number(players, layout, actions):
    return 3


def narrow(players, layout, actions):
    return Net(layout[-1].stop, actions - 1, 4)


def endless(players, layout, actions):
    net = make(players, layout, actions)
    net.value.bias.data[:] = float("nan")
    return net


class Floats(Net):
    def forward(self, observations):
        return self.policy(self.body(observations)), None


def of_floats(players, layout, actions):
    return Floats(layout[-1].stop, actions, 4)
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "nets.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def saved(file, folder, **arguments):
    config = {"kind": f"{file}:make", "arguments": arguments}
    network = build_network(2, config)
    path = folder / "policy.safetensors"
    PolicyAgent(network, checkpoint_config(2, config), "mine").save(path)
    return path


def test_a_factory_in_a_file_makes_the_network_with_its_arguments(file):
    network = build_network(3, {"kind": f"{file}:make", "arguments": {"width": 5}})
    logits, values = network(torch.zeros(4, size(3), dtype=torch.uint8))
    assert logits.shape == (4, N_ACTIONS)
    assert values.shape == (4,)
    assert network.module.body.out_features == 5


def test_an_entry_point_is_a_network_too(file, monkeypatch):
    point = type("Point", (), {"value": "there", "load": lambda self: lambda *given: given})()
    made = plugins.load_reference(plugins.read_reference(f"{file}:make"))
    monkeypatch.setattr(point.__class__, "load", lambda self: made)
    offered = {build.GROUP: {"theirs": point}}
    monkeypatch.setattr(plugins, "_entry_points", lambda group: offered.get(group, {}))
    assert build_network(2, {"kind": "theirs"}).module.body.out_features == 8


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("{file}:number", "is a int, not a torch module"),
        ("{file}:narrow", r"shapes \(2, 179\) and \(2,\) for 2 observations; they must be"),
        ("{file}:endless", "returns numbers that are not finite"),
        ("{file}:of_floats", "fails on observations of uint8"),
        ("{file}:mak", "has no mak; did you mean make?"),
        ("{file}x.py:make", "there is no file"),
        ("no.such.module:make", "No module named 'no'"),
        ("pointer", "there is no network 'pointer'; did you mean pointers?"),
    ],
)
def test_a_network_that_cannot_be_had_is_one_sentence(file, name, said):
    with pytest.raises(NetworkError, match=said.replace("?", r"\?")) as raised:
        build_network(2, {"kind": name.format(file=file)})
    assert "\n" not in str(raised.value)


def test_wrong_arguments_are_one_sentence(file):
    with pytest.raises(NetworkError, match="unexpected keyword argument 'depth'"):
        build_network(2, {"kind": f"{file}:make", "arguments": {"depth": 3}})


def test_a_checkpoint_keeps_name_and_arguments(file, tmp_path):
    agent = PolicyAgent.load(saved(file, tmp_path, width=6))
    assert agent.config["network"] == {"kind": f"{file}:make", "arguments": {"width": 6}}
    logits, values = agent.evaluate(np.zeros((3, size(2)), np.uint8))
    assert (logits.shape, values.shape) == ((3, N_ACTIONS), (3,))


def test_code_that_a_checkpoint_names_is_run_only_where_it_is_trusted(file, tmp_path, monkeypatch):
    path = saved(file, tmp_path)
    monkeypatch.setattr(plugins, "is_loaded", lambda file: False)
    with pytest.raises(NetworkError, match="IMPULSE_TRUST_CODE=1 in the environment lets it"):
        PolicyAgent.load(path)
    monkeypatch.setenv(build.TRUST, "1")
    assert PolicyAgent.load(path).config["players"] == 2


def test_a_checkpoint_whose_network_is_gone_says_so_in_one_sentence(file, tmp_path):
    path = saved(file, tmp_path)
    file.unlink()
    with pytest.raises(NetworkError, match=r"policy\.safetensors") as raised:
        PolicyAgent.load(path)
    assert "\n" not in str(raised.value)


def test_a_single_decision_takes_one_thread_and_many_take_what_is_set():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    try:
        seen = {}
        for rows in (1, ROWS_PER_THREAD, 2 * ROWS_PER_THREAD, 100 * ROWS_PER_THREAD):
            with threads_for(rows):
                seen[rows] = torch.get_num_threads()
        assert list(seen.values()) == [1, 1, 2, 4]
        assert torch.get_num_threads() == 4
    finally:
        torch.set_num_threads(before)


def test_an_agent_decides_on_one_thread(file, tmp_path, monkeypatch):
    agent, counts = PolicyAgent.load(saved(file, tmp_path)), []
    inner = agent.network.module.forward
    monkeypatch.setattr(
        agent.network.module,
        "forward",
        lambda observations: counts.append(torch.get_num_threads()) or inner(observations),
    )
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        agent.evaluate(np.zeros((1, size(2)), np.uint8))
    finally:
        torch.set_num_threads(before)
    assert counts == [1]
