"""The cluster bootstrap: clusters, such as deals with all their games, drawn with replacement.

Games of one deal share their cards, and positions of one game share its course. So whole clusters
are drawn, and each draw recomputes the statistic from sums over clusters (Efron, 1979). The ends of
an interval are percentiles of the results.
"""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

AT_ONCE: Final = 100
"""Draws in memory at a time; each is a row with one weight per cluster."""
_ROUNDING: Final = 1e-12
"""Relative difference below which draws count as equal."""

Seed = int | Sequence[int] | np.random.Generator
"""An argument of `numpy.random.default_rng`; a generator continues from its current state."""


def draws(
    clusters: int, resamples: int, seed: Seed, at_once: int = AT_ONCE
) -> Iterator[NDArray[np.int64]]:
    """Yield how often each cluster is drawn, ``(at_once, clusters)``; the last array is shorter.

    Args:
        clusters: Number of clusters, 1 or more; each resample draws as many.
        resamples: Number of resamples.
        seed: Random seed; the draws do not depend on `at_once`.
        at_once: Number of rows of an array.
    """
    rng = np.random.default_rng(seed)
    shares = np.full(clusters, 1 / clusters)
    for start in range(0, resamples, at_once):
        yield rng.multinomial(clusters, shares, size=min(at_once, resamples - start))


def resampled(sums: NDArray[Any], resamples: int, seed: Seed) -> NDArray[np.float64]:
    """Return sums over clusters drawn with replacement, shape ``(resamples, ...)``.

    Args:
        sums: What each cluster adds, shape ``(clusters, ...)``.
        resamples: Number of resamples.
        seed: Random seed of the resampling.
    """
    flat = sums.reshape(len(sums), -1)
    parts = [counts @ flat for counts in draws(len(sums), resamples, seed)]
    return np.concatenate(parts).reshape(resamples, *sums.shape[1:])


def resampled_means(
    totals: NDArray[np.float64], counts: NDArray[np.float64], resamples: int, seed: Seed
) -> NDArray[np.float64]:
    """Return means over clusters drawn with replacement, shape ``(resamples, n)``.

    They are NaN where a draw has no values, or where there is only one cluster.

    Args:
        totals: The sum of each cluster's values, shape ``(clusters, n)``.
        counts: Number or total weight of the values, shape ``(clusters, n)``.
        resamples: Number of resamples.
        seed: Random seed of the resampling.
    """
    if len(totals) < 2:
        return np.full((resamples, totals.shape[1]), np.nan)
    sums = resampled(np.stack([totals, counts], axis=1), resamples, seed)
    with np.errstate(invalid="ignore"):  # a draw can miss rare values: NaN
        means: NDArray[np.float64] = sums[:, 0] / sums[:, 1]
    return means


def percentile_interval(drawn: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """Return both ends of the central interval of resampled values; NaN if all are equal.

    Args:
        drawn: A value for each resample, NaN where it has none, shape ``(resamples, ...)``.
        level: The share of the values between the ends, 0 to 1.

    Returns:
        Shape ``(2, ...)``.
    """
    tail = 50 * (1 - level)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN slice encountered", RuntimeWarning)
        ends = np.nanpercentile(drawn, (0, tail, 100 - tail, 100), axis=0)
    least, low, high, most = ends.reshape(4, *drawn.shape[1:])
    are_alike = most - least <= _ROUNDING * np.maximum(np.abs(least), np.abs(most))
    found: NDArray[np.float64] = np.where(are_alike, np.nan, [low, high])
    return found
