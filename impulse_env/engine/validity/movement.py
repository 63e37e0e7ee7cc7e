"""Fleets and path of the current Command, which has at most one frame."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import PLACE_0, SIZE
from impulse_env.engine.constants import (
    CELLS,
    CRUISER,
    MAX_SHIPS,
    NO_SEAT,
    PLACES,
    RUNNING,
    TRANSPORT,
    Op,
    State,
)
from impulse_env.engine.effects.command import (
    ALL_CELLS,
    ANYWHERE,
    MOVES,
    SEVERAL,
    THROUGH_UNEXPLORED,
    enemy_patrols,
    next_places,
)
from impulse_env.engine.scoring import is_enemy_gate
from impulse_env.engine.sector_map import (
    CELLS_AT_PLACE,
    CROSSED_CELL,
    GATE_COUNT_OF_CELL,
    NEIGHBORS_OF_CELL,
)
from impulse_env.engine.state import HIGH, LEFT, OP, PATH_SLOTS, A, B
from impulse_env.engine.validity.expected import LEAST, MOST_BOOSTED, holds
from impulse_env.engine.validity.faults import Field, Reason, is_within, refuse

NOWHERE: Final = -1


@jit_internal
def are_fleets_listed(state: State, fault: NDArray[np.int64], is_moving: bool) -> bool:
    """Return whether fleets and path are places up to their counts, and empty after them."""
    fleets = int(state["fleet_count"])
    legs = int(state["path_count"])
    if not is_within(
        fault, Field.FLEET_COUNT, 0, fleets, 0, MAX_SHIPS if is_moving else 0, Reason.MOVEMENT
    ) or not is_within(
        fault, Field.PATH_COUNT, 0, legs, 0, PATH_SLOTS if is_moving else 0, Reason.MOVEMENT
    ):
        return False
    for slot in range(MAX_SHIPS):
        place = int(state["fleet_from"][slot])
        ships = int(state["fleet_ships"][slot])
        lowest = 0 if slot < fleets else NOWHERE
        highest = PLACES - 1 if slot < fleets else NOWHERE
        most = MAX_SHIPS if slot < fleets else 0
        reason = Reason.MOVEMENT if slot < fleets else Reason.UNUSED
        if not is_within(
            fault, Field.FLEET_FROM, slot, place, lowest, highest, reason
        ) or not is_within(fault, Field.FLEET_SHIPS, slot, ships, 0, most, reason):
            return False
    for leg in range(PATH_SLOTS):
        place = int(state["path"][leg])
        lowest = 0 if leg < legs else NOWHERE
        highest = PLACES - 1 if leg < legs else NOWHERE
        reason = Reason.MOVEMENT if leg < legs else Reason.UNUSED
        if not is_within(fault, Field.PATH, leg, place, lowest, highest, reason):
            return False
    return True


@jit_internal
def is_progress_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Return whether the frame and the counts of fleets and legs agree."""
    frame = state["stack"][at]
    op = int(frame[OP])
    several = int(frame[SEVERAL])
    fleets = int(state["fleet_count"])
    most = int(begun[MOST_BOOSTED, LEFT])
    is_running = state["status"] == RUNNING
    low_fleets = 0 if op == Op.CHOOSE_FLEET else 1
    high_fleets = most if several or op != Op.CHOOSE_FLEET else 0
    if not is_within(fault, Field.FLEET_COUNT, 0, fleets, low_fleets, high_fleets, Reason.MOVEMENT):
        return False
    declared = fleets
    low_legs = 1
    high_legs = int(frame[MOVES])
    if op == Op.CHOOSE_SHIPS or op == Op.CHOOSE_MOVE:
        declared = fleets - 1
        low_legs = 0
        high_legs = int(frame[MOVES]) - 1 if op == Op.CHOOSE_MOVE else 0
    if several or op == Op.CHOOSE_FLEET:
        low_legs = declared
        high_legs = declared
    legs = int(state["path_count"])
    if not is_within(fault, Field.PATH_COUNT, 0, legs, low_legs, high_legs, Reason.MOVEMENT):
        return False
    if op == Op.FIGHT:
        return holds(state, fault, at, LEFT, 0, 0)
    if op == Op.MOVE:
        return holds(state, fault, at, LEFT, 0, legs - 1 if is_running else legs)
    least = max(1, int(begun[LEAST, LEFT]) - declared)
    return holds(state, fault, at, LEFT, least, most - declared)


@jit_internal
def ships_at(state: State, place: int) -> int:
    """Return the number of ships of the active player at a place."""
    seat = int(state["active"])
    if place < CELLS:
        return int(state["transports"][seat, place])
    gate = place - CELLS
    return int(state["gate_ships"][gate]) if state["gate_owner"][gate] == seat else 0


