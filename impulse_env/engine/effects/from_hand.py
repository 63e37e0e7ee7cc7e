"""Trade, Mine and Plan cards from hand, one at a time (pp. 36-39).

Frame of TRADE_CARD, MINE_CARD, PLAN_CARD and RESEARCH_CARD:
    LEFT               number of cards that may still be chosen
    COLORS, LOW, HIGH  the allowed cards
    DONE               number of chosen cards
    A                  1 in PLAN_CARD if all cards must differ in colour, 1 in RESEARCH_CARD if the
                       card is executed at once
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import Action, Card, Op, PointSource, Seat, State
from impulse_env.engine.deck import add_to_plan, discard_from_hand, hand_options, take_from_hand
from impulse_env.engine.scoring import score
from impulse_env.engine.stack import pop
from impulse_env.engine.state import COLORS, DONE, HIGH, LEFT, LOW, OP, A


@jit_internal
def from_hand_options(state: State, options: NDArray[np.int16]) -> int:
    """List the fitting faces, and pass after a card was chosen."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    count = 0
    if frame[DONE] > 0:
        options[0] = PASS
        count = 1
    return hand_options(
        state,
        int(state["active"]),
        int(frame[COLORS]),
        int(frame[LOW]),
        int(frame[HIGH]),
        options,
        count,
    )


@jit_internal
def add_mineral(state: State, seat: Seat, card: Card) -> None:
    """Tuck a card under the Command Center: each icon is a gem of its colour (p. 21)."""
    state["minerals"][seat, card] += 1
    state["gems"][seat, COLOR_BY_CARD[card]] += SIZE_BY_CARD[card]


@jit_internal
def apply_from_hand(state: State, action: Action) -> None:
    """Trade, mine or plan the chosen card."""
    top = int(state["stack_count"]) - 1
    frame = state["stack"][top]
    if action == PASS:
        pop(state)
        return
    seat = int(state["active"])
    card = action - CARD_0
    op = int(frame[OP])
    if op == Op.TRADE_CARD:
        discard_from_hand(state, seat, card)
        score(state, seat, SIZE_BY_CARD[card], PointSource.TRADE)
    elif op == Op.MINE_CARD:
        take_from_hand(state, seat, card)
        add_mineral(state, seat, card)
    else:
        take_from_hand(state, seat, card)
        add_to_plan(state, seat, card)
        if frame[A]:
            frame[COLORS] &= ~(1 << COLOR_BY_CARD[card])
    frame[DONE] += 1
    frame[LEFT] -= 1
    if frame[LEFT] == 0:
        pop(state)
