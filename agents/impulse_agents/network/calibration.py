"""What a trained agent's value means: the calibration that its checkpoint carries.

A network is paid in points and wins, by games against the opponents of its training: its value is
a return, not a chance. What the value has meant in games holds for its weights and for no others.
"""

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.calibration import Calibration
from impulse_env.environments.rewards import score_margins


def calibrations_of(
    config: Mapping[str, Any], weights: Mapping[str, torch.Tensor]
) -> tuple[Calibration | None, Calibration | None]:
    """Return what values mean, and what a search finds that the network guides.

    They stand in a checkpoint's config; None for one that is not there, or not for these weights.
    """
    values, search = (config.get(of) or {} for of in ("calibration", "search_calibration"))
    if "weights" not in {*values, *search}:
        return None, None
    digest = weights_digest(weights)  # of megabytes: not without need, and once
    return (
        Calibration.read(values) if values.get("weights") == digest else None,
        Calibration.read(search) if search.get("weights") == digest else None,
    )


def expected_outcomes(
    values: NDArray[np.float32],
    states: np.ndarray,
    seats: NDArray[np.integer],
    has_score_reward: bool,
) -> NDArray[np.float32]:
    """Return what seats expect to have in the end, shape ``(n,)``: 1 for a win and no lead.

    Args:
        values: What the network expects to be paid from here on, shape ``(n,)``.
        states: The games, or views of them, of as many players each; shape ``(n,)``.
        seats: Whose values these are, shape ``(n,)``.
        has_score_reward: Whether leads are paid: then the lead that a seat has, in targets, has
            been paid already and is no part of the value.
    """
    if not has_score_reward:
        return values
    return values + score_margins(states, seats.astype(np.int64))


def weights_digest(weights: Mapping[str, torch.Tensor]) -> str:
    """Return the SHA-256 of a network's weights in hexadecimal.

    It is that of the names, types, shapes and bytes: the same in every file that holds them,
    whatever else the file says.
    """
    digest = hashlib.sha256()
    for name in sorted(weights):
        array = weights[name].detach().cpu().contiguous()
        digest.update(f"{name} {array.dtype} {tuple(array.shape)}\n".encode())
        digest.update(array.reshape(-1).view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