@jit_internal
def destination_of(state: State, several: int, fleet: int) -> int:
    """Return the destination of a fleet."""
    return int(state["path"][fleet if several else int(state["path_count"]) - 1])


@jit_internal
def is_fleet_sound(state: State, fault: NDArray[np.int64], at: int, fleet: int) -> bool:
    """Return whether a declared fleet has its ships, and its own starting place."""
    frame = state["stack"][at]
    op = int(frame[OP])
    place = int(state["fleet_from"][fleet])
    ships = int(state["fleet_ships"][fleet])
    there = ships_at(state, place)
    type_ = TRANSPORT if place < CELLS else CRUISER
    if not frame[A] & type_:
        return refuse(fault, Field.FLEET_FROM, fleet, place, Reason.MOVEMENT)
    for other in range(fleet):
        if state["fleet_from"][other] == place:
            return refuse(fault, Field.FLEET_FROM, fleet, place, Reason.ALONE)
    most = int(frame[HIGH])
    lowest = 1
    if op == Op.CHOOSE_SHIPS and fleet == state["fleet_count"] - 1:
        if there == 0:
            return refuse(fault, Field.FLEET_FROM, fleet, place, Reason.MOVEMENT)
        lowest = 0
        most = 0
    elif op != Op.FIGHT:
        most = min(most, there)
    elif state["status"] != RUNNING:
        lowest = 0
    elif place < CELLS:
        most = min(most, ships_at(state, destination_of(state, int(frame[SEVERAL]), fleet)))
    else:
        lowest = 0
        most = min(most, there)
    return is_within(fault, Field.FLEET_SHIPS, fleet, ships, lowest, most, Reason.MOVEMENT)


@jit_internal
def are_adjacent(place: int, other: int) -> bool:
    """Return whether one move leads from a place to the other."""
    if place >= CELLS and other >= CELLS:
        return bool(CROSSED_CELL[place - CELLS, other - CELLS] >= 0)
    if place < CELLS and other < CELLS:
        for k in range(GATE_COUNT_OF_CELL[place]):
            if NEIGHBORS_OF_CELL[place, k] == other:
                return True
    return False


@jit_internal
def is_path_sound(state: State, fault: NDArray[np.int64], at: int) -> bool:
    """Return whether every leg is a move; before the arrival of fleets, a legal one."""
    frame = state["stack"][at]
    op = int(frame[OP])
    several = int(frame[SEVERAL])
    legs = int(state["path_count"])
    is_declaring = op != Op.FIGHT and state["status"] == RUNNING
    options = np.empty(SIZE, np.int16)
    patrolled = enemy_patrols(state, int(state["active"]))
    targets = ALL_CELLS
    for leg in range(legs):
        origin = int(state["fleet_from"][leg if several else 0])
        if leg > 0 and not several:
            origin = int(state["path"][leg - 1])
        place = int(state["path"][leg])
        is_found = are_adjacent(origin, place)
        if is_found and is_declaring:
            restriction = int(frame[B])
            if restriction == THROUGH_UNEXPLORED and op == Op.MOVE and leg < frame[LEFT]:
                restriction = ANYWHERE
            moves = int(frame[MOVES]) - (0 if several else leg)
            count = next_places(state, origin, patrolled, restriction, targets, moves, options, 0)
            is_found = False
            for option in range(count):
                is_found = is_found or options[option] == PLACE_0 + place
        if not is_found or (is_declaring and not may_stand_in_path(state, at, leg)):
            return refuse(fault, Field.PATH, leg, place, Reason.MOVEMENT)
        if several:
            targets &= CELLS_AT_PLACE[place]
    return True


@jit_internal
def may_stand_in_path(state: State, at: int, leg: int) -> bool:
    """Return whether a path may end at a leg, if it does, or continue after it."""
    frame = state["stack"][at]
    place = int(state["path"][leg])
    if place < CELLS:
        return True
    seat = int(state["active"])
    owner = int(state["gate_owner"][place - CELLS])
    if frame[SEVERAL] or owner == NO_SEAT or owner == seat:
        return True
    is_end = leg == state["path_count"] - 1 and frame[OP] == Op.MOVE
    return is_end == is_enemy_gate(state, seat, place - CELLS)


@jit_internal
def is_movement_sound(
    state: State, fault: NDArray[np.int64], at: int, begun: NDArray[np.int8]
) -> bool:
    """Return whether fleets, path and the frame `at` of the Command agree."""
    if not are_fleets_listed(state, fault, True):
        return False
    if not is_progress_sound(state, fault, at, begun):
        return False
    for fleet in range(int(state["fleet_count"])):
        if not is_fleet_sound(state, fault, at, fleet):
            return False
    return is_path_sound(state, fault, at)
