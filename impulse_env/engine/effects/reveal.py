"""From the deck: cards drawn or revealed one at a time (p. 24, pp. 36-39).

Frame of REVEAL, REVEAL_NEXT and KEEP_REVEALED:
    LEFT          number of cards still to draw
    COLORS, HIGH  the allowed cards
    A             the purpose
    B             the stage (a special rule for the next card)

In KEEP_REVEALED the card is the last one on the table.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import PASS, USE
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import Action, Op, PointSource, Purpose, State
from impulse_env.engine.deck import (
    NO_CARDS_LEFT,
    WAIT_FOR_DISCARDS,
    add_to_discard,
    add_to_hand,
    add_to_plan,
    draw,
    fits,
    is_hand_full,
    learn,
    put_on_table,
    take_from_table,
)
from impulse_env.engine.effects.from_hand import add_mineral
from impulse_env.engine.effects.research import ask_slot
from impulse_env.engine.scoring import score
from impulse_env.engine.stack import pop
from impulse_env.engine.state import COLORS, HIGH, LEFT, OP, A, B

STAGE: Final = B
PLAIN: Final = 0
BLIND: Final = 1
"""Every card goes into the hand unseen."""
FIRST_BLIND: Final = 2
"""The next card goes into the hand unseen, the others are revealed."""
FIRST_SETS_COLOR: Final = 3
"""The next card, if planned, names the colour of the others; if not, the action ends."""


@jit_internal
def go_on(state: State) -> None:
    """Finish a card: offer the next one, or end the effect."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    frame[LEFT] -= 1
    is_over = frame[LEFT] == 0
    if frame[A] == Purpose.DRAW and is_hand_full(state, int(state["active"])):
        is_over = True
    if is_over:
        pop(state)
    else:
        frame[OP] = Op.REVEAL_NEXT


@jit_internal
def run_reveal(state: State) -> None:
    """Draw or reveal the next card; one that does not fit is discarded (p. 24)."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    card = draw(state)
    if card == WAIT_FOR_DISCARDS:
        return
    if card == NO_CARDS_LEFT:
        pop(state)
        return
    stage = int(frame[STAGE])
    if stage == BLIND or stage == FIRST_BLIND:
        add_to_hand(state, seat, card)
        if stage == FIRST_BLIND:
            frame[STAGE] = PLAIN
        go_on(state)
    elif fits(card, int(frame[COLORS]), 1, int(frame[HIGH])):
        put_on_table(state, card)
        frame[OP] = Op.KEEP_REVEALED
    else:
        add_to_discard(state, card)
        go_on(state)


@jit_internal
def yes_or_no_options(options: NDArray[np.int16]) -> int:
    """Offer use and pass."""
    options[0] = PASS
    options[1] = USE
    return 2


@jit_internal
def apply_reveal_next(state: State, action: Action) -> None:
    """Reveal one more, or stop: every number is "up to" (p. 22)."""
    if action == PASS:
        pop(state)
    else:
        state["stack"][int(state["stack_count"]) - 1, OP] = Op.REVEAL


@jit_internal
def apply_keep_revealed(state: State, action: Action) -> None:
    """Use the card on the table for the purpose of the effect, or discard it.

    `execute.py` handles Purpose.EXECUTE.
    """
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    card = take_from_table(state)
    if action == PASS:
        add_to_discard(state, card)
        if frame[STAGE] == FIRST_SETS_COLOR:
            pop(state)
        else:
            go_on(state)
        return
    purpose = int(frame[A])
    if frame[STAGE] == FIRST_SETS_COLOR:
        frame[STAGE] = PLAIN
        frame[COLORS] = 1 << COLOR_BY_CARD[card]
    if purpose == Purpose.DRAW:
        add_to_hand(state, seat, card)
        learn(state, seat, card)
    elif purpose == Purpose.TRADE:
        add_to_discard(state, card)
    elif purpose == Purpose.MINE:
        add_mineral(state, seat, card)
    elif purpose == Purpose.PLAN:
        add_to_plan(state, seat, card)
    go_on(state)
    if purpose == Purpose.RESEARCH:
        ask_slot(state, card, 0)
    elif purpose == Purpose.TRADE:
        score(state, seat, SIZE_BY_CARD[card], PointSource.TRADE)
