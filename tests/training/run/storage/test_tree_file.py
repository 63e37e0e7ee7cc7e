"""A tree is read as it was written; whatever else is in the file is refused in words."""

import json

import numpy as np
import pytest
import torch

from impulse_agents.network.weights_file import WeightsError, write_weights
from impulse_training.run.storage.tree_file import load_optimizer, read_tree, write_tree

MOST = 1 << 20


@pytest.fixture
def path(tmp_path):
    return tmp_path / "a.safetensors"


def test_a_tree_is_read_as_it_was_written(path):
    arrays = [np.arange(6).reshape(2, 3)[:, ::2], np.zeros((0, 4), np.uint8), np.array([True])]
    tree = {"a": [None, True, 1 << 127, 0.1, float("inf"), "x/y"], "b": {"c": arrays, "a/0": {}}}
    write_tree(path, {**tree, "weights": {"x": torch.ones(2, 2).T}, "n": np.float32(0.5)})
    again = read_tree(path, MOST)
    assert (again["a"], again["n"]) == (tree["a"], 0.5)
    assert torch.equal(again["weights"]["x"], torch.ones(2, 2))
    for one, other in zip(arrays, again["b"]["c"], strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        assert (one == other).all()
        other[...] = 0  # it is an array of its own


def test_arrays_that_share_their_numbers_are_written_whole(path):
    whole, table = torch.arange(12.0), np.arange(12).reshape(3, 4)
    tensors = {"all": whole, "same": whole, "rest": whole[5:], "odd": whole[1::2]}
    tensors |= {"turned": whole.view(3, 4).T, "none": whole[:0], "row": whole.expand(2, 12)}
    once = torch.tensor(3)  # with strides of 0, which a training's numbers may have
    tensors |= {f"of {shape}": once.expand(shape) for shape in [(1,), (0,), (1, 4), (4, 1)]}
    arrays = {"all": table, "same": table, "rest": table[1:], "turned": table.T}
    write_tree(path, {"tensors": tensors, "arrays": arrays})
    again = read_tree(path, MOST)
    for name, tensor in tensors.items():
        assert torch.equal(again["tensors"][name], tensor)
    for name, array in arrays.items():
        assert (again["arrays"][name] == array).all()
    again["tensors"]["all"][:] = -1  # each is an array of its own
    assert torch.equal(again["tensors"]["same"], whole)


def test_only_what_is_shared_or_scattered_is_copied(path, monkeypatch):
    """A state was copied whole before it was written: a large one took as much memory again."""
    copied = []
    clone = torch.Tensor.clone

    def counted(tensor, **how):
        copied.append(len(tensor))
        return clone(tensor, **how)

    monkeypatch.setattr(torch.Tensor, "clone", counted)
    whole = torch.arange(12.0)
    write_tree(path, {"a": whole, "b": torch.ones(7), "c": whole[2:], "d": np.zeros(5)})
    assert copied == [10]


def test_two_places_of_one_name_are_not_mixed_up(path):
    tree = {"a": {"b/c": np.zeros(1)}, "a/b": {"c": np.ones(1)}}
    write_tree(path, tree)
    again = read_tree(path, MOST)
    assert (again["a"]["b/c"], again["a/b"]["c"]) == (0, 1)


def test_an_optimizer_continues_with_what_it_knew_of_each_parameter(path):
    weight = torch.nn.Parameter(torch.ones(3))
    first, second = torch.optim.Adam([weight]), torch.optim.Adam([weight])
    weight.sum().backward()
    first.step()
    write_tree(path, first.state_dict())
    load_optimizer(second, read_tree(path, MOST))
    for name, moment in first.state[weight].items():
        assert torch.equal(second.state[weight][name], moment)


@pytest.mark.parametrize(
    "text",
    ["", "[1]", "3", "{", "[" * 100_000, '{"a":' * 100_000, '{"__array__": "b"}', "1" * 5000]
    + [json.dumps({"a": {name: of}}) for name in ("__array__", "__tensor__") for of in (1, [], {})],
)
def test_an_invalid_tree_is_refused_in_a_sentence(path, text):
    write_weights(path, text, {"a": torch.ones(1)})
    with pytest.raises(WeightsError) as raised:
        read_tree(path, MOST)
    assert "\n" not in str(raised.value)
    assert len(str(raised.value)) < 300


def test_what_no_file_holds_is_not_written(path):
    for tree, error in (({"a": np.zeros(1, complex)}, WeightsError), ({"a": {1, 2}}, TypeError)):
        with pytest.raises(error):
            write_tree(path, tree)
    assert not path.exists()
