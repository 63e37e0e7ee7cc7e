"""The value of using a card now."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.place_value import NOTHING, best_fleet_gain
from impulse_agents.heuristics.styles import (
    CRUISER_BUILT,
    DRAW,
    KEEP,
    MINE,
    PLAN,
    REFINE,
    RESEARCH,
    SABOTAGE,
    TRADE,
    TRANSPORT_BUILT,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.boost import boost_of
from impulse_env.engine.cards import (
    BOMBS_BY_CARD,
    BOX_BOMBS,
    BOX_BY_CARD,
    BOX_COUNT,
    BOX_MOVES,
    BOX_POINTS,
    BOX_SHIPS,
    BOX_SIZE,
    COLOR_BY_CARD,
    COLORS_BY_CARD,
    COUNT_BY_CARD,
    FAMILY_BY_CARD,
    MAX_SIZE_BY_CARD,
    MOVES_BY_CARD,
    POINTS_BY_CARD,
    SHIP_TYPES_BY_CARD,
    SHIPS_BY_CARD,
    SIZE_BY_CARD,
)
from impulse_env.engine.constants import BASIC_TECH, CRUISER, FACES, Family, Seat, State
from impulse_env.engine.deck import fits


@jit_internal
def best_fitting(state: State, seat: Seat, but: int, colors: int, high: int) -> int:
    """Return the size of the largest hand card that fits, except one copy of `but`; 0 for none."""
    best = 0
    left_out = False
    for slot in range(int(state["hand_count"][seat])):
        card = int(state["hand"][seat, slot])
        if card == but and not left_out:
            left_out = True
        elif card >= 0 and fits(card, colors, 1, high):
            best = max(best, SIZE_BY_CARD[card])
    return best


@jit_internal
def best_mineral(state: State, seat: Seat, colors: int) -> int:
    """Return the size of the largest mineral card of the colours, 0 for none."""
    best = 0
    for card in range(FACES):
        if state["minerals"][seat, card] > 0 and (colors >> COLOR_BY_CARD[card]) & 1:
            best = max(best, SIZE_BY_CARD[card])
    return best


@jit_internal
def command_worth(
    state: State, seat: Seat, card: int, boost: int, weights: NDArray[np.float32]
) -> float:
    """Return the value of a Command card: that of its best fleet."""
    ships = SHIPS_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_SHIPS else 0)
    moves = MOVES_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_MOVES else 0)
    types = SHIP_TYPES_BY_CARD[card]
    gain = best_fleet_gain(state, seat, types, ships, moves, weights)
    if FAMILY_BY_CARD[card] == Family.COMMAND_FLEETS_TO_SAME_CARD and gain > 0:
        gain *= 1.3
    return gain


@jit_internal
def build_worth(
    state: State, seat: Seat, card: int, count: int, weights: NDArray[np.float32]
) -> float:
    """Return the value of a Build card that builds `count` ships."""
    left = int(state["ships"]) - int(state["ships_on_map"][seat])
    types = SHIP_TYPES_BY_CARD[card]
    each = weights[CRUISER_BUILT] if types & CRUISER else weights[TRANSPORT_BUILT]
    return each * min(count, left) if left > 0 else NOTHING


@jit_internal
def card_worth(
    state: State, seat: Seat, card: int, weights: NDArray[np.float32], is_in_hand: bool
) -> float:
    """Return the value of using a card now.

    Args:
        state: A full state or the seat's view.
        seat: The seat that would use it.
        card: The face.
        weights: A row of `STYLES`.
        is_in_hand: Whether the card is still in the hand, so that it cannot be its own target.
    """
    family = FAMILY_BY_CARD[card]
    boost = boost_of(state, seat, card, 0)
    box = BOX_BY_CARD[card]
    if family <= Family.COMMAND_FLEETS_TO_SAME_CARD:
        return command_worth(state, seat, card, boost, weights)
    count = COUNT_BY_CARD[card] + (boost if box == BOX_COUNT else 0)
    high = MAX_SIZE_BY_CARD[card] + (boost if box == BOX_SIZE else 0)
    if Family.BUILD_AT_HOME <= family <= Family.BUILD_AT_HOME_AND_EACH_OCCUPIED:
        return build_worth(state, seat, card, count, weights)
    if family == Family.SABOTAGE:
        bombs = BOMBS_BY_CARD[card] + (boost if box == BOX_BOMBS else 0)
        return weights[SABOTAGE] * 0.5 * bombs
    if Family.DRAW <= family <= Family.DRAW_THEN_OF_COLORS:
        room = int(state["hand_limit"]) - int(state["hand_count"][seat])
        usual = 1.3 if family == Family.DRAW_THEN_OF_COLORS else 1.0
        return weights[DRAW] * min(usual * count, room)
    if family == Family.TRADE_FROM_DECK:
        return weights[TRADE] * 1.7 * count
    if family == Family.MINE_FROM_DECK:
        return weights[MINE] * 1.0 * count
    if family == Family.REFINE_PER_GEM or family == Family.REFINE_FLAT:
        points = POINTS_BY_CARD[card] + (boost if box == BOX_POINTS else 0)
        size = best_mineral(state, seat, COLORS_BY_CARD[card])
        if size == 0:
            return NOTHING
        scored = points if family == Family.REFINE_FLAT else points * size
        return weights[REFINE] * scored - weights[MINE] * 0.5 * size
    but = card if is_in_hand else -1
    size = best_fitting(state, seat, but, COLORS_BY_CARD[card], high)
    if family == Family.TRADE_FROM_HAND:
        if size == 0:
            return NOTHING
        return (weights[TRADE] - weights[KEEP]) * size * (1 + 0.5 * (count - 1))
    if family == Family.MINE_FROM_HAND:
        if size == 0:
            return NOTHING
        return (weights[MINE] - 0.5 * weights[KEEP]) * size * (1 + 0.5 * (count - 1))
    if family <= Family.RESEARCH_FROM_PLAN:
        free = 0.0
        for slot in range(2):
            free += state["techs"][seat, slot] == BASIC_TECH
        return weights[RESEARCH] * (0.3 + 0.7 * (free > 0))
    if family <= Family.EXECUTE_FROM_DECK_OR_TECH:
        return 0.7
    return weights[PLAN]
