"""Tests of a mean: a sequential test between two values, and a test of equivalence to a value.

The first is Wald's sequential probability ratio test (1945), the second the two one-sided tests of
Schuirmann (1987). Scores need not be wins and losses: the tests use a normal approximation with the
sample variance. So the games of one deal can be one score, which removes the variance of the deals.
"""

from dataclasses import dataclass
from math import log, sqrt
from statistics import NormalDist
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

LEAST_SCORES: Final = 20
"""The least number of scores for a decision: with fewer, their variance is unreliable."""


@dataclass
class SequentialTest:
    """Decides between two values of a mean.

    Attributes:
        low: The mean if the first hypothesis holds.
        high: The mean if the second does, more than `low`.
        alpha: Probability of accepting `high` if `low` holds.
        beta: Probability of accepting `low` if `high` holds.
        count: Number of scores so far.
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
        """The mean of the scores; needs at least one score."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """Their variance; for equal scores it is positive, as if one score were different."""
        deviations = self.squares - self.total * self.mean
        return max(deviations / (self.count - 1), 1 / self.count)

    @property
    def log_likelihood_ratio(self) -> float:
        """The log-likelihood ratio of `high` to `low`; 0 with fewer than `LEAST_SCORES` scores."""
        if self.count < LEAST_SCORES:
            return 0.0
        lead = self.mean - (self.low + self.high) / 2
        return self.count * (self.high - self.low) * lead / self.variance

    @property
    def accepted(self) -> float | None:
        """The accepted value, `low` or `high`; None while the test is undecided."""
        found = self.log_likelihood_ratio
        if found >= log((1 - self.beta) / self.alpha):
            return self.high
        if found <= log(self.beta / (1 - self.alpha)):
            return self.low
        return None


@dataclass(frozen=True)
class Equivalence:
    """The result of a test whether a mean lies within bounds around a value.

    Attributes:
        verdict: "equivalent" if the interval of 1 - 2 alpha lies within the bounds, "different" if
            it lies outside of them, else "open".
        ahead: The mean minus the value.
        low: Lower end of the interval of `ahead`.
        high: Upper end.
    """

    verdict: Literal["equivalent", "different", "open"]
    ahead: float
    low: float
    high: float


def equivalence(
    scores: NDArray[np.float64], value: float, bound: float, alpha: float
) -> Equivalence:
    """Test whether a mean equals a value within a bound.

    Equal scores get a positive variance, as if one score were different.

    Args:
        scores: Independent scores from 0 to 1, shape ``(n,)``, at least one.
        value: The value to test.
        bound: The allowed difference, above 0.
        alpha: Error probability of the test.
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
