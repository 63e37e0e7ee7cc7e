"""The same position with another card in a hand.

The card that leaves goes where the other one lay, so nothing else changes: not the number of cards,
not their order in the deck, not what is drawn in battles from below.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import copy_games
from impulse_env.engine.constants import NO_CARD


def swapped(
    states: np.ndarray,
    seats: NDArray[np.int64],
    slots: NDArray[np.int64],
    face: int,
    rng: np.random.Generator | None = None,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions with a card of a hand exchanged for one of the deck.

    Where the card itself is the wanted one, nothing changes and the position counts.

    Args:
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose hand, shape ``(n,)``.
        slots: Which card of that hand, 0 to its number of cards less 1, shape ``(n,)``. It is not
            to be one that everybody knows: `hidden_slots` finds others.
        face: The wanted card, an index of `impulse_env.analysis.cards()`.
        rng: Draws which of several copies leaves the deck; without it, the one that would be drawn
            last.

    Returns:
        The positions, and in which of them the card could be had: elsewhere the deck held none.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    given = changed["hand"][rows, seats, slots]
    places, is_there = places_in_deck(states, face, rng)
    is_same = given == face
    can = is_there & ~is_same
    some = rows[can]
    changed["deck"][some, places[can]] = given[can]
    changed["hand"][some, seats[can], slots[can]] = face
    changed["hand"][some, seats[can]] = ascending(changed["hand"][some, seats[can]])
    return changed, can | is_same


def ascending(hands: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return hands in the order of a record, ascending with empty slots last, shape ``(n, k)``."""
    last = np.iinfo(np.int16).max
    ordered = hands.astype(np.int16)
    ordered[ordered == NO_CARD] = last
    ordered.sort(axis=1)
    ordered[ordered == last] = NO_CARD
    return ordered.astype(np.int8)


def places_in_deck(
    states: np.ndarray, face: int, rng: np.random.Generator | None = None
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return where a face lies in the decks, and whether it is there at all, shapes ``(n,)``.

    Args:
        states: Full records, shape ``(n,)``.
        face: The card.
        rng: Draws one of several copies evenly; without it, the one that would be drawn last.
    """
    slots = np.arange(states["deck"].shape[1])
    is_it = (states["deck"] == face) & (slots < states["deck_count"][:, None])
    order = np.ones(is_it.shape) if rng is None else 1 - rng.random(is_it.shape)
    places = (is_it * order).argmax(axis=1)
    return places, is_it[np.arange(len(states)), places]


def hidden_slots(
    states: np.ndarray, seats: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return a card of each hand that not everybody knows to be there, drawn evenly.

    Args:
        states: Full records, shape ``(n,)``.
        seats: Whose hand, shape ``(n,)``.
        rng: Draws the card.

    Returns:
        Its slot, -1 where there is none; shape ``(n,)``.
    """
    slots = np.full(len(states), -1, np.int64)
    for row, seat in enumerate(seats.tolist()):
        state = states[row]
        known = state["known"][seat, : int(state["known_count"][seat])].tolist()
        hidden = []
        for slot, card in enumerate(state["hand"][seat, : int(state["hand_count"][seat])].tolist()):
            if card in known:
                known.remove(card)
            else:
                hidden.append(slot)
        if hidden:
            slots[row] = rng.choice(hidden)
    return slots
