"""How much a seat does not know: the entropy of the hidden cards, in bits.

Every way to place the cards that a seat has not seen is equally likely, as `Game.determinize` draws
them. Copies of a face are told apart by nobody, and no order of a hand is, so some placements look
more likely than others; what is counted here is the entropy of what could be told apart.
"""

from collections.abc import Sequence
from functools import cache
from math import comb, lgamma, log

import numpy as np
from numpy.typing import NDArray

from impulse_env import observation


@cache
def expected_log_factorial(cards: int, copies: int, drawn: int) -> float:
    """Return the mean of ``log2(k!)``, where k of the copies are among the cards drawn.

    Args:
        cards: All cards.
        copies: Those of one face.
        drawn: Cards that are drawn without being put back.
    """
    ways = comb(cards, drawn)
    return sum(
        comb(copies, k) * comb(cards - copies, drawn - k) / ways * log2_factorial(k)
        for k in range(2, min(copies, drawn) + 1)
    )


def log2_factorial(number: int) -> float:
    """Return ``log2(number!)``."""
    return lgamma(number + 1) / log(2)


def entropy(copies: Sequence[int], groups: Sequence[int]) -> float:
    """Return the bits that say which faces lie where.

    Args:
        copies: Unseen cards of each face.
        groups: Sizes of the sets, in which no order counts, that they lie in; what remains lies in
            places of its own. So a deck is a set if its order is to be left out.
    """
    cards = sum(copies)
    bits = log2_factorial(cards) - sum(log2_factorial(count) for count in copies)
    for size in groups:
        # Each order of a set looks the same, as often as its copies let them differ.
        same = sum(expected_log_factorial(cards, count, size) for count in copies if count > 1)
        bits -= log2_factorial(size) - same
    return bits


def hidden_bits(state: np.void, seat: int, observed: NDArray[np.uint8]) -> tuple[float, float]:
    """Return the bits of what others hold and what is face-down, and with the order of the deck.

    Which of its cards somebody has laid as reinforcements is left out.

    Args:
        state: A running game, dtype `STATE`.
        seat: Who looks.
        observed: What that seat sees, shape ``(size(players),)``.
    """
    players = int(state["players"])
    unseen = observation.section(observed, "unseen", players)
    held = [_unknown(state, other) for other in range(players) if other != seat]
    deck = int(state["deck_count"])
    copies = [int(count) for count in unseen if count]
    return entropy(copies, [*held, deck]), entropy(copies, held)


def _unknown(state: np.void, seat: int) -> int:
    """Return how many cards a seat has in hand or laid that the others do not know."""
    laid = state["laid_count"][state["battle_seat"] == seat].sum()
    return int(state["hand_count"][seat] + laid - state["known_count"][seat])
