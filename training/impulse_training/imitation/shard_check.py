"""A shard of demonstrations as a safetensors file, whose arrays are checked on reading."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.weights_file import WeightsError, read_weights, write_weights
from impulse_env.actions import N_ACTIONS
from impulse_env.errors import ImpulseError
from impulse_env.observation import size
from impulse_training.imitation.demonstrations import TOP_ACTIONS, Demonstrations

MOST_BYTES: Final = 4 << 30
"""Format of a shard's file."""


class ShardError(ImpulseError, ValueError):
    """A shard is damaged or has other content; the message names the file and the array."""


def write_shard(path: Path, found: Demonstrations) -> None:
    """Write decisions atomically: a concurrent reader sees all or nothing."""
    write_weights(path, "", {n: torch.from_numpy(one) for n, one in found._asdict().items()})


def read_shard(path: Path, players: int) -> Demonstrations:
    """Return the decisions in a file; no code of the file is executed.

    Args:
        path: A file that `write_shard` wrote.
        players: Players of a game.

    Raises:
        ShardError: The file is not a shard, is damaged, or has games of other players.
    """
    try:
        _, tensors = read_weights(path, MOST_BYTES)
        arrays = {name: one.numpy() for name, one in tensors.items()}
    except (WeightsError, TypeError) as error:  # numpy knows no bfloat16
        raise ShardError(f"{path} is not a complete shard of decisions: {error}") from error
    fault = _fault_of(arrays, players)
    if fault:
        raise ShardError(f"{path} is not a shard of decisions of {players} players: {fault}")
    return Demonstrations(**{name: arrays[name] for name in Demonstrations._fields})


def _fault_of(found: Mapping[str, NDArray[Any]], players: int) -> str:
    """Return a message on the first fault of the arrays, or an empty text."""
    count = found["actions"].shape[:1] if "actions" in found else ()
    rows: dict[str, tuple[tuple[int, ...], type]] = {
        "observations": ((size(players),), np.uint8),
        "masks": ((-(-N_ACTIONS // 8),), np.uint8),
        "actions": ((), np.uint8),
        "top_actions": ((TOP_ACTIONS,), np.uint8),
        "shares": ((TOP_ACTIONS,), np.float16),
        "wins": ((), np.float32),
        "score_returns": ((), np.float32),
    }
    for name, (row, kind) in rows.items():
        if name not in found:
            return f"it has no array {name}"
        array = found[name]
        if array.dtype != kind or array.shape != (*count, *row):
            return (
                f"{name} must have shape {(*count, *row)} and type {np.dtype(kind)}, not "
                f"{array.shape} and {array.dtype}"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            return f"{name} must be finite, and has NaN or infinity"
    for name in ("actions", "top_actions"):
        if (found[name] >= N_ACTIONS).any():
            return f"{name} must be less than {N_ACTIONS}"
    return ""
