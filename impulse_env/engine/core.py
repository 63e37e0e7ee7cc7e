"""The compiled surface: what Python calls.

Few entry points, since each compiles the whole engine once more.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine._jit import jit
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING
from impulse_env.engine.decisions import advance, deciding_seat


@jit
def run_games(
    states: np.ndarray,
    actions: NDArray[np.int64],
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    randomness: NDArray[np.uint64],
) -> int:
    """Step every game once, or play every game to its end at random.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`; changed.
        actions: Shape ``(n,)``: a legal action each; negative: only go on to the next decision.
        masks: Shape ``(n, SIZE)``, filled with the mask of the next decision (all 0 if over).
        seats: Shape ``(n,)``, filled with who decides, -1 if the game is over.
        randomness: Shape ``(n,)`` to play at random with these generator states (never 0), or
            shape ``(0,)`` to step once.

    Returns:
        Number of decisions taken.
    """
    options = np.empty(SIZE, np.int16)
    taken = 0
    for game in range(len(states)):
        state = states[game]
        action = actions[game]
        count = 1
        while True:
            taken += action >= 0
            count = advance(state, action, options)
            if len(randomness) == 0 or count == 0:
                break
            x = randomness[game]
            x ^= x << np.uint64(13)
            x ^= x >> np.uint64(7)
            x ^= x << np.uint64(17)
            randomness[game] = x
            action = np.int64(options[(np.int64(x >> np.uint64(33)) * count) >> 31])
        masks[game] = 0
        for option in range(count):
            masks[game, options[option]] = 1
        seats[game] = deciding_seat(state) if state["status"] == RUNNING else -1
    return taken
