"""Values of ships at a place, and of moving a fleet."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.styles import (
    APPROACH,
    BOLDNESS,
    CORE_GATE,
    CORE_GUARD,
    CORE_VISIT,
    DRAW,
    FIGHT,
    HUNT,
    MINE,
    PLAN,
    RAID,
    REFINE,
    RESEARCH,
    TRADE,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.cards import (
    BOX_BY_CARD,
    BOX_COUNT,
    BOX_POINTS,
    COLOR_BY_CARD,
    COUNT_BY_CARD,
    FAMILY_BY_CARD,
    POINTS_BY_CARD,
)
from impulse_env.engine.constants import (
    CELLS,
    COLOR_COUNT,
    CORE,
    CRUISER,
    GATES,
    GEMS_PER_BOOST,
    NO_SEAT,
    TRANSPORT,
    Family,
    Seat,
    State,
)
from impulse_env.engine.effects.command import enemy_patrols
from impulse_env.engine.scoring import are_enemies, is_enemy_gate
from impulse_env.engine.sector_map import (
    CELLS_OF_GATE,
    COORDINATES,
    GATE_COUNT_OF_CELL,
    GATES_OF_CELL,
    NEIGHBORS_OF_CELL,
)

NOTHING: Final = -9.0
"""The value of an impossible action."""


def _frozen(values: object) -> NDArray[np.int64]:
    table = np.array(values, np.int64)
    table.setflags(write=False)
    return table


CELL_DISTANCE: Final = _frozen([max(abs(q), abs(r), abs(q + r)) for q, r in COORDINATES])
"""Shape (19,): number of moves of a Transport to the Sector Core."""
GATE_DISTANCE: Final = _frozen(CELL_DISTANCE[CELLS_OF_GATE].min(axis=1))
"""Shape (42,): number of moves of a Cruiser to a gate of the Sector Core; 0 on such a gate."""
CELL_STEPS: Final = _frozen(
    [
        [max(abs(q - p), abs(r - s), abs(q + r - p - s)) for p, s in COORDINATES]
        for q, r in COORDINATES
    ]
)
"""Shape (19, 19): number of moves from cell to cell."""


@jit_internal
def enemy_transports(state: State, seat: Seat, cell: int) -> int:
    """Count the enemies' Transports on a cell."""
    count = 0
    for other in range(int(state["players"])):
        if state["transports"][other, cell] > 0 and are_enemies(state, seat, other):
            count += int(state["transports"][other, cell])
    return count


@jit_internal
def prey_distance(state: State, seat: Seat, gate: int) -> int:
    """Return the number of moves from a gate to the nearest enemy ship, at most 4."""
    nearest = 4
    for cell in range(CELLS):
        steps = min(
            CELL_STEPS[CELLS_OF_GATE[gate, 0], cell], CELL_STEPS[CELLS_OF_GATE[gate, 1], cell]
        )
        if steps < nearest and enemy_transports(state, seat, cell) > 0:
            nearest = steps
    for other in range(GATES):
        if is_enemy_gate(state, seat, other):
            for side in range(2):
                for end in range(2):
                    steps = CELL_STEPS[CELLS_OF_GATE[gate, side], CELLS_OF_GATE[other, end]]
                    nearest = min(nearest, steps)
    return nearest


@jit_internal
def gate_worth(state: State, seat: Seat, gate: int, weights: NDArray[np.float32]) -> float:
    """Return the value of own Cruisers on a gate, whoever holds it now."""
    worth = np.float32(0)
    if GATE_DISTANCE[gate] == 0:
        worth = weights[CORE_GUARD]
        if state["gate_owner"][gate] != seat:
            worth = weights[CORE_GATE]
    else:
        worth = -weights[APPROACH] * GATE_DISTANCE[gate]
    if weights[HUNT] > 0:
        worth -= weights[HUNT] * prey_distance(state, seat, gate)
    return worth


@jit_internal
def leaving_cost(
    state: State, seat: Seat, gate: int, ships: int, weights: NDArray[np.float32]
) -> float:
    """Return the loss if a fleet leaves a gate, which includes the gate if no ship stays."""
    worth = gate_worth(state, seat, gate, weights)
    if GATE_DISTANCE[gate] == 0 and state["gate_ships"][gate] <= ships:
        worth += weights[CORE_GATE]
    return worth


@jit_internal
def fight_worth(
    state: State, seat: Seat, gate: int, ships: int, weights: NDArray[np.float32]
) -> float:
    """Return the value of attacking the Cruisers on a gate, from the chance to win.

    A Cruiser has 1.7 icons on average; the defender wins ties (p. 35). A hand of several cards
    helps the attacker, who lays last.
    """
    enemies = int(state["gate_ships"][gate])
    owner = int(state["gate_owner"][gate])
    lead = 1.7 * (ships - enemies) + weights[BOLDNESS] - 0.8
    lead += 0.15 * (int(state["hand_count"][seat]) - int(state["hand_count"][owner]))
    chance = 1 / (1 + np.exp(-lead))
    won = weights[FIGHT] * (1 + enemies) + gate_worth(state, seat, gate, weights)
    lost = 1.0 + 1.5 * ships
    return chance * won - (1 - chance) * lost


