"""Which frame may lie on which, which cards lie on the table for them, and how deep it goes."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.cards import FAMILY_BY_CARD
from impulse_env.engine.compilation import jit_internal
from impulse_env.engine.constants import (
    ANY_COLOR,
    CARDS_FOR_NEW_DECK,
    CELLS,
    COMMON_TECH,
    FIRST_AUTOMATIC,
    NO_CARD,
    RUNNING,
    TECHS,
    Family,
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
    STACK_DEPTH,
    A,
    B,
)
from impulse_env.engine.validity.battles import is_at_peace, is_battle_sound
from impulse_env.engine.validity.expected import (
    FIRST_OP,
    holds,
    holds_nothing,
    is_begun,
)
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse
from impulse_env.engine.validity.frames import (
    is_build_sound,
    is_card_choice_sound,
    is_execute_sound,
    is_reveal_sound,
    is_sabotage_sound,
)
from impulse_env.engine.validity.movement import are_fleets_listed, is_movement_sound


@jit_internal
def is_on_top_sound(state: State, fault: NDArray[np.int64], top: int) -> bool:
    """Whether the innermost frame may be where the game rests."""
    op = int(state["stack"][top, OP])
    if state["status"] == RUNNING:
        is_sound = Op.CHOOSE_FLEET <= op < FIRST_AUTOMATIC
    else:
        is_sound = (
            op == Op.TRADE_CARD
            or op == Op.REFINE_CARD
            or op == Op.REVEAL_NEXT
            or op == Op.MOVE
            or op == Op.FIGHT
            or op == Op.EXECUTED
        )
    return is_sound or refuse(fault, Field.STACK, top * FRAME_FIELDS + OP, op, Reason.STACKING)


@jit_internal
def lies_well(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """Whether the frame `at` may lie on the one below it, or at the bottom."""
    op = int(state["stack"][at, OP])
    below = int(state["stack"][at - 1, OP]) if at > 0 else 0
    is_drawing = state["phase"] == Op.DRAW_CARDS
    if is_drawing or op == Op.DISCARD_FOR_DECK:
        is_sound = op == Op.DISCARD_FOR_DECK and (
            (at == 0 and is_drawing)
            or below == Op.REVEAL
            or below == Op.BOMB
            or below == Op.BATTLE_DRAW
        )
    elif op == Op.PLACE_EXPLORED:
        is_sound = below == Op.MOVE
    elif op == Op.REINFORCE or op == Op.BATTLE_DRAW:
        is_sound = below == Op.FIGHT
    elif op == Op.RESEARCH_SLOT and below == Op.RESEARCH_CARD:
        is_sound = state["stack"][at - 1, A] == 0 and state["stack"][at - 1, DONE] > 0
    elif op == Op.RESEARCH_SLOT and below == Op.RESEARCH_PLANNED:
        is_sound = state["stack"][at - 1, DONE] > 0
    elif op == Op.RESEARCH_SLOT and below == Op.REVEAL_NEXT:
        is_sound = state["stack"][at - 1, A] == Purpose.RESEARCH
    else:
        is_sound = at == 0 or below == Op.EXECUTED
    return is_sound or refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.STACKING)


@jit_internal
def is_led_to(state: State, at: int) -> bool:
    """Whether the executed card of the frame below can have led to the frame `at`."""
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
    """Whether the frame `at` lies on an executed Command whose Transports have activated it."""
    below = state["stack"][at - 1]
    if at == 0 or below[OP] != Op.EXECUTED:
        return False
    if FAMILY_BY_CARD[below[CARD]] > Family.COMMAND_FLEETS_TO_SAME_CARD:
        return False
    op = int(state["stack"][at, OP])
    is_moving = FIRST_OP[op] == Op.CHOOSE_FLEET and state["stack"][at, CARD] == below[CARD]
    return not is_moving and op != Op.ACTIVATE


@jit_internal
def is_on_table(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """Whether the card of the frame `at` is that of the table's slot."""
    if not is_within(
        fault,
        Field.TABLE_COUNT,
        0,
        state["table_count"],
        slot + 1,
        len(state["table"]),
        Reason.TABLE,
    ):
        return False
    card = int(state["table"][slot])
    return holds(state, fault, at, CARD, card, card)


@jit_internal
def is_executed_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """A frame that waits to discard an executed card of hand or deck."""
    if not is_on_table(state, fault, at, slot):
        return False
    if state["stack"][at, LEFT] == 0:
        return holds_nothing(state, fault, at, 0)
    return (
        holds(state, fault, at, LEFT, 1, 1)
        and holds(state, fault, at, COLORS, ANY_COLOR, ANY_COLOR)
        and holds(state, fault, at, LOW, 1, 1)
        and holds(state, fault, at, HIGH, 1, np.iinfo(np.int8).max)
        and holds(state, fault, at, DONE, 0, 0)
        and holds(state, fault, at, A, Purpose.EXECUTE, Purpose.EXECUTE)
        and holds(state, fault, at, B, 0, 0)
    )


