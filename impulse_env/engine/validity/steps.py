"""What a frame of no effect may hold beside what `ops.csv` says, and its card on the table."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    ANY_COLOR,
    CARDS_FOR_NEW_DECK,
    CELLS,
    COMMON_TECH,
    NO_CARD,
    TECHS,
    Op,
    Purpose,
    State,
)
from impulse_env.engine.deck import fits
from impulse_env.engine.effects.command import SEVERAL, crossed_cell
from impulse_env.engine.state import (
    CARD,
    COLORS,
    DONE,
    FRAME_FIELDS,
    HIGH,
    LEFT,
    LOW,
    OP,
    A,
    B,
)
from impulse_env.engine.validity.expected import holds
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse


@jit_internal
def is_on_table(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """Whether the card of the frame `at` is that of the table's slot."""
    shown = int(state["table_count"])
    most = len(state["table"])
    if not is_within(fault, Field.TABLE_COUNT, 0, shown, slot + 1, most, Reason.TABLE):
        return False
    card = int(state["table"][slot])
    return holds(state, fault, at, CARD, card, card)


@jit_internal
def is_executed_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """A frame that waits to discard an executed card of hand or deck."""
    one = 0 if state["stack"][at, LEFT] == 0 else 1
    colors = one * ANY_COLOR
    purpose = one * Purpose.EXECUTE
    return (
        is_on_table(state, fault, at, slot)
        and holds(state, fault, at, LEFT, one, one)
        and holds(state, fault, at, COLORS, colors, colors)
        and holds(state, fault, at, LOW, one, one)
        and holds(state, fault, at, HIGH, one, one * np.iinfo(np.int8).max)
        and holds(state, fault, at, A, purpose, purpose)
    )


@jit_internal
def is_research_slot_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """The frame of a face that is to cover a Tech, or that covers one and may be used."""
    if state["stack"][at, OP] == Op.RESEARCH_SLOT:
        is_alone = at == 0 or state["stack"][at - 1, OP] == Op.EXECUTED
        return is_on_table(state, fault, at, slot) and holds(
            state, fault, at, A, 0, 1 if is_alone else 0
        )
    if not holds(state, fault, at, A, 1, 1) or not holds(state, fault, at, B, 0, TECHS - 1):
        return False
    tech = int(state["techs"][int(state["active"]), int(state["stack"][at, B])])
    return holds(state, fault, at, CARD, max(tech, 0), tech)


@jit_internal
def is_activation_sound(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """The frame of a map card that Transports arrived at, or of one that they explore."""
    if not holds(state, fault, at, CARD, NO_CARD, NO_CARD) or not holds(
        state, fault, at, A, 0, CELLS - 1
    ):
        return False
    cell = int(state["stack"][at, A])
    if state["stack"][at, OP] == Op.PLACE_EXPLORED:
        move = state["stack"][at - 1]
        crossed = crossed_cell(state, int(move[SEVERAL]), int(move[LEFT]))
        return holds(state, fault, at, A, crossed, crossed)
    last = int(state["max_activations"]) - 1
    up = int(state["cell_face_up"][cell])
    return (
        holds(state, fault, at, B, 1, int(state["transports"][int(state["active"]), cell]))
        and is_within(fault, Field.ACTIVATIONS, 0, state["activations"], 0, last, Reason.FRAME)
        and is_within(fault, Field.CELL_FACE_UP, cell, up, 1, 1, Reason.FRAME)
    )


@jit_internal
def is_discard_sound(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """The frame of a player who discards for a new deck."""
    players = int(state["players"])
    if (
        not holds(state, fault, at, CARD, NO_CARD, NO_CARD)
        or not holds(state, fault, at, LEFT, 1, players)
        or not holds(state, fault, at, DONE, 0, CARDS_FOR_NEW_DECK - 1)
    ):
        return False
    seat = (int(state["active"]) + players - int(state["stack"][at, LEFT])) % players
    if not holds(state, fault, at, A, seat, seat):
        return False
    least = CARDS_FOR_NEW_DECK + 1 - int(state["stack"][at, DONE])
    hand = int(state["hand_count"][seat])
    most = len(state["hand"][seat])
    return is_within(fault, Field.HAND_COUNT, seat, hand, least, most, Reason.FRAME) and is_within(
        fault, Field.DECK_COUNT, 0, state["deck_count"], 0, 0, Reason.DECK
    )


@jit_internal
def is_other_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """The frame of a step that is no effect of its own; a battle's is looked at elsewhere."""
    op = int(state["stack"][at, OP])
    if op == Op.EXECUTED:
        return is_executed_sound(state, fault, at, slot)
    if op == Op.USE_EXECUTED:
        return is_on_table(state, fault, at, slot)
    if op == Op.RESEARCH_SLOT or op == Op.USE_RESEARCHED:
        return is_research_slot_sound(state, fault, at, slot)
    if op == Op.ACTIVATE or op == Op.PLACE_EXPLORED:
        return is_activation_sound(state, fault, at)
    if op == Op.DISCARD_FOR_DECK:
        return is_discard_sound(state, fault, at)
    if op == Op.BASIC_DISCARD or op == Op.BASIC_MODE:
        return holds(state, fault, at, CARD, COMMON_TECH, COMMON_TECH)
    return refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.FRAME)


@jit_internal
def is_kept_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """Whether the card on the table fits the frame that reveals it."""
    if not is_within(
        fault, Field.TABLE_COUNT, 0, state["table_count"], slot + 1, slot + 1, Reason.TABLE
    ):
        return False
    frame = state["stack"][at]
    card = int(state["table"][slot])
    return fits(card, int(frame[COLORS]), 1, int(frame[HIGH])) or refuse(
        fault, Field.TABLE, slot, card, Reason.TABLE
    )
