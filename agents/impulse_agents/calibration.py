"""Calibration: the chance that a side wins, from an agent's value of a position.

A network's value is a return, and a search's value is the mean of a rule of thumb. `impulse agents
calibrate` plays games to fit the chances to win that such values stand for.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

TERMS: Final = ("slope", "cubic", "progress", "bias")
"""The coefficients of a calibration."""
_SURE: Final = 0.002
"""Smallest distance of a chance from 0 and 1 in `log_odds`."""


@dataclass(frozen=True)
class Calibration:
    """A logistic model of the winner: the log-odds are a sum of four terms.

    They are ``slope * x + cubic * x**3 + progress * sqrt(best / target) + bias``. Here ``x`` is
    the agent's value. For a network, that is the expected outcome: its value, plus the seat's lead
    in points if the agent gets a reward for leads. For a search, it is the log-odds that the search
    found. ``best`` is the highest score of a seat. The cubic term exists because rewards are
    bounded and log-odds are not. The progress term exists because the agent's value assumes other
    opponents, and early in a game more of their play is still to come.

    Attributes:
        slope: Coefficient of ``x``, 0 or more.
        cubic: Coefficient of its cube, 0 or more: a larger value never means a lower chance.
        progress: Coefficient of the game's progress, 0 before the first point and 1 at its end.
        bias: The log-odds without the other terms.
        error: Mean distance of the chances from the observed frequencies of wins, 0 to 1, in games
            other than those of the fit; None if unknown.
    """

    slope: float
    cubic: float
    progress: float
    bias: float
    error: float | None = None

    @classmethod
    def read(cls, fields: Mapping[str, Any]) -> Self | None:
        """Return the calibration from checked fields; None if a term is missing."""
        if not set(TERMS) <= fields.keys():
            return None
        return cls(**{name: fields[name] for name in TERMS}, error=fields.get("error"))

    @property
    def terms(self) -> tuple[float, ...]:
        """The coefficients, in the order of `TERMS`."""
        return self.slope, self.cubic, self.progress, self.bias

    def win_probabilities(
        self, expected: NDArray[np.floating], progress: NDArray[np.floating]
    ) -> NDArray[np.float32]:
        """Return the chance to win of each row, 0 to 1, shape ``(n,)``.

        Args:
            expected: The agent's values, shape ``(n,)``.
            progress: From `progress_of`, shape ``(n,)``.
        """
        x = np.asarray(expected, np.float64)
        odds = self.slope * x + self.cubic * x**3 + self.progress * progress + self.bias
        return (0.5 + 0.5 * np.tanh(odds / 2)).astype(np.float32)  # the logistic function


def progress_of(states: np.ndarray) -> NDArray[np.float32]:
    """Return the progress of games, 0 to 1, shape ``(n,)``: the root of best score over target.

    Args:
        states: Games, or views of them, shape ``(n,)``.
    """
    best = states["score"].max(axis=1)
    return np.sqrt(np.clip(best / states["target_score"], 0, 1)).astype(np.float32)


def log_odds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the log-odds of chances, 0 to 1, after clipping to [0.002, 0.998]; same shape."""
    sure = np.clip(np.asarray(chances, np.float64), _SURE, 1 - _SURE)
    return np.log(sure / (1 - sure))
