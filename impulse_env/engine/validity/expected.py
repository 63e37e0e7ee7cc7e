"""Initial values of frames by their cards, and checks of single fields of frames.

The boost of a card in use is unknown later. A frame is therefore compared with two initial frames
of its card: without boost, and with the largest boost.
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
from impulse_env.engine.ops import AS_BEGUN, COUNTED, FIRST_OP, MOST
from impulse_env.engine.state import (
    CARD,
    DONE,
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
"""The boost by all cards of a colour as minerals and all Transports arriving."""


LEAST: Final = 0
MOST_BOOSTED: Final = 1
"""Rows of a card's initial frames: without boost, and with the largest boost."""


@jit_internal
def holds(
    state: State, fault: NDArray[np.int64], at: int, field: int, lowest: int, highest: int
) -> bool:
    """Return whether a field of the frame `at` is in a range."""
    value = int(state["stack"][at, field])
    position = at * FRAME_FIELDS + field
    return is_within(fault, Field.STACK, position, value, lowest, highest, Reason.FRAME)


@jit_internal
def is_as_begun(
    state: State, fault: NDArray[np.int64], at: int, field: int, begun: NDArray[np.int8]
) -> bool:
    """Return whether a field has the value that the card began with, for any boost."""
    return holds(state, fault, at, field, int(begun[LEAST, field]), int(begun[MOST_BOOSTED, field]))


@jit_internal
def is_counting(state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]) -> bool:
    """Return whether LEFT and DONE add up to the card's initial value, and LEFT is above 0."""
    done = int(state["stack"][at, DONE])
    most = int(begun[MOST_BOOSTED, LEFT])
    return holds(state, fault, at, DONE, 0, most - 1) and holds(
        state, fault, at, LEFT, max(1, int(begun[LEAST, LEFT]) - done), most - done
    )


@jit_internal
def is_as_declared(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Return whether the fields of a frame match `ops.csv`, except those checked in code."""
    op = int(state["stack"][at, OP])
    for field in range(LEFT, FRAME_FIELDS):
        most = MOST[op, field]
        if most == AS_BEGUN and not is_as_begun(state, fault, at, field, begun):
            return False
        if most == COUNTED and not is_counting(state, fault, at, begun):
            return False
        if most >= 0 and not holds(state, fault, at, field, 0, most):
            return False
    return True


@jit_internal
def is_begun(state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]) -> bool:
    """Fill in the initial frames of a frame's card, without boost and with the largest boost.

    Args:
        state: The game.
        fault: Overwritten if the frame's card has no effect that reaches its op.
        at: The frame.
        begun: Shape ``(2, FRAME_FIELDS)``; overwritten.

    Returns:
        Whether the frame's card has an effect that reaches its op.
    """
    op = int(state["stack"][at, OP])
    card = int(state["stack"][at, CARD])
    seat = int(state["active"])
    home = home_of(state, seat)
    begun[:] = 0
    least = begun[LEAST]
    most = begun[MOST_BOOSTED]
    first = FIRST_OP[op]
    if card >= 0:
        if not holds(state, fault, at, CARD, 0, FACES - 1):
            return False
        fill_effect(least, card, 0, 0, home)
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
        if least[A] == 1:
            return True
    return refuse(fault, Field.STACK, at * FRAME_FIELDS + OP, op, Reason.FRAME)
