"""Command: declare fleets and paths, move, explore, arrive (pp. 28-33).

Frame from CHOOSE_FLEET to FIGHT:
    LEFT    fleets that may still be declared; from MOVE on the next leg, at FIGHT the next fleet
    COLORS  1 if several fleets move to the same card (R4), else 0
    LOW     moves
    HIGH    most ships of one fleet
    A       ship types
    B       restriction

The fleets and the path are in the record's `fleet_*` and `path`; ships stay where they were until
they arrive.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, COLOR_0, PASS, PLACE_0, SHIPS_0
from impulse_env.engine.constants import (
    CELLS,
    COLOR_COUNT,
    CORE,
    CRUISER,
    GATES,
    GEMS_PER_BOOST,
    NO_CARD,
    NO_SEAT,
    TRANSPORT,
    Action,
    Cell,
    Op,
    Place,
    PointSource,
    Seat,
    State,
)
from impulse_env.engine.deck import add_to_hand, take_from_hand
from impulse_env.engine.scoring import (
    add_cruisers,
    are_enemies,
    clear_movement,
    destroy_transports,
    eliminate_shipless,
    is_enemy_gate,
    remove_cruisers,
    score,
)
from impulse_env.engine.sector_map import (
    CELLS_AT_PLACE,
    CELLS_OF_GATE,
    CROSSED_CELL,
    GATE_COUNT_OF_CELL,
    GATES_OF_CELL,
    NEIGHBORS_OF_CELL,
)
from impulse_env.engine.stack import pop, push
from impulse_env.engine.state import ATTACKER, COLORS, DEFENDER, HIGH, LEFT, LOW, OP, A, B

ANYWHERE: Final = 0
TO_CORE: Final = 1
"""Ariek: the move must end occupying or patrolling the Sector Core."""
THROUGH_UNEXPLORED: Final = 2
"""Herculese: the move must cross a face-down card."""

ALL_CELLS: Final = (1 << CELLS) - 1
SEVERAL: Final = COLORS
MOVES: Final = LOW


@jit_internal
def enemy_patrols(state: State, seat: Seat) -> int:
    """Return the mask of the cells that enemies of `seat` patrol."""
    mask = 0
    for gate in range(GATES):
        if is_enemy_gate(state, seat, gate):
            mask |= CELLS_AT_PLACE[CELLS + gate]
    return mask


@jit_internal
def can_stop_later(state: State, seat: Seat, gate: int, moves: int, patrolled: int) -> bool:
    """Return whether Cruisers on an ally's gate can still end elsewhere in `moves` moves (p. 9)."""
    good = 0  # a bit for each gate
    for other in range(GATES):
        owner = int(state["gate_owner"][other])
        if owner == NO_SEAT or owner == seat or are_enemies(state, seat, owner):
            good |= 1 << other
    for _ in range(moves):
        before = good
        for allied in range(GATES):
            if (before >> allied) & 1:
                continue
            for side in range(2):
                cell = CELLS_OF_GATE[allied, side]
                for k in range(GATE_COUNT_OF_CELL[cell]):
                    other = GATES_OF_CELL[cell, k]
                    fights = is_enemy_gate(state, seat, other)
                    if (before >> other) & 1 and (fights or not (patrolled >> cell) & 1):
                        good |= 1 << allied
    return bool((good >> gate) & 1)


@jit_internal
def next_places(
    state: State,
    place: Place,
    patrolled: int,
    restriction: int,
    targets: int,
    moves: int,
    options: NDArray[np.int16],
    count: int,
) -> int:
    """Append the places that a fleet of the active player reaches with its next move.

    Args:
        state: The game.
        place: Where the fleet is.
        patrolled: Mask from `enemy_patrols`.
        restriction: ANYWHERE, TO_CORE or THROUGH_UNEXPLORED.
        targets: Mask of cells; the place must touch one of them (R4).
        moves: Moves left, including this one.
        options: The array for the options.
        count: Number of options already in it.

    Returns:
        The new number of options.
    """
    seat = int(state["active"])
    if place < CELLS:
        for k in range(GATE_COUNT_OF_CELL[place]):
            cell = NEIGHBORS_OF_CELL[place, k]
            if (patrolled >> cell) & 1 or (restriction == TO_CORE and cell != CORE):
                continue
            if (targets >> cell) & 1:
                options[count] = PLACE_0 + cell
                count += 1
        return count
    for side in range(2):
        cell = CELLS_OF_GATE[place - CELLS, side]
        if restriction == THROUGH_UNEXPLORED and state["cell_face_up"][cell]:
            continue
        must_fight = (patrolled >> cell) & 1
        for k in range(GATE_COUNT_OF_CELL[cell]):
            gate = GATES_OF_CELL[cell, k]
            touched = CELLS_AT_PLACE[CELLS + gate]
            if gate == place - CELLS or touched & targets == 0:
                continue
            if restriction == TO_CORE and not (touched >> CORE) & 1:
                continue
            owner = int(state["gate_owner"][gate])
            if must_fight:
                if owner == NO_SEAT or not are_enemies(state, seat, owner):
                    continue
            elif owner != NO_SEAT and owner != seat:
                # A fleet may pass an ally's gate but never end on it (p. 9).
                if moves == 1 or not can_stop_later(state, seat, gate, moves - 1, patrolled):
                    continue
            options[count] = PLACE_0 + CELLS + gate
            count += 1
    return count