@jit_internal
def shallow_worth(
    state: State, seat: Seat, card: int, gems: int, weights: NDArray[np.float32]
) -> float:
    """Return the rough value of activating a map card; `gems` are those of the arriving ships."""
    family = FAMILY_BY_CARD[card]
    boost = (int(state["gems"][seat, COLOR_BY_CARD[card]]) + gems) // GEMS_PER_BOOST
    count = COUNT_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_COUNT else 0)
    if family <= Family.COMMAND_FLEETS_TO_SAME_CARD:
        return 0.8
    if family <= Family.RESEARCH_FROM_PLAN:
        return weights[RESEARCH]
    if family <= Family.EXECUTE_FROM_DECK_OR_TECH:
        return 0.7
    if family <= Family.BUILD_AT_HOME_AND_EACH_OCCUPIED:
        return 1.2 if state["ships_on_map"][seat] < state["ships"] else 0.0
    if family == Family.SABOTAGE:
        return 0.3
    if family <= Family.PLAN_FROM_DECK_THEN_SAME_COLOR:
        return weights[PLAN]
    if family <= Family.DRAW_THEN_OF_COLORS:
        return weights[DRAW] * min(count, int(state["hand_limit"]) - int(state["hand_count"][seat]))
    if family <= Family.TRADE_FROM_DECK:
        return weights[TRADE] * 1.2 * count
    if family <= Family.MINE_FROM_DECK:
        return weights[MINE] * 1.2 * count
    points = POINTS_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_POINTS else 0)
    return weights[REFINE] * points if has_gems(state, seat) else 0.0


@jit_internal
def has_gems(state: State, seat: Seat) -> bool:
    """Whether a seat has a mineral card."""
    for color in range(COLOR_COUNT):
        if state["gems"][seat, color] > 0:
            return True
    return False


@jit_internal
def core_points(state: State, seat: Seat, arrived: int) -> int:
    """Return the points for activating the Sector Core in the seat's best colour."""
    gems = 0
    for color in range(COLOR_COUNT):
        gems = max(gems, int(state["gems"][seat, color]))
    return 1 + (gems + arrived) // GEMS_PER_BOOST


@jit_internal
def cell_worth(
    state: State, seat: Seat, cell: int, ships: int, weights: NDArray[np.float32]
) -> float:
    """Return the value of arriving on a cell with Transports, from its card and its place."""
    if cell == CORE:
        return weights[CORE_VISIT] * core_points(state, seat, ships)
    worth = -0.1 * CELL_DISTANCE[cell]
    if not state["cell_face_up"][cell]:
        return worth + 0.5
    card = int(state["cell_card"][cell])
    if card >= 0:
        worth += shallow_worth(state, seat, card, ships, weights)
    return worth


@jit_internal
def cruiser_gain(
    state: State, seat: Seat, gate: int, ships: int, moves: int, weights: NDArray[np.float32]
) -> float:
    """Return the value of the best move of Cruisers from a gate, `NOTHING` without a move."""
    best = np.float32(NOTHING)
    for side in range(2):
        cell = CELLS_OF_GATE[gate, side]
        fights = False
        for k in range(GATE_COUNT_OF_CELL[cell]):
            fights = fights or is_enemy_gate(state, seat, GATES_OF_CELL[cell, k])
        raid = np.float32(0)
        if not fights:
            raid = weights[RAID] * enemy_transports(state, seat, cell)
        for k in range(GATE_COUNT_OF_CELL[cell]):
            other = GATES_OF_CELL[cell, k]
            if other == gate:
                continue
            if fights:
                if not is_enemy_gate(state, seat, other):
                    continue
                worth = fight_worth(state, seat, other, ships, weights)
            elif state["gate_owner"][other] != NO_SEAT and state["gate_owner"][other] != seat:
                continue
            else:
                worth = raid + gate_worth(state, seat, other, weights)
                distance = GATE_DISTANCE[other]
                if moves > 1 and distance > 0:
                    worth += weights[APPROACH] * min(moves - 1, distance)
            best = max(best, np.float32(worth))
    if best == NOTHING:
        return NOTHING
    return best - leaving_cost(state, seat, gate, ships, weights)


@jit_internal
def transport_gain(
    state: State, seat: Seat, cell: int, ships: int, moves: int, weights: NDArray[np.float32]
) -> np.float32:
    """Return the value of the best move of Transports from a cell, `NOTHING` without a move."""
    best = np.float32(NOTHING)
    patrolled = enemy_patrols(state, seat)
    for k in range(GATE_COUNT_OF_CELL[cell]):
        other = NEIGHBORS_OF_CELL[cell, k]
        if (patrolled >> other) & 1:
            continue
        best = max(best, np.float32(cell_worth(state, seat, other, ships, weights)))
        if moves > 1 and CELL_STEPS[other, CORE] == 1 and not (patrolled >> CORE) & 1:
            best = max(best, np.float32(cell_worth(state, seat, CORE, ships, weights)))
    return best


@jit_internal
def best_fleet_gain(
    state: State,
    seat: Seat,
    types: int,
    ships: int,
    moves: int,
    weights: NDArray[np.float32],
) -> np.float32:
    """Return the value of commanding the best fleet of some ship types."""
    best = np.float32(NOTHING)
    if types & CRUISER:
        for gate in range(GATES):
            if state["gate_owner"][gate] == seat:
                fleet = min(ships, int(state["gate_ships"][gate]))
                gain = cruiser_gain(state, seat, gate, fleet, moves, weights)
                best = max(best, np.float32(gain))
    if types & TRANSPORT:
        for cell in range(CELLS):
            if state["transports"][seat, cell] > 0:
                fleet = min(ships, int(state["transports"][seat, cell]))
                gain = transport_gain(state, seat, cell, fleet, moves, weights)
                best = max(best, np.float32(gain))
    return best
