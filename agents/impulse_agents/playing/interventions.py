"""The same position with another card in a hand.

The two cards swap places, so nothing else changes: the number of cards, their order in the deck,
and the cards that battles draw from below stay the same.
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
    """Return positions in which a card of a hand has swapped places with one of the deck.

    If the hand's card is already the new one, nothing changes, and the swap counts as done.

    Args:
        states: Full states, shape ``(n,)``; not changed.
        seats: The seat of the hand, shape ``(n,)``.
        slots: The hand's slot, 0 to its number of cards minus 1, shape ``(n,)``. Its card must not
            be known to everybody: `hidden_slots` returns suitable slots.
        face: The new card, an index of `impulse_env.analysis.cards()`.
        rng: Chooses among several copies in the deck; without it, the copy that would be drawn last
            leaves.

    Returns:
        The positions, and whether the swap was possible in each: in the others, the deck has no
        such card.
    """
    changed = copy_games(np.ascontiguousarray(states))
    rows = np.arange(len(states))
    leaving = changed["hand"][rows, seats, slots]
    places, is_there = places_in_deck(states, face, rng)
    is_same = leaving == face
    can = is_there & ~is_same
    some = rows[can]
    changed["deck"][some, places[can]] = leaving[can]
    changed["hand"][some, seats[can], slots[can]] = face
    changed["hand"][some, seats[can]] = ascending(changed["hand"][some, seats[can]])
    return changed, can | is_same


def ascending(hands: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return hands in the order of a state: ascending, empty slots last; shape ``(n, k)``."""
    last = np.iinfo(np.int16).max
    ordered = hands.astype(np.int16)
    ordered[ordered == NO_CARD] = last
    ordered.sort(axis=1)
    ordered[ordered == last] = NO_CARD
    return ordered.astype(np.int8)


def places_in_deck(
    states: np.ndarray, face: int, rng: np.random.Generator | None = None
) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return the place of a face in each deck, and whether the deck has it, shapes ``(n,)``.

    Args:
        states: Full states, shape ``(n,)``.
        face: The card.
        rng: Chooses among several copies, all equally likely; without it, the copy that would be
            drawn last.
    """
    slots = np.arange(states["deck"].shape[1])
    is_it = (states["deck"] == face) & (slots < states["deck_count"][:, None])
    order = np.ones(is_it.shape) if rng is None else 1 - rng.random(is_it.shape)
    places = (is_it * order).argmax(axis=1)
    return places, is_it[np.arange(len(states)), places]


def hidden_slots(
    states: np.ndarray, seats: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int64]:
    """Return the slot of a random card of each hand that is not known to everybody.

    Args:
        states: Full states, shape ``(n,)``.
        seats: The seat of the hand, shape ``(n,)``.
        rng: Draws the card; all are equally likely.

    Returns:
        The slots, -1 for a hand without such a card; shape ``(n,)``.
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
