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


def calibration_of(
    config: Mapping[str, Any], weights: Mapping[str, torch.Tensor], of: str = "calibration"
) -> Calibration | None:
    """Return a calibration in a checkpoint's config; None without one for these weights.

    Args:
        config: The checkpoint's.
        weights: The network's.
        of: Where it stands: that of the values, or ``search_calibration``, that of a search.
    """
    found = config.get(of) or {}
    if "weights" not in found or found["weights"] != weights_digest(weights):
        return None
    return Calibration.read(found)


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
