"""Means with intervals that account for clusters of rows."""

from collections.abc import Sequence
from statistics import NormalDist
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_training.statistics.bootstrap import percentile_interval, resampled_means
from impulse_training.statistics.intervals import wilson

RESAMPLES: Final = 2000
"""Number of resamples for an interval."""


def estimate(
    table: pd.DataFrame,
    value: str,
    by: str | Sequence[str],
    cluster: str = "game",
    level: float = 0.95,
    seed: int = 0,
) -> pd.DataFrame:
    """Return the mean of a column in each group, with an interval.

    Rows of the same game, or of games with the same cards, are not independent. So the interval
    comes from resampling whole clusters with replacement 2,000 times (percentile bootstrap). With
    few clusters it is too narrow. If a group has one cluster, or all of its clusters have the same
    mean, the interval is NaN. The exception is a truth value that is equal in all rows of a group:
    there the interval is Wilson's, for as many games as clusters.

    Args:
        table: Any of the tables, or one derived from it.
        value: The column: numbers, or truth values, which can be 0 and 1. Rows with NaN do not
            count.
        by: The column or columns whose values make the groups.
        cluster: The column that identifies the cluster of a row.
        level: Confidence level, above 0 and below 1.
        seed: Random seed of the resampling.

    Returns:
        A row for each group with the columns ``mean``, ``low``, ``high``, ``rows`` (number of rows)
        and ``clusters`` (number of clusters).

    Raises:
        ValueError: The level is out of range, a column is missing, or `by` is empty.
    """
    names = [by] if isinstance(by, str) else list(by)
    sums = _Sums(table, value, names, cluster, level)
    low, high = sums.ends(sums.resampled(seed), level)
    return pd.DataFrame(
        {
            "mean": sums.totals.sum(axis=1) / sums.counts.sum(axis=1),
            "low": low,
            "high": high,
            "rows": sums.counts.sum(axis=1).astype(np.int64),
            "clusters": (sums.counts > 0).sum(axis=1),
        },
        index=sums.groups,
    )


def difference(
    table: pd.DataFrame,
    value: str,
    by: str,
    first: object,
    second: object,
    cluster: str = "game",
    level: float = 0.95,
    seed: int = 0,
) -> pd.Series:
    """Return the mean of a column in one group minus its mean in another, with an interval.

    A cluster with rows of both groups, such as games with the same cards, is drawn as one, so that
    common effects cancel. An interval that contains 0 means that the rows show no difference. If a
    truth value is equal in all rows of a group, the interval is Newcombe's, from the intervals of
    the two groups. If a group has no rows, all results are NaN.

    Args:
        table: See `estimate`.
        value: The column.
        by: The column that holds `first` and `second`.
        first: The group whose mean is taken.
        second: The group whose mean is subtracted.
        cluster: The column that identifies the cluster of a row.
        level: Confidence level, above 0 and below 1.
        seed: Random seed of the resampling.

    Returns:
        ``difference``, ``low``, ``high``, and the rows of either group, ``rows_first`` and
        ``rows_second``.

    Raises:
        ValueError: As `estimate`.
    """
    if by in table:
        table = table[table[by].isin([first, second])]
    sums = _Sums(table, value, [by], cluster, level)
    counts = pd.Series(sums.counts.sum(axis=1), sums.groups).reindex([first, second], fill_value=0)
    found = pd.Series({"difference": np.nan, "low": np.nan, "high": np.nan})
    if (counts > 0).all():
        places = sums.groups.get_indexer([first, second])
        drawn = sums.resampled(seed)
        means = sums.totals[places].sum(axis=1) / counts.to_numpy()
        apart = means[0] - means[1]
        low, high = percentile_interval(drawn[:, places[0]] - drawn[:, places[1]], level)
        if sums.is_truth and np.isin(means, (0, 1)).any():
            down, up = np.abs(sums.ends(drawn, level)[:, places] - means)
            low, high = apart - np.hypot(down[0], up[1]), apart + np.hypot(up[0], down[1])
        found[:] = [apart, low, high]
    return pd.concat([found, counts.set_axis(["rows_first", "rows_second"])])


class _Sums:
    """Sums and numbers of a column's values, shape ``(groups, clusters)``."""

    def __init__(
        self, table: pd.DataFrame, value: str, by: list[str], cluster: str, level: float
    ) -> None:
        if not 0 < level < 1:
            raise ValueError(f"the level must be above 0 and below 1, not {level!r}")
        if not by:
            raise ValueError("by must name at least one column")
        if missing := [name for name in (value, *by, cluster) if name not in table]:
            raise ValueError(f"the table has no column {missing[0]!r}; it has {', '.join(table)}")
        table = table[table[value].notna()]
        grouped = table.groupby(by if len(by) > 1 else by[0], observed=True)
        self.groups: pd.Index = grouped.size().index
        rows, clusters = grouped.ngroup().to_numpy(), pd.factorize(table[cluster])[0]
        shape = (len(self.groups), int(clusters.max(initial=-1)) + 1)
        self.totals: NDArray[np.float64] = np.zeros(shape)
        self.counts: NDArray[np.float64] = np.zeros(shape)
        values = table[value].to_numpy(float)
        self.is_truth = bool(np.isin(values, (0, 1)).all())
        np.add.at(self.totals, (rows, clusters), values)
        np.add.at(self.counts, (rows, clusters), 1.0)

    def resampled(self, seed: int) -> NDArray[np.float64]:
        """Return means of the groups in resampled clusters, shape ``(RESAMPLES, groups)``."""
        return resampled_means(self.totals.T, self.counts.T, RESAMPLES, seed)

    def ends(self, drawn: NDArray[np.float64], level: float) -> NDArray[np.float64]:
        """Return both ends of the interval of each group, shape ``(2, groups)``."""
        found, z = percentile_interval(drawn, level), NormalDist().inv_cdf((1 + level) / 2)
        clusters = (self.counts > 0).sum(axis=1)
        for share in (0, 1):
            is_sure = (self.totals == share * self.counts).all(axis=1) & (clusters > 1)
            for group in np.flatnonzero(is_sure & self.is_truth):
                count = int(clusters[group])
                found[:, group] = wilson(share * count, count, z)
        return found
