"""Tests of a mean: which of two values it has, as soon as that is sure; whether it is near one.

The first is Wald's sequential probability ratio test (1945), the second the two one-sided tests of
Schuirmann (1987). Scores need not be wins and losses: with the
normal approximation whose variance is that of the scores seen, a pair of games of one deal is one
score, and what the deal itself decides does not blur the result.
"""

from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

LEAST_SCORES: Final = 20
"""Before so many scores their variance is not to be relied on, and nothing is decided."""


@dataclass
class SequentialTest:
    """Decides between two values of a mean.

    Attributes:
        low: The mean if the first hypothesis holds.
        high: The mean if the second does, more than `low`.
        alpha: How often it may accept `high` where `low` holds.
        beta: How often it may accept `low` where `high` holds.
        count: Scores so far.
        total: Their sum.
        squares: The sum of their squares.
    """

    low: float
    high: float
    alpha: float = 0.05
    beta: float = 0.05
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, score: float) -> None:
        """Count a score."""
        self.count += 1
        self.total += score
        self.squares += score * score

    @property
    def mean(self) -> float:
        """The mean of the scores, one at least."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """Their variance; scores that are all alike have some, as if one had been different."""
        deviations = self.squares - self.total * self.mean
        return max(deviations / (self.count - 1), 1 / self.count)

    @property
    def log_likelihood_ratio(self) -> float:
        """How much the scores speak for `high`; 0 before there are `LEAST_SCORES`."""
        if self.count < LEAST_SCORES:
            return 0.0
        lead = self.mean - (self.low + self.high) / 2
        return self.count * (self.high - self.low) * lead / self.variance

    @property
    def accepted(self) -> float | None:
        """The value that is accepted, `low` or `high`; None as long as neither is."""
        found = self.log_likelihood_ratio
        if found >= log((1 - self.beta) / self.alpha):
            return self.high
        if found <= log(self.beta / (1 - self.alpha)):
            return self.low
        return None


@dataclass(frozen=True)
class Equivalence:
    """Whether a mean lies within bounds around a value.

    Attributes:
        verdict: "equivalent" if the interval of 1 - 2 alpha lies within the bounds, "different" if
            it lies outside of them, else "open".
        ahead: The mean less the value.
        low: Lower end of the interval of that.
        high: Upper end.
    """

    verdict: Literal["equivalent", "different", "open"]
    ahead: float
    low: float
    high: float


def equivalence(
    scores: NDArray[np.float64], value: float, bound: float, alpha: float
) -> Equivalence:
    """Return whether a mean is a value, give or take a bound.

    Scores that are all alike vary as if one had been different.

    Args:
        scores: Independent of one another, from 0 to 1, shape ``(n,)``, one at least.
        value: What the mean may be.
        bound: By how much it may be off, more than 0.
        alpha: How often the test may err.
    """
    count = len(scores)
    variance = float(((scores - scores.mean()) ** 2).sum()) / max(count - 1, 1)
    half = NormalDist().inv_cdf(1 - alpha) * sqrt(max(variance, 1 / count) / count)
    ahead = float(scores.mean()) - value
    low, high = ahead - half, ahead + half
    if -bound < low and high < bound:
        return Equivalence("equivalent", ahead, low, high)
    is_apart = low >= bound or high <= -bound
    return Equivalence("different" if is_apart else "open", ahead, low, high)
