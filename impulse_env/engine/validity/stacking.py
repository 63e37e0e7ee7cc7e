"""The order and depth of the frames on the stack, and their cards on the table."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import FAMILY_BY_CARD
from impulse_env.engine.constants import (
    FIRST_AUTOMATIC,
    NO_CARD,
    RUNNING,
    Family,
    Op,
    Purpose,
    State,
)
from impulse_env.engine.effects.command import SEVERAL
from impulse_env.engine.ops import FIRST_OP, MAY_END, MAY_LIE_ON
from impulse_env.engine.state import (
    CARD,
    DONE,
    FRAME_FIELDS,
    OP,
    STACK_DEPTH,
    A,
)
from impulse_env.engine.validity.battles import is_at_peace, is_battle_sound
from impulse_env.engine.validity.expected import holds, is_as_declared, is_begun
from impulse_env.engine.validity.faults import Field, Reason, is_empty, is_within, refuse
from impulse_env.engine.validity.frames import (
    is_build_sound,
    is_card_choice_sound,
    is_execute_sound,
    is_kept_sound,
    is_other_sound,
    is_reveal_sound,
    is_sabotage_sound,
)
from impulse_env.engine.validity.movement import are_fleets_listed, is_movement_sound


@jit_internal
def is_on_top_sound(state: State, fault: NDArray[np.int64], top: int) -> bool:
    """Return whether the game can stop at the innermost frame."""
    op = int(state["stack"][top, OP])
    if not is_op(fault, top, op):
        return False
    if state["status"] == RUNNING:
        is_sound = Op.CHOOSE_FLEET <= op < FIRST_AUTOMATIC
    else:
        is_sound = bool(MAY_END[op])
    return is_sound or refuse(fault, Field.STACK, top * FRAME_FIELDS + OP, op, Reason.STACKING)


@jit_internal
def is_op(fault: NDArray[np.int64], at: int, op: int) -> bool:
    """Return whether the op of the frame `at` is valid."""
    return is_within(
        fault, Field.STACK, at * FRAME_FIELDS + OP, op, 0, len(FIRST_OP) - 1, Reason.FRAME
    )


@jit_internal
def lies_well(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """Return whether the frame `at` may lie on the one below it, or at the bottom."""
    op = int(state["stack"][at, OP])
    below = int(state["stack"][at - 1, OP]) if at > 0 else 0
    if state["phase"] == Op.DRAW_CARDS:
        is_sound = at == 0 and op == Op.DISCARD_FOR_DECK
    elif below == Op.RESEARCH_CARD:
        frame = state["stack"][at - 1]
        is_sound = bool(MAY_LIE_ON[op, below] and frame[A] == 0 and frame[DONE] > 0)
    elif below == Op.RESEARCH_PLANNED:
        is_sound = bool(MAY_LIE_ON[op, below] and state["stack"][at - 1, DONE] > 0)
    elif below == Op.REVEAL_NEXT:
        is_sound = bool(MAY_LIE_ON[op, below] and state["stack"][at - 1, A] == Purpose.RESEARCH)
    else:
        is_sound = bool(MAY_LIE_ON[op, below])
    return is_sound or refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.STACKING)


@jit_internal
def is_led_to(state: State, at: int) -> bool:
    """Return whether the executed card of the frame below can have started the frame `at`."""
    card = int(state["stack"][at - 1, CARD])
    family = FAMILY_BY_CARD[card]
    if family <= Family.COMMAND_FLEETS_TO_SAME_CARD:
        return True
    if (
        family == Family.RESEARCH_FROM_HAND_THEN_EXECUTE
        or family == Family.EXECUTE_FROM_HAND_OR_TECH
        or family == Family.EXECUTE_FROM_DECK_OR_TECH
    ):
        return True
    op = int(state["stack"][at, OP])
    if op == Op.RESEARCH_SLOT:
        return bool(
            family == Family.RESEARCH_FROM_HAND
            or family == Family.RESEARCH_FROM_DECK
            or family == Family.RESEARCH_FROM_PLAN
        )
    return bool(state["stack"][at, CARD] == card and FIRST_OP[op] != Op.OVER)


@jit_internal
def counts_activation(state: State, at: int) -> bool:
    """Return whether the frame `at` lies on an executed Command that activated its card."""
    below = state["stack"][at - 1]
    if at == 0 or below[OP] != Op.EXECUTED:
        return False
    if FAMILY_BY_CARD[below[CARD]] > Family.COMMAND_FLEETS_TO_SAME_CARD:
        return False
    op = int(state["stack"][at, OP])
    is_moving = FIRST_OP[op] == Op.CHOOSE_FLEET and state["stack"][at, CARD] == below[CARD]
    return not is_moving and op != Op.ACTIVATE


@jit_internal
def is_effect_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Check the frame of a card's or a Basic Tech's effect."""
    op = int(state["stack"][at, OP])
    first = FIRST_OP[op]
    if first == Op.CHOOSE_FLEET:
        return is_movement_sound(state, fault, at, begun)
    if first == Op.REVEAL:
        return is_reveal_sound(state, fault, at, begun)
    if first == Op.EXECUTE:
        return is_execute_sound(state, fault, at)
    if first == Op.BUILD_SHIP or first == Op.BUILD_LOCATION:
        return is_build_sound(state, fault, at, begun)
    if first == Op.SABOTAGE_FLEET:
        return is_sabotage_sound(state, fault, at, begun)
    return is_card_choice_sound(state, fault, at, begun)


