"""From a trained agent's value to the chance that its side wins, as games have shown it.

A network is paid in points and wins, by games against the opponents of its training: its value is
a return, not a chance. `impulse calibrate` fits what the value has meant in games played for that
alone; the checkpoint carries the result, which holds for its weights and for no others.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_env.environments.rewards import score_margins


@dataclass(frozen=True)
class Calibration:
    """A logistic model of who wins: the logarithm of the odds is a sum of four terms.

    They are ``slope * x + cubic * x**3 + progress * sqrt(best / target) + bias``. Here ``x`` is the
    outcome that the seat expects in the end: its value, with the lead in points that it has where
    the agent is paid for leads (see `expected_outcomes`), and ``best`` is the most points that a
    seat has. The cubic term is there because pay has an end where odds have none, the third because
    a value expects the opponents of the training, more of whom is still to come at the start.

    Attributes:
        slope: Of the expected outcome, 0 or more.
        cubic: Of its cube, 0 or more: a higher value never means a lower chance.
        progress: Of the progress of the game, 0 before the first point and 1 at its end.
        bias: The logarithm of the odds with neither.
    """

    slope: float
    cubic: float
    progress: float
    bias: float

    @classmethod
    def of(cls, config: Mapping[str, Any], weights: Mapping[str, torch.Tensor]) -> Self | None:
        """Return the calibration in a checkpoint's config; None without one for these weights."""
        found = config.get("calibration") or {}
        names = [field.name for field in fields(cls)]
        if not {"weights", *names} <= found.keys() or found["weights"] != weights_digest(weights):
            return None
        return cls(*(found[name] for name in names))

    def win_probabilities(
        self, outcomes: NDArray[np.floating], progress: NDArray[np.floating]
    ) -> NDArray[np.float32]:
        """Return the chance to win of each row, 0 to 1, shape ``(n,)``.

        Args:
            outcomes: From `expected_outcomes`, shape ``(n,)``.
            progress: From `progress_of`, shape ``(n,)``.
        """
        x = np.asarray(outcomes, np.float64)
        odds = self.slope * x + self.cubic * x**3 + self.progress * progress + self.bias
        return (0.5 + 0.5 * np.tanh(odds / 2)).astype(np.float32)  # the logistic function


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


def progress_of(states: np.ndarray) -> NDArray[np.float32]:
    """Return how far games are, 0 to 1, shape ``(n,)``: the root of the best score's share.

    Args:
        states: Games, or views of them, shape ``(n,)``.
    """
    best = states["score"].max(axis=1)
    return np.sqrt(np.clip(best / states["target_score"], 0, 1)).astype(np.float32)


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
