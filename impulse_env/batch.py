"""Many games at once in compiled code: the one door to the engine.

There is a single compiled entry point, because each compiles the whole engine once more.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine._jit import jit, shown_compilation
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.frame import IDENTITY

GO_ON: Final = -1
"""Instead of an action: only go on to the next decision, dealing an undealt record."""
NOBODY: Final = -1
"""Instead of a seat: the game is over."""


@jit
def _run(
    states: np.ndarray,
    actions: NDArray[np.int64],
    order: NDArray[np.int64],
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    randomness: NDArray[np.uint64],
) -> int:
    """Step every game once or, with `randomness`, play it to its end; return the decisions taken.

    With shape ``(0,)`` for `randomness` every game is stepped once. `order[seat]` says where the
    mask of that seat has each absolute action.
    """
    options = np.empty(SIZE, np.int16)
    taken = 0
    for game in range(len(states)):
        state = states[game]
        action = actions[game]
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
        seats[game] = NOBODY
        if state["status"] == RUNNING:
            seat = deciding_seat(state)
            seats[game] = seat
            for option in range(count):
                masks[game, order[seat, options[option]]] = 1
    return taken


_STEP_ONCE: Final = np.empty(0, np.uint64)


def step_games(
    states: np.ndarray,
    actions: NDArray[np.int64],
    masks: NDArray[np.int8],
    seats: NDArray[np.int8],
    order: NDArray[np.int64] = IDENTITY,
) -> None:
    """Take one decision in every game and go on to the next.

    Args:
        states: Games, shape ``(n,)``, dtype `STATE`; changed in place.
        actions: Absolute actions, shape ``(n,)``; `GO_ON` for none. They must be legal: this is
            not checked here.
        masks: Shape ``(n, N_ACTIONS)``, filled: 1 for every legal action of the next decision, all
            0 if the game is over.
        seats: Shape ``(n,)``, filled with the seat that decides, `NOBODY` if the game is over.
        order: Shape ``(6, N_ACTIONS)``: where the mask of each seat has each absolute action, such
            as `frame.own_frame(players)`.
    """
    with shown_compilation(_run):
        _run(states, actions, order, masks, seats, _STEP_ONCE)


def play_at_random(states: np.ndarray, randomness: NDArray[np.uint64]) -> int:
    """Play every game to its end with uniform legal actions; return the decisions taken.

    Args:
        states: Games at a decision or undealt, shape ``(n,)``; changed in place.
        randomness: Generator state of each game's players, shape ``(n,)``, never 0; changed.
    """
    count = len(states)
    masks = np.empty((count, SIZE), np.int8)
    with shown_compilation(_run):
        return int(
            _run(
                states,
                np.full(count, GO_ON, np.int64),
                IDENTITY,
                masks,
                np.empty(count, np.int8),
                randomness,
            )
        )

