"""The phases before the first turn: races are drafted, home cards placed."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    CORE,
    MAX_IMPULSES,
    START_CRUISERS,
    START_HAND,
    START_TRANSPORTS,
    TECHS,
    Op,
    State,
)
from impulse_env.engine.effects.build import home_of
from impulse_env.engine.sector_map import START_GATE_OF_CELL
from impulse_env.engine.validity.faults import Field, Reason, is_within


@jit_internal
def has_placed_home(state: State, seat: int) -> bool:
    """Whether the setup of that seat is over."""
    phase = int(state["phase"])
    if phase == Op.DRAFT_RACE:
        return False
    players = int(state["players"])
    start = int(state["start_seat"])
    placed = (int(state["active"]) - start) % players
    return phase != Op.PLACE_HOME or (seat - start) % players < placed


@jit_internal
def is_setup_sound(state: State, fault: NDArray[np.int64]) -> bool:
    """Whether nothing has happened yet but what the setup does; true once it is over."""
    phase = int(state["phase"])
    if phase != Op.DRAFT_RACE and phase != Op.PLACE_HOME:
        return True
    if (
        not is_within(fault, Field.TURN, 0, state["turn"], 0, 0, Reason.SETUP)
        or not is_within(fault, Field.ACTIVATIONS, 0, state["activations"], 0, 0, Reason.SETUP)
        or not is_within(fault, Field.DISCARD_COUNT, 0, state["discard_count"], 0, 0, Reason.SETUP)
    ):
        return False
    for row in range(MAX_IMPULSES):
        count = int(state["impulse_count"][row])
        if not is_within(fault, Field.IMPULSE_COUNT, row, count, 0, 0, Reason.SETUP):
            return False
    homes = 1 << CORE
    for seat in range(int(state["players"])):
        if not is_seat_set_up(state, fault, seat):
            return False
        if has_placed_home(state, seat):
            homes |= 1 << home_of(state, seat)
    for cell in range(CELLS):
        up = (homes >> cell) & 1
        shown = int(state["cell_face_up"][cell])
        if not is_within(fault, Field.CELL_FACE_UP, cell, shown, up, up, Reason.SETUP):
            return False
    return True


@jit_internal
def is_seat_set_up(state: State, fault: NDArray[np.int64], seat: int) -> bool:
    """Whether a seat has its first hand and, with its home placed, its first ships."""
    home = home_of(state, seat)
    has_home_card = state["phase"] == Op.PLACE_HOME and seat == state["active"]
    hand = START_HAND + 1 if has_home_card else START_HAND
    planned = int(state["plan_count"][seat])
    known = int(state["known_count"][seat])
    score = int(state["score"][seat])
    if (
        not is_within(fault, Field.SCORE, seat, score, 0, 0, Reason.SETUP)
        or not is_within(
            fault, Field.HAND_COUNT, seat, state["hand_count"][seat], hand, hand, Reason.SETUP
        )
        or not is_within(fault, Field.KNOWN_COUNT, seat, known, 0, 0, Reason.SETUP)
        or not is_within(fault, Field.PLAN_COUNT, seat, planned, 0, 0, Reason.SETUP)
    ):
        return False
    for slot in range(TECHS):
        tech = int(state["techs"][seat, slot])
        at = seat * TECHS + slot
        if not is_within(fault, Field.TECHS, at, tech, BASIC_TECH, BASIC_TECH, Reason.SETUP):
            return False
    gems = 0
    for count in state["gems"][seat]:
        gems += count
    if not is_within(fault, Field.GEMS, seat * len(state["gems"][seat]), gems, 0, 0, Reason.SETUP):
        return False
    is_placed = has_placed_home(state, seat)
    transports = START_TRANSPORTS if is_placed else 0
    ships = START_TRANSPORTS + START_CRUISERS if is_placed else 0
    there = int(state["transports"][seat, home])
    at = seat * CELLS + home
    if not is_within(
        fault, Field.TRANSPORTS, at, there, transports, transports, Reason.SETUP
    ) or not is_within(
        fault, Field.SHIPS_ON_MAP, seat, state["ships_on_map"][seat], ships, ships, Reason.SETUP
    ):
        return False
    gate = int(START_GATE_OF_CELL[home])
    owner = seat if is_placed else -1
    return is_within(
        fault, Field.GATE_OWNER, gate, state["gate_owner"][gate], owner, owner, Reason.SETUP
    )
