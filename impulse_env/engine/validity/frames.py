"""Checks of single frames beyond those that `ops.csv` defines, and of their cards on the table."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import (
    COLOR_BY_CARD,
)
from impulse_env.engine.constants import (
    ANY_COLOR,
    CARDS_FOR_NEW_DECK,
    CELLS,
    COLOR_COUNT,
    COMMON_TECH,
    CORE,
    CRUISER,
    FACES,
    GATES,
    NO_CARD,
    TECHS,
    TRANSPORT,
    Op,
    Purpose,
    State,
)
from impulse_env.engine.deck import fits
from impulse_env.engine.effects.build import EACH, home_of
from impulse_env.engine.effects.command import SEVERAL, crossed_cell
from impulse_env.engine.effects.research import count_planned
from impulse_env.engine.effects.reveal import BLIND, FIRST_BLIND, FIRST_SETS_COLOR, PLAIN
from impulse_env.engine.effects.sabotage import count_enemy_fleets
from impulse_env.engine.scoring import are_enemies
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
from impulse_env.engine.validity.expected import (
    LEAST,
    MOST_BOOSTED,
    holds,
    is_as_begun,
    is_counting,
)
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse


@jit_internal
def refuse_field(state: State, fault: NDArray[np.int64], at: int, field: int) -> bool:
    """Write a field of the frame `at` as the fault; return False."""
    value = int(state["stack"][at, field])
    return refuse(fault, Field.STACK, at * FRAME_FIELDS + field, value, Reason.FRAME)


@jit_internal
def is_card_choice_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Check a frame that chooses cards: PLAN_CARD, CHOOSE_COPY; `ops.csv` covers the others."""
    frame = state["stack"][at]
    op = int(frame[OP])
    if op == Op.CHOOSE_COPY:
        seat = int(state["active"])
        end = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
        if not holds(state, fault, at, A, 0, FACES - 1):
            return False
        return count_planned(state, int(frame[A]), end) >= 2 or refuse_field(state, fault, at, A)
    if op != Op.PLAN_CARD:
        return True
    if begun[LEAST, A] == 0:
        return is_as_begun(state, fault, at, COLORS, begun)
    if not holds(state, fault, at, COLORS, 0, ANY_COLOR):
        return False
    gone = 0
    for color in range(COLOR_COUNT):
        gone += not (frame[COLORS] >> color) & 1
    return holds(state, fault, at, DONE, gone, gone)


@jit_internal
def is_reveal_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Check a frame that draws or reveals: REVEAL, REVEAL_NEXT, KEEP_REVEALED."""
    frame = state["stack"][at]
    op = int(frame[OP])
    if begun[LEAST, OP] == Op.EXECUTE:
        return (
            holds(state, fault, at, LEFT, 1, 1)
            and holds(state, fault, at, COLORS, ANY_COLOR, ANY_COLOR)
            and holds(state, fault, at, A, Purpose.EXECUTE, Purpose.EXECUTE)
            and holds(state, fault, at, B, PLAIN, PLAIN)
        )
    first = int(begun[LEAST, B])
    stage = int(frame[B])
    least = 1
    most = int(begun[MOST_BOOSTED, LEFT])
    if op == Op.REVEAL_NEXT:
        most -= 1
    elif stage == FIRST_BLIND:
        least = int(begun[LEAST, LEFT])
    if not holds(state, fault, at, LEFT, least, most) or not is_as_begun(
        state, fault, at, A, begun
    ):
        return False
    if stage != first and (first == BLIND or stage != PLAIN):
        return holds(state, fault, at, B, first, first)
    is_blind = stage == BLIND or stage == FIRST_BLIND
    if (op == Op.KEEP_REVEALED and is_blind) or (op == Op.REVEAL_NEXT and stage == FIRST_BLIND):
        return holds(state, fault, at, B, PLAIN, PLAIN)
    if frame[A] == Purpose.DRAW:
        seat = int(state["active"])
        hand = int(state["hand_count"][seat])
        most = int(state["hand_limit"]) - 1
        if not is_within(fault, Field.HAND_COUNT, seat, hand, 0, most, Reason.FRAME):
            return False
    if first == FIRST_SETS_COLOR and stage == PLAIN:
        return int(frame[COLORS]) in (1, 2, 4, 8) or refuse_field(state, fault, at, COLORS)
    return is_as_begun(state, fault, at, COLORS, begun)


@jit_internal
def is_build_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Check a frame that builds: BUILD_LOCATION, BUILD_SHIP."""
    frame = state["stack"][at]
    seat = int(state["active"])
    home = home_of(state, seat)
    cell = int(frame[B])
    if not holds(state, fault, at, B, 0, CELLS - 1):
        return False
    if frame[HIGH] == EACH:
        if not holds(state, fault, at, LEFT, 1, int(frame[LOW])):
            return False
        if cell == home and frame[DONE] == 0:
            return True
        color = COLOR_BY_CARD[state["cell_card"][cell]] if cell != CORE else 0
        is_occupied = (
            cell != home
            and cell != CORE
            and state["cell_face_up"][cell]
            and state["transports"][seat, cell] > 0
            and (frame[COLORS] >> color) & 1
        )
        if not is_occupied:
            return holds(state, fault, at, B, home, home) and holds(state, fault, at, DONE, 0, 0)
        return holds(state, fault, at, DONE, cell + 1, cell + 1)
    if not is_counting(state, fault, at, begun):
        return False
    total = int(frame[LOW]) if frame[CARD] >= 0 else 1
    left = total - int(frame[DONE])
    if not holds(state, fault, at, LEFT, left, left):
        return False
    if frame[OP] == Op.BUILD_LOCATION:
        return holds(state, fault, at, DONE, 0, 0) and holds(state, fault, at, B, home, home)
    if begun[LEAST, OP] == Op.BUILD_LOCATION:
        return state["transports"][seat, cell] > 0 or refuse_field(state, fault, at, B)
    return holds(state, fault, at, B, home, home)


