"""The effect of each level of a factor, on the same deals played with every possible level.

Every deal is played with many cards in the same place, but not with all: some lie elsewhere. So the
worth of a card is fitted together with how good each deal is (two-way least squares), and deals are
resampled for the intervals.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import ndtr

from impulse_training.statistics.bootstrap import draws, percentile_interval

RESAMPLES: Final = 1000
"""Number of resamples of the deals."""
LEAST_TRUE: Final = 0.1
"""The least share of a variance that counts as true after the error is subtracted. Without a limit,
a correlation of almost pure error could have any value."""
_TINY: Final = 1e-9
"""Keeps the equations solvable where a level is in no deal that was drawn."""


@dataclass(frozen=True)
class Effects:
    """The effects of n levels, relative to their mean or to one of them.

    Attributes:
        levels: Their names.
        values: What each is worth, shape ``(n,)``.
        draws: The effects in resampled deals, shape ``(resamples, n)``.
        rows: Number of rows of each level, shape ``(n,)``.
    """

    levels: pd.Index
    values: NDArray[np.float64]
    draws: NDArray[np.float64]
    rows: NDArray[np.int64]

    @property
    def errors(self) -> NDArray[np.float64]:
        """The standard error of each, shape ``(n,)``."""
        return np.asarray(self.draws.std(axis=0))

    def table(self) -> pd.DataFrame:
        """Return ``mean``, ``low``, ``high`` (95 %) and ``rows`` of each level.

        The ends are NaN where all draws are alike, as those of the level that is the base.
        """
        low, high = percentile_interval(self.draws)
        columns = {"mean": self.values, "low": low, "high": high, "rows": self.rows}
        return pd.DataFrame(columns, index=self.levels)

    def combined(self, weights: pd.DataFrame) -> "Effects":
        """Return weighted sums of them, such as the mean of some.

        Args:
            weights: A row for each level, in any order, and a column for each sum.
        """
        matrix = weights.reindex(self.levels).to_numpy(float)
        rows = (matrix != 0).T.astype(np.int64) @ self.rows
        return Effects(weights.columns, self.values @ matrix, self.draws @ matrix, rows)

    def minus(self, other: "Effects") -> "Effects":
        """Return by how much each is more than another of the same levels, of other deals."""
        rows = np.minimum(self.rows, other.rows)
        return Effects(self.levels, self.values - other.values, self.draws - other.draws, rows)

    def ranks(self) -> pd.DataFrame:
        """Return each level's ``rank``, 1 for the highest, from ``first`` to ``last`` (95 %)."""
        drawn = (-self.draws).argsort(axis=1).argsort(axis=1) + 1
        first, last = np.percentile(drawn, (2.5, 97.5), axis=0).round().astype(int)
        rank = (-self.values).argsort().argsort() + 1
        return pd.DataFrame({"rank": rank, "first": first, "last": last}, index=self.levels)

    def discovered(self, rate: float = 0.05) -> NDArray[np.bool_]:
        """Return which differ from 0 by Benjamini and Hochberg, shape ``(n,)``.

        Args:
            rate: Which share of those it may on average be wrong about.
        """
        sizes = np.abs(self.values) / np.where(self.errors > 0, self.errors, np.inf)
        found = 2 * ndtr(-sizes)
        order = np.argsort(found)
        is_below = found[order] <= rate * np.arange(1, len(found) + 1) / len(found)
        count = np.flatnonzero(is_below)[-1] + 1 if is_below.any() else 0
        chosen = np.zeros(len(found), np.bool_)
        chosen[order[:count]] = True
        return chosen

    def discovered_jointly(self, level: float = 0.95) -> NDArray[np.bool_]:
        """Return which differ from 0 by intervals that hold for all of them at once, ``(n,)``.

        Args:
            level: How often not one of the intervals misses.
        """
        errors = np.where(self.errors > 0, self.errors, np.inf)
        widest = np.abs((self.draws - self.values) / errors).max(axis=1)
        return np.abs(self.values) / errors > np.quantile(widest, level)


