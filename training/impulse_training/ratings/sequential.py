"""A sequential test of which of two hypotheses about a mean holds: it ends once it is sure enough.

Wald's sequential probability ratio test (1945). Scores need not be wins and losses: with the
normal approximation whose variance is that of the scores seen, a pair of games of one deal is one
score, and what the deal itself decides does not blur the result.
"""

from dataclasses import dataclass
from math import log
from typing import Final

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
