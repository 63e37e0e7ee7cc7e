"""Checkpoints: a safetensors file with a network's weights and its config in JSON.

The file contains no code, and is checked before its content takes memory. The checks cover the file
(`impulse_agents.network.weights_file`), the config (`config_check`), and each weight against the
network that the config describes.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import torch
from torch import Tensor

from impulse_agents.base import AgentError
from impulse_agents.network.build import Network, build_network, is_custom
from impulse_agents.network.config_check import (
    FORMAT,
    FieldError,
    observation_layout,
    read_config,
)
from impulse_agents.network.weights_file import WeightsError, read_weights, write_weights
from impulse_env.actions import N_ACTIONS
from impulse_env.errors import ImpulseError, did_you_mean
from impulse_env.observation import high
from impulse_env.records import mistaken

MOST_BYTES: Final = 4 << 30
"""Size limit of a checkpoint."""
_MOST_SECTIONS: Final = 1000
_LARGEST_OBSERVATION: Final = 1 << 16
"""Features of an observation of another version."""


class CheckpointError(AgentError):
    """A checkpoint cannot be read or does not fit this version; the message says why."""


def checkpoint_config(players: int, network: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the config of a `PolicyAgent`."""
    layout = observation_layout(players)
    return {"format": FORMAT, "players": players, "network": network, "layout": layout, **more}


