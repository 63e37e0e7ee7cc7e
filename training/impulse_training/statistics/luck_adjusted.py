"""Results with the luck taken out: the same on average, with less noise.

What a game brought an entrant, less what chance gave it there (`impulse_agents.luck`). Games that
share a deal are not independent, so their mean counts once.
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
"""Below which the spread of so few means is no basis for an interval."""
_ROUNDING: Final = 1e-12
"""What is left of differences between results that are all alike."""


@dataclass(frozen=True)
class Adjusted:
    """An entrant's share of the games, plain and with the luck taken out.

    The intervals of 95 % are those of means of deals, normal; None for fewer than `FEWEST_DEALS`.
    With fewer than ten wins, or ten losses, that of the plain share is Wilson's, of as many games
    as deals. An adjusted share can lie a little outside of 0 to 1, and has no interval where the
    results are all alike.

    Attributes:
        share: The share with the luck taken out.
        interval: Of it.
        plain: The share of the games won.
        plain_interval: Of it.
        factor: How many times as many games would be as good without adjusting: the ratio of the
            variances of the two. None where the plain results are all alike.
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
            won: Its share of the win of each game, shape ``(games,)``, one at least.
            luck: What chance gave it there, shape ``(games,)``.
            deals: The deal of each game, any number, shape ``(games,)``.
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
    """Return the mean of each deal's games, and how many they are."""
    games = np.bincount(deal)
    return np.bincount(deal, values) / games, games


def _error(means: tuple[NDArray[np.float64], NDArray[np.int64]]) -> float:
    """Return the standard error of the mean over all games, of which deals have parts."""
    values, games = means
    if len(values) < 2:
        return 0.0
    weights = games / games.sum()
    spread = weights**2 @ (values - weights @ values) ** 2
    return sqrt(float(spread) * len(values) / (len(values) - 1))


@dataclass(frozen=True)
class JudgedLuck:
    """What chance gave the sides of games.

    Attributes:
        judge: Who sees it.
        by_game: What to take out of each side's result, by the number of the game. A failed game
            has none: that an agent fails is no luck.
    """

    judge: str
    by_game: Mapping[int, Sequence[float]]


def adjusted_shares(
    names: Sequence[str], results: Sequence[GameResult], luck: JudgedLuck
) -> tuple[Adjusted, ...]:
    """Return the share of each agent in the games it sat in, with and without luck.

    Args:
        names: The agents.
        results: The games, by number.
        luck: Of the same games.
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
