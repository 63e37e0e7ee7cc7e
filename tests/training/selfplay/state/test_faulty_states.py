"""A state that is damaged, or fits no training, is one sentence that names file and part."""

import random
from dataclasses import replace

import numpy as np
import pytest
import torch

from impulse_env.errors import ImpulseError
from impulse_training.run.storage.result import ResumeError
from impulse_training.run.storage.tree_file import read_tree, write_tree
from impulse_training.selfplay import train
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import resumed_args
from impulse_training.selfplay.state.state_file import MOST_BYTES, STATE, DamagedStateError
from trainings import tiny

TINY = tiny(
    timesteps=128,
    num_envs=4,
    rollout_steps=16,
    policy_layers=(4,),
    value_layers=(),
    keep_snapshots=0,
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """Return the folder of a training, with one save."""
    folder = tmp_path_factory.mktemp("trained")
    return train.train(replace(TINY, out=folder)).folder


@pytest.fixture
def folder(trained, tmp_path):
    """Return a folder with that state alone, which may be changed."""
    (tmp_path / STATE).write_bytes((trained / STATE).read_bytes())
    return tmp_path


def change(folder, keys, value):
    """Write another value into a state."""
    state = read_tree(folder / STATE, MOST_BYTES)
    at = state
    for key in keys[:-1]:
        at = at[key]
    at[keys[-1]] = value
    write_tree(folder / STATE, state)


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        (("network",), None, "network must be an object, not None"),
        (("network", "action.bias"), torch.full((180,), float("nan")), "'action.bias' must be fin"),
        (("network", "action.bias"), "x", "'action.bias' must be a tensor, not a str"),
        (
            ("optimizer", "state"),
            {"0": {"exp_avg": torch.tensor([float("inf")])}},
            "must be finite",
        ),
        (("budget", "steps"), "many", "budget.steps must be a whole number, not 'many'"),
        (("budget", "steps"), -1, "budget.steps must be a whole number >= 0, not -1"),
        (("budget", "seconds"), float("nan"), "budget.seconds must be a number"),
        (("loop", "curve"), 3, "loop.curve must be a list, not 3"),
        (("loop", "curve"), [{"steps": None}], r"loop.curve\[0\].steps must be a number"),
        (("rollout", "paid"), {"__array__": "x"}, "it has no array 'x'"),
        (("rollout", "paid"), {"__tensor__": [1]}, r"it has no array '\[1\]'"),
        (("training", "legs"), {}, "training.legs must be a list, not {}"),
        (
            ("training", "legs", 0, "steps"),
            None,
            r"training.legs\[0\].steps must be a number, not N",
        ),
        (("rng_state",), [], "rng_state must be an object, not"),
    ],
)
def test_a_part_that_is_not_what_it_may_be_is_named(folder, keys, value, said):
    change(folder, keys, value)
    with pytest.raises(DamagedStateError, match=said) as raised:
        state_file.load(folder / STATE)
    assert str(folder / STATE) in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("keys", "value", "said"),
    [
        (("args", "width"), "8", ": the option width must be a whole number, not '8'"),
        (("args", "width"), True, ": the option width must be a whole number, not True"),
        (("args", "gamma"), float("nan"), ": the option gamma must be a number, not nan"),
        (("args", "opponents"), "random", ": the option opponents must be a list, not 'random'"),
        (("args", "width"), 100_000, "width must be 16384 or less, not 100000"),
        (("args", "width"), 16, "'features.dense.weight' must have shape"),
        (("network",), {}, "the weights 'features.card.weight' are missing"),
        (("optimizer", "param_groups"), [], "does not fit its own options"),
        (("optimizer", "state", "0", "exp_avg"), torch.zeros(3), "exp_avg must have shape"),
        (("env", "states"), np.zeros(7, np.uint8), "their number or their format differs"),
        (("env", "seen"), 3, "does not fit its own options"),
        (("opponent_pool", "fixed"), None, "does not fit its own options"),
        (("rng_state", "python"), 3, "does not fit its own options"),
        (("optimizer", "state"), {"x": {}}, "does not fit its own options"),
        (("rollout",), {}, "does not fit its own options"),
        (("learning_rate",), {}, r"does not fit its own options \(KeyError"),
    ],
)
def test_a_state_that_does_not_fit_is_one_sentence(folder, keys, value, said):
    # These used to be raised as they came: KeyError, TypeError, RuntimeError.
    change(folder, keys, value)
    with pytest.raises(ImpulseError, match=said) as raised:
        train.train(resumed_args(folder, timesteps=256))
    assert "\n" not in str(raised.value)


def test_damage_to_a_state_is_reported_or_harmless(folder):
    path = folder / STATE
    content, rng, told = path.read_bytes(), random.Random(0), 0
    steps = state_file.load(path)["budget"]["steps"]
    for place in [rng.randrange(len(content)) for _ in range(10)]:
        byte = bytes([content[place] ^ (1 << rng.randrange(8))])
        for other in (content[:place], content[:place] + byte + content[place + 1 :]):
            path.write_bytes(other)
            try:
                state = state_file.load(path)
            except ResumeError:
                told += 1
            else:
                assert state["budget"]["steps"] == steps
    assert told > 15


def test_an_invalid_state_is_reported(folder):
    for content in ({"network": {}}, {"format": [4]}):
        write_tree(folder / STATE, content)
        with pytest.raises(ResumeError, match=r"state\.safetensors (is|comes)"):
            state_file.load(folder / STATE)


class Harmful:
    """What a file that torch wrote might hold."""

    def __reduce__(self):
        return (print, ("executed",))


def test_what_torch_wrote_is_no_state_and_not_run(folder, capsys):
    torch.save({"format": 5, "network": Harmful()}, folder / STATE)
    with pytest.raises(DamagedStateError, match="is not a training state, or only part of one"):
        state_file.load(folder / STATE)
    assert capsys.readouterr().out == ""
    (folder / STATE).rename(folder / "state.pt")  # as earlier versions called it
    with pytest.raises(ResumeError, match=r"no state\.safetensors was saved there"):
        train.train(resumed_args(folder))