def read_checkpoint(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return the config of a checkpoint and its weights, after checking fields and finiteness.

    Raises:
        CheckpointError: The file is not a checkpoint, or has a fault.
    """
    return _checked(path, *_read_file(path))


def read_other_layout(
    path: Path,
) -> tuple[dict[str, Any], list[tuple[str, int, int]], dict[str, Tensor]]:
    """Return the config of a checkpoint for another observation, its sections, and its weights.

    The layout in the config is replaced by that of this version. The sections are names, starts and
    ends, in order and without a gap.

    Raises:
        CheckpointError: The file is not a checkpoint, has a fault or other actions, or already has
            this version's observation.
    """
    text, weights = _read_file(path)
    try:
        said = json.loads(text)
        layout, said["layout"] = said["layout"], observation_layout(said["players"])
        here, text = said["layout"], json.dumps(said)
        sections = [(str(name), int(start), int(stop)) for name, start, stop in layout["sections"]]
        actions, bounds = layout["actions"], [0, *(stop for _, _, stop in sections)]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CheckpointError(f"{path} does not say what its network observes") from error
    config, weights = _checked(path, text, weights)
    is_whole = [start for _, start, _ in sections] == bounds[:-1] and sorted(set(bounds)) == bounds
    if not is_whole or len(sections) > _MOST_SECTIONS or bounds[-1] > _LARGEST_OBSERVATION:
        raise CheckpointError(f"{path} does not have one section of an observation after another")
    if actions != N_ACTIONS:
        raise CheckpointError(f"{path} is of a network of other actions than those here")
    if [list(one) for one in sections] == here["sections"]:
        raise CheckpointError(f"{path} observes what is observed here: there is nothing to migrate")
    return config, sections, weights


def _read_file(path: Path) -> tuple[str, dict[str, Tensor]]:
    """Return text and weights of a checkpoint, unchecked; raises `CheckpointError`."""
    if not os.path.exists(path):  # which says so of what no system takes for a path, too
        raise CheckpointError(f"there is no checkpoint {path}")
    try:
        return read_weights(path, MOST_BYTES)
    except WeightsError as error:
        is_other = "" if path.suffix == ".safetensors" else mistaken.told(path)
        raise CheckpointError(
            f"{path} is not a checkpoint of this project, or only part of one ({error}){is_other}"
        ) from error


def _checked(
    path: Path, text: str, weights: dict[str, Tensor]
) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """Return the config in a text, and the weights, after checking both."""
    try:
        config = read_config(text)
        check_finite(weights)
    except FieldError as error:
        raise CheckpointError(f"{path} cannot be used: {error}") from error
    return config, weights


def load_network(config: dict[str, Any], weights: dict[str, Tensor], path: Path) -> Network:
    """Return the network of a checkpoint.

    The weights of a project's network are checked before it is created. Another author's factory
    must check the arguments in the checkpoint itself.

    Args:
        config: From `read_checkpoint`.
        weights: From there, too; they become the network's own.
        path: The file, for messages.

    Raises:
        CheckpointError: The weights belong to another network, or are too large to compute with.
        NetworkError: Another author's network cannot be loaded.
    """
    players, description = config["players"], config["network"]
    try:
        if is_custom(description):
            network = build_network(players, description, path)
            network.load_state_dict(weights)
        else:
            network = _own_network(players, description, weights)
        _try_out(network.eval(), config)
    except FieldError as error:
        raise CheckpointError(f"{path} does not hold the network it describes: {error}") from error
    except ImpulseError:
        raise
    except Exception as error:  # the code of another author may raise anything
        said = " ".join(str(error).split())
        raise CheckpointError(
            f"{path} does not hold the network it describes: {type(error).__name__}: {said}"
        ) from error
    return network


def _own_network(players: int, description: dict[str, Any], weights: dict[str, Tensor]) -> Network:
    """Return a network of the project with these weights; raises `FieldError` if they do not fit.

    The network first has only shapes, so no random weights are drawn that these would replace.
    """
    with torch.device("meta"):
        network = build_network(players, description)
    wanted = network.state_dict()
    check_weights(weights, wanted)
    exact = {name: weight.to(wanted[name].dtype) for name, weight in weights.items()}
    network.load_state_dict(exact, assign=True)
    return network


def check_finite(weights: Any) -> None:
    """Raise `FieldError` unless `weights` are tensors of finite numbers by name."""
    if not isinstance(weights, dict):
        raise FieldError(f"weights must be tensors by name, not a {type(weights).__name__}")
    for name, weight in weights.items():
        if not isinstance(name, str) or not isinstance(weight, Tensor):
            raise FieldError(
                f"the weights {str(name)[:100]!r} must be a tensor, not a {type(weight).__name__}"
            )
        is_exact = not (weight.is_floating_point() or weight.is_complex())
        if not (is_exact or bool(torch.isfinite(weight).all())):
            raise FieldError(f"the weights {name[:100]!r} must be finite, and have NaN or infinity")


def check_weights(weights: Mapping[str, Tensor], wanted: Mapping[str, Tensor]) -> None:
    """Raise `FieldError` unless weights have the names, shapes and types of a network's.

    Args:
        weights: The weights by name.
        wanted: The network's weights by name; half precision may stand for single precision.
    """
    for name in wanted:
        if name not in weights:
            raise FieldError(f"the weights {name!r} are missing")
    for name, weight in weights.items():
        if name not in wanted:
            raise FieldError(f"it has no weights {name[:100]!r}{did_you_mean(name[:100], wanted)}")
        shape, types = wanted[name].shape, {wanted[name].dtype}
        if weight.shape != shape:
            raise FieldError(
                f"the weights {name!r} must have shape {tuple(shape)}, not {tuple(weight.shape)}"
            )
        if torch.float32 in types:
            types.add(torch.float16)
        if weight.dtype not in types:
            allowed = " or ".join(sorted(str(one).removeprefix("torch.") for one in types))
            found = str(weight.dtype).removeprefix("torch.")
            raise FieldError(f"the weights {name!r} must be {allowed}, not {found}")


def _try_out(network: Network, config: dict[str, Any]) -> None:
    """Raise `FieldError` if weights are so large that the network's output is not finite."""
    rows = torch.zeros(2, config["layout"]["observation"], dtype=torch.uint8)
    if not is_custom(config["network"]):
        rows[1] = torch.from_numpy(high(config["players"]).copy())
    with torch.inference_mode():
        logits, values = network(rows)
    if not (torch.isfinite(logits).all() and torch.isfinite(values).all()):
        raise FieldError("the weights are so large that the network's output is not finite")


def write_config(path: Path, config: dict[str, Any]) -> None:
    """Replace the config of a checkpoint; the weights stay the same, bit by bit.

    Raises:
        CheckpointError: The checkpoint cannot be read.
    """
    _, weights = read_checkpoint(path)
    write_weights(path, json.dumps(config), weights)
