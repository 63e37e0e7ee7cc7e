"""What one frame of an effect may hold, beside what is said where its op is carried out."""

from typing import Final

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
from impulse_env.engine.validity.expected import holds, is_as_begun
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse

_COLORS: Final = 1 << COLORS
_LIMITS: Final = (1 << LOW) | (1 << HIGH)
_DONE: Final = 1 << DONE
_A: Final = 1 << A
_B: Final = 1 << B
_LEFT: Final = 1 << LEFT


@jit_internal
def is_counting(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """Whether LEFT and DONE add up to what the card began with, and something is left."""
    done = int(state["stack"][at, DONE])
    return holds(state, fault, at, DONE, 0, int(most[LEFT]) - 1) and holds(
        state, fault, at, LEFT, max(1, int(least[LEFT]) - done), int(most[LEFT]) - done
    )


@jit_internal
def is_card_choice_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """A frame that chooses cards: TRADE_CARD to CHOOSE_COPY, and REFINE_CARD."""
    frame = state["stack"][at]
    op = int(frame[OP])
    if not is_counting(state, fault, at, least, most) or not is_as_begun(
        state, fault, at, _LIMITS | _B, least, most
    ):
        return False
    if op == Op.CHOOSE_COPY:
        seat = int(state["active"])
        end = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
        card = int(frame[A])
        if not holds(state, fault, at, A, 0, FACES - 1):
            return False
        if count_planned(state, card, end) < 2:
            return refuse(fault, Field.STACK, at * FRAME_FIELDS + A, card, Reason.FRAME)
    elif not is_as_begun(state, fault, at, _A, least, most):
        return False
    if op == Op.PLAN_CARD and least[A] == 1:
        if not holds(state, fault, at, COLORS, 0, ANY_COLOR):
            return False
        gone = 0
        for color in range(COLOR_COUNT):
            gone += not (frame[COLORS] >> color) & 1
        return holds(state, fault, at, DONE, gone, gone)
    return is_as_begun(state, fault, at, _COLORS, least, most)


@jit_internal
def is_reveal_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """A frame that draws or reveals: REVEAL, REVEAL_NEXT, KEEP_REVEALED."""
    frame = state["stack"][at]
    op = int(frame[OP])
    if not is_as_begun(state, fault, at, _LIMITS | _DONE, least, most):
        return False
    if least[OP] == Op.EXECUTE:
        return (
            holds(state, fault, at, LEFT, 1, 1)
            and holds(state, fault, at, COLORS, ANY_COLOR, ANY_COLOR)
            and holds(state, fault, at, A, Purpose.EXECUTE, Purpose.EXECUTE)
            and holds(state, fault, at, B, PLAIN, PLAIN)
        )
    begun = int(least[B])
    stage = int(frame[B])
    is_first = stage == FIRST_BLIND or (stage == FIRST_SETS_COLOR and op != Op.REVEAL_NEXT)
    high = int(most[LEFT]) - (1 if op == Op.REVEAL_NEXT else 0)
    if not holds(state, fault, at, LEFT, 1, high) or not is_as_begun(
        state, fault, at, _A, least, most
    ):
        return False
    may_be_plain = begun != BLIND
    if stage != begun and not (may_be_plain and stage == PLAIN):
        return holds(state, fault, at, B, begun, begun)
    is_blind = stage == BLIND or stage == FIRST_BLIND
    if (op == Op.KEEP_REVEALED and is_blind) or (op == Op.REVEAL_NEXT and stage == FIRST_BLIND):
        return holds(state, fault, at, B, PLAIN, PLAIN)
    if (
        is_first
        and stage == FIRST_BLIND
        and not holds(state, fault, at, LEFT, int(least[LEFT]), int(most[LEFT]))
    ):
        return False
    if frame[A] == Purpose.DRAW:
        seat = int(state["active"])
        hand = int(state["hand_count"][seat])
        most_cards = int(state["hand_limit"]) - 1
        if not is_within(fault, Field.HAND_COUNT, seat, hand, 0, most_cards, Reason.FRAME):
            return False
    if begun == FIRST_SETS_COLOR and stage == PLAIN:
        colors = int(frame[COLORS])
        is_one = colors in (1, 2, 4, 8)
        return is_one or refuse(
            fault, Field.STACK, at * FRAME_FIELDS + COLORS, colors, Reason.FRAME
        )
    return is_as_begun(state, fault, at, _COLORS, least, most)


@jit_internal
def is_build_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """A frame that builds: BUILD_LOCATION, BUILD_SHIP."""
    frame = state["stack"][at]
    seat = int(state["active"])
    home = home_of(state, seat)
    cell = int(frame[B])
    if not is_as_begun(state, fault, at, _LIMITS | _COLORS | _A, least, most) or not holds(
        state, fault, at, B, 0, CELLS - 1
    ):
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
    if not is_counting(state, fault, at, least, most):
        return False
    total = int(frame[LOW]) if frame[CARD] >= 0 else 1
    left = total - int(frame[DONE])
    if not holds(state, fault, at, LEFT, left, left):
        return False
    if frame[OP] == Op.BUILD_LOCATION:
        return holds(state, fault, at, DONE, 0, 0) and holds(state, fault, at, B, home, home)
    if least[OP] == Op.BUILD_LOCATION:
        at_cell = int(state["transports"][seat, cell])
        return at_cell > 0 or refuse(fault, Field.STACK, at * FRAME_FIELDS + B, cell, Reason.FRAME)
    return holds(state, fault, at, B, home, home)


@jit_internal
def is_sabotage_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """A frame of bombs: SABOTAGE_FLEET, SABOTAGE_OWNER, BOMB."""
    frame = state["stack"][at]
    seat = int(state["active"])
    op = int(frame[OP])
    lowest = 1 if op == Op.BOMB else int(least[LEFT])
    if not holds(state, fault, at, LEFT, lowest, int(most[LEFT])) or not is_as_begun(
        state, fault, at, _COLORS | _LIMITS | _DONE, least, most
    ):
        return False
    if op == Op.SABOTAGE_FLEET:
        return is_as_begun(state, fault, at, _A | _B, least, most)
    types = int(least[A])
    first = 0 if types & TRANSPORT else CELLS
    last = CELLS + GATES - 1 if types & CRUISER else CELLS - 1
    if not holds(state, fault, at, A, first, last):
        return False
    place = int(frame[A])
    if op == Op.SABOTAGE_OWNER:
        if place >= CELLS or count_enemy_fleets(state, place) < 2:
            return refuse(fault, Field.STACK, at * FRAME_FIELDS + A, place, Reason.FRAME)
        return holds(state, fault, at, B, 0, 0)
    if not holds(state, fault, at, B, 0, int(state["players"]) - 1):
        return False
    owner = int(frame[B])
    return are_enemies(state, seat, owner) or refuse(
        fault, Field.STACK, at * FRAME_FIELDS + B, owner, Reason.FRAME
    )


@jit_internal
def is_execute_sound(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """The frame of an Execute card, B being any chain of Tech slots."""
    fields = _LEFT | _COLORS | _LIMITS | _DONE | _A
    return is_as_begun(state, fault, at, fields, least, most) and holds(
        state, fault, at, B, 0, (1 << TECHS) - 1
    )
