"""Drawing at random in compiled agents, from the same generators as `Streams`."""

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine._jit import jit_internal


@jit_internal
def next_bits(streams: NDArray[np.uint64], row: int) -> np.uint64:
    """Draw 64 bits, never all 0, as `Streams.bits` does."""
    x = streams[row]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    streams[row] = x
    return x


@jit_internal
def below(streams: NDArray[np.uint64], row: int, bound: int) -> int:
    """Draw an integer from 0…bound-1, all equally likely but for 2**-31 (bound below 2**31)."""
    return (np.int64(next_bits(streams, row) >> np.uint64(33)) * bound) >> 31


@jit_internal
def pick_best(
    scores: NDArray[np.float32], count: int, streams: NDArray[np.uint64], row: int
) -> int:
    """Return the index of the highest of the first `count` scores, ties broken by chance."""
    best = 0
    ties = 1
    for k in range(1, count):
        if scores[k] > scores[best]:
            best = k
            ties = 1
        elif scores[k] == scores[best]:
            ties += 1
            if below(streams, row, ties) == 0:
                best = k
    return best
