"""Basic Techs: the common one in slot 0, the race's own in slot 1. They are never boosted (R2)."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import BASIC_BUILD, BASIC_COMMAND, CARD_0, PASS
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import (
    ALL_SHIPS,
    ANY_COLOR,
    COMMON_TECH,
    CRUISER,
    RACE_TECH,
    TRANSPORT,
    Action,
    Cell,
    Op,
    Purpose,
    Race,
    State,
)
from impulse_env.engine.deck import (
    are_cards_left,
    discard_from_hand,
    hand_options,
    impulse_of,
    is_hand_full,
)
from impulse_env.engine.effects.build import BY_UNEXPLORED, ONCE, build_places, home_of
from impulse_env.engine.effects.command import ANYWHERE, THROUGH_UNEXPLORED, TO_CORE, fleet_options
from impulse_env.engine.stack import pop, push
from impulse_env.engine.state import CARD, COLORS, HIGH, LEFT, LOW, OP, A, B

ANY_SHIP = TRANSPORT | CRUISER


@jit_internal
def can_command_or_build(state: State, options: NDArray[np.int16], count: int) -> bool:
    """Return whether the common Basic Tech has an effect worth a discard."""
    home = home_of(state, int(state["active"]))
    return (
        build_places(state, home, ANY_SHIP, ONCE, options, count) > count
        or fleet_options(state, ANY_SHIP, ANYWHERE, 1, options, count) > count
    )


@jit_internal
def can_use_race_tech(state: State, options: NDArray[np.int16], count: int) -> bool:
    """Return whether the race's Basic Tech has an effect now; writes scratch past `count`."""
    seat = int(state["active"])
    race = int(state["race"][seat])
    if race == Race.PISCESISH:
        return not is_hand_full(state, seat) and are_cards_left(state)
    if race == Race.ARIEK:
        return fleet_options(state, ANY_SHIP, TO_CORE, 1, options, count) > count
    if race == Race.HERCULESE:
        return fleet_options(state, CRUISER, THROUGH_UNEXPLORED, 1, options, count) > count
    if race == Race.TRIANGULUMNISTS:
        home = home_of(state, seat)
        return build_places(state, home, CRUISER, BY_UNEXPLORED, options, count) > count
    row = impulse_of(state, seat)
    if state["impulse_count"][row] == 0:
        return False
    last = int(state["impulse"][row, int(state["impulse_count"][row]) - 1])
    colors = 1 << COLOR_BY_CARD[last]
    size = SIZE_BY_CARD[last]
    return hand_options(state, seat, colors, size, size, options, count) > count


@jit_internal
def fill_one_move(frame: NDArray[np.int8], types: int, ships: int, restriction: int) -> None:
    """Write into a frame: command one fleet for one move."""
    frame[OP] = Op.CHOOSE_FLEET
    frame[LEFT] = 1
    frame[LOW] = 1
    frame[HIGH] = ships
    frame[A] = types
    frame[B] = restriction


@jit_internal
def fill_one_ship(frame: NDArray[np.int8], types: int, kind: int, home: Cell) -> None:
    """Write into a frame: build one ship at home."""
    frame[OP] = Op.BUILD_SHIP
    frame[LEFT] = 1
    frame[HIGH] = kind
    frame[A] = types
    frame[B] = home


@jit_internal
def fill_race_tech(state: State, frame: NDArray[np.int8]) -> None:
    """Write the first frame of the race's Basic Tech into a zeroed frame."""
    seat = int(state["active"])
    race = int(state["race"][seat])
    frame[CARD] = RACE_TECH
    if race == Race.PISCESISH:
        frame[OP] = Op.REVEAL
        frame[LEFT] = 1
        frame[COLORS] = ANY_COLOR
        frame[HIGH] = 1
        frame[A] = Purpose.DRAW
    elif race == Race.ARIEK:
        fill_one_move(frame, ANY_SHIP, ALL_SHIPS, TO_CORE)
    elif race == Race.HERCULESE:
        fill_one_move(frame, CRUISER, 1, THROUGH_UNEXPLORED)
    elif race == Race.TRIANGULUMNISTS:
        fill_one_ship(frame, CRUISER, BY_UNEXPLORED, home_of(state, seat))
    else:
        row = impulse_of(state, seat)
        last = int(state["impulse"][row, int(state["impulse_count"][row]) - 1])
        frame[OP] = Op.RESEARCH_CARD if race == Race.DRACONIANS else Op.MINE_CARD
        frame[LEFT] = 1
        frame[COLORS] = 1 << COLOR_BY_CARD[last]
        frame[LOW] = SIZE_BY_CARD[last]
        frame[HIGH] = SIZE_BY_CARD[last]


@jit_internal
def push_race_tech(state: State) -> None:
    """Start the race's Basic Tech."""
    fill_race_tech(state, state["stack"][push(state, Op.OVER, RACE_TECH)])


@jit_internal
def apply_basic_discard(state: State, action: Action) -> None:
    """Discard the card for the common Basic Tech."""
    discard_from_hand(state, int(state["active"]), action - CARD_0)
    state["stack"][int(state["stack_count"]) - 1, OP] = Op.BASIC_MODE


@jit_internal
def basic_mode_options(state: State, options: NDArray[np.int16]) -> int:
    """List command and build, each if possible, and pass."""
    options[0] = PASS
    count = 1
    if fleet_options(state, ANY_SHIP, ANYWHERE, 1, options, count) > count:
        options[count] = BASIC_COMMAND
        count += 1
    home = home_of(state, int(state["active"]))
    if build_places(state, home, ANY_SHIP, ONCE, options, count) > count:
        options[count] = BASIC_BUILD
        count += 1
    return count


@jit_internal
def apply_basic_mode(state: State, action: Action) -> None:
    """Command one fleet for one move, or build one ship at home."""
    pop(state)
    if action == BASIC_COMMAND:
        frame = state["stack"][push(state, Op.CHOOSE_FLEET, COMMON_TECH)]
        fill_one_move(frame, ANY_SHIP, ALL_SHIPS, ANYWHERE)
    elif action == BASIC_BUILD:
        frame = state["stack"][push(state, Op.BUILD_SHIP, COMMON_TECH)]
        fill_one_ship(frame, ANY_SHIP, ONCE, home_of(state, int(state["active"])))
