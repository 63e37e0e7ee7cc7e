"""The same position with another card in a hand.

The card that leaves goes where the other one lay, so nothing else changes: not the number of cards,
not their order in the deck, not what is drawn in battles from below.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import copy_games
from impulse_env.engine.constants import NO_CARD


def swapped(
    states: np.ndarray, seats: NDArray[np.int64], slots: NDArray[np.int64], face: int
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Return positions with a card of a hand exchanged for one of the deck.

    Where the card itself is the wanted one, nothing changes and the position counts.

    Args:
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose hand, shape ``(n,)``.
        slots: Which card of that hand, 0 to its number of cards less 1, shape ``(n,)``. It is not
            to be one that everybody knows: `hidden_slots` finds others.
        face: The wanted card, an index of `impulse_env.analysis.cards()`.

    Returns:
        The positions, and in which of them the card could be had: elsewhere the deck held none.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    given = changed["hand"][rows, seats, slots]
    is_in_deck = (changed["deck"] == face) & (
        np.arange(changed["deck"].shape[1]) < changed["deck_count"][:, None]
    )
    places = is_in_deck.argmax(axis=1)
    is_same = given == face
    can = is_in_deck[rows, places] & ~is_same
    some = rows[can]
    changed["deck"][some, places[can]] = given[can]
    changed["hand"][some, seats[can], slots[can]] = face
    # A hand is ascending, with its empty slots last.
    hands = changed["hand"][some, seats[can]].astype(np.int16)
    hands[hands == NO_CARD] = np.iinfo(np.int16).max
    hands.sort(axis=1)
    hands[hands == np.iinfo(np.int16).max] = NO_CARD
    changed["hand"][some, seats[can]] = hands.astype(np.int8)
    return changed, can | is_same


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