@jit_internal
def is_stack_empty_above(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether every frame past the count is 0."""
    for at in range(int(state["stack_count"]), STACK_DEPTH):
        for field in range(FRAME_FIELDS):
            value = int(state["stack"][at, field])
            if not is_empty(fault, Field.STACK, at * FRAME_FIELDS + field, value, 0):
                return False
    return True


@jit_internal
def is_stack_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether all frames, the movement, the battle and the table agree."""
    if not is_stack_empty_above(state, fault):
        return False
    count = int(state["stack_count"])
    if count > 0 and not is_on_top_sound(state, fault, count - 1):
        return False
    begun = np.zeros((2, FRAME_FIELDS), np.int8)
    slot = 0
    command = -1
    is_peace = True
    activated = 0
    for at in range(count):
        op = int(state["stack"][at, OP])
        if not is_op(fault, at, op) or not lies_well(state, fault, at):
            return False
        if FIRST_OP[op] != Op.OVER and not is_begun(state, fault, at, begun):
            return False
        if not is_as_declared(state, fault, at, begun):
            return False
        if at > 0 and state["stack"][at - 1, OP] == Op.EXECUTED and not is_led_to(state, at):
            return refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.STACKING)
        activated += counts_activation(state, at)
        if op == Op.REINFORCE or op == Op.BATTLE_DRAW:
            several = int(state["stack"][at - 1, SEVERAL])
            if not holds(state, fault, at, CARD, NO_CARD, NO_CARD) or not is_battle_sound(
                state, fault, at, several, slot
            ):
                return False
            is_peace = False
            slot = int(state["table_count"])
        elif FIRST_OP[op] != Op.OVER:
            if not is_effect_sound(state, fault, at, begun):
                return False
            if FIRST_OP[op] == Op.CHOOSE_FLEET:
                command = at
        elif not is_other_sound(state, fault, at, slot):
            return False
        if op == Op.KEEP_REVEALED and not is_kept_sound(state, fault, at, slot):
            return False
        is_shown = op == Op.EXECUTED or op == Op.USE_EXECUTED or op == Op.RESEARCH_SLOT
        slot += is_shown or op == Op.KEEP_REVEALED
    if not is_within(fault, Field.TABLE_COUNT, 0, state["table_count"], slot, slot, Reason.TABLE):
        return False
    if command == -1 and not are_fleets_listed(state, fault, False):
        return False
    if is_peace and not is_at_peace(state, fault):
        return False
    done = int(state["activations"])
    most = int(state["max_activations"])
    return is_within(fault, Field.ACTIVATIONS, 0, done, activated, most, Reason.STACKING)
