"""Confidence intervals of win rates, and of medians."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, hypot, sqrt
from typing import Final

Z_95: Final = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""

FEW: Final = 10
"""With fewer wins or losses, the spread of the results underestimates the error."""


def wilson(wins: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a win rate; it is also accurate near 0 and 1.

    With wins only it ends at exactly 1, with no wins it begins at 0; without games it is (0, 1).
    """
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    # Rounding errors could exceed 0 and 1, or miss them by a little.
    return (
        0.0 if wins <= 0 else max(0.0, middle - half),
        1.0 if wins >= games else min(1.0, middle + half),
    )


def newcombe(
    rate: float, ends: tuple[float, float], other: float, other_ends: tuple[float, float]
) -> tuple[float, float]:
    """Return the interval of a rate minus another one, from independent games.

    Newcombe's hybrid score interval (1998, method 10), at the level of the two intervals.

    Args:
        rate: The first win rate.
        ends: Its interval, as of `wilson`.
        other: The win rate that is subtracted.
        other_ends: Its interval.
    """
    apart = rate - other
    return (
        apart - hypot(rate - ends[0], other_ends[1] - other),
        apart + hypot(ends[1] - rate, other - other_ends[0]),
    )


def median_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return an interval that holds the median of what is measured in 95 % of cases or more.

    Its ends are two of the values, so it supposes nothing about how they are distributed; they have
    to be independent of one another.

    Returns:
        Both ends; None for fewer than six values, which cannot say so much.
    """
    ordered, count = sorted(values), len(values)
    outside, tail = 0, 0.0
    while outside < count:
        tail += comb(count, outside) / 2**count
        if 2 * tail > 0.05:
            break
        outside += 1
    return (ordered[outside - 1], ordered[count - outside]) if outside else None


@dataclass(frozen=True)
class Share:
    """The share of games won, with Wilson's 95 % interval.

    Attributes:
        games: Number of games.
        wins: Number of games won; a win shared by several sides counts as a fraction.
        share: Their ratio, None without games.
        low: Lower end of the interval.
        high: Upper end.
        par: The expected share if all agents and seats were equal, None without games.
    """

    games: int
    wins: float
    share: float | None
    low: float
    high: float
    par: float | None

    @classmethod
    def of(cls, games: int, wins: float, par: float) -> "Share":
        """Return the share; `par` is given as a number of wins."""
        if games == 0:
            return cls(0, 0.0, None, 0.0, 1.0, None)
        return cls(games, wins, wins / games, *wilson(wins, games), par / games)