def factor_effects(
    table: pd.DataFrame,
    value: str,
    by: str,
    cluster: str = "deal",
    weights: pd.Series | None = None,
    base: Hashable | None = None,
    seed: int = 0,
) -> Effects:
    """Return what the levels of a factor are worth.

    Args:
        table: A row for each game.
        value: Column of the outcome; rows without one do not count.
        by: Column of the levels.
        cluster: Column of the deal: what its games share is taken out.
        weights: Of the levels in the mean that stands for 0; equal if not given.
        base: The level that stands for 0 instead of the mean.
        seed: Of the drawing.

    Raises:
        ValueError: There is no such base.
    """
    table = table[table[value].notna()]
    deals = pd.factorize(table[cluster])[0]
    places, levels = pd.factorize(table[by], sort=True)
    levels = pd.Index(levels, name=by)
    if base is not None and base not in levels:
        raise ValueError(f"{by} is never {base!r}")
    counts = np.zeros((int(deals.max(initial=-1)) + 1, len(levels)))
    sums = np.zeros_like(counts)
    np.add.at(counts, (deals, places), 1.0)
    np.add.at(sums, (deals, places), table[value].to_numpy(float))
    games = counts.sum(axis=1, keepdims=True)
    above = sums - counts * sums.sum(axis=1, keepdims=True) / games
    zero = _zero(levels, weights, base)

    # The equations of each deal; those of many deals are their sum.
    shared = counts[:, :, None] * (counts / games)[:, None, :]
    equations = (np.eye(len(levels)) * counts[:, :, None] - shared).reshape(len(counts), -1)

    def fitted(times: NDArray[np.float64]) -> NDArray[np.float64]:
        """Solve the normal equations for deals that are there so many times, a row for each."""
        summed = (times @ equations).reshape(-1, len(levels), len(levels))
        summed += 1 / len(levels) + _TINY * np.eye(len(levels))
        found = np.linalg.solve(summed, (times @ above)[:, :, None])[:, :, 0]
        return np.asarray(found - (found @ zero)[:, None])

    # Other tables are drawn from independently, also with the same seed.
    seeds = [seed, len(counts), len(table)]
    drawn = [fitted(times.astype(float)) for times in draws(len(counts), RESAMPLES, seeds)]
    rows = counts.sum(axis=0).astype(np.int64)
    return Effects(levels, fitted(np.ones((1, len(counts))))[0], np.concatenate(drawn), rows)


def _zero(
    levels: pd.Index, weights: pd.Series | None, base: Hashable | None
) -> NDArray[np.float64]:
    """Return the weights of what stands for 0, 1 in sum."""
    if base is not None:
        return np.asarray(levels == base, float)
    given = np.ones(len(levels)) if weights is None else weights.reindex(levels).to_numpy(float)
    return np.asarray(given / given.sum())


def spread(effects: Effects) -> pd.Series:
    """Return the standard deviation of what levels are truly worth, without that of the error.

    Returns:
        ``mean``, ``low`` and ``high`` (95 %), by drawing deals.
    """
    noise = (effects.errors**2).mean()
    drawn = _root(effects.draws.var(axis=1) - 2 * noise)
    return _interval(float(_root(effects.values.var() - noise)), drawn)


def slope(long: Effects, short: Effects) -> pd.Series:
    """Return by how much the one rises when the other rises by 1, and would without its errors.

    Args:
        long: What is explained.
        short: Of other deals, so that the two share no errors; of the same levels.

    Returns:
        ``mean``, ``low`` and ``high`` (95 %), by drawing the deals of both.
    """
    value, drawn = _true_variance(short)
    return _interval(
        float(_covariance(long.values, short.values) / value),
        _covariance(long.draws, short.draws) / drawn,
    )


def correlation(first: Effects, second: Effects) -> pd.Series:
    """Return the correlation that two would have without their errors; of separate deals.

    It can lie a little above 1. The interval comes from drawing the deals of both.
    """
    values, draws = zip(*map(_true_variance, (first, second)), strict=True)
    return _interval(
        float(_covariance(first.values, second.values) / np.sqrt(np.prod(values))),
        _covariance(first.draws, second.draws) / np.sqrt(draws[0] * draws[1]),
    )


def rank_correlation(effects: Effects, belief: pd.Series, seed: int = 0) -> pd.Series:
    """Return Spearman's correlation of what levels are worth with what somebody believes.

    The interval would hold for other such levels as well: deals are drawn anew, and levels.

    Args:
        effects: What they are worth.
        belief: A number for each level, which knows nothing of these deals.
        seed: Of the drawing of levels.

    Returns:
        ``mean``, ``low`` and ``high`` (95 %, by Fisher's transformation; NaN where all draws are
        alike).
    """
    opinions = belief.reindex(effects.levels).to_numpy(float)
    rng = np.random.default_rng(seed)
    drawn = []
    for values in effects.draws:
        some = rng.integers(len(opinions), size=len(opinions))
        drawn.append(_spearman(values[some], opinions[some]))
    whole = _spearman(effects.values, opinions)
    width = 1.96 * float(np.nanstd(np.arctanh(np.clip(drawn, -0.999, 0.999)))) or np.nan
    middle = np.arctanh(np.clip(whole, -0.999, 0.999))
    low, high = np.tanh([middle - width, middle + width])
    return pd.Series({"mean": whole, "low": low, "high": high})


def contrast(first: pd.Series, second: pd.Series, copies: pd.Series) -> pd.Series:
    """Return the weights of the mean of some levels less that of others, for `Effects.combined`.

    Args:
        first: Whether each level is of the first group.
        second: Whether it is of the second.
        copies: How much each level counts.
    """
    shares = [group * copies / (group * copies).sum() for group in (first, second)]
    return shares[0] - shares[1]


