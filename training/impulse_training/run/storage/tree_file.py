"""A tree of objects, lists, numbers, texts and arrays as a file of safetensors.

Its arrays stand in the file by their places in the tree, and the rest as JSON in the header. So
nothing in it can be executed, and what is read takes no more memory than the file is long.
"""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from impulse_agents.network.weights_file import WeightsError, read_weights, write_weights

_ARRAY: Final = "__array__"
"""The only key of an object that stands for an array of numpy, with its name in the file."""
_TENSOR: Final = "__tensor__"
"""The same for one of torch."""


def write_tree(path: Path, tree: dict[str, Any]) -> None:
    """Write a tree; whoever reads the file meanwhile sees the old one or the new one.

    Args:
        path: The file; folders above it are made.
        tree: Keys become texts, and tuples lists.

    Raises:
        WeightsError: One of the arrays is no array of numbers.
        TypeError: The tree holds something else.
    """
    arrays: dict[str, Tensor] = {}
    text = json.dumps(_without_arrays(tree, "", arrays))
    write_weights(path, text, arrays)


def read_tree(path: Path, most_bytes: int) -> dict[str, Any]:
    """Return a tree with arrays of its own.

    Args:
        path: The file.
        most_bytes: How large it may be.

    Raises:
        WeightsError: It is no such file, too large, or not as it was written.
    """
    text, arrays = read_weights(path, most_bytes)
    try:
        tree = _with_arrays(json.loads(text), arrays)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"its header is no tree in JSON: {error}") from error
    if not isinstance(tree, dict):
        raise WeightsError("its header is no object in JSON")
    return tree


def load_optimizer(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Go on from an optimizer's `state_dict` that was read from a tree, whose keys are texts."""
    by_number = {int(number): moments for number, moments in state["state"].items()}
    optimizer.load_state_dict({**state, "state": by_number})


def _without_arrays(value: Any, at: str, arrays: dict[str, Tensor]) -> Any:
    """Return what JSON holds in the place of a value; put the arrays in it among the others."""
    if isinstance(value, Tensor | np.ndarray):
        name = f"{len(arrays)}{at}"  # a key may have strokes, too
        if isinstance(value, Tensor):
            arrays[name] = value
            return {_TENSOR: name}
        arrays[name] = torch.from_numpy(np.ascontiguousarray(value))
        return {_ARRAY: name}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _without_arrays(one, f"{at}/{key}", arrays) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_without_arrays(one, f"{at}/{n}", arrays) for n, one in enumerate(value)]
    return value


def _with_arrays(value: Any, arrays: dict[str, Tensor]) -> Any:
    """Return a value with the arrays that the file holds for it."""
    if isinstance(value, list):
        return [_with_arrays(one, arrays) for one in value]
    if not isinstance(value, dict):
        return value
    if value.keys() not in ({_TENSOR}, {_ARRAY}):
        return {key: _with_arrays(one, arrays) for key, one in value.items()}
    ((kind, name),) = value.items()
    if not isinstance(name, str) or name not in arrays:
        raise WeightsError(f"it has no array {str(name)[:100]!r}")
    return arrays[name] if kind == _TENSOR else arrays[name].numpy()
