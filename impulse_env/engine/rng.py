"""Random numbers of the game; the record contains their state.

xorshift64 needs no multiplication, so the uncompiled source gives the same numbers without
overflow. An invertible mix first spreads seeds over all 64 bits, so a position can name the seed of
the record's current state.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import State

_BITS: Final = (1 << 64) - 1
_GOLDEN: Final = 0x9E3779B97F4A7C15
_MULTIPLIERS: Final = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)
_INVERSES: Final = tuple(pow(m, -1, 1 << 64) for m in _MULTIPLIERS)


def state_of_seed(seed: int) -> int:
    """Return the generator state of any integer seed (taken modulo 2**64); never 0."""
    z = (seed + _GOLDEN) & _BITS
    z = ((z ^ (z >> 30)) * _MULTIPLIERS[0]) & _BITS
    z = ((z ^ (z >> 27)) * _MULTIPLIERS[1]) & _BITS
    return (z ^ (z >> 31)) or 1


def seed_of_state(state: int) -> int:
    """Return the seed in 0…2**64-1 of a state: the inverse of `state_of_seed`."""
    z = state ^ (state >> 31) ^ (state >> 62)
    z = (z * _INVERSES[1]) & _BITS
    z ^= (z >> 27) ^ (z >> 54)
    z = (z * _INVERSES[0]) & _BITS
    z ^= (z >> 30) ^ (z >> 60)
    return (z - _GOLDEN) & _BITS


@jit_internal
def mixed(seed: np.uint64) -> np.uint64:
    """Return `state_of_seed` of a seed; compiled, products wrap around by themselves."""
    z = seed + np.uint64(_GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MULTIPLIERS[0])
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MULTIPLIERS[1])
    z ^= z >> np.uint64(31)
    return z if z != 0 else np.uint64(1)


@jit_internal
def xorshift(x: np.uint64) -> np.uint64:
    """Return the generator state after `x`; both are never 0.

    The Python function also advances an array of states, in place.
    """
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    return x


@jit_internal
def random_below(state: State, bound: int) -> int:
    """Return a uniform integer in 0…bound-1 (bound at most 2**31) and advance the generator."""
    x = xorshift(state["rng"])
    state["rng"] = x
    high = np.int64(x >> np.uint64(32))
    low = np.int64(x & np.uint64(0xFFFFFFFF))
    return int(((high + low) & 0xFFFFFFFF) * bound >> 32)


# --- Generators outside the record, one for each game of a batch ----------------------------------


@jit_internal
def next_bits(streams: NDArray[np.uint64], row: int) -> np.uint64:
    """Draw 64 bits, never all 0, from the generator of a row."""
    x = xorshift(streams[row])
    streams[row] = x
    return x


@jit_internal
def below(streams: NDArray[np.uint64], row: int, bound: int) -> np.int64:
    """Draw an integer from 0…bound-1, all equally likely up to 2**-31 (bound below 2**31)."""
    return (np.int64(next_bits(streams, row) >> np.uint64(33)) * bound) >> 31