def attribute_weights(attributes: pd.DataFrame, copies: pd.Series) -> pd.DataFrame:
    """Return the weights with which `Effects.combined` gives what each attribute is worth.

    It is a regression on all attributes at once, each as dummies: how much a value of an attribute
    is above the mean of all cards, the other attributes being equal.

    Args:
        attributes: A row for each level, a column for each attribute.
        copies: How much each level counts.

    Returns:
        A row for each level and a column for each ``attribute: value``.
    """
    dummies = [
        pd.get_dummies(attributes[name], prefix_sep=": ").astype(float) for name in attributes
    ]
    for name, columns in zip(attributes, dummies, strict=True):
        columns.columns = pd.Index([f"{name}: {value}" for value in columns])
    # Every attribute's dummies add up to 1: the pseudoinverse chooses among the solutions, and
    # taking the mean away makes the choice meaningless.
    matrix = pd.concat([pd.DataFrame({"all": 1.0}, attributes.index), *dummies], axis=1)
    root = np.sqrt(copies.reindex(attributes.index).to_numpy(float))
    solved = pd.DataFrame(
        np.linalg.pinv(matrix.to_numpy() * root[:, None]) * root,
        index=matrix.columns,
        columns=attributes.index,
    )
    parts = []
    for columns in dummies:
        shares = columns.mul(copies, axis=0).sum() / copies.sum()
        own = solved.loc[columns.columns]
        parts.append(own - shares.to_numpy() @ own.to_numpy())
    return pd.concat(parts).T


def explained(effects: Effects, attributes: pd.DataFrame) -> pd.DataFrame:
    """Return which share of the variance of their worth the attributes of levels explain.

    The shares are adjusted for the number of values that an attribute has, so that one which says
    nothing has 0 on average. They are of the variance with the error, and a little too low.

    Args:
        effects: What levels are worth.
        attributes: A row for each level, a column for each attribute.

    Returns:
        A row for each attribute, and ``all``, with the share that it explains ``alone`` (with
        ``alone_low`` and ``alone_high``) and what is lost without it (``lost``, ``lost_low``,
        ``lost_high``).
    """
    attributes = attributes.reindex(effects.levels)
    every = _adjusted(effects, attributes)
    rows = {"all": every}
    lost = {"all": every}
    for name in attributes:
        rows[name] = _adjusted(effects, attributes[[name]])
        lost[name] = every - _adjusted(effects, attributes.drop(columns=name))
    found = {}
    for name, shares in rows.items():
        found[name] = {
            **_interval(shares[0], shares[1:]).rename(_named("alone")),
            **_interval(lost[name][0], lost[name][1:]).rename(_named("lost")),
        }
    return pd.DataFrame(found).T


def _named(what: str) -> dict[str, str]:
    return {"mean": what, "low": f"{what}_low", "high": f"{what}_high"}


def _adjusted(effects: Effects, attributes: pd.DataFrame) -> NDArray[np.float64]:
    """Return the adjusted share explained, of the values and then of each draw."""
    matrix = np.hstack(
        [np.ones((len(attributes), 1))]
        + [pd.get_dummies(attributes[name]).to_numpy(float) for name in attributes]
    )
    values = np.vstack([effects.values, effects.draws])
    left = values - values @ matrix @ np.linalg.pinv(matrix)
    free = len(attributes) - np.linalg.matrix_rank(matrix)
    whole = values.var(axis=1) * len(attributes) / (len(attributes) - 1)
    return np.asarray(1 - (left**2).sum(axis=1) / free / np.maximum(whole, _TINY**2))


def _spearman(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    ranks = [pd.Series(values).rank().to_numpy() for values in (first, second)]
    deviations = [values - values.mean() for values in ranks]
    scale = np.sqrt((deviations[0] ** 2).sum() * (deviations[1] ** 2).sum())
    return float(deviations[0] @ deviations[1] / scale) if scale > 0 else float("nan")


def _covariance(
    first: NDArray[np.float64], second: NDArray[np.float64]
) -> NDArray[np.float64] | float:
    """Return the covariance along the last axis."""
    deviations = first - first.mean(axis=-1, keepdims=True)
    found: NDArray[np.float64] | float = (
        deviations * (second - second.mean(axis=-1, keepdims=True))
    ).mean(axis=-1)
    return found


def _true_variance(effects: Effects) -> tuple[float, NDArray[np.float64]]:
    """Return the variance without that of the errors, of the values and of each draw."""
    noise = (effects.errors**2).mean()
    whole, drawn = effects.values.var(), effects.draws.var(axis=1)
    least = np.maximum(LEAST_TRUE * drawn, _TINY)
    return max(whole - noise, LEAST_TRUE * whole, _TINY), np.maximum(drawn - 2 * noise, least)


def _root(values: NDArray[np.float64] | float) -> NDArray[np.float64]:
    return np.asarray(np.sqrt(np.maximum(values, 0)))


def _interval(value: float, drawn: NDArray[np.float64]) -> pd.Series:
    low, high = percentile_interval(drawn)
    return pd.Series({"mean": value, "low": low, "high": high})
