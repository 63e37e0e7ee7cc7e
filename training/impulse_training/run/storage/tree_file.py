"""Stores a tree of objects, lists, numbers, texts and arrays in a safetensors file.

The arrays are named by their places in the tree, and the rest is JSON in the header. So the file
cannot contain code, and reading it takes no more memory than its length.
"""

import json
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from impulse_agents.network.weights_file import WeightsError, read_weights, write_weights

_ARRAY: Final = "__array__"
"""The only key of an object that represents a NumPy array by its name in the file."""
_TENSOR: Final = "__tensor__"
"""The only key of an object that represents a PyTorch tensor by its name in the file."""


def write_tree(path: Path, tree: dict[str, Any]) -> None:
    """Write a tree atomically: a concurrent reader sees the old file or the new one.

    Args:
        path: The file; missing parent folders are created.
        tree: The tree; its keys become texts, and its tuples lists.

    Raises:
        WeightsError: An array does not contain numbers.
        TypeError: The tree contains another type.
    """
    arrays: dict[str, Tensor] = {}
    text = json.dumps(_without_arrays(tree, "", arrays))
    write_weights(path, text, arrays)


def read_tree(path: Path, most_bytes: int) -> dict[str, Any]:
    """Return a tree from a file, with copies of its arrays.

    Args:
        path: The file.
        most_bytes: Maximum size of the file in bytes.

    Raises:
        WeightsError: The file has another format, is too large, or is damaged.
    """
    text, arrays = read_weights(path, most_bytes)
    try:
        tree = _with_arrays(json.loads(text), arrays)
    except (ValueError, RecursionError) as error:
        raise WeightsError(f"its header is not valid JSON: {error}") from error
    if not isinstance(tree, dict):
        raise WeightsError("its header is not a JSON object")
    return tree


def load_optimizer(optimizer: torch.optim.Optimizer, state: dict[str, Any]) -> None:
    """Load an optimizer's `state_dict` from a tree, whose keys are texts."""
    by_number = {int(number): moments for number, moments in state["state"].items()}
    optimizer.load_state_dict({**state, "state": by_number})


def _without_arrays(value: Any, at: str, arrays: dict[str, Tensor]) -> Any:
    """Return a value of JSON for a value of the tree, and add its arrays to `arrays`."""
    if isinstance(value, Tensor | np.ndarray):
        name = f"{len(arrays)}{at}"  # the number makes it unique: keys may contain slashes
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
    """Return a value of the tree with its arrays from the file."""
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
