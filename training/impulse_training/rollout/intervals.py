"""Confidence intervals of win rates."""

from math import sqrt
from typing import Final

Z_95: Final = 1.959964
"""Two-sided 95 % quantile of the normal distribution."""


def wilson(wins: float, games: int, z: float = Z_95) -> tuple[float, float]:
    """Return Wilson's score interval of a win rate; it is sound near 0 and 1 too."""
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    middle = (rate + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    # The clipping takes away no more than a rounding error.
    return max(0.0, middle - half), min(1.0, middle + half)
