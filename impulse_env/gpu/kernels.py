"""The kernels: what a thread of the GPU does for its game.

They contain no rule of the game: they call the engine, the observation and the redaction.
"""

from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from impulse_env.batch import NOBODY
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, RUNNING, State
from impulse_env.engine.decisions import STEPPED, apply, deciding_seat, go_on
from impulse_env.engine.rng import GOLDEN, MULTIPLIERS, xorshift
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import STATE
from impulse_env.gpu.code import Kernel, add_one, local_shorts, thread_index
from impulse_env.information import SCRATCH, determinize, redact
from impulse_env.observation import encode_features

_int64: Final = types.int64


def _array(item: Any, ndim: int = 1) -> Any:
    """Return numba's type of a contiguous array."""
    return types.Array(item, ndim, "C", aligned=True)


_STATES: Final = _array(from_dtype(STATE))
_FRAME: Final = _array(types.int64, 2)
_APART: Final = frozenset(
    "prepare_card refill_deck shuffle_discard_into_deck add_to_hand take_from_hand draw "
    "discard_from_hand add_to_discard discard_table can_use can_use_tech push_effect push_tech "
    "boost_of score eliminate_shipless destroy_transports fleet_options next_places enemy_patrols "
    "use_card_options can_stop_later hand_options apply list_options run run_start_game "
    "build_places can_build_each".split()
)


# --- A step --------------------------------------------------------------------------------------


