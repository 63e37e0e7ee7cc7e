"""The score of every legal action of a decision, by the rules of thumb."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.card_value import card_worth
from impulse_agents.heuristics.place_value import (
    CELL_DISTANCE,
    GATE_DISTANCE,
    best_fleet_gain,
    cell_worth,
    cruiser_gain,
    enemy_transports,
    fight_worth,
    gate_worth,
    transport_gain,
)
from impulse_agents.heuristics.styles import (
    CORE_GATE,
    CORE_VISIT,
    CRUISER_BUILT,
    KEEP,
    MINE,
    RAID,
    RESEARCH,
    TRADE,
    TRANSPORT_BUILT,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import (
    BASIC_BUILD,
    BASIC_COMMAND,
    CARD_0,
    COLOR_0,
    PASS,
    PLACE_0,
    SEAT_0,
    SHIPS_0,
    TECH_0,
)
from impulse_env.engine.battle import matches
from impulse_env.engine.cards import SIZE_BY_CARD
from impulse_env.engine.constants import (
    ALL_SHIPS,
    BASIC_TECH,
    CELLS,
    CRUISER,
    FACES,
    GEMS_PER_BOOST,
    PLAN_MUST_BE_USED,
    TECHS,
    TRANSPORT,
    Op,
    Purpose,
    Race,
    Seat,
    State,
)
from impulse_env.engine.offer import card_on_offer
from impulse_env.engine.scoring import is_enemy_gate
from impulse_env.engine.sector_map import CROSSED_CELL
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import ATTACKER, DEFENDER, HIGH, LEFT, LOW, A, B

_ANY_SHIP = TRANSPORT | CRUISER


@jit_internal
def tech_worth(state: State, seat: Seat, slot: int, weights: NDArray[np.float32]) -> float:
    """Return the value of using a Tech."""
    card = int(state["techs"][seat, slot])
    if card != BASIC_TECH:
        return card_worth(state, seat, card, weights, False)
    race = int(state["race"][seat])
    if slot == 0:
        cost = 1.2 - 0.12 * int(state["hand_count"][seat])
        gain = best_fleet_gain(state, seat, _ANY_SHIP, ALL_SHIPS, 1, weights)
        if state["ships_on_map"][seat] < state["ships"]:
            gain = max(gain, 0.7 * weights[CRUISER_BUILT])
        return gain - cost
    if race == Race.ARIEK:
        return best_fleet_gain(state, seat, _ANY_SHIP, ALL_SHIPS, 1, weights)
    if race == Race.HERCULESE:
        return best_fleet_gain(state, seat, CRUISER, 1, 1, weights)
    if race == Race.TRIANGULUMNISTS:
        return weights[CRUISER_BUILT]
    if race == Race.CAELUMNITES:
        return weights[MINE]
    if race == Race.DRACONIANS:
        return 0.5 * weights[RESEARCH]
    return 0.4


@jit_internal
def score_yes(
    state: State, seat: Seat, op: int, weights: NDArray[np.float32]
) -> float | np.float32:
    """Return the value of "yes", relative to "no"."""
    if op == Op.USE_PLAN:
        planned = int(state["plan_count"][seat])
        worth = np.float32(0.3 * (planned - PLAN_MUST_BE_USED + 1))
        for slot in range(planned):
            gain = card_worth(state, seat, int(state["plan"][seat, slot]), weights, False)
            worth += max(np.float32(gain), np.float32(0))
        return worth - 0.5
    card = card_on_offer(state)
    if card < 0:
        return 1.0
    if op == Op.KEEP_REVEALED:
        purpose = int(state["stack"][int(state["stack_count"]) - 1, A])
        if purpose == Purpose.RESEARCH:
            return research_gain(state, seat, card, weights)
        if purpose != Purpose.EXECUTE:
            return 1.0
    return card_worth(state, seat, card, weights, False)


@jit_internal
def research_gain(state: State, seat: Seat, card: int, weights: NDArray[np.float32]) -> float:
    """Return how much better a card is than the worse one of the Techs."""
    lesser = np.float32(99)
    for slot in range(TECHS):
        lesser = min(lesser, np.float32(tech_worth(state, seat, slot, weights)))
    return card_worth(state, seat, card, weights, True) - max(lesser, np.float32(0.2))


@jit_internal
def score_card(state: State, seat: Seat, op: int, card: int, weights: NDArray[np.float32]) -> float:
    """Return the score of choosing a card."""
    size = SIZE_BY_CARD[card]
    keep = weights[KEEP] * size
    if op == Op.TRADE_CARD:
        return (weights[TRADE] - weights[KEEP]) * size
    if op == Op.MINE_CARD:
        return (weights[MINE] - 0.5 * weights[KEEP]) * size
    if op == Op.REFINE_CARD:
        return 1.0 * size
    worth = card_worth(state, seat, card, weights, True)
    if op == Op.ADD_IMPULSE or op == Op.PLAN_CARD:
        return worth - 0.5 * keep
    if op == Op.RESEARCH_CARD or op == Op.RESEARCH_PLANNED:
        return research_gain(state, seat, card, weights) - 0.3 * keep
    if op == Op.EXECUTE:
        return worth - keep
    if op == Op.REINFORCE:
        side = int(state["stack"][int(state["stack_count"]) - 1, A])
        if not matches(state, seat, card):
            return -1.0
        # Spend no cards on a battle that is almost lost.
        lead = int(state["battle_ships"][side]) - int(state["battle_ships"][1 - side])
        hopeless = side == DEFENDER and lead < -2
        return -0.5 if hopeless else size - 0.1 - 0.5 * keep * (side == ATTACKER and lead > 2)
    # The card is given away, to the discard pile or onto the map.
    return -keep - 0.3 * max(np.float32(worth), np.float32(0))


@jit_internal
def score_build(state: State, seat: Seat, place: int, weights: NDArray[np.float32]) -> float:
    """Return the value of a new ship at a place."""
    if place < CELLS:
        transports = 0
        for cell in range(CELLS):
            transports += int(state["transports"][seat, cell])
        return weights[TRANSPORT_BUILT] * (1.3 - 0.2 * transports) - 0.05 * CELL_DISTANCE[place]
    gate = place - CELLS
    bonus = weights[CORE_GATE] if GATE_DISTANCE[gate] == 0 else np.float32(0)
    if state["gate_owner"][gate] == seat:
        bonus = np.float32(0.2)
    return weights[CRUISER_BUILT] + bonus - 0.3 * GATE_DISTANCE[gate]


@jit_internal
def score_move(state: State, seat: Seat, place: int, weights: NDArray[np.float32]) -> float:
    """Return the value of a place as the next step of the fleet that is declaring its path."""
    fleet = int(state["fleet_count"]) - 1
    ships = int(state["fleet_ships"][fleet])
    if place < CELLS:
        return cell_worth(state, seat, place, ships, weights)
    gate = place - CELLS
    if is_enemy_gate(state, seat, gate):
        return fight_worth(state, seat, gate, ships, weights)
    steps = int(state["path_count"])
    several = int(state["stack"][int(state["stack_count"]) - 1, LEFT]) > 1
    origin = int(state["fleet_from"][fleet])
    if steps > 0 and not several:
        origin = int(state["path"][steps - 1])
    worth = gate_worth(state, seat, gate, weights)
    if origin >= CELLS and origin != place:
        crossed = CROSSED_CELL[origin - CELLS, gate]
        if crossed >= 0:
            worth += weights[RAID] * enemy_transports(state, seat, crossed)
    return worth


@jit_internal
def score_pass(state: State, seat: Seat, op: int, weights: NDArray[np.float32]) -> float:
    """Return the value of declining."""
    if op == Op.CHOOSE_MOVE and state["path_count"] > 0:
        place = int(state["path"][int(state["path_count"]) - 1])
        return score_move(state, seat, place, weights) - 0.05
    if op == Op.BASIC_MODE:
        return 0.05
    return 0.0


@jit_internal
def score_place(
    state: State, seat: Seat, op: int, place: int, weights: NDArray[np.float32]
) -> float:
    """Return the score of choosing a place."""
    if op == Op.CHOOSE_MOVE:
        return score_move(state, seat, place, weights)
    if op == Op.CHOOSE_FLEET:
        frame = state["stack"][int(state["stack_count"]) - 1]
        most, moves = int(frame[HIGH]), int(frame[LOW])
        if place < CELLS:
            ships = min(most, int(state["transports"][seat, place]))
            return transport_gain(state, seat, place, ships, moves, weights)
        ships = min(most, int(state["gate_ships"][place - CELLS]))
        return cruiser_gain(state, seat, place - CELLS, ships, moves, weights)
    if op == Op.BUILD_SHIP:
        return score_build(state, seat, place, weights)
    if op == Op.BUILD_LOCATION:
        return 3.0 - CELL_DISTANCE[place]
    if place < CELLS:
        return min(3, enemy_transports(state, seat, place))
    return min(3, int(state["gate_ships"][place - CELLS])) + (GATE_DISTANCE[place - CELLS] == 0)


@jit_internal
def score_ships(state: State, seat: Seat, ships: int, weights: NDArray[np.float32]) -> float:
    """Return the score of sending some ships of the fleet, minus the loss at their origin."""
    place = int(state["fleet_from"][int(state["fleet_count"]) - 1])
    moves = int(state["stack"][int(state["stack_count"]) - 1, LOW])
    if place < CELLS:
        return transport_gain(state, seat, place, ships, moves, weights) + 0.01 * ships
    return cruiser_gain(state, seat, place - CELLS, ships, moves, weights) + 0.01 * ships


@jit_internal
def score_option(
    state: State, seat: Seat, op: int, action: int, weights: NDArray[np.float32]
) -> float:
    """Return the score of a legal action, in the points of a style.

    Args:
        state: A full state or the seat's view.
        seat: The deciding seat.
        op: The pending decision, `current_op`.
        action: A legal action in the absolute frame.
        weights: A row of `STYLES`.
    """
    if action == PASS:
        return score_pass(state, seat, op, weights)
    if action < CARD_0:
        return score_yes(state, seat, op, weights)
    if action < CARD_0 + FACES:
        return score_card(state, seat, op, action - CARD_0, weights)
    if action <= SHIPS_0:
        return score_place(state, seat, op, action - PLACE_0, weights)
    if action < COLOR_0:
        return score_ships(state, seat, action - SHIPS_0, weights)
    if action < TECH_0:
        arrived = int(state["stack"][int(state["stack_count"]) - 1, B])
        gems = int(state["gems"][seat, action - COLOR_0]) + arrived
        return weights[CORE_VISIT] * (1 + gems // GEMS_PER_BOOST)
    if action < SEAT_0:
        worth = tech_worth(state, seat, action - TECH_0, weights)
        return -worth if op == Op.RESEARCH_SLOT else worth
    if action == BASIC_BUILD:
        return 0.8 * weights[CRUISER_BUILT]
    if action == BASIC_COMMAND:
        return best_fleet_gain(state, seat, _ANY_SHIP, ALL_SHIPS, 1, weights)
    if op == Op.SABOTAGE_OWNER:
        return float(state["score"][action - SEAT_0])
    return 0.0


@jit_internal
def score_options(
    state: State,
    seat: Seat,
    options: NDArray[np.int16],
    count: int,
    weights: NDArray[np.float32],
    scores: NDArray[np.float32],
) -> None:
    """Write the scores of the first `count` options to `scores`; arguments as in `score_option`."""
    op = current_op(state)
    for k in range(count):
        scores[k] = score_option(state, seat, op, int(options[k]), weights)
