"""Luck-adjusted results: unbiased, with less noise.

An adjusted result is the result of an entrant minus its luck in the game (`impulse_agents.luck`).
Games of a deal are not independent, so their mean counts as one observation.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_training.statistics.game_results import GameResult, tally
from impulse_training.statistics.intervals import FEW, Z_95, wilson

FEWEST_DEALS: Final = 20
"""The least number of deals for an interval: fewer means give no reliable spread."""
_ROUNDING: Final = 1e-12
"""Tolerance for rounding errors between equal results."""


@dataclass(frozen=True)
class Adjusted:
    """An entrant's share of the games, plain and luck-adjusted.

    The 95 % intervals are normal, from the means of deals; None for fewer than `FEWEST_DEALS`
    deals. With fewer than ten wins or ten losses, the plain share has Wilson's interval, for as
    many games as deals. An adjusted share can be slightly below 0 or above 1. It has no interval if
    all results are equal.

    Attributes:
        share: The luck-adjusted share.
        interval: The interval of `share`.
        plain: The share of the games won.
        plain_interval: The interval of `plain`.
        factor: The factor on the number of games for the same precision without adjustment, which
            is the ratio of the two variances. None if all plain results are equal.
    """

    share: float
    interval: tuple[float, float] | None
    plain: float
    plain_interval: tuple[float, float] | None
    factor: float | None

    @classmethod
    def of(
        cls, won: NDArray[np.float64], luck: NDArray[np.float64], deals: NDArray[np.integer[Any]]
    ) -> "Adjusted":
        """Return the shares of an entrant.

        Args:
            won: Its share of the win of each game, shape ``(games,)``, at least one.
            luck: Its luck in each game, shape ``(games,)``.
            deals: An identifier of each game's deal, shape ``(games,)``.
        """
        _, deal = np.unique(deals, return_inverse=True)
        plain, adjusted = (_by_deal(values, deal) for values in (won, won - luck))
        before, after = (_error(means) for means in (plain, adjusted))
        deal_count = len(plain[0])
        share, share_before = float((won - luck).mean()), float(won.mean())
        interval = share - Z_95 * after, share + Z_95 * after
        plain_interval = share_before - Z_95 * before, share_before + Z_95 * before
        if min(won.sum(), (1 - won).sum()) < FEW:
            plain_interval = wilson(share_before * deal_count, deal_count)
        is_enough = deal_count >= FEWEST_DEALS
        return cls(
            share,
            interval if is_enough and after > _ROUNDING else None,
            share_before,
            plain_interval if is_enough else None,
            (before / after) ** 2 if min(before, after) > _ROUNDING else None,
        )


def _by_deal(
    values: NDArray[np.float64], deal: NDArray[np.intp]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the mean of each deal's games, and their number."""
    games = np.bincount(deal)
    return np.bincount(deal, values) / games, games


def _error(means: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
    """Return the standard error of the mean over all games, clustered by deal."""
    values, games = means
    if len(values) < 2:
        return 0.0
    weights = games / games.sum()
    spread = weights**2 @ (values - weights @ values) ** 2
    return sqrt(float(spread) * len(values) / (len(values) - 1))


@dataclass(frozen=True)
class JudgedLuck:
    """The luck of the sides of games, as a judge sees it.

    Attributes:
        judge: Name of the judge.
        by_game: The luck to subtract from each side's result, by the number of the game. A failed
            game has no luck, because an agent's failure is not luck.
    """

    judge: str
    by_game: Mapping[int, Sequence[float]]


def adjusted_shares(
    names: Sequence[str], results: Sequence[GameResult], luck: JudgedLuck
) -> tuple[Adjusted, ...]:
    """Return the share of each agent in its games, plain and luck-adjusted.

    Args:
        names: The agents.
        results: The games, by number.
        luck: The luck in these games.
    """
    played = tally(results)
    given = np.zeros(played.won.shape)
    for row, result in enumerate(results):
        for side, change in enumerate(luck.by_game.get(result.game, ())):
            given[row, played.names.index(result.agents[side])] += change
    found = []
    for name in names:
        column = played.names.index(name)
        sat = played.held[:, column] > 0
        found.append(Adjusted.of(played.won[sat, column], given[sat, column], played.deals[sat]))
    return tuple(found)