@jit_internal
def _write_decision(
    state: State,
    game: int,
    count: int,
    options: NDArray[np.int16],
    to_own: NDArray[np.int64],
    seats: NDArray[np.int8],
    kinds: NDArray[np.int16],
    masks: NDArray[np.int8],
    draws: int,
    randomness: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Write who decides, what kind of decision it is, the legal actions, and one of them."""
    seat = deciding_seat(state)
    seats[game] = seat
    kinds[game] = current_op(state)
    if len(masks) > 0:
        for option in range(count):
            masks[game, to_own[seat, options[option]]] = 1
    if draws:
        x = xorshift(randomness[game])
        randomness[game] = x
        drawn = (np.int64(x >> np.uint64(33)) * count) >> 31
        actions[game] = to_own[seat, options[drawn]]


@jit_internal
def _step(
    states: np.ndarray,
    order: NDArray[np.int64],
    actions: NDArray[np.int64],
    to_absolute: NDArray[np.int64],
    to_own: NDArray[np.int64],
    seats: NDArray[np.int8],
    kinds: NDArray[np.int16],
    masks: NDArray[np.int8],
    draws: int,
    randomness: NDArray[np.uint64],
    illegal: NDArray[np.uint8],
    status: NDArray[np.int8],
    payments: NDArray[np.float64],
    by_score: int,
    rewards: NDArray[np.float32],
    winners: NDArray[np.int8],
    scores: NDArray[np.int16],
    turns: NDArray[np.int16],
    over: NDArray[np.int64],
) -> None:
    """Take the decision of one game and advance to the next one, or to the end.

    See `GpuBatch` for the arrays. `over` gets the games that end, after their number. Empty
    `masks` skip the masks and the check of the action.
    """
    thread = thread_index()
    if thread >= len(states):
        return
    game = order[thread]
    state = states[game]
    players = rewards.shape[1]
    status[game] = RUNNING
    for other in range(players):
        rewards[game, other] = 0
    if state["status"] != RUNNING:
        return
    before = local_shorts(MAX_PLAYERS)
    for other in range(players):
        before[other] = state["score"][other]
    if seats[game] != NOBODY:
        action = actions[game]
        if len(masks) > 0:
            refused = action < 0 or action >= SIZE or masks[game, action] == 0
            illegal[game] = refused
            if refused:
                return
        apply(state, to_absolute[seats[game], action])
    if len(masks) > 0:
        for other in range(SIZE):
            masks[game, other] = 0
    options = numba.carray(local_shorts(SIZE), (SIZE,))
    count = np.int64(STEPPED)
    while count == STEPPED and state["status"] == RUNNING:
        count = go_on(state, options)
    if by_score:
        _pay_for_points(state, game, before, rewards)
    if state["status"] == RUNNING:
        _write_decision(
            state, game, count, options, to_own, seats, kinds, masks, draws, randomness, actions
        )
        return
    seats[game] = NOBODY
    kinds[game] = 0
    status[game] = state["status"]
    winners[game] = state["winner"]
    turns[game] = state["turn"]
    for seat in range(players):
        scores[game, seat] = state["score"][seat]
        rewards[game, seat] += payments[state["winner"], seat]  # NO_SEAT is -1, the last row
    over[1 + add_one(over.ctypes.data)] = game


@jit_internal
def _pay_for_points(
    state: State, game: int, before: Any, rewards: NDArray[np.float32]
) -> None:
    """Write the rewards of the points of a step, as in `environments.rewards.score_rewards`."""
    players = rewards.shape[1]
    teams = int(state["teams"])
    opponents = players - players // teams
    everybody = 0
    for seat in range(players):
        everybody += int(state["score"][seat]) - int(before[seat])
    if everybody == 0:
        return
    for seat in range(players):
        gained = int(state["score"][seat]) - int(before[seat])
        others = everybody
        for ally in range(seat % teams, players, teams):
            others -= int(state["score"][ally]) - int(before[ally])
        rewards[game, seat] = (gained - others / opponents) / int(state["target_score"])


@jit_internal
def _state_of_seed(seed: np.uint64) -> np.uint64:
    """Return `rng.state_of_seed` of a seed; compiled, products wrap around by themselves."""
    z = seed + np.uint64(GOLDEN)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(MULTIPLIERS[0])
    z = (z ^ (z >> np.uint64(27))) * np.uint64(MULTIPLIERS[1])
    z ^= z >> np.uint64(31)
    return z if z != 0 else np.uint64(1)


@jit_internal
def _begin(
    states: np.ndarray, blank: np.ndarray, seeds: NDArray[np.uint64]
) -> None:
    """Make one record that of an undealt game with its seed."""
    game = thread_index()
    if game < len(states):
        states[game] = blank[0]
        states[game]["rng"] = _state_of_seed(seeds[game])


BEGIN: Final = Kernel(
    "impulse_begin", _begin, (_STATES, _STATES, _array(types.uint64))
)


@jit_internal
def _deal(
    states: np.ndarray,
    over: NDArray[np.int64],
    blank: np.ndarray,
    seeds: NDArray[np.uint64],
    to_own: NDArray[np.int64],
    seats: NDArray[np.int8],
    kinds: NDArray[np.int16],
    masks: NDArray[np.int8],
    draws: int,
    randomness: NDArray[np.uint64],
    actions: NDArray[np.int64],
) -> None:
    """Replace one of the games that are over by a new one at its first decision."""
    thread = thread_index()
    if thread >= over[0]:
        return
    game = over[1 + thread]
    seeds[game] = xorshift(_state_of_seed(seeds[game]))
    states[game] = blank[0]
    state = states[game]
    state["rng"] = _state_of_seed(seeds[game])
    options = numba.carray(local_shorts(SIZE), (SIZE,))
    count = np.int64(STEPPED)
    while count == STEPPED:
        count = go_on(state, options)
    _write_decision(
        state, game, count, options, to_own, seats, kinds, masks, draws, randomness, actions
    )


_DECISION: Final = (
    *(_FRAME, _array(types.int8), _array(types.int16), _array(types.int8, 2), _int64),
    *(_array(types.uint64),),
)
STEP: Final = Kernel(
    "impulse_step",
    _step,
    (
        *(_STATES, _array(_int64), _array(_int64), _FRAME, *_DECISION),
        *(_array(types.uint8), _array(types.int8), _array(types.float64, 2), _int64),
        *(_array(types.float32, 2), _array(types.int8), _array(types.int16, 2)),
        *(_array(types.int16), _array(_int64)),
    ),
    _APART,
)
DEAL: Final = Kernel(
    "impulse_deal",
    _deal,
    (_STATES, _array(_int64), _STATES, _array(types.uint64), *_DECISION, _array(_int64)),
    _APART,
)


# --- Observations --------------------------------------------------------------------------------


@jit_internal
def _observe(
    states: np.ndarray, order: NDArray[np.int64], seats: NDArray[np.int8], out: NDArray[np.uint8]
) -> None:
    """Write the observation of a seat of one game into a row of zeros; none for `NOBODY`."""
    thread = thread_index()
    if thread < len(states):
        game = order[thread]
        if seats[game] != NOBODY:
            encode_features(states[game], np.int64(seats[game]), out[game])


OBSERVE: Final = Kernel(
    "impulse_observe",
    _observe,
    (_STATES, _array(_int64), _array(types.int8), types.Array(types.uint8, 2, "A", aligned=True)),
)


# --- Hidden information --------------------------------------------------------------------------


@jit_internal
def _redact(states: np.ndarray, seats: NDArray[np.int8]) -> None:
    """Make one record the view of its seat."""
    game = thread_index()
    if game < len(states):
        redact(states[game], np.int64(seats[game]))


@jit_internal
def _determinize(
    states: np.ndarray, seats: NDArray[np.int8], seeds: NDArray[np.uint64]
) -> None:
    """Make one record a full game, drawn from those that fit its seat's view."""
    game = thread_index()
    if game < len(states):
        seat = np.int64(seats[game])
        scratch = numba.carray(local_shorts(SCRATCH), (SCRATCH,))
        redact(states[game], seat)
        determinize(states[game], seat, seeds[game], scratch)


REDACT: Final = Kernel("impulse_redact", _redact, (_STATES, _array(types.int8)))
DETERMINIZE: Final = Kernel(
    "impulse_determinize", _determinize, (_STATES, _array(types.int8), _array(types.uint64))
)


# --- Random play ---------------------------------------------------------------------------------


@jit_internal
def _draw(
    masks: NDArray[np.int8], randomness: NDArray[np.uint64], actions: NDArray[np.int64]
) -> None:
    """Draw a legal action of one game, as `batch.random_actions` does; none if there is none."""
    game = thread_index()
    if game >= len(masks):
        return
    count = 0
    for action in range(SIZE):
        count += masks[game, action] != 0
    if count == 0:
        return
    x = xorshift(randomness[game])
    randomness[game] = x
    left = (np.int64(x >> np.uint64(33)) * count) >> 31
    for action in range(SIZE):
        if masks[game, action] != 0:
            if left == 0:
                actions[game] = action
                return
            left -= 1


DRAW: Final = Kernel(
    "impulse_draw", _draw, (_array(types.int8, 2), _array(types.uint64), _array(_int64))
)
KERNELS: Final = (BEGIN, STEP, DEAL, OBSERVE, REDACT, DETERMINIZE, DRAW)
