"""One step ahead: the evaluation of the position after each action."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.engine.decisions import advance, deciding_seat

CERTAINTY: Final = 12.0
"""Value in points of the step from no chance to a certain victory."""
ROUTINE: Final = 1.0
"""Weight of the rules of thumb beside that of the outcome."""


@jit_internal
def look_ahead(
    games: np.ndarray,
    seat: Seat,
    options: NDArray[np.int16],
    count: int,
    style: NDArray[np.float32],
    next_options: NDArray[np.int16],
    scores: NDArray[np.float32],
    scratch: NDArray[np.float32],
) -> None:
    """Score each option by the position that it leads to.

    If the same seat must decide again within the effect, the rule-based score of its best next
    action counts, too.

    Args:
        games: Two states: a possible full game at the decision, and one to try actions in.
        seat: The deciding seat.
        options: The legal actions, absolute.
        count: Their number.
        style: A row of `STYLES`.
        next_options: Room for actions, shape ``(SIZE,)``.
        scores: Output: the first `count` scores.
        scratch: Shape ``(3, SIZE)``.
    """
    side = seat % int(games[0]["teams"])
    score_options(games[0], seat, options, count, style, scores)
    trial = games[1]
    for k in range(count):
        games[1] = games[0]
        following = advance(trial, np.int64(options[k]), next_options)
        win_probabilities(trial, scratch[0], scratch[2])
        scores[k] = ROUTINE * scores[k] + CERTAINTY * scratch[2, side]
        if trial["status"] == RUNNING and trial["stack_count"] > 0 and deciding_seat(trial) == seat:
            score_options(trial, seat, next_options, following, style, scratch[1])
            best = scratch[1, 0]
            for j in range(1, following):
                best = max(best, scratch[1, j])
            scores[k] += best
