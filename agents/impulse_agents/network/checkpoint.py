"""Checkpoints: the file that holds a network's weights and, in JSON, what it is.

Loading one executes nothing from it.
"""

import json
import pickle
import warnings
from pathlib import Path
from typing import Any

import torch

from impulse_agents.base import AgentError
from impulse_env.actions import N_ACTIONS
from impulse_env.files import replacing
from impulse_env.observation import sections, size

FORMAT = 2


class CheckpointError(AgentError):
    """A checkpoint cannot be read or does not fit this version; the message says why."""


def checkpoint_config(players: int, network: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return the config of a `PolicyAgent`."""
    layout = observation_layout(players)
    return {"format": FORMAT, "players": players, "network": network, "layout": layout, **more}


def _read(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return config and weights; raises `CheckpointError`."""
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about pickles, which are refused anyway
            whole = torch.load(path, map_location="cpu", weights_only=True)
        config = json.loads(whole["config"])
        found = config["format"], config["players"], config["layout"], config["network"]
    except (
        OSError,
        RuntimeError,
        EOFError,
        KeyError,
        TypeError,
        ValueError,
        pickle.UnpicklingError,
    ) as error:
        why = str(error).partition("\n")[0].partition(". ")[0]  # torch writes an essay
        raise CheckpointError(
            f"{path} is no checkpoint of this project, or only part of one ({why})"
        ) from error
    if found[0] != FORMAT:
        raise CheckpointError(f"{path} has format {found[0]}, not {FORMAT}")
    return config, whole["weights"]


def write_config(path: Path, config: dict[str, Any]) -> None:
    """Write another config into a checkpoint, whose weights stay as they are, to the bit.

    Raises:
        CheckpointError: It cannot be read.
    """
    _, weights = _read(path)
    with replacing(path) as file:
        torch.save({"config": json.dumps(config), "weights": weights}, file)


def observation_layout(players: int) -> dict[str, Any]:
    """Return what a checkpoint must agree with to be of use."""
    return {
        "observation": size(players),
        "sections": [[s.name, s.start, s.stop] for s in sections(players)],
        "actions": N_ACTIONS,
    }
