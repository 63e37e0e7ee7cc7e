"""Execute: use a card of the hand or the deck and discard it, or use a Tech (p. 35).

Frame of EXECUTE: HIGH is the largest size, A the source of the card, B the chain of Tech slots
(P3). USE_EXECUTED and EXECUTED: CARD is the face, which is on the table. EXECUTED waits below the
executed card's own frames to discard it.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS, TECH_0, USE
from impulse_env.engine.boost import boost_of
from impulse_env.engine.constants import ANY_COLOR, TECHS, Action, Card, Op, Purpose, State
from impulse_env.engine.deck import (
    add_to_discard,
    are_cards_left,
    hand_options,
    put_on_table,
    take_from_hand,
    take_from_table,
)
from impulse_env.engine.effects.start import (
    FROM_HAND,
    can_use,
    can_use_tech,
    push_effect,
    push_tech,
)
from impulse_env.engine.stack import pop, push
from impulse_env.engine.state import CARD, COLORS, HIGH, LEFT, OP, A, B


@jit_internal
def execute_options(state: State, options: NDArray[np.int16]) -> int:
    """List the fitting cards of the hand, or use for the deck, and the Techs."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    chain = int(frame[B])
    count = 0
    if frame[A] == FROM_HAND:
        count = hand_options(
            state, int(state["active"]), ANY_COLOR, 1, int(frame[HIGH]), options, 0
        )
    elif are_cards_left(state):
        options[0] = USE
        count = 1
    for slot in range(TECHS):
        if not (chain >> slot) & 1 and can_use_tech(state, slot, options, count):
            options[count] = TECH_0 + slot
            count += 1
    return count


@jit_internal
def apply_execute(state: State, action: Action) -> None:
    """Lay a card of the hand on the table, reveal one of the deck, or use the Tech."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if action == USE:
        frame[OP] = Op.REVEAL
        frame[LEFT] = 1
        frame[COLORS] = ANY_COLOR
        frame[A] = Purpose.EXECUTE
        frame[B] = 0
        return
    chain = int(frame[B])
    pop(state)
    if action == PASS:
        return
    if action >= TECH_0:
        push_tech(state, action - TECH_0, chain)
        return
    take_from_hand(state, int(state["active"]), action - CARD_0)
    put_on_table(state, action - CARD_0)
    push(state, Op.USE_EXECUTED, action - CARD_0)


@jit_internal
def use_card_options(state: State, card: Card, options: NDArray[np.int16]) -> int:
    """Offer pass, and use if the card has an effect with the minerals' boost."""
    boost = boost_of(state, int(state["active"]), card, 0)
    options[0] = PASS
    if can_use(state, card, boost, 0, options, 1):
        options[1] = USE
        return 2
    return 1


@jit_internal
def start_executed(state: State, card: Card) -> None:
    """Use the card on the table; its frame stays below to discard it."""
    state["stack"][int(state["stack_count"]) - 1, OP] = Op.EXECUTED
    state["stack"][int(state["stack_count"]) - 1, CARD] = card
    push_effect(state, card, boost_of(state, int(state["active"]), card, 0), 0)


@jit_internal
def run_executed(state: State) -> None:
    """Discard the executed card."""
    add_to_discard(state, take_from_table(state))
    pop(state)


@jit_internal
def apply_use_executed(state: State, action: Action) -> None:
    """Use the card of the hand, or only discard it."""
    card = int(state["stack"][int(state["stack_count"]) - 1, CARD])
    if action == USE:
        start_executed(state, card)
    else:
        run_executed(state)


@jit_internal
def use_researched_options(state: State, options: NDArray[np.int16]) -> int:
    """Offer the immediate use of the new Tech (R9)."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    options[0] = PASS
    if can_use_tech(state, int(frame[B]), options, 1):
        options[1] = USE
        return 2
    return 1


@jit_internal
def apply_use_researched(state: State, action: Action) -> None:
    """Use the new Tech once, or not (R9)."""
    slot = int(state["stack"][int(state["stack_count"]) - 1, B])
    pop(state)
    if action == USE:
        push_tech(state, slot, 0)
