"""The chance to win a battle with Cruisers only."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from impulse_env.arguments import checked_integer
from impulse_env.engine.cards import COPIES_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import MAX_SHIPS


@cache
def _icons(cruisers: int) -> NDArray[np.float64]:
    """Return the probabilities that `cruisers` Cruisers reveal 0, 1, 2, … icons."""
    if cruisers == 0:
        return np.ones(1)
    one = np.bincount(SIZE_BY_CARD, weights=COPIES_BY_CARD)
    return np.convolve(_icons(cruisers - 1), one / one.sum())


def chance_to_win(attackers: int, defenders: int) -> float:
    """Return the attacker's chance to win a battle in which nobody lays a card, 0 to 1.

    Each Cruiser reveals a card; each card is assumed to be drawn from the whole set of 108 cards.
    The defender wins ties (p. 34).

    Args:
        attackers: Cruisers of the attacker, 1 to 12.
        defenders: Cruisers of the defender, 1 to 12.

    Raises:
        ArgumentError: One of them is not an integer in that range.
    """
    ours = _icons(checked_integer("attackers", attackers, 1, MAX_SHIPS))
    theirs = _icons(checked_integer("defenders", defenders, 1, MAX_SHIPS))
    at_most = np.cumsum(theirs)
    # More icons than the defender: P(theirs < k) for each number k of ours.
    below = np.concatenate([[0.0], at_most])[np.minimum(np.arange(len(ours)), len(theirs))]
    return float(ours @ below)
