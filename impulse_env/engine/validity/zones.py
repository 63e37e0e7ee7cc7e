"""Every card in one place, the counts and sums of cards, and the known cards of hands."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import COLOR_BY_CARD, COPIES_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    COLOR_COUNT,
    CORE,
    FACES,
    HAND_SLOTS,
    IMPULSE_KEPT,
    IMPULSE_SLOTS,
    LOOSE_CARDS,
    MAX_IMPULSES,
    MAX_PLAYERS,
    NO_CARD,
    TECHS,
    Op,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.effects.build import home_of
from impulse_env.engine.state import OP, SIDES, A
from impulse_env.engine.validity.faults import Field, Reason, is_empty, is_within


@jit_internal
def are_listed(
    fault: NDArray[np.int64],
    field: int,
    row: int,
    cards: NDArray[np.int8],
    count: int,
    copies: NDArray[np.int64],
) -> bool:
    """Return whether the first `count` slots of a row hold faces and the others are empty.

    Adds the faces to `copies`.
    """
    base = row * len(cards)
    for slot in range(count):
        if not is_within(fault, field, base + slot, cards[slot], 0, FACES - 1, Reason.RANGE):
            return False
        copies[cards[slot]] += 1
    for slot in range(count, len(cards)):
        if not is_empty(fault, field, base + slot, cards[slot], NO_CARD):
            return False
    return True


@jit_internal
def is_sorted_row(
    fault: NDArray[np.int64],
    field: int,
    row: int,
    cards: NDArray[np.int8],
    count: int,
    most: int,
    copies: NDArray[np.int64],
) -> bool:
    """Return whether a row holds `count` faces in ascending order, `most` or fewer, and no others.

    The field of the count follows `field` in the record. Adds the faces to `copies`.
    """
    if not is_within(fault, field + 1, row, count, 0, most, Reason.RANGE):
        return False
    if not are_listed(fault, field, row, cards, count, copies):
        return False
    for slot in range(1, count):
        at = row * len(cards) + slot
        least = int(cards[slot - 1])
        if not is_within(fault, field, at, cards[slot], least, FACES - 1, Reason.ORDER):
            return False
    return True


@jit_internal
def hole_of(state: State) -> int:
    """Return the cell whose card is in hand, a home or an explored cell; -1 if there is none."""
    top = int(state["stack_count"]) - 1
    if top >= 0:
        explores = state["stack"][top, OP] == Op.PLACE_EXPLORED
        return int(state["stack"][top, A]) if explores else -1
    return home_of(state, int(state["active"])) if state["phase"] == Op.PLACE_HOME else -1


@jit_internal
def is_map_covered(state: State, fault: NDArray[np.int64], copies: NDArray[np.int64]) -> bool:
    """Return whether every cell except the Sector Core and that of `hole_of` has a card."""
    hole = hole_of(state)
    for cell in range(CELLS):
        card = int(state["cell_card"][cell])
        is_bare = cell == CORE or cell == hole
        lowest = NO_CARD if is_bare else 0
        highest = NO_CARD if is_bare else FACES - 1
        if not is_within(fault, Field.CELL_CARD, cell, card, lowest, highest, Reason.MAP):
            return False
        lowest = 1 if cell == CORE else 0
        highest = 0 if cell == hole else 1
        up = int(state["cell_face_up"][cell])
        if not is_within(fault, Field.CELL_FACE_UP, cell, up, lowest, highest, Reason.MAP):
            return False
        if card >= 0:
            copies[card] += 1
    return True


@jit_internal
def are_common_cards_sound(
    state: State, fault: NDArray[np.int64], copies: NDArray[np.int64]
) -> bool:
    """Return whether deck, discard pile, table and Impulses match their counts."""
    deck = int(state["deck_count"])
    table = int(state["table_count"])
    if (
        not is_within(fault, Field.DECK_COUNT, 0, deck, 0, LOOSE_CARDS, Reason.RANGE)
        or not is_within(fault, Field.TABLE_COUNT, 0, table, 0, LOOSE_CARDS, Reason.RANGE)
        or not are_listed(fault, Field.DECK, 0, state["deck"], deck, copies)
        or not are_listed(fault, Field.TABLE, 0, state["table"], table, copies)
    ):
        return False
    total = 0
    for face in range(FACES):
        count = int(state["discard"][face])
        most = COPIES_BY_CARD[face]
        if not is_within(fault, Field.DISCARD, face, count, 0, most, Reason.COPIES):
            return False
        copies[face] += count
        total += count
    pile = int(state["discard_count"])
    if not is_within(fault, Field.DISCARD_COUNT, 0, pile, total, total, Reason.SUM):
        return False
    rows = int(state["teams"]) if state["teams"] < state["players"] else 1
    own = impulse_of(state, int(state["active"]))
    is_fed = state["phase"] > Op.ADD_IMPULSE
    for row in range(MAX_IMPULSES):
        most = IMPULSE_SLOTS if row == own and is_fed else IMPULSE_KEPT if row < rows else 0
        count = int(state["impulse_count"][row])
        if not is_within(fault, Field.IMPULSE_COUNT, row, count, 0, most, Reason.RANGE):
            return False
        if not are_listed(fault, Field.IMPULSE, row, state["impulse"][row], count, copies):
            return False
    return True


@jit_internal
def are_seat_cards_sound(
    state: State, fault: NDArray[np.int64], seat: int, copies: NDArray[np.int64]
) -> bool:
    """Return whether hand, Plan, Techs and minerals of a seat match their counts."""
    most = HAND_SLOTS if seat < state["players"] else 0
    hand = int(state["hand_count"][seat])
    if not is_sorted_row(fault, Field.HAND, seat, state["hand"][seat], hand, most, copies):
        return False
    most = LOOSE_CARDS if seat < state["players"] else 0
    planned = int(state["plan_count"][seat])
    if not is_within(fault, Field.PLAN_COUNT, seat, planned, 0, most, Reason.RANGE):
        return False
    is_in_use = state["phase"] == Op.USE_PLAN_CARD and seat == state["active"]
    most = LOOSE_CARDS - planned if is_in_use else 0
    grown = int(state["next_plan_count"][seat])
    if not is_within(fault, Field.NEXT_PLAN_COUNT, seat, grown, 0, most, Reason.PHASE):
        return False
    if not are_listed(fault, Field.PLAN, seat, state["plan"][seat], planned + grown, copies):
        return False
    for slot in range(TECHS):
        tech = int(state["techs"][seat, slot])
        if tech == BASIC_TECH:
            continue
        if not is_within(fault, Field.TECHS, seat * TECHS + slot, tech, 0, FACES - 1, Reason.RANGE):
            return False
        copies[tech] += 1
    return are_minerals_sound(state, fault, seat, copies)


@jit_internal
def are_minerals_sound(
    state: State, fault: NDArray[np.int64], seat: int, copies: NDArray[np.int64]
) -> bool:
    """Return whether the minerals of a seat are cards, and its gems the icons on them."""
    gems = np.zeros(COLOR_COUNT, np.int64)
    for face in range(FACES):
        count = int(state["minerals"][seat, face])
        if count == 0:
            continue
        at = seat * FACES + face
        most = COPIES_BY_CARD[face]
        if not is_within(fault, Field.MINERALS, at, count, 0, most, Reason.COPIES):
            return False
        copies[face] += count
        gems[COLOR_BY_CARD[face]] += count * SIZE_BY_CARD[face]
    for color in range(COLOR_COUNT):
        at = seat * COLOR_COUNT + color
        sums = gems[color]
        if not is_within(fault, Field.GEMS, at, state["gems"][seat, color], sums, sums, Reason.SUM):
            return False
    return True


@jit_internal
def is_known_held(
    state: State, fault: NDArray[np.int64], seat: int, unused: NDArray[np.int64]
) -> bool:
    """Return whether the known cards of a hand are in it, or in reinforcements laid from it."""
    count = int(state["known_count"][seat])
    cards = state["known"][seat]
    if not is_sorted_row(fault, Field.KNOWN, seat, cards, count, HAND_SLOTS, unused):
        return False
    for slot in range(count):
        card = int(cards[slot])
        held = 0
        for other in range(int(state["hand_count"][seat])):
            held += state["hand"][seat, other] == card
        for side in range(SIDES):
            if state["battle_seat"][side] == seat:
                for other in range(int(state["laid_count"][side])):
                    held += state["laid"][side, other] == card
        needed = 1
        while needed <= slot and cards[slot - needed] == card:
            needed += 1
        if held < needed:
            at = seat * HAND_SLOTS + slot
            return is_within(fault, Field.KNOWN, at, card, card + 1, card - 1, Reason.KNOWN)
    return True


@jit_internal
def are_cards_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether each of the 108 cards is in one place, and every count and sum agrees."""
    copies = np.zeros(FACES, np.int64)
    if not is_map_covered(state, fault, copies):
        return False
    if not are_common_cards_sound(state, fault, copies):
        return False
    for seat in range(MAX_PLAYERS):
        if not are_seat_cards_sound(state, fault, seat, copies):
            return False
    for side in range(SIDES):
        count = int(state["laid_count"][side])
        cards = state["laid"][side]
        if not is_sorted_row(fault, Field.LAID, side, cards, count, HAND_SLOTS, copies):
            return False
    for face in range(FACES):
        most = COPIES_BY_CARD[face]
        if not is_within(fault, Field.COPIES, face, copies[face], most, most, Reason.COPIES):
            return False
    for seat in range(MAX_PLAYERS):
        if not is_known_held(state, fault, seat, copies):
            return False
    return True
