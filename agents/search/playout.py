"""From a leaf to an estimate: play on for a while, then weigh how the game stands."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.rules.options import score_options
from agents.rules.standing import chances
from impulse_env.engine._jit import jit_internal
from impulse_env.engine.constants import RUNNING
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.state import STATE

AT_RANDOM: Final = 0
BY_RULES: Final = 1


@jit_internal
def next_bits(stream: NDArray[np.uint64]) -> np.uint64:
    """Draw 64 bits from a generator, shape ``(1,)``, as `Streams.bits` does."""
    x = stream[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    stream[0] = x
    return x


@jit_internal
def play_out(
    game: np.void,
    options: NDArray[np.int16],
    count: int,
    policy: int,
    last_turn: int,
    weights: NDArray[np.float32],
    stream: NDArray[np.uint64],
    scores: NDArray[np.float32],
    scratch: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Play on to the end of a turn, or of the game, and write each side's chance.

    Args:
        game: At a decision; changed.
        options: Its legal actions, and room for those of later ones.
        count: Their number.
        policy: `AT_RANDOM` or `BY_RULES`.
        last_turn: Play until so many turns are completed.
        weights: A row of `STYLES`, for `BY_RULES`.
        stream: The generator of the playout.
        scores: Shape ``(SIZE,)``.
        scratch: Shape ``(SIZE,)``.
        out: Shape ``(6,)``; the chances of the sides.
    """
    while game["status"] == RUNNING and game["turn"] < last_turn:
        best = 0
        if policy == AT_RANDOM:
            best = (np.int64(next_bits(stream) >> np.uint64(33)) * count) >> 31
        elif count > 1:
            score_options(game, deciding_seat(game), options, count, weights, scores)
            for k in range(1, count):
                if scores[k] > scores[best]:
                    best = k
        count = advance(game, np.int64(options[best]), options)
    chances(game, scratch, out)
