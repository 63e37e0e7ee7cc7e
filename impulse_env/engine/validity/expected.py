"""What a frame begins with as its card says, and looking at single fields of frames.

With what boost a card was used cannot be known later: a frame is compared with what its card begins
with without one and with the greatest that there is.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import (
    COLOR_BY_CARD,
    COPIES_BY_CARD,
    SIZE_BY_CARD,
)
from impulse_env.engine.constants import (
    ALL_SHIPS,
    COLOR_COUNT,
    COMMON_TECH,
    FACES,
    GEMS_PER_BOOST,
    MAX_SHIPS,
    RACE_TECH,
    Op,
    Race,
    State,
)
from impulse_env.engine.deck import impulse_of
from impulse_env.engine.effects.basic_tech import (
    ANY_SHIP,
    fill_one_move,
    fill_one_ship,
    fill_race_tech,
)
from impulse_env.engine.effects.build import ONCE, home_of
from impulse_env.engine.effects.command import ANYWHERE
from impulse_env.engine.effects.start import fill_effect
from impulse_env.engine.state import (
    CARD,
    FRAME_FIELDS,
    LEFT,
    OP,
    A,
)
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse

MAX_GEMS: Final = max(
    int((SIZE_BY_CARD * COPIES_BY_CARD)[COLOR_BY_CARD == color].sum())
    for color in range(COLOR_COUNT)
)
MAX_BOOST: Final = (MAX_GEMS + MAX_SHIPS) // GEMS_PER_BOOST
"""All cards of a colour as minerals, and all Transports arriving."""


def _table_of_first_ops() -> NDArray[np.int64]:
    """The op with which an effect begins, by any op that its frame may come to."""
    first = np.zeros(max(Op) + 1, np.int64)
    for begins, others in {
        Op.CHOOSE_FLEET: (Op.CHOOSE_SHIPS, Op.CHOOSE_MOVE, Op.MOVE, Op.FIGHT),
        Op.RESEARCH_CARD: (),
        Op.RESEARCH_PLANNED: (Op.CHOOSE_COPY,),
        Op.REVEAL: (Op.REVEAL_NEXT, Op.KEEP_REVEALED),
        Op.EXECUTE: (),
        Op.BUILD_SHIP: (),
        Op.BUILD_LOCATION: (),
        Op.SABOTAGE_FLEET: (Op.SABOTAGE_OWNER, Op.BOMB),
        Op.PLAN_CARD: (),
        Op.TRADE_CARD: (),
        Op.MINE_CARD: (),
        Op.REFINE_CARD: (),
    }.items():
        for op in (begins, *others):
            first[op] = begins
    first.setflags(write=False)
    return first


FIRST_OP: Final = _table_of_first_ops()
"""By op, OVER for those that are no effect of a card."""


@jit_internal
def holds(
    state: State, fault: NDArray[np.int64], at: int, field: int, lowest: int, highest: int
) -> bool:
    """Whether a field of the frame `at` is in a range."""
    return is_within(
        fault,
        Field.STACK,
        at * FRAME_FIELDS + field,
        state["stack"][at, field],
        lowest,
        highest,
        Reason.FRAME,
    )


@jit_internal
def holds_nothing(state: State, fault: NDArray[np.int64], at: int, used: int) -> bool:
    """Whether all fields past CARD but those of the mask `used` are 0."""
    for field in range(LEFT, FRAME_FIELDS):
        if not (used >> field) & 1 and not holds(state, fault, at, field, 0, 0):
            return False
    return True


@jit_internal
def is_begun(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """Fill in what the card of a frame begins with, without boost and with the greatest."""
    op = int(state["stack"][at, OP])
    card = int(state["stack"][at, CARD])
    seat = int(state["active"])
    home = home_of(state, seat)
    least[:] = 0
    first = FIRST_OP[op]
    if card >= 0:
        if not holds(state, fault, at, CARD, 0, FACES - 1):
            return False
        fill_effect(least, card, 0, 0, home)
        most[:] = 0
        fill_effect(most, card, MAX_BOOST, 0, home)
    elif card == RACE_TECH:
        race = int(state["race"][seat])
        row = impulse_of(state, seat)
        is_bare = state["impulse_count"][row] == 0
        if is_bare and (race == Race.DRACONIANS or race == Race.CAELUMNITES):
            return holds(state, fault, at, CARD, 0, FACES - 1)
        fill_race_tech(state, least)
        most[:] = least
    elif card == COMMON_TECH:
        if first == Op.CHOOSE_FLEET:
            fill_one_move(least, ANY_SHIP, ALL_SHIPS, ANYWHERE)
        else:
            fill_one_ship(least, ANY_SHIP, ONCE, home)
        most[:] = least
    else:
        return holds(state, fault, at, CARD, 0, FACES - 1)
    begins = int(least[OP])
    if begins == first or (op == Op.BUILD_SHIP and begins == Op.BUILD_LOCATION):
        return True
    if begins == Op.EXECUTE and (op == Op.REVEAL or op == Op.KEEP_REVEALED):
        return least[A] == 1 or refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.FRAME)
    return refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.FRAME)


@jit_internal
def is_as_begun(
    state: State,
    fault: NDArray[np.int64],
    at: int,
    fields: int,
    least: NDArray[np.int8],
    most: NDArray[np.int8],
) -> bool:
    """Whether the fields of a mask are what the card began with, whatever its boost."""
    for field in range(LEFT, FRAME_FIELDS):
        if (fields >> field) & 1:
            if not holds(state, fault, at, field, int(least[field]), int(most[field])):
                return False
    return True
