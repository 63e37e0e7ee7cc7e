"""What one frame of an effect may hold, beside what `ops.csv` says of its op."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import (
    COLOR_BY_CARD,
)
from impulse_env.engine.constants import (
    ANY_COLOR,
    CELLS,
    COLOR_COUNT,
    CORE,
    CRUISER,
    FACES,
    GATES,
    TECHS,
    TRANSPORT,
    Op,
    Purpose,
    State,
)
from impulse_env.engine.effects.build import EACH, home_of
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
    """Make a field of the frame `at` the fault; return False."""
    value = int(state["stack"][at, field])
    return refuse(fault, Field.STACK, at * FRAME_FIELDS + field, value, Reason.FRAME)


@jit_internal
def is_card_choice_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """A frame that chooses cards: of PLAN_CARD or CHOOSE_COPY, to others the table says it all."""
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
    """A frame that draws or reveals: REVEAL, REVEAL_NEXT, KEEP_REVEALED."""
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
    """A frame that builds: BUILD_LOCATION, BUILD_SHIP."""
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
    """A frame of bombs: SABOTAGE_FLEET, SABOTAGE_OWNER, BOMB."""
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
    """The frame of an Execute card, B being any chain of Tech slots."""
    return holds(state, fault, at, B, 0, (1 << TECHS) - 1)
