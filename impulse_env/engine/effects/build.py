"""Build: new ships, at most 12 in play (p. 36).

Frame of BUILD_LOCATION, BUILD_SHIP and NEXT_BUILD_LOCATION:
    LEFT    number of ships that may still be built at the location
    LOW     ships per location
    COLORS  colours of the further cells
    HIGH    the kind (ONCE, EACH, BY_UNEXPLORED)
    A       ship types
    B       the location
    DONE    ships built; with EACH, the next cell to check
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CELL_0, GATE_0, PASS
from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    CORE,
    CRUISER,
    NO_SEAT,
    TRANSPORT,
    Action,
    Cell,
    Op,
    Seat,
    State,
)
from impulse_env.engine.scoring import add_cruisers
from impulse_env.engine.sector_map import (
    GATE_COUNT_OF_CELL,
    GATES_OF_CELL,
    HOMES,
    NEIGHBORS_OF_CELL,
)
from impulse_env.engine.stack import pop
from impulse_env.engine.state import COLORS, DONE, HIGH, LEFT, LOW, OP, A, B

KIND: Final = HIGH
ONCE: Final = 0
EACH: Final = 1
BY_UNEXPLORED: Final = 2
"""Triangulumnists: the gate must touch a face-down card."""


@jit_internal
def home_of(state: State, seat: Seat) -> Cell:
    """Return the home cell of a seat (p. 5)."""
    return int(HOMES[int(state["players"]), seat])


@jit_internal
def build_places(
    state: State, cell: Cell, types: int, kind: int, options: NDArray[np.int16], count: int
) -> int:
    """Append the places for a ship of the active player at the location `cell`."""
    seat = int(state["active"])
    if state["ships_on_map"][seat] >= state["ships"]:
        return count
    if types & TRANSPORT:
        options[count] = CELL_0 + cell
        count += 1
    if types & CRUISER:
        for k in range(GATE_COUNT_OF_CELL[cell]):
            gate = GATES_OF_CELL[cell, k]
            owner = int(state["gate_owner"][gate])
            if owner != NO_SEAT and owner != seat:
                continue
            if kind == BY_UNEXPLORED and state["cell_face_up"][NEIGHBORS_OF_CELL[cell, k]]:
                continue
            options[count] = GATE_0 + gate
            count += 1
    return count


@jit_internal
def location_options(state: State, types: int, options: NDArray[np.int16], count: int) -> int:
    """Append the occupied cells at which the active player can put a ship."""
    seat = int(state["active"])
    for cell in range(CELLS):
        if state["transports"][seat, cell] > 0:
            if build_places(state, cell, types, ONCE, options, count) > count:
                options[count] = CELL_0 + cell
                count += 1
    return count


@jit_internal
def build_location_options(state: State, options: NDArray[np.int16]) -> int:
    """List the locations; all ships of the action go to one."""
    types = int(state["stack"][int(state["stack_count"]) - 1, A])
    return location_options(state, types, options, 0)


@jit_internal
def apply_build_location(state: State, action: Action) -> None:
    """Fix the location."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    frame[OP] = Op.BUILD_SHIP
    frame[B] = action - CELL_0


@jit_internal
def build_ship_options(state: State, options: NDArray[np.int16]) -> int:
    """List the places for the next ship: the cell for a Transport, a gate for a Cruiser."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    kind = int(frame[KIND])
    count = build_places(state, int(frame[B]), int(frame[A]), kind, options, 0)
    if count > 0 and (kind == EACH or frame[DONE] > 0):
        options[count] = PASS
        count += 1
    return count


@jit_internal
def apply_build_ship(state: State, action: Action) -> None:
    """Put the ship on the map."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    if action != PASS:
        if action >= GATE_0:
            add_cruisers(state, seat, action - GATE_0, 1)
        else:
            state["transports"][seat, action - CELL_0] += 1
        state["ships_on_map"][seat] += 1
        frame[LEFT] -= 1
        if frame[KIND] != EACH:
            frame[DONE] += 1
    if action == PASS or frame[LEFT] == 0:
        if frame[KIND] == EACH:
            frame[OP] = Op.NEXT_BUILD_LOCATION
        else:
            pop(state)


@jit_internal
def run_next_build_location(state: State) -> None:
    """Continue with the next face-up cell of the colours that the player occupies."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    home = home_of(state, seat)
    for cell in range(int(frame[DONE]), CELLS):
        if cell == home or cell == CORE or not state["cell_face_up"][cell]:
            continue
        color = COLOR_BY_CARD[state["cell_card"][cell]]
        if state["transports"][seat, cell] > 0 and (frame[COLORS] >> color) & 1:
            frame[OP] = Op.BUILD_SHIP
            frame[B] = cell
            frame[LEFT] = frame[LOW]
            frame[DONE] = cell + 1
            return
    pop(state)


@jit_internal
def can_build_each(
    state: State, types: int, colors: int, options: NDArray[np.int16], count: int
) -> bool:
    """Return whether a ship can be put at home or on another occupied cell of the colours."""
    seat = int(state["active"])
    home = home_of(state, seat)
    for cell in range(CELLS):
        if cell != home:
            if cell == CORE or not state["cell_face_up"][cell]:
                continue
            if state["transports"][seat, cell] == 0:
                continue
            if not (colors >> COLOR_BY_CARD[state["cell_card"][cell]]) & 1:
                continue
        if build_places(state, cell, types, EACH, options, count) > count:
            return True
    return False