@jit_internal
def fleet_options(
    state: State,
    types: int,
    restriction: int,
    moves: int,
    options: NDArray[np.int16],
    count: int,
) -> int:
    """Append the places of the active player's fleets that can move and are not declared yet."""
    seat = int(state["active"])
    targets = ALL_CELLS
    declared = 0
    for fleet in range(int(state["fleet_count"])):
        targets &= CELLS_AT_PLACE[state["path"][fleet]]
        declared |= 1 << int(state["fleet_from"][fleet])
    patrolled = enemy_patrols(state, seat)
    for place in range(CELLS + GATES):
        if place < CELLS:
            if state["transports"][seat, place] == 0 or not types & TRANSPORT:
                continue
        elif state["gate_owner"][place - CELLS] != seat or not types & CRUISER:
            continue
        if (declared >> place) & 1:
            continue
        scratch = next_places(state, place, patrolled, restriction, targets, moves, options, count)
        if scratch > count:
            options[count] = PLACE_0 + place
            count += 1
    return count


@jit_internal
def choose_fleet_options(state: State, options: NDArray[np.int16]) -> int:
    """List the fleets to command, and pass after one is declared."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    count = 0
    if state["fleet_count"] > 0:
        options[0] = PASS
        count = 1
    return fleet_options(state, int(frame[A]), int(frame[B]), int(frame[MOVES]), options, count)


@jit_internal
def apply_choose_fleet(state: State, action: Action) -> None:
    """Declare the fleet, or begin with the declared ones."""
    top = int(state["stack_count"]) - 1
    if action == PASS:
        state["stack"][top, OP] = Op.MOVE
        state["stack"][top, LEFT] = 0
        return
    fleet = int(state["fleet_count"])
    state["fleet_from"][fleet] = action - PLACE_0
    state["fleet_count"] = fleet + 1
    state["stack"][top, OP] = Op.CHOOSE_SHIPS


@jit_internal
def choose_ships_options(state: State, options: NDArray[np.int16]) -> int:
    """List the numbers of ships that may go: a part of the fleet is allowed (p. 31)."""
    top = int(state["stack_count"]) - 1
    place = int(state["fleet_from"][int(state["fleet_count"]) - 1])
    if place < CELLS:
        ships = int(state["transports"][int(state["active"]), place])
    else:
        ships = int(state["gate_ships"][place - CELLS])
    ships = min(ships, int(state["stack"][top, HIGH]))
    for n in range(ships):
        options[n] = SHIPS_0 + n + 1
    return ships


@jit_internal
def apply_choose_ships(state: State, action: Action) -> None:
    """Fix the number of ships."""
    top = int(state["stack_count"]) - 1
    state["fleet_ships"][int(state["fleet_count"]) - 1] = action - SHIPS_0
    state["stack"][top, OP] = Op.CHOOSE_MOVE


@jit_internal
def choose_move_options(state: State, options: NDArray[np.int16]) -> int:
    """List the next places of the path, and pass if it may end (R3)."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    seat = int(state["active"])
    fleet = int(state["fleet_count"]) - 1
    place = int(state["fleet_from"][fleet])
    steps = int(state["path_count"])
    targets = ALL_CELLS
    count = 0
    if frame[SEVERAL]:
        for earlier in range(fleet):
            targets &= CELLS_AT_PLACE[state["path"][earlier]]
        steps = 0
    elif steps > 0:
        place = int(state["path"][steps - 1])
        owner = int(state["gate_owner"][place - CELLS]) if place >= CELLS else NO_SEAT
        if owner == NO_SEAT or owner == seat:
            options[0] = PASS
            count = 1
    patrolled = enemy_patrols(state, seat)
    moves = int(frame[MOVES]) - steps
    return next_places(state, place, patrolled, int(frame[B]), targets, moves, options, count)


@jit_internal
def apply_choose_move(state: State, action: Action) -> None:
    """Extend the path or end it; a battle ends it too (p. 34)."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    is_declared = True
    if action != PASS:
        place = action - PLACE_0
        state["path"][state["path_count"]] = place
        state["path_count"] += 1
        fights = place >= CELLS and is_enemy_gate(state, int(state["active"]), place - CELLS)
        is_declared = fights or frame[SEVERAL] or state["path_count"] == frame[MOVES]
    if not is_declared:
        return
    frame[LEFT] -= 1
    if frame[LEFT] > 0:
        frame[OP] = Op.CHOOSE_FLEET
    else:
        frame[OP] = Op.MOVE
        frame[LEFT] = 0


@jit_internal
def last_leg(state: State, several: int, fleet: int) -> int:
    """Return the index in `path` of the fleet's destination."""
    return fleet if several else int(state["path_count"]) - 1


