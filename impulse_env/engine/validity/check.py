"""The check of the whole record; each check relies on the previous ones."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit, jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, RUNNING, Op, State
from impulse_env.engine.effects.build import build_location_options
from impulse_env.engine.effects.command import choose_fleet_options, choose_move_options
from impulse_env.engine.effects.sabotage import sabotage_fleet_options
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import FRAME_FIELDS, OP
from impulse_env.engine.validity.faults import FIELD, NO_FAULT, Field, Reason, is_within, refuse
from impulse_env.engine.validity.phases import (
    are_options_sound,
    is_cursor_sound,
    is_phase_sound,
    is_setup_sound,
    is_status_sound,
)
from impulse_env.engine.validity.seats import (
    are_races_sound,
    are_scores_sound,
    are_ships_sound,
    is_elimination_sound,
)
from impulse_env.engine.validity.stacking import is_stack_sound
from impulse_env.engine.validity.zones import are_cards_sound


@jit_internal
def has_choice(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the innermost frame offers a choice if it needs one; all frames are sound."""
    top = int(state["stack_count"]) - 1
    if top < 0 or state["status"] != RUNNING:
        return True
    op = int(state["stack"][top, OP])
    options = np.empty(SIZE, np.int16)
    count = 1
    if op == Op.PLACE_EXPLORED or op == Op.BASIC_DISCARD:
        count = int(state["hand_count"][int(state["active"])])
    elif op == Op.SABOTAGE_FLEET:
        count = sabotage_fleet_options(state, options)
    elif op == Op.BUILD_LOCATION:
        count = build_location_options(state, options)
    elif op == Op.CHOOSE_FLEET:
        count = choose_fleet_options(state, options)
    elif op == Op.CHOOSE_SHIPS or op == Op.CHOOSE_MOVE:
        # A fleet that cannot move is not on offer, so its ships do not count.
        count = choose_move_options(state, options)
    return count > 0 or refuse(fault, Field.STACK, top * FRAME_FIELDS + OP, op, Reason.CHOICE)


@jit_internal
def are_hands_limited(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether hands are within the limit, except that of an exploring player (p. 17)."""
    is_exploring = current_op(state) == Op.PLACE_EXPLORED
    for seat in range(MAX_PLAYERS):
        hand = int(state["hand_count"][seat])
        most = int(state["hand_limit"])
        if is_exploring and seat == state["active"]:
            most += 1
        if not is_within(fault, Field.HAND_COUNT, seat, hand, 0, most, Reason.HAND):
            return False
    return True


@jit_internal
def is_deck_refilled(state: State, fault: NDArray[np.int64]) -> bool:
    """Return whether the discard pile is empty if the deck is, as at every decision (p. 16)."""
    if (
        state["status"] != RUNNING
        or state["deck_count"] > 0
        or current_op(state) == Op.DISCARD_FOR_DECK
    ):
        return True
    return is_within(fault, Field.DISCARD_COUNT, 0, state["discard_count"], 0, 0, Reason.DECK)


@jit_internal
def is_sound(state: State, fault: NDArray[np.int64], at_decision: bool) -> bool:
    """Return whether a record can be a game at a decision or after its end.

    Args:
        state: Any bytes of the right length.
        fault: Overwritten with the first fault, see `faults`.
        at_decision: Whether the deck must have been refilled, as at every decision.
    """
    return (
        are_options_sound(state, fault)
        and is_status_sound(state, fault)
        and is_phase_sound(state, fault)
        and are_races_sound(state, fault)
        and are_ships_sound(state, fault)
        and are_cards_sound(state, fault)
        and are_scores_sound(state, fault)
        and is_elimination_sound(state, fault)
        and is_cursor_sound(state, fault)
        and are_hands_limited(state, fault)
        and is_setup_sound(state, fault)
        and is_stack_sound(state, fault)
        and has_choice(state, fault)
        and (not at_decision or is_deck_refilled(state, fault))
    )


@jit
def find_faults(states: np.ndarray, at_decision: bool, faults: NDArray[np.int64]) -> int:
    """Check every record; return the number of records with a fault.

    Args:
        states: Shape ``(n,)``, dtype `STATE`.
        at_decision: As in `is_sound`.
        faults: Shape ``(n, FAULT_NUMBERS)``; overwritten, with the field `NO_FAULT` for a valid
            record.
    """
    invalid = 0
    for game in range(len(states)):
        faults[game] = 0
        faults[game, FIELD] = NO_FAULT
        if not is_sound(states[game], faults[game], at_decision):
            invalid += 1
    return invalid
