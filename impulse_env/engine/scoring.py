"""Points, elimination and the end of the game (pp. 14-17).

Only this module writes scores and eliminates players.
"""

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import (
    BASIC_TECH,
    COLOR_COUNT,
    FACES,
    NO_CARD,
    NO_SEAT,
    RUNNING,
    TECHS,
    WON_BY_ELIMINATION,
    WON_BY_SCORE,
    Cell,
    Op,
    Seat,
    State,
)
from impulse_env.engine.deck import add_to_discard, discard_table
from impulse_env.engine.stack import pop
from impulse_env.engine.state import SIDES


@jit_internal
def are_enemies(state: State, seat: Seat, other: Seat) -> bool:
    """Return whether two seats are on different teams (without teams: whether they differ)."""
    return bool((seat - other) % int(state["teams"]) != 0)


@jit_internal
def is_enemy_gate(state: State, seat: Seat, gate: int) -> bool:
    """Return whether an enemy of `seat` has Cruisers on that gate."""
    owner = int(state["gate_owner"][gate])
    return owner != NO_SEAT and are_enemies(state, seat, owner)


@jit_internal
def score(state: State, seat: Seat, points: int, source: int) -> None:
    """Give points; a win ends the game at once, also in mid-action or another's turn (p. 16)."""
    if state["status"] != RUNNING:
        return
    state["score"][seat] += points
    state["points"][seat, source] += points
    if state["score"][seat] >= state["target_score"]:
        state["status"] = WON_BY_SCORE
        state["winner"] = seat % int(state["teams"])


@jit_internal
def clear_movement(state: State) -> None:
    """Clear the declared fleets and path."""
    for fleet in range(int(state["fleet_count"])):
        state["fleet_from"][fleet] = -1
        state["fleet_ships"][fleet] = 0
    for leg in range(int(state["path_count"])):
        state["path"][leg] = -1
    state["fleet_count"] = 0
    state["path_count"] = 0


@jit_internal
def clear_battle(state: State) -> None:
    """Clear the battle; its reinforcements must have been revealed."""
    state["battle_gate"] = -1
    for side in range(SIDES):
        state["battle_seat"][side] = NO_SEAT
        state["battle_ships"][side] = 0
        state["battle_icons"][side] = 0


@jit_internal
def _discard_possessions(state: State, seat: Seat) -> None:
    """Discard hand, Plan, minerals and researched Techs; the home card stays (p. 17, R10)."""
    for slot in range(int(state["hand_count"][seat])):
        add_to_discard(state, int(state["hand"][seat, slot]))
        state["hand"][seat, slot] = NO_CARD
    for slot in range(int(state["known_count"][seat])):
        state["known"][seat, slot] = NO_CARD
    for slot in range(int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])):
        add_to_discard(state, int(state["plan"][seat, slot]))
        state["plan"][seat, slot] = NO_CARD
    state["hand_count"][seat] = 0
    state["known_count"][seat] = 0
    state["plan_count"][seat] = 0
    state["next_plan_count"][seat] = 0
    for card in range(FACES):
        for _ in range(int(state["minerals"][seat, card])):
            add_to_discard(state, card)
        state["minerals"][seat, card] = 0
    for color in range(COLOR_COUNT):
        state["gems"][seat, color] = 0
    for slot in range(TECHS):
        if state["techs"][seat, slot] != BASIC_TECH:
            add_to_discard(state, int(state["techs"][seat, slot]))
            state["techs"][seat, slot] = BASIC_TECH


@jit_internal
def eliminate_shipless(state: State) -> None:
    """Eliminate every player without ships; end the game if one team is left (p. 17).

    The elimination of the active player ends the turn and empties the stack.
    """
    if state["status"] != RUNNING:
        return
    team = NO_SEAT
    teams_alive = 0
    for seat in range(int(state["players"])):
        if state["ships_on_map"][seat] == 0 and not state["eliminated"][seat]:
            state["eliminated"][seat] = 1
            _discard_possessions(state, seat)
        if not state["eliminated"][seat] and (team == NO_SEAT or are_enemies(state, seat, team)):
            team = seat
            teams_alive += 1
    if teams_alive == 1:
        state["status"] = WON_BY_ELIMINATION
        state["winner"] = team % int(state["teams"])
    elif state["eliminated"][int(state["active"])]:
        while state["stack_count"] > 0:
            pop(state)
        clear_movement(state)
        clear_battle(state)
        discard_table(state, 0)
        state["phase"] = Op.END_TURN
        state["cursor"] = 0


@jit_internal
def destroy_transports(state: State, seat: Seat, cell: Cell) -> int:
    """Destroy every enemy Transport on a cell and return their number (p. 30)."""
    destroyed = 0
    for other in range(int(state["players"])):
        count = int(state["transports"][other, cell])
        if count > 0 and are_enemies(state, seat, other):
            state["transports"][other, cell] = 0
            state["ships_on_map"][other] -= count
            destroyed += count
    return destroyed


@jit_internal
def add_cruisers(state: State, seat: Seat, gate: int, count: int) -> None:
    """Put Cruisers of a seat on a gate without Cruisers of other seats."""
    state["gate_owner"][gate] = seat
    state["gate_ships"][gate] += count


@jit_internal
def remove_cruisers(state: State, gate: int, count: int) -> None:
    """Remove Cruisers from a gate; without Cruisers it has no owner."""
    state["gate_ships"][gate] -= count
    if state["gate_ships"][gate] == 0:
        state["gate_owner"][gate] = NO_SEAT
