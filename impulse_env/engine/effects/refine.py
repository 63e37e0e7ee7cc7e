"""Refine: discard mineral cards for points (p. 39).

Frame of REFINE_CARD: LEFT, COLORS, DONE; A is the number of points, B = 1 if they are for the card
(flat), 0 if for each of its gems. The boost is fixed before the first gem is discarded (p. 43).
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import CARD_0, PASS
from impulse_env.engine.cards import COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import FACES, Action, PointSource, State
from impulse_env.engine.deck import add_to_discard
from impulse_env.engine.scoring import score
from impulse_env.engine.stack import pop
from impulse_env.engine.state import COLORS, DONE, LEFT, A, B


@jit_internal
def refine_options(state: State, options: NDArray[np.int16]) -> int:
    """List the mineral cards of the allowed colours, and pass after one was refined."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    seat = int(state["active"])
    count = 0
    if frame[DONE] > 0:
        options[0] = PASS
        count = 1
    for card in range(FACES):
        if state["minerals"][seat, card] > 0 and (frame[COLORS] >> COLOR_BY_CARD[card]) & 1:
            options[count] = CARD_0 + card
            count += 1
    return count


@jit_internal
def apply_refine(state: State, action: Action) -> None:
    """Discard the mineral card and score."""
    frame = state["stack"][int(state["stack_count"]) - 1]
    if action == PASS:
        pop(state)
        return
    seat = int(state["active"])
    card = action - CARD_0
    size = SIZE_BY_CARD[card]
    points = int(frame[A]) if frame[B] else int(frame[A]) * size
    state["minerals"][seat, card] -= 1
    state["gems"][seat, COLOR_BY_CARD[card]] -= size
    add_to_discard(state, card)
    frame[DONE] += 1
    frame[LEFT] -= 1
    if frame[LEFT] == 0:
        pop(state)
    score(state, seat, points, PointSource.REFINE)
