"""The first frame of a card's effect, with the boxed number boosted (pp. 22-23)."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.boost import boost_of
from impulse_env.engine.cards import (
    BOMBS_BY_CARD,
    BOX_BOMBS,
    BOX_BY_CARD,
    BOX_COUNT,
    BOX_FLEETS,
    BOX_MOVES,
    BOX_POINTS,
    BOX_SHIPS,
    BOX_SIZE,
    COLORS_BY_CARD,
    COUNT_BY_CARD,
    FAMILY_BY_CARD,
    FLEETS_BY_CARD,
    MAX_SIZE_BY_CARD,
    MOVES_BY_CARD,
    POINTS_BY_CARD,
    SHIP_TYPES_BY_CARD,
    SHIPS_BY_CARD,
)
from impulse_env.engine.constants import (
    ALL_SHIPS,
    ANY_COLOR,
    BASIC_TECH,
    COLOR_COUNT,
    COMMON_TECH,
    TECHS,
    Card,
    Cell,
    Family,
    Op,
    Purpose,
    State,
)
from impulse_env.engine.deck import are_cards_left, hand_options, is_hand_full
from impulse_env.engine.effects.basic_tech import (
    can_command_or_build,
    can_use_race_tech,
    push_race_tech,
)
from impulse_env.engine.effects.build import (
    EACH,
    ONCE,
    build_places,
    can_build_each,
    home_of,
    location_options,
)
from impulse_env.engine.effects.command import ANYWHERE, fleet_options
from impulse_env.engine.effects.reveal import BLIND, FIRST_BLIND, FIRST_SETS_COLOR
from impulse_env.engine.effects.sabotage import sabotage_places
from impulse_env.engine.stack import push
from impulse_env.engine.state import CARD, COLORS, HIGH, LEFT, LOW, OP, A, B

FROM_HAND: Final = 0
FROM_DECK: Final = 1

_OP_BY_FAMILY: Final = np.array(
    [
        Op.CHOOSE_FLEET,  # command_fleet
        Op.CHOOSE_FLEET,  # command_fleets_to_same_card
        Op.RESEARCH_CARD,  # research_from_hand
        Op.RESEARCH_CARD,  # research_from_hand_then_execute
        Op.REVEAL,  # research_from_deck
        Op.RESEARCH_PLANNED,  # research_from_plan
        Op.EXECUTE,  # execute_from_hand_or_tech
        Op.EXECUTE,  # execute_from_deck_or_tech
        Op.BUILD_SHIP,  # build_at_home
        Op.BUILD_LOCATION,  # build_at_occupied
        Op.BUILD_SHIP,  # build_at_home_and_each_occupied
        Op.SABOTAGE_FLEET,  # sabotage
        Op.PLAN_CARD,  # plan_from_hand
        Op.PLAN_CARD,  # plan_different_colors_from_hand
        Op.REVEAL,  # plan_from_deck
        Op.REVEAL,  # plan_from_deck_then_same_color
        Op.REVEAL,  # draw
        Op.REVEAL,  # draw_of_size
        Op.REVEAL,  # draw_then_of_colors
        Op.TRADE_CARD,  # trade_from_hand
        Op.REVEAL,  # trade_from_deck
        Op.MINE_CARD,  # mine_from_hand
        Op.REVEAL,  # mine_from_deck
        Op.REFINE_CARD,  # refine_per_gem
        Op.REFINE_CARD,  # refine_flat
    ],
    dtype=np.int64,
)
_OP_BY_FAMILY.setflags(write=False)

_PURPOSE_BY_ACTION: Final = {
    "research": Purpose.RESEARCH,
    "plan": Purpose.PLAN,
    "draw": Purpose.DRAW,
    "trade": Purpose.TRADE,
    "mine": Purpose.MINE,
}
_PURPOSE_BY_FAMILY: Final = np.array(
    [_PURPOSE_BY_ACTION.get(f.name.lower().split("_")[0], 0) for f in Family], dtype=np.int64
)
_PURPOSE_BY_FAMILY.setflags(write=False)


@jit_internal
def boosted_size(card: Card, boost: int) -> int:
    """Return the largest allowed size."""
    return MAX_SIZE_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_SIZE else 0)


@jit_internal
def push_effect(state: State, card: Card, boost: int, chain: int) -> None:
    """Start using a card: push its first frame.

    Args:
        state: The game.
        card: The face.
        boost: The boost of its boxed number, fixed for the whole action (p. 43).
        chain: Mask of the Tech slots that are executing each other, including this card's own;
            only an Execute card reads it (P3).
    """
    frame = state["stack"][push(state, _OP_BY_FAMILY[FAMILY_BY_CARD[card]], card)]
    fill_effect(frame, card, boost, chain, home_of(state, int(state["active"])))


@jit_internal
def fill_effect(frame: NDArray[np.int8], card: Card, boost: int, chain: int, home: Cell) -> None:
    """Write a card's first frame into a zeroed frame; `home` is the active player's home cell."""
    family = FAMILY_BY_CARD[card]
    box = BOX_BY_CARD[card]
    frame[OP] = _OP_BY_FAMILY[family]
    frame[CARD] = card
    frame[LEFT] = COUNT_BY_CARD[card] + (boost if box == BOX_COUNT else 0)
    frame[COLORS] = COLORS_BY_CARD[card]
    frame[LOW] = 1
    frame[HIGH] = boosted_size(card, boost)
    if family <= Family.COMMAND_FLEETS_TO_SAME_CARD:
        frame[LEFT] = FLEETS_BY_CARD[card] + (boost if box == BOX_FLEETS else 0)
        frame[COLORS] = family == Family.COMMAND_FLEETS_TO_SAME_CARD
        frame[LOW] = MOVES_BY_CARD[card] + (boost if box == BOX_MOVES else 0)
        ships = SHIPS_BY_CARD[card] + (boost if box == BOX_SHIPS else 0)
        frame[HIGH] = min(ships, ALL_SHIPS)
        frame[A] = SHIP_TYPES_BY_CARD[card]
        frame[B] = ANYWHERE
    elif family == Family.RESEARCH_FROM_HAND_THEN_EXECUTE:
        frame[A] = 1
    elif family == Family.EXECUTE_FROM_HAND_OR_TECH:
        frame[A] = FROM_HAND
        frame[B] = chain
    elif family == Family.EXECUTE_FROM_DECK_OR_TECH:
        frame[A] = FROM_DECK
        frame[B] = chain
    elif family <= Family.BUILD_AT_HOME_AND_EACH_OCCUPIED and family >= Family.BUILD_AT_HOME:
        frame[LOW] = frame[LEFT]
        frame[HIGH] = EACH if family == Family.BUILD_AT_HOME_AND_EACH_OCCUPIED else ONCE
        frame[A] = SHIP_TYPES_BY_CARD[card]
        frame[B] = home
    elif family == Family.SABOTAGE:
        frame[LEFT] = BOMBS_BY_CARD[card] + (boost if box == BOX_BOMBS else 0)
        frame[A] = SHIP_TYPES_BY_CARD[card]
    elif family == Family.PLAN_DIFFERENT_COLORS_FROM_HAND:
        frame[A] = 1
    elif family >= Family.REFINE_PER_GEM:
        frame[A] = POINTS_BY_CARD[card] + (boost if box == BOX_POINTS else 0)
        frame[B] = family == Family.REFINE_FLAT
    elif _OP_BY_FAMILY[family] == Op.REVEAL:
        frame[A] = _PURPOSE_BY_FAMILY[family]
        if family == Family.DRAW:
            frame[B] = BLIND
        elif family == Family.DRAW_THEN_OF_COLORS:
            frame[B] = FIRST_BLIND
            frame[LEFT] += 1
        elif family == Family.PLAN_FROM_DECK_THEN_SAME_COLOR:
            frame[B] = FIRST_SETS_COLOR
            frame[LEFT] += 1


@jit_internal
def _can_use_plain(
    state: State, card: Card, boost: int, options: NDArray[np.int16], count: int
) -> bool:
    """Return whether a card other than an Execute card has an effect now."""
    seat = int(state["active"])
    family = FAMILY_BY_CARD[card]
    op = _OP_BY_FAMILY[family]
    types = SHIP_TYPES_BY_CARD[card]
    if op == Op.CHOOSE_FLEET:
        moves = MOVES_BY_CARD[card] + (boost if BOX_BY_CARD[card] == BOX_MOVES else 0)
        return fleet_options(state, types, ANYWHERE, moves, options, count) > count
    if op == Op.REVEAL:
        if _PURPOSE_BY_FAMILY[family] == Purpose.DRAW and is_hand_full(state, seat):
            return False
        return are_cards_left(state)
    if family == Family.BUILD_AT_HOME:
        return build_places(state, home_of(state, seat), types, ONCE, options, count) > count
    if family == Family.BUILD_AT_OCCUPIED:
        return location_options(state, types, options, count) > count
    if family == Family.BUILD_AT_HOME_AND_EACH_OCCUPIED:
        return can_build_each(state, types, COLORS_BY_CARD[card], options, count)
    if family == Family.SABOTAGE:
        return sabotage_places(state, types, options, count) > count
    if family == Family.RESEARCH_FROM_PLAN:
        planned = int(state["plan_count"][seat]) + int(state["next_plan_count"][seat])
        # The card in use, or on offer now, cannot be researched.
        return planned > (1 if state["phase"] == Op.USE_PLAN_CARD else 0)
    colors = COLORS_BY_CARD[card]
    if op == Op.REFINE_CARD:
        for color in range(COLOR_COUNT):
            if state["gems"][seat, color] > 0 and (colors >> color) & 1:
                return True
        return False
    high = boosted_size(card, boost)
    return hand_options(state, seat, colors, 1, high, options, count) > count


@jit_internal
def can_use(
    state: State, card: Card, boost: int, chain: int, options: NDArray[np.int16], count: int
) -> bool:
    """Return whether a card has an effect now; arguments as in `push_effect`.

    Uses `options` from `count` on as scratch space. An Execute card that could only lead to an
    Execute Tech counts as usable.
    """
    family = FAMILY_BY_CARD[card]
    if family != Family.EXECUTE_FROM_HAND_OR_TECH and family != Family.EXECUTE_FROM_DECK_OR_TECH:
        return _can_use_plain(state, card, boost, options, count)
    seat = int(state["active"])
    if family == Family.EXECUTE_FROM_DECK_OR_TECH:
        if are_cards_left(state):
            return True
    elif hand_options(state, seat, ANY_COLOR, 1, boosted_size(card, boost), options, count) > count:
        return True
    for slot in range(TECHS):
        if not (chain >> slot) & 1 and can_use_tech(state, slot, options, count):
            return True
    return False


@jit_internal
def can_use_tech(state: State, slot: int, options: NDArray[np.int16], count: int) -> bool:
    """Return whether a Tech of the active player has an effect; an Execute Tech always counts."""
    seat = int(state["active"])
    card = int(state["techs"][seat, slot])
    if card == BASIC_TECH:
        if slot == 0:
            return state["hand_count"][seat] > 0 and can_command_or_build(state, options, count)
        return can_use_race_tech(state, options, count)
    family = FAMILY_BY_CARD[card]
    if family == Family.EXECUTE_FROM_HAND_OR_TECH or family == Family.EXECUTE_FROM_DECK_OR_TECH:
        return True
    return _can_use_plain(state, card, boost_of(state, seat, card, 0), options, count)


@jit_internal
def push_tech(state: State, slot: int, chain: int) -> None:
    """Start using a Tech of the active player, at the end of a chain of Tech slots (P3)."""
    seat = int(state["active"])
    card = int(state["techs"][seat, slot])
    if card != BASIC_TECH:
        push_effect(state, card, boost_of(state, seat, card, 0), chain | (1 << slot))
    elif slot == 0:
        push(state, Op.BASIC_DISCARD, COMMON_TECH)
    else:
        push_race_tech(state)
