"""The same position with another Tech, a planned card or another race.

The cards come from the deck, whose other cards stay in their order, and what they cover is a Basic
Tech, which is no card: so every card stays in one place.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import copy_games
from impulse_env.engine.constants import BASIC_TECH, NO_CARD
from impulse_training.rollout.interventions import places_in_deck


def with_tech(
    states: np.ndarray,
    seats: NDArray[np.int64],
    slots: NDArray[np.int64],
    face: int,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat has a card of the deck as a Tech, instead of a Basic one.

    Args:
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        seats: Whose Tech, shape ``(n,)``.
        slots: Which of the two it covers, 0 for the common one and 1 for the race's, ``(n,)``.
        face: The card.
        rng: Draws which of several copies leaves the deck.

    Returns:
        The positions, and where that could be done: elsewhere the deck held none, or nothing else,
        or another card was researched already.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    can = _takes_from_deck(changed, face, states["techs"][rows, seats, slots] == BASIC_TECH, rng)
    some = rows[can]
    changed["techs"][some, seats[can], slots[can]] = face
    return changed, can


def with_planned(
    states: np.ndarray,
    seats: NDArray[np.int64],
    face: int,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat has a card of the deck behind the others in its Plan.

    Args:
        states: Full records at the start of a turn, shape ``(n,)``; they stay as they are.
        seats: Whose Plan, shape ``(n,)``.
        face: The card.
        rng: Draws which of several copies leaves the deck.

    Returns:
        The positions, and where that could be done: elsewhere the deck held none, or nothing else.
    """
    changed = copy_games(np.ascontiguousarray(states))
    can = _takes_from_deck(changed, face, np.ones(len(states), np.bool_), rng)
    some = np.flatnonzero(can)
    who = seats[can]
    changed["plan"][some, who, changed["plan_count"][some, who]] = face
    changed["plan_count"][some, who] += 1
    return changed, can


def with_race(
    states: np.ndarray, seats: NDArray[np.int64], race: int
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions in which a seat is of another race.

    Args:
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose race, shape ``(n,)``.
        race: An `impulse_env.engine.constants.Race`.

    Returns:
        The positions, and where that could be done: elsewhere somebody else is of that race.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    is_taken = states["race"] == race
    is_taken[rows, seats] = False
    can = ~is_taken.any(axis=1)
    changed["race"][rows[can], seats[can]] = race
    return changed, can


def _takes_from_deck(
    states: np.ndarray,
    face: int,
    may: NDArray[np.bool_],
    rng: np.random.Generator | None,
) -> NDArray[np.bool_]:
    """Take a card out of the decks, the others in their order; return where that was done.

    Into its place comes the card that would have been drawn last, so all that is drawn before stays
    what it is. The last card of a deck is not taken: an empty one would be made anew at once.
    """
    places, is_there = places_in_deck(states, face, rng)
    can = may & is_there & (states["deck_count"] > 1)
    some = np.flatnonzero(can)
    states["deck"][some, places[can]] = states["deck"][some, 0]
    states["deck"][some, :-1] = states["deck"][some, 1:]
    states["deck_count"][some] -= 1
    states["deck"][some, states["deck_count"][some]] = NO_CARD
    return can
