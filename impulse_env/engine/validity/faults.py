"""A fault as numbers: the field, the element, its value, the allowed range, and the reason."""

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.state import STATE


class Field(IntEnum):
    """The fields of the record in its order; COPIES means the number of cards of one face."""

    RNG = 0
    TARGET_SCORE = 1
    MAX_TURNS = 2
    TURN = 3
    SCORE = 4
    POINTS = 5
    BATTLE_ICONS = 6
    PLAYERS = 7
    TEAMS = 8
    HAND_LIMIT = 9
    SHIPS = 10
    MAX_ACTIVATIONS = 11
    AUTO_FORCED = 12
    DRAFT = 13
    START_SEAT = 14
    STATUS = 15
    WINNER = 16
    ACTIVE = 17
    PHASE = 18
    CURSOR = 19
    ACTIVATIONS = 20
    CELL_CARD = 21
    CELL_FACE_UP = 22
    TRANSPORTS = 23
    GATE_OWNER = 24
    GATE_SHIPS = 25
    DECK = 26
    DECK_COUNT = 27
    DISCARD = 28
    DISCARD_COUNT = 29
    IMPULSE = 30
    IMPULSE_COUNT = 31
    TABLE = 32
    TABLE_COUNT = 33
    RACE = 34
    ELIMINATED = 35
    SHIPS_ON_MAP = 36
    HAND = 37
    HAND_COUNT = 38
    KNOWN = 39
    KNOWN_COUNT = 40
    PLAN = 41
    PLAN_COUNT = 42
    NEXT_PLAN_COUNT = 43
    MINERALS = 44
    GEMS = 45
    TECHS = 46
    FLEET_COUNT = 47
    FLEET_FROM = 48
    FLEET_SHIPS = 49
    PATH = 50
    PATH_COUNT = 51
    BATTLE_GATE = 52
    BATTLE_SEAT = 53
    BATTLE_SHIPS = 54
    LAID = 55
    LAID_COUNT = 56
    STACK = 57
    STACK_COUNT = 58
    COPIES = 59


if tuple(field.name.lower() for field in Field)[:-1] != STATE.names:
    raise ValueError("faults name the fields of the record in its order")


class Reason(IntEnum):
    """The reason for rejecting a value; `impulse_env.validation` has the words."""

    RANGE = 0
    UNUSED = 1
    SUM = 2
    COPIES = 3
    ORDER = 4
    KNOWN = 5
    SETUP = 6
    PHASE = 7
    STATUS = 8
    SEAT = 9
    SHIPS = 10
    MAP = 11
    HAND = 12
    FRAME = 13
    STACKING = 14
    TABLE = 15
    MOVEMENT = 16
    BATTLE = 17
    DECK = 18
    ALONE = 19
    ENDLESS = 20
    CHOICE = 21


FAULT_NUMBERS: Final = 6
FIELD, POSITION, VALUE, LOWEST, HIGHEST, REASON = range(FAULT_NUMBERS)
"""The numbers of a fault; LOWEST above HIGHEST means that only the reason explains it."""
NO_FAULT: Final = -1
"""The value of FIELD without a fault."""


@jit_internal
def is_within(
    fault: NDArray[np.int64],
    field: int,
    position: int,
    value: int,
    lowest: int,
    highest: int,
    reason: int,
) -> bool:
    """Return whether a value is in a range; a value outside is written as the fault.

    Args:
        fault: Shape ``(FAULT_NUMBERS,)``; overwritten if the value is outside.
        field: A `Field`.
        position: The flat index of the element.
        value: The element.
        lowest: The lowest allowed value.
        highest: The highest allowed value.
        reason: A `Reason`.
    """
    if lowest <= value <= highest:
        return True
    fault[FIELD] = field
    fault[POSITION] = position
    fault[VALUE] = value
    fault[LOWEST] = lowest
    fault[HIGHEST] = highest
    fault[REASON] = reason
    return False


@jit_internal
def is_in_range(
    fault: NDArray[np.int64], field: int, value: int, lowest: int, highest: int
) -> bool:
    """Return whether the value of a field with a single element is in a range."""
    return is_within(fault, field, 0, value, lowest, highest, Reason.RANGE)


@jit_internal
def is_empty(fault: NDArray[np.int64], field: int, position: int, value: int, empty: int) -> bool:
    """Return whether an element past the count of its row is empty."""
    return is_within(fault, field, position, value, empty, empty, Reason.UNUSED)


@jit_internal
def refuse(fault: NDArray[np.int64], field: int, position: int, value: int, reason: int) -> bool:
    """Write a value as the fault, explained only by its reason; return False."""
    return is_within(fault, field, position, value, value + 1, value - 1, reason)
