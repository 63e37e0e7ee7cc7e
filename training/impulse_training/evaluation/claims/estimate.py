"""A measured value with its 95 % interval: as text, and compared with a second measurement."""

import re
from dataclasses import dataclass
from math import hypot, inf
from statistics import NormalDist
from typing import Final, Self

from impulse_training.statistics.intervals import Z_95

_NUMBER: Final = r"-?[\d,]*\.?\d+|-?∞"
_TEXT: Final = re.compile(rf"({_NUMBER})(?:\s*\[({_NUMBER}), ({_NUMBER})\])?")


@dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval.

    Attributes:
        value: The estimate.
        low: Lower end of the interval; minus infinity if the data set no limit, None without an
            interval.
        high: Upper end; plus infinity or None in the same cases.
    """

    value: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Return the estimate that a text such as "91.8 [90.5, 92.9]" shows; None if it has none.

        A unit may follow.
        """
        found = _TEXT.match(text.strip())
        if found is None:
            return None
        value, low, high = (None if part is None else _number(part) for part in found.groups())
        assert value is not None
        return cls(value, low, high)

    def scaled(self, factor: float) -> "Estimate":
        """Return value and interval times a positive factor."""
        low, high = (None if end is None else end * factor for end in (self.low, self.high))
        return Estimate(self.value * factor, low, high)

    @property
    def without_interval(self) -> "Estimate":
        """The value alone."""
        return Estimate(self.value)

    def text(self, digits: int) -> str:
        """Return the text that pages show, with this number of decimal places."""
        shown = _shown(self.value, digits)
        if self.low is None or self.high is None:
            return shown
        return f"{shown} [{_shown(self.low, digits)}, {_shown(self.high, digits)}]"


def difference(old: Estimate, new: Estimate) -> float | None:
    """Return the difference of two independent estimates in standard errors of that difference.

    The standard error of each is the half of its interval towards the other estimate, divided by
    1.96 (Newcombe, 1998: "square and add"). So it is also valid for shares near 0 and 1.

    Returns:
        The new value minus the old one, divided by the standard error; 0 if an interval has no
        limit on that side; None if an estimate has no interval.
    """
    if old.low is None or old.high is None or new.low is None or new.high is None:
        return None
    apart = new.value - old.value
    if apart == 0:
        return 0.0
    if apart > 0:
        error = hypot(old.high - old.value, new.value - new.low) / Z_95
    else:
        error = hypot(old.value - old.low, new.high - new.value) / Z_95
    if error == 0:
        return inf if apart > 0 else -inf
    return apart / error


def critical(alpha: float, count: int) -> float:
    """Return the number of standard errors above which two estimates disagree.

    Args:
        alpha: Probability that at least one comparison finds a disagreement though all agree.
        count: Number of comparisons, 1 or more; each has an equal share of `alpha` (Bonferroni).
    """
    return NormalDist().inv_cdf(1 - alpha / count / 2)


def _number(text: str) -> float:
    return float(text.replace(",", "").replace("∞", "inf"))


def _shown(value: float, digits: int) -> str:
    if value in (inf, -inf):
        return "∞" if value > 0 else "-∞"
    return f"{value:z,.{digits}f}"
