"""Moves of cards: deck, discard pile, hands, table, Plans (pp. 16-17, 24, 42)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import CARDS_FOR_NEW_DECK, FACES, NO_CARD, Card, Op, Seat, State
from impulse_env.engine.rng import random_below
from impulse_env.engine.stack import current_op, pop, push
from impulse_env.engine.state import DONE, LEFT, OP, A

NO_CARDS_LEFT: Final = -1
WAIT_FOR_DISCARDS: Final = -2


@jit_internal
def insert(cards: NDArray[np.int8], count: int, card: Card) -> None:
    """Insert `card` into the first `count` slots of a row, which ascend; slot `count` is free."""
    slot = count
    while slot > 0 and cards[slot - 1] > card:
        cards[slot] = cards[slot - 1]
        slot -= 1
    cards[slot] = card


@jit_internal
def remove(cards: NDArray[np.int8], count: int, card: Card) -> int:
    """Remove one copy of `card` from the first `count` slots; return the number removed, 0 or 1."""
    for slot in range(count):
        if cards[slot] == card:
            for later in range(slot, count - 1):
                cards[later] = cards[later + 1]
            cards[count - 1] = NO_CARD
            return 1
    return 0


# --- Hands ------------------------------------------------------------------------------------


@jit_internal
def add_to_hand(state: State, seat: Seat, card: Card) -> None:
    """Put a card into a hand; the others need not know it."""
    insert(state["hand"][seat], int(state["hand_count"][seat]), card)
    state["hand_count"][seat] += 1


@jit_internal
def learn(state: State, seat: Seat, card: Card) -> None:
    """Make one more copy of `card` publicly known in that hand (R12)."""
    insert(state["known"][seat], int(state["known_count"][seat]), card)
    state["known_count"][seat] += 1


@jit_internal
def forget(state: State, seat: Seat, card: Card) -> None:
    """Update the known cards after a copy of `card` left that hand visibly (R12)."""
    state["known_count"][seat] -= remove(
        state["known"][seat], int(state["known_count"][seat]), card
    )


@jit_internal
def take_from_hand(state: State, seat: Seat, card: Card) -> None:
    """Remove a card that leaves the hand face-up."""
    state["hand_count"][seat] -= remove(state["hand"][seat], int(state["hand_count"][seat]), card)
    forget(state, seat, card)


@jit_internal
def is_hand_full(state: State, seat: Seat) -> bool:
    """Return whether that hand is at its limit, so that it draws no more cards (p. 17)."""
    return bool(state["hand_count"][seat] >= state["hand_limit"])


@jit_internal
def fits(card: Card, colors: int, low: int, high: int) -> bool:
    """Return whether a card has a colour of the mask and a size in low…high (p. 24)."""
    return bool((colors >> COLOR_BY_CARD[card]) & 1 and low <= SIZE_BY_CARD[card] <= high)


@jit_internal
def hand_options(
    state: State,
    seat: Seat,
    colors: int,
    low: int,
    high: int,
    options: NDArray[np.int16],
    count: int,
) -> int:
    """Append every fitting face of the hand once; return the new number of options."""
    before = NO_CARD
    for slot in range(int(state["hand_count"][seat])):
        card = int(state["hand"][seat, slot])
        if card != before and fits(card, colors, low, high):
            options[count] = CARD_0 + card
            count += 1
        before = card
    return count


# --- Deck and discard pile --------------------------------------------------------------------


@jit_internal
def add_to_discard(state: State, card: Card) -> None:
    """Put a card on the discard pile."""
    state["discard"][card] += 1
    state["discard_count"] += 1


@jit_internal
def shuffle_discard_into_deck(state: State) -> None:
    """Make the discard pile the new deck; the deck must be empty (p. 16)."""
    count = 0
    for card in range(FACES):
        for _ in range(int(state["discard"][card])):
            state["deck"][count] = card
            count += 1
        state["discard"][card] = 0
    for slot in range(count - 1, 0, -1):
        other = random_below(state, slot + 1)
        card = int(state["deck"][slot])
        state["deck"][slot] = state["deck"][other]
        state["deck"][other] = card
    state["deck_count"] = count
    state["discard_count"] = 0


@jit_internal
def refill_deck(state: State) -> None:
    """Shuffle the discard pile into an empty deck, at any time (p. 16).

    Not while players discard for a new deck: their cards are shuffled together (p. 42).
    """
    if state["deck_count"] == 0 and state["discard_count"] > 0:
        op = current_op(state)
        if op != Op.DISCARD_FOR_DECK and op != Op.NEXT_TO_DISCARD:
            shuffle_discard_into_deck(state)


@jit_internal
def are_cards_left(state: State) -> bool:
    """Return whether the deck can provide a card, if necessary after discards (p. 42)."""
    if state["deck_count"] > 0 or state["discard_count"] > 0:
        return True
    for seat in range(int(state["players"])):
        if state["hand_count"][seat] > 0:
            return True
    return False


@jit_internal
def draw(state: State) -> Card:
    """Take the next card of the deck.

    After the last card, the discard pile becomes the new deck at once, before that card can be
    discarded (p. 16).

    Returns:
        The card; NO_CARDS_LEFT: the draw does not happen; WAIT_FOR_DISCARDS: a frame was pushed in
        which every player discards for a new deck, call again after it is popped.
    """
    refill_deck(state)
    last = int(state["deck_count"]) - 1
    if last < 0:
        if not are_cards_left(state):
            return NO_CARDS_LEFT
        top = push(state, Op.NEXT_TO_DISCARD, NO_CARD)
        state["stack"][top, A] = state["active"]
        state["stack"][top, LEFT] = state["players"]
        return WAIT_FOR_DISCARDS
    card = int(state["deck"][last])
    state["deck"][last] = NO_CARD
    state["deck_count"] = last
    refill_deck(state)
    return card


@jit_internal
def discard_from_hand(state: State, seat: Seat, card: Card) -> None:
    """Move a card from hand to the discard pile."""
    take_from_hand(state, seat, card)
    add_to_discard(state, card)


@jit_internal
def run_next_to_discard(state: State) -> None:
    """Find the next player who discards for a new deck: A is the seat, LEFT players (p. 42)."""
    top = int(state["stack_count"]) - 1
    while state["stack"][top, LEFT] > 0:
        seat = int(state["stack"][top, A])
        if state["hand_count"][seat] > CARDS_FOR_NEW_DECK:
            state["stack"][top, OP] = Op.DISCARD_FOR_DECK
            state["stack"][top, DONE] = 0
            return
        while state["hand_count"][seat] > 0:
            discard_from_hand(state, seat, int(state["hand"][seat, 0]))
        state["stack"][top, A] = (seat + 1) % int(state["players"])
        state["stack"][top, LEFT] -= 1
    pop(state)


@jit_internal
def apply_discard_for_deck(state: State, card: Card) -> None:
    """Discard the chosen card; after the second one, the next player decides."""
    top = int(state["stack_count"]) - 1
    seat = int(state["stack"][top, A])
    discard_from_hand(state, seat, card)
    state["stack"][top, DONE] += 1
    if state["stack"][top, DONE] == CARDS_FOR_NEW_DECK:
        state["stack"][top, OP] = Op.NEXT_TO_DISCARD
        state["stack"][top, DONE] = 0
        state["stack"][top, A] = (seat + 1) % int(state["players"])
        state["stack"][top, LEFT] -= 1


# --- Table ------------------------------------------------------------------------------------


@jit_internal
def put_on_table(state: State, card: Card) -> None:
    """Lay a card face-up between the zones."""
    state["table"][state["table_count"]] = card
    state["table_count"] += 1


@jit_internal
def take_from_table(state: State) -> Card:
    """Pick up the card laid last."""
    last = int(state["table_count"]) - 1
    card = int(state["table"][last])
    state["table"][last] = NO_CARD
    state["table_count"] = last
    return card


@jit_internal
def discard_table(state: State, base: int) -> None:
    """Discard the cards on the table from slot `base` on."""
    while state["table_count"] > base:
        add_to_discard(state, take_from_table(state))


# --- Impulse and Plans -------------------------------------------------------------------------


@jit_internal
def impulse_of(state: State, seat: Seat) -> int:
    """Return the row of this seat's Impulse: one per team (p. 9)."""
    return seat % int(state["teams"]) if state["teams"] < state["players"] else 0


@jit_internal
def add_to_plan(state: State, seat: Seat, card: Card) -> None:
    """Append to the Plan; while the Plan is in use, to the next Plan (p. 37)."""
    slot = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    state["plan"][seat, slot] = card
    if state["phase"] == Op.USE_PLAN_CARD and seat == state["active"]:
        state["next_plan_count"][seat] += 1
    else:
        state["plan_count"][seat] += 1


@jit_internal
def take_from_plan(state: State, seat: Seat, slot: int) -> Card:
    """Remove the card of that slot; the others keep their order."""
    card = int(state["plan"][seat, slot])
    last = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat]) - 1
    for later in range(slot, last):
        state["plan"][seat, later] = state["plan"][seat, later + 1]
    state["plan"][seat, last] = NO_CARD
    if slot >= state["plan_count"][seat]:
        state["next_plan_count"][seat] -= 1
    else:
        state["plan_count"][seat] -= 1
        if state["phase"] == Op.USE_PLAN_CARD and slot < state["cursor"]:
            state["cursor"] -= 1
    return card
