"""From what an agent expects of a position to the chance that its side wins, as games showed it.

A network's value is a return, and a search's the mean of a rule of thumb. `impulse agents
calibrate` fits what they have meant in games played for that alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

TERMS: Final = ("slope", "cubic", "progress", "bias")
"""The coefficients of a calibration."""
_SURE: Final = 0.002
"""Chances are at least so far from 0 and 1 where their odds are asked for."""


@dataclass(frozen=True)
class Calibration:
    """A logistic model of who wins: the logarithm of the odds is a sum of four terms.

    They are ``slope * x + cubic * x**3 + progress * sqrt(best / target) + bias``. Here ``x`` is
    what the agent expects: a network's outcome in the end (its value, with the lead in points that
    the seat has where the agent is paid for leads), or the logarithm of the odds that a search
    found. ``best`` is the most points that a seat has. The cubic term is there because pay has an
    end where odds have none, the third because an agent expects other opponents, more of whom is
    still to come at the start.

    Attributes:
        slope: Of what is expected, 0 or more.
        cubic: Of its cube, 0 or more: to expect more never means a lower chance.
        progress: Of the progress of the game, 0 before the first point and 1 at its end.
        bias: The logarithm of the odds with neither.
        error: How far the chances are on average from how often sides won, 0 to 1, in games that
            they were not fitted to; None if that is not known.
    """

    slope: float
    cubic: float
    progress: float
    bias: float
    error: float | None = None

    @classmethod
    def read(cls, found: Mapping[str, Any]) -> Self | None:
        """Return the calibration that a checked record tells; None if a term is missing."""
        if not set(TERMS) <= found.keys():
            return None
        return cls(**{name: found[name] for name in TERMS}, error=found.get("error"))

    @property
    def terms(self) -> tuple[float, ...]:
        """The coefficients, in the order of `TERMS`."""
        return self.slope, self.cubic, self.progress, self.bias

    def win_probabilities(
        self, expected: NDArray[np.floating], progress: NDArray[np.floating]
    ) -> NDArray[np.float32]:
        """Return the chance to win of each row, 0 to 1, shape ``(n,)``.

        Args:
            expected: What the agent expects, shape ``(n,)``.
            progress: From `progress_of`, shape ``(n,)``.
        """
        x = np.asarray(expected, np.float64)
        odds = self.slope * x + self.cubic * x**3 + self.progress * progress + self.bias
        return (0.5 + 0.5 * np.tanh(odds / 2)).astype(np.float32)  # the logistic function


def progress_of(states: np.ndarray) -> NDArray[np.float32]:
    """Return how far games are, 0 to 1, shape ``(n,)``: the root of the best score's share.

    Args:
        states: Games, or views of them, shape ``(n,)``.
    """
    best = states["score"].max(axis=1)
    return np.sqrt(np.clip(best / states["target_score"], 0, 1)).astype(np.float32)


def log_odds(chances: NDArray[np.floating]) -> NDArray[np.float64]:
    """Return the logarithm of the odds of chances, 0 to 1, that are no certainties; same shape."""
    sure = np.clip(np.asarray(chances, np.float64), _SURE, 1 - _SURE)
    return np.log(sure / (1 - sure))