@jit_internal
def is_research_slot_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """The frame of a face that is to cover a Tech, or that covers one and may be used."""
    if state["stack"][at, OP] == Op.RESEARCH_SLOT:
        is_alone = at == 0 or state["stack"][at - 1, OP] == Op.EXECUTED
        return (
            is_on_table(state, fault, at, slot)
            and holds(state, fault, at, A, 0, 1 if is_alone else 0)
            and holds_nothing(state, fault, at, 1 << A)
        )
    if (
        not holds(state, fault, at, A, 1, 1)
        or not holds(state, fault, at, B, 0, TECHS - 1)
        or not holds_nothing(state, fault, at, (1 << A) | (1 << B))
    ):
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
        return holds(state, fault, at, A, crossed, crossed) and holds_nothing(
            state, fault, at, 1 << A
        )
    there = int(state["transports"][int(state["active"]), cell])
    if not holds(state, fault, at, B, 1, there) or not holds_nothing(
        state, fault, at, (1 << A) | (1 << B)
    ):
        return False
    last = int(state["max_activations"]) - 1
    return is_within(
        fault, Field.ACTIVATIONS, 0, state["activations"], 0, last, Reason.FRAME
    ) and is_within(
        fault, Field.CELL_FACE_UP, cell, state["cell_face_up"][cell], 1, 1, Reason.FRAME
    )


@jit_internal
def is_discard_sound(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """The frame of a player who discards for a new deck."""
    players = int(state["players"])
    if (
        not holds(state, fault, at, CARD, NO_CARD, NO_CARD)
        or not holds(state, fault, at, LEFT, 1, players)
        or not holds(state, fault, at, DONE, 0, CARDS_FOR_NEW_DECK - 1)
        or not holds_nothing(state, fault, at, (1 << LEFT) | (1 << DONE) | (1 << A))
    ):
        return False
    seat = (int(state["active"]) + players - int(state["stack"][at, LEFT])) % players
    if not holds(state, fault, at, A, seat, seat):
        return False
    least = CARDS_FOR_NEW_DECK + 1 - int(state["stack"][at, DONE])
    hand = int(state["hand_count"][seat])
    return is_within(
        fault, Field.HAND_COUNT, seat, hand, least, len(state["hand"][seat]), Reason.FRAME
    ) and is_within(fault, Field.DECK_COUNT, 0, state["deck_count"], 0, 0, Reason.DECK)


@jit_internal
def is_effect_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """The frame of a card's or a Basic Tech's effect."""
    op = int(state["stack"][at, OP])
    first = FIRST_OP[op]
    if not is_begun(state, fault, at, least, most):
        return False
    if first == Op.CHOOSE_FLEET:
        return is_movement_sound(state, fault, at, least, most)
    if first == Op.REVEAL:
        return is_reveal_sound(state, fault, at, least, most)
    if first == Op.EXECUTE:
        return is_execute_sound(state, fault, at, least, most)
    if first == Op.BUILD_SHIP or first == Op.BUILD_LOCATION:
        return is_build_sound(state, fault, at, least, most)
    if first == Op.SABOTAGE_FLEET:
        return is_sabotage_sound(state, fault, at, least, most)
    return is_card_choice_sound(state, fault, at, least, most)


@jit_internal
def is_other_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """The frame of a step that is no effect of its own; a battle's is looked at elsewhere."""
    op = int(state["stack"][at, OP])
    if op == Op.EXECUTED:
        return is_executed_sound(state, fault, at, slot)
    if op == Op.USE_EXECUTED:
        return is_on_table(state, fault, at, slot) and holds_nothing(state, fault, at, 0)
    if op == Op.RESEARCH_SLOT or op == Op.USE_RESEARCHED:
        return is_research_slot_sound(state, fault, at, slot)
    if op == Op.ACTIVATE or op == Op.PLACE_EXPLORED:
        return is_activation_sound(state, fault, at)
    if op == Op.DISCARD_FOR_DECK:
        return is_discard_sound(state, fault, at)
    if op == Op.BASIC_DISCARD or op == Op.BASIC_MODE:
        return holds(state, fault, at, CARD, COMMON_TECH, COMMON_TECH) and holds_nothing(
            state, fault, at, 0
        )
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


@jit_internal
def is_stack_empty_above(state: State, fault: NDArray[np.int64]) -> bool:
    """Whether every frame past the count is 0."""
    for at in range(int(state["stack_count"]), STACK_DEPTH):
        for field in range(FRAME_FIELDS):
            if state["stack"][at, field] != 0:
                return is_within(
                    fault,
                    Field.STACK,
                    at * FRAME_FIELDS + field,
                    state["stack"][at, field],
                    0,
                    0,
                    Reason.UNUSED,
                )
    return True


@jit_internal
def is_stack_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Whether all frames, the movement, the battle and the table agree."""
    if not is_stack_empty_above(state, fault):
        return False
    count = int(state["stack_count"])
    if count > 0 and not is_on_top_sound(state, fault, count - 1):
        return False
    least = np.zeros(FRAME_FIELDS, np.int8)
    most = np.zeros(FRAME_FIELDS, np.int8)
    slot = 0
    command = -1
    is_peace = True
    activated = 0
    for at in range(count):
        if not lies_well(state, fault, at):
            return False
        op = int(state["stack"][at, OP])
        if not is_within(
            fault, Field.STACK, at * FRAME_FIELDS, op, 0, len(FIRST_OP) - 1, Reason.FRAME
        ):
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
            if not is_effect_sound(state, fault, at, least, most):
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
    most_activations = int(state["max_activations"])
    return is_within(
        fault,
        Field.ACTIVATIONS,
        0,
        state["activations"],
        activated,
        most_activations,
        Reason.STACKING,
    )