@jit_internal
def crossed_cell(state: State, several: int, leg: int) -> Cell:
    """Return the cell that the leg enters (Transports) or crosses (Cruisers)."""
    place = int(state["path"][leg])
    if place < CELLS:
        return place
    if several:
        origin = int(state["fleet_from"][leg])
    elif leg == 0:
        origin = int(state["fleet_from"][0])
    else:
        origin = int(state["path"][leg - 1])
    return int(CROSSED_CELL[origin - CELLS, place - CELLS])


@jit_internal
def run_move(state: State) -> None:
    """Resolve one leg: explore the cell, then destroy the Transports on it (p. 30, R8)."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    leg = int(frame[LEFT])
    if leg == state["path_count"]:
        frame[OP] = Op.ARRIVE
        return
    seat = int(state["active"])
    cell = crossed_cell(state, int(frame[SEVERAL]), leg)
    if not state["cell_face_up"][cell]:
        explore = push(state, Op.EXPLORE, NO_CARD)
        state["stack"][explore, A] = cell
        return
    frame[LEFT] = leg + 1
    place = int(state["path"][leg])
    if place >= CELLS and not is_enemy_gate(state, seat, place - CELLS):
        destroyed = destroy_transports(state, seat, cell)
        if destroyed > 0:
            score(state, seat, destroyed, PointSource.SHIPS)
            eliminate_shipless(state)


@jit_internal
def run_explore(state: State) -> None:
    """Take the face-down card of cell A into the hand (p. 31)."""
    top = int(state["stack_count"]) - 1
    cell = int(state["stack"][top, A])
    add_to_hand(state, int(state["active"]), int(state["cell_card"][cell]))
    state["cell_card"][cell] = NO_CARD
    state["stack"][top, OP] = Op.PLACE_EXPLORED


@jit_internal
def apply_place_explored(state: State, action: Action) -> None:
    """Put a card from hand face-up on the explored cell."""
    cell = int(state["stack"][int(state["stack_count"]) - 1, A])
    take_from_hand(state, int(state["active"]), action - CARD_0)
    state["cell_card"][cell] = action - CARD_0
    state["cell_face_up"][cell] = 1
    pop(state)


@jit_internal
def run_arrive(state: State) -> None:
    """Move every fleet that does not fight to its destination."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    seat = int(state["active"])
    for fleet in range(int(state["fleet_count"])):
        origin = int(state["fleet_from"][fleet])
        ships = int(state["fleet_ships"][fleet])
        place = int(state["path"][last_leg(state, int(frame[SEVERAL]), fleet)])
        if place < CELLS:
            state["transports"][seat, origin] -= ships
            state["transports"][seat, place] += ships
        elif not is_enemy_gate(state, seat, place - CELLS):
            remove_cruisers(state, origin - CELLS, ships)
            add_cruisers(state, seat, place - CELLS, ships)
            state["fleet_ships"][fleet] = 0
    frame[OP] = Op.FIGHT
    frame[LEFT] = 0


@jit_internal
def run_fight(state: State) -> None:
    """Start the next battle in declared order (R4); after the last one activate (p. 28)."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    seat = int(state["active"])
    several = int(frame[SEVERAL])
    arrived = 0
    cell = -1
    for fleet in range(int(state["fleet_count"])):
        place = int(state["path"][last_leg(state, several, fleet)])
        ships = int(state["fleet_ships"][fleet])
        if place < CELLS:
            # Never the starting card, even if the path returns to it (p. 28).
            if place != state["fleet_from"][fleet]:
                arrived += ships
                cell = place
        elif ships > 0:
            gate = place - CELLS
            attackers = 0
            for other in range(fleet, int(state["fleet_count"])):
                if state["path"][last_leg(state, several, other)] == place:
                    attackers += int(state["fleet_ships"][other])
            state["battle_gate"] = gate
            state["battle_seat"][DEFENDER] = state["gate_owner"][gate]
            state["battle_seat"][ATTACKER] = seat
            state["battle_ships"][DEFENDER] = state["gate_ships"][gate]
            state["battle_ships"][ATTACKER] = attackers
            battle = push(state, Op.REINFORCE, NO_CARD)
            state["stack"][battle, A] = DEFENDER
            state["stack"][battle, B] = state["table_count"]
            return
    clear_movement(state)
    pop(state)
    if arrived > 0 and state["activations"] < state["max_activations"]:
        activate = push(state, Op.ACTIVATE, NO_CARD)
        state["stack"][activate, A] = cell
        state["stack"][activate, B] = arrived


@jit_internal
def core_color_options(options: NDArray[np.int16]) -> int:
    """List pass and the possible colours of the Sector Core (p. 28)."""
    options[0] = PASS
    for color in range(COLOR_COUNT):
        options[1 + color] = COLOR_0 + color
    return 1 + COLOR_COUNT


@jit_internal
def activate_core(state: State, color: int, arrived: int) -> None:
    """Score the Sector Core's [1], boosted (p. 28)."""
    seat = int(state["active"])
    gems = int(state["gems"][seat, color]) + arrived
    score(state, seat, 1 + gems // GEMS_PER_BOOST, PointSource.CORE_ACTIVATION)