@jit_internal
def is_sabotage_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Check a frame of bombs: SABOTAGE_FLEET, SABOTAGE_OWNER, BOMB."""
    frame = state["stack"][at]
    op = int(frame[OP])
    if op == Op.SABOTAGE_FLEET:
        return True
    types = int(begun[LEAST, A])
    first = 0 if types & TRANSPORT else CELLS
    last = CELLS + GATES - 1 if types & CRUISER else CELLS - 1
    if not holds(state, fault, at, A, first, last):
        return False
    place = int(frame[A])
    if op == Op.SABOTAGE_OWNER:
        is_shared = place < CELLS and count_enemy_fleets(state, place) >= 2
        return is_shared or refuse_field(state, fault, at, A)
    owner = int(frame[B])
    return (
        holds(state, fault, at, LEFT, 1, int(begun[MOST_BOOSTED, LEFT]))
        and holds(state, fault, at, B, 0, int(state["players"]) - 1)
        and (are_enemies(state, int(state["active"]), owner) or refuse_field(state, fault, at, B))
    )


@jit_internal
def is_execute_sound(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """Check the frame of an Execute card; B may be any chain of Tech slots."""
    return holds(state, fault, at, B, 0, (1 << TECHS) - 1)


@jit_internal
def is_on_table(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """Return whether the card of the frame `at` is that of the table's slot."""
    count = int(state["table_count"])
    most = len(state["table"])
    if not is_within(fault, Field.TABLE_COUNT, 0, count, slot + 1, most, Reason.TABLE):
        return False
    card = int(state["table"][slot])
    return holds(state, fault, at, CARD, card, card)


@jit_internal
def is_executed_sound(state: State, fault: NDArray[np.int64], at: int, slot: int) -> bool:
    """Check a frame that waits to discard an executed card of hand or deck."""
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
    """Check the frame of a face that will cover a Tech, or that covers one and may be used."""
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
    """Check the frame of a map card that Transports arrived at, or that they explore."""
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
    """Check the frame of a player who discards for a new deck."""
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
    """Check the frame of a step that is not an effect; `battles` checks those of battles."""
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
    """Return whether the card on the table fits the frame that reveals it."""
    if not is_within(
        fault, Field.TABLE_COUNT, 0, state["table_count"], slot + 1, slot + 1, Reason.TABLE
    ):
        return False
    frame = state["stack"][at]
    card = int(state["table"][slot])
    return fits(card, int(frame[COLORS]), 1, int(frame[HIGH])) or refuse(
        fault, Field.TABLE, slot, card, Reason.TABLE
    )
