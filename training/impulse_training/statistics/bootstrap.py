"""The cluster bootstrap: clusters, such as deals with all their games, drawn with replacement.

Games of one deal are alike in what was dealt, and positions of one game in how it went. So whole
clusters are drawn, and what depends on sums over them is computed again for each draw (Efron, 1979;
the ends of an interval are percentiles of that).
"""

import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

AT_ONCE: Final = 100
"""Draws held in memory at a time: a row of weights for each, as long as there are clusters."""
_ROUNDING: Final = 1e-12
"""Part of a number by which equal draws differ."""

Seed = int | Sequence[int] | np.random.Generator
"""What `numpy.random.default_rng` takes; a generator goes on from where it is."""


def draws(
    clusters: int, resamples: int, seed: Seed, at_once: int = AT_ONCE
) -> Iterator[NDArray[np.int64]]:
    """Yield how often each cluster is drawn, shape ``(at_once, clusters)``, the last one shorter.

    Args:
        clusters: How many there are, 1 or more; as many are drawn.
        resamples: How often they are drawn.
        seed: The same gives the same draws, however many at a time.
        at_once: How many rows come together.
    """
    rng = np.random.default_rng(seed)
    shares = np.full(clusters, 1 / clusters)
    for start in range(0, resamples, at_once):
        yield rng.multinomial(clusters, shares, size=min(at_once, resamples - start))


def resampled(sums: NDArray[Any], resamples: int, seed: Seed) -> NDArray[np.float64]:
    """Return sums over clusters drawn with replacement, shape ``(resamples, ...)``.

    Args:
        sums: What each cluster adds, shape ``(clusters, ...)``.
        resamples: How often they are drawn.
        seed: Of the drawing.
    """
    flat = sums.reshape(len(sums), -1)
    parts = [counts @ flat for counts in draws(len(sums), resamples, seed)]
    return np.concatenate(parts).reshape(resamples, *sums.shape[1:])


def resampled_means(
    totals: NDArray[np.float64], counts: NDArray[np.float64], resamples: int, seed: Seed
) -> NDArray[np.float64]:
    """Return means over clusters drawn with replacement, shape ``(resamples, n)``.

    They are NaN where a draw holds nothing to take the mean of, or where there is one cluster only.

    Args:
        totals: The sum of each cluster's values, shape ``(clusters, n)``.
        counts: How many, or how heavy, they are, shape ``(clusters, n)``.
        resamples: How often clusters are drawn.
        seed: Of the drawing.
    """
    if len(totals) < 2:
        return np.full((resamples, totals.shape[1]), np.nan)
    sums = resampled(np.stack([totals, counts], axis=1), resamples, seed)
    with np.errstate(invalid="ignore"):  # what is rare may not be drawn: NaN
        means: NDArray[np.float64] = sums[:, 0] / sums[:, 1]
    return means


def percentile_interval(drawn: NDArray[np.float64], level: float = 0.95) -> NDArray[np.float64]:
    """Return both ends of the middle of resampled values, NaN where all of them are alike.

    Args:
        drawn: A value of each resample, NaN where it has none, shape ``(resamples, ...)``.
        level: Which part of the values lies between the ends.

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
