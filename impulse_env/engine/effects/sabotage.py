"""Sabotage: bombs on an enemy fleet (p. 36).

Frame of SABOTAGE_FLEET, SABOTAGE_OWNER and BOMB: LEFT is the number of bombs, A the ship types
before the choice of the fleet and its place afterwards, B its owner.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import PLACE_0, SEAT_0
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import (
    BOMB_HIT_SIZE,
    CELLS,
    CRUISER,
    GATES,
    RUNNING,
    TRANSPORT,
    Action,
    Cell,
    Op,
    PointSource,
    State,
)
from impulse_env.engine.deck import (
    NO_CARDS_LEFT,
    WAIT_FOR_DISCARDS,
    add_to_discard,
    draw,
)
from impulse_env.engine.scoring import (
    are_enemies,
    eliminate_shipless,
    is_enemy_gate,
    remove_cruisers,
    score,
)
from impulse_env.engine.sector_map import CELLS_AT_PLACE
from impulse_env.engine.stack import pop
from impulse_env.engine.state import LEFT, OP, A, B


@jit_internal
def count_enemy_fleets(state: State, cell: Cell) -> int:
    """Count the enemies with Transports on a cell."""
    seat = int(state["active"])
    fleets = 0
    for other in range(int(state["players"])):
        if state["transports"][other, cell] > 0 and are_enemies(state, seat, other):
            fleets += 1
    return fleets


@jit_internal
def sabotage_places(state: State, types: int, options: NDArray[np.int16], count: int) -> int:
    """Append the places of enemy fleets on cells that the active player occupies or patrols."""
    seat = int(state["active"])
    reached = 0
    for cell in range(CELLS):
        if state["transports"][seat, cell] > 0:
            reached |= 1 << cell
    for gate in range(GATES):
        if state["gate_owner"][gate] == seat:
            reached |= CELLS_AT_PLACE[CELLS + gate]
    for place in range(CELLS + GATES):
        if not CELLS_AT_PLACE[place] & reached:
            continue
        if place < CELLS:
            is_target = types & TRANSPORT and count_enemy_fleets(state, place) > 0
        else:
            is_target = types & CRUISER and is_enemy_gate(state, seat, place - CELLS)
        if is_target:
            options[count] = PLACE_0 + place
            count += 1
    return count


@jit_internal
def sabotage_fleet_options(state: State, options: NDArray[np.int16]) -> int:
    """List the places of the fleets that can be sabotaged."""
    types = int(state["stack"][int(state["stack_count"]) - 1, A])
    return sabotage_places(state, types, options, 0)


@jit_internal
def apply_sabotage_fleet(state: State, action: Action) -> None:
    """Fix the place; with Transports of several enemies there, the owner is chosen next."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    place = action - PLACE_0
    frame[OP] = Op.BOMB
    frame[A] = place
    if place >= CELLS:
        frame[B] = state["gate_owner"][place - CELLS]
        return
    seat = int(state["active"])
    for other in range(int(state["players"])):
        if state["transports"][other, place] > 0 and are_enemies(state, seat, other):
            frame[B] = other
    if count_enemy_fleets(state, place) > 1:
        frame[OP] = Op.SABOTAGE_OWNER
        frame[B] = 0


@jit_internal
def sabotage_owner_options(state: State, options: NDArray[np.int16]) -> int:
    """List the enemies with Transports on the cell."""
    cell = int(state["stack"][int(state["stack_count"]) - 1, A])
    seat = int(state["active"])
    count = 0
    for other in range(int(state["players"])):
        if state["transports"][other, cell] > 0 and are_enemies(state, seat, other):
            options[count] = SEAT_0 + other
            count += 1
    return count


@jit_internal
def apply_sabotage_owner(state: State, action: Action) -> None:
    """Fix the owner of the fleet."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    frame[B] = action - SEAT_0
    frame[OP] = Op.BOMB


@jit_internal
def run_bomb(state: State) -> None:
    """Reveal a card per bomb; every large one destroys a ship, with no overkill (p. 36)."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    place = int(frame[A])
    owner = int(frame[B])
    while frame[LEFT] > 0 and state["status"] == RUNNING:
        card = draw(state)
        if card == WAIT_FOR_DISCARDS:
            return
        if card == NO_CARDS_LEFT:
            break
        add_to_discard(state, card)
        frame[LEFT] -= 1
        if SIZE_BY_CARD[card] < BOMB_HIT_SIZE:
            continue
        if place < CELLS:
            if state["transports"][owner, place] == 0:
                continue
            state["transports"][owner, place] -= 1
        elif state["gate_owner"][place - CELLS] != owner:
            continue
        else:
            remove_cruisers(state, place - CELLS, 1)
        state["ships_on_map"][owner] -= 1
        score(state, seat, 1, PointSource.SHIPS)
        eliminate_shipless(state)
    pop(state)
