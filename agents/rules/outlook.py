"""One step ahead: how the position stands after each action."""

import numpy as np
from numpy.typing import NDArray

from agents.rules.options import score_options
from agents.rules.standing import chances
from impulse_env.engine._jit import jit_internal
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.engine.decisions import advance, deciding_seat

POINTS_OF_CERTAINTY = 12.0
"""Points that the step from no chance to certain victory is worth."""


@jit_internal
def look_ahead(
    games: np.ndarray,
    seat: Seat,
    options: NDArray[np.int16],
    count: int,
    weights: NDArray[np.float32],
    scratch: NDArray[np.float32],
    next_options: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> None:
    """Score each option by the position that it leads to.

    Inside an effect, what is still to be decided there counts as far as the rules of thumb rate its
    best action.

    Args:
        games: Two records: a possible full game at the decision, and one to try actions in.
        seat: Who decides.
        options: The legal actions, absolute.
        count: Their number.
        weights: A row of `STYLES`.
        scratch: Shape ``(3, 180)``.
        next_options: Shape ``(180,)``.
        scores: Filled from 0 to `count`.
    """
    trial = games[1]
    side = seat % int(games[0]["teams"])
    for k in range(count):
        games[1] = games[0]
        following = advance(trial, int(options[k]), next_options)
        chances(trial, scratch[0], scratch[1])
        scores[k] = POINTS_OF_CERTAINTY * scratch[1, side]
        if trial["status"] == RUNNING and trial["stack_count"] > 0 and deciding_seat(trial) == seat:
            score_options(trial, seat, next_options, following, weights, scratch[2])
            best = scratch[2, 0]
            for j in range(1, following):
                best = max(best, scratch[2, j])
            scores[k] += best
