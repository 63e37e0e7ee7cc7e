"""From a leaf to an estimate: play some turns, then evaluate the position."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.rng import below
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import RUNNING
from impulse_env.engine.decisions import advance, deciding_seat

AT_RANDOM: Final = 0
BY_RULES: Final = 1


@jit_internal
def play_out(
    game: np.void,
    options: NDArray[np.int16],
    count: int,
    policy: int,
    last_turn: int,
    style: NDArray[np.float32],
    streams: NDArray[np.uint64],
    row: int,
    scratch: NDArray[np.float32],
) -> None:
    """Play to the end of a turn or of the game, and write each side's chance.

    Args:
        game: A game at a decision; changed.
        options: Its legal actions, with room for those of later decisions.
        count: Their number.
        policy: `AT_RANDOM` or `BY_RULES`.
        last_turn: Number of completed turns at which to stop.
        style: A row of `STYLES`, for `BY_RULES`.
        streams: Generators.
        row: The row of the generator to use.
        scratch: Shape ``(3, SIZE)``; the last row receives the chances of the sides.
    """
    while game["status"] == RUNNING and game["turn"] < last_turn:
        best = 0
        if policy == AT_RANDOM:
            best = below(streams, row, count)
        else:
            score_options(game, deciding_seat(game), options, count, style, scratch[0])
            for k in range(1, count):
                if scratch[0, k] > scratch[0, best]:
                    best = k
        count = advance(game, np.int64(options[best]), options)
    win_probabilities(game, scratch[0], scratch[2])
