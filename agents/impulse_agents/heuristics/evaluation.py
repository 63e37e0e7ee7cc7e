"""Rule-based evaluation of a position: features of each seat, and each side's chance to win.

The coefficients were fitted to games between the rule-based agents; `impulse train fit-evaluation`
prints them.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.place_value import GATE_DISTANCE
from impulse_env.compiled.compilation import call, jit, jit_internal
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import (
    BASIC_TECH,
    CELLS,
    COLOR_COUNT,
    CORE,
    GATES,
    NO_SEAT,
    RUNNING,
    TECHS,
    Seat,
    State,
)
from impulse_env.engine.scoring import is_enemy_gate
from impulse_env.engine.sector_map import NEIGHBORS_OF_CELL

_COEFFICIENT_BY_FEATURE: Final = {
    "points": 0.112,  # scored
    "points_squared": 0.193,  # over the target
    "core_gates": 0.659,  # gates of the Sector Core with own Cruisers
    "core_gates_by_points": -0.546,  # the same, times the share of the target scored
    "core_guards": 0.332,  # further Cruisers there
    "near_cruisers": 0.221,  # one move away from the Sector Core
    "far_cruisers": -0.050,
    "threats": 0.011,  # enemy Cruisers one move away from own core gates, beyond the guards
    "near_transports": -0.025,  # on or next to the Sector Core
    "far_transports": -0.037,
    "hand": 0.023,  # cards
    "hand_icons": 0.024,  # of known cards
    "gems": 0.107,
    "most_gems": -0.100,  # of one colour
    "plan": 0.061,  # cards
    "techs": 0.010,  # researched
    "to_move": 0.467,  # 1 if it is this seat's turn
}
FEATURES: Final = tuple(_COEFFICIENT_BY_FEATURE)
(
    POINTS,
    POINTS_SQUARED,
    CORE_GATES,
    CORE_GATES_BY_POINTS,
    CORE_GUARDS,
    NEAR_CRUISERS,
    FAR_CRUISERS,
    THREATS,
    NEAR_TRANSPORTS,
    FAR_TRANSPORTS,
    HAND,
    HAND_ICONS,
    GEMS,
    MOST_GEMS,
    PLANNED,
    RESEARCHED,
    TO_MOVE,
) = range(len(FEATURES))

COEFFICIENTS: Final = np.array(list(_COEFFICIENT_BY_FEATURE.values()), np.float32)
COEFFICIENTS.setflags(write=False)

_NEAR_CORE: Final = (1 << CORE) | sum(1 << int(cell) for cell in NEIGHBORS_OF_CELL[CORE])


@jit_internal
def _count_cruisers(state: State, seat: Seat, out: NDArray[np.float32]) -> None:
    """Write the features of the own Cruisers, and of the Cruisers that threaten them."""
    held = 0
    threats = 0
    guards = 0
    for gate in range(GATES):
        owner = int(state["gate_owner"][gate])
        if owner == NO_SEAT:
            continue
        ships = int(state["gate_ships"][gate])
        distance = GATE_DISTANCE[gate]
        if owner == seat:
            if distance == 0:
                held += 1
                guards += ships - 1
            elif distance == 1:
                out[NEAR_CRUISERS] += ships
            else:
                out[FAR_CRUISERS] += ships
        elif distance <= 1 and is_enemy_gate(state, seat, gate):
            threats += ships
    out[CORE_GATES] = held
    out[CORE_GUARDS] = guards
    if held > 0:
        out[THREATS] = max(0, threats - guards)


@jit_internal
def position_features(state: State, seat: Seat, out: NDArray[np.float32]) -> None:
    """Write the features of a seat, shape ``(len(FEATURES),)``."""
    out[:] = 0
    target = float(state["target_score"])
    # A game to fewer points counts as if the rest had already been scored.
    points = 20.0 - (target - float(state["score"][seat]))
    out[POINTS] = points
    out[POINTS_SQUARED] = points * points / 20.0
    _count_cruisers(state, seat, out)
    out[CORE_GATES_BY_POINTS] = out[CORE_GATES] * points / 20.0
    for cell in range(CELLS):
        ships = int(state["transports"][seat, cell])
        if ships > 0:
            near = (_NEAR_CORE >> cell) & 1
            out[NEAR_TRANSPORTS if near else FAR_TRANSPORTS] += ships
    out[HAND] = state["hand_count"][seat]
    for slot in range(int(state["hand_count"][seat])):
        card = int(state["hand"][seat, slot])
        if card >= 0:
            out[HAND_ICONS] += SIZE_BY_CARD[card]
    for color in range(COLOR_COUNT):
        gems = int(state["gems"][seat, color])
        out[GEMS] += gems
        out[MOST_GEMS] = max(out[MOST_GEMS], np.float32(gems))
    out[PLANNED] = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
    for slot in range(TECHS):
        out[RESEARCHED] += state["techs"][seat, slot] != BASIC_TECH
    out[TO_MOVE] = state["active"] == seat


@jit_internal
def strength_of(state: State, seat: Seat, scratch: NDArray[np.float32]) -> np.float32:
    """Return the strength of a seat: its log-odds to win, up to a constant."""
    position_features(state, seat, scratch)
    total = np.float32(0)
    for feature in range(len(FEATURES)):
        total += COEFFICIENTS[feature] * scratch[feature]
    return total


@jit_internal
def win_probabilities(state: State, scratch: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Write each side's chance to win: 0 or 1 if the game is over, equal chances if truncated.

    Args:
        state: A game.
        scratch: Shape ``(len(FEATURES),)``.
        out: Output, shape ``(6,)``: the chances of the game's sides (players, or teams), 1 in sum.
    """
    sides = int(state["teams"])
    if state["status"] != RUNNING:
        for side in range(sides):
            out[side] = 1.0 / sides if state["winner"] < 0 else 0.0
        if state["winner"] >= 0:
            out[int(state["winner"])] = 1.0
        return
    total = np.float32(0)
    out[:] = 0
    for seat in range(int(state["players"])):
        if not state["eliminated"][seat]:
            odds = np.exp(strength_of(state, seat, scratch))
            # A team wins with its first member.
            out[seat % sides] += odds
            total += odds
    for side in range(sides):
        out[side] /= total


@jit
def _measure_all(states: np.ndarray, out: NDArray[np.float32]) -> None:
    """Write the features of every seat of every game, shape ``(n, players, features)``."""
    for game in range(len(states)):
        for seat in range(out.shape[1]):
            position_features(states[game], seat, out[game, seat])


def all_position_features(states: np.ndarray, players: int) -> NDArray[np.float32]:
    """Return the features of every seat, shape ``(n, players, len(FEATURES))``.

    Args:
        states: Games with this number of players, shape ``(n,)``.
        players: 2 to 6.
    """
    out = np.empty((len(states), players, len(FEATURES)), np.float32)
    call(_measure_all, states, out)
    return out
