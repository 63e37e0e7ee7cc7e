"""What agents won in a tournament with the luck taken out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from impulse_training.ratings.tally import tally
from impulse_training.rollout.adjusted import Adjusted
from impulse_training.rollout.game_result import GameResult


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
