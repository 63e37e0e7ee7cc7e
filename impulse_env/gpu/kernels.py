"""The kernels: what a thread of the GPU does for its game.

They contain no rule of the game: they call the engine, the observation and the redaction.
"""

from typing import Any, Final

import numba
import numpy as np
from numba import types
from numba.np.numpy_support import from_dtype
from numpy.typing import NDArray

from impulse_env.batch import NOBODY, sort_options
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import local_memory, record_at
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, RUNNING, Op, State
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import below, mixed, xorshift
from impulse_env.engine.stack import current_op
from impulse_env.engine.state import STATE
from impulse_env.gpu.code import (
    Kernel,
    add_one,
    block_size,
    shared_bytes,
    shared_words,
    thread_index,
    wait_for_block,
)
from impulse_env.information import SCRATCH, determinize, redact
from impulse_env.observation import encode_features

WORDS: Final = -(-SIZE // 64)
"""Words of 64 bits that hold a bit for every action."""
HOLD: Final = -1
"""Used instead of an action: the game stays as it is."""
_GO_ON: Final = -1
RECORD_WORDS: Final = STATE.itemsize // 8
"""Words of 64 bits of a record; a multiple of 8."""
_int64: Final = types.int64


def _array(item: Any, ndim: int = 1) -> Any:
    """Return numba's type of a contiguous array."""
    return types.Array(item, ndim, "C", aligned=True)


_STATES: Final = _array(from_dtype(STATE))
_FRAME: Final = _array(types.int64, 2)

# --- A step --------------------------------------------------------------------------------------


@jit_internal
def _is_legal(legal: NDArray[np.uint64], game: int, action: int) -> bool:
    word = np.uint64(action)
    return bool((legal[game, word >> np.uint64(6)] >> (word & np.uint64(63))) & np.uint64(1))


@jit_internal
def _copy_words(source: NDArray[np.uint64], target: NDArray[np.uint64]) -> None:
    """Copy a record as words; eight are read first, so that a thread waits once for them all."""
    # With unsigned indices nothing tests for negative ones.
    for at in range(np.uint64(0), np.uint64(RECORD_WORDS), np.uint64(8)):
        second, third, fourth = at + np.uint64(1), at + np.uint64(2), at + np.uint64(3)
        fifth, sixth, seventh = at + np.uint64(4), at + np.uint64(5), at + np.uint64(6)
        eighth = at + np.uint64(7)
        a, b, c, d = source[at], source[second], source[third], source[fourth]
        e, f, g, h = source[fifth], source[sixth], source[seventh], source[eighth]
        target[at], target[second], target[third], target[fourth] = a, b, c, d
        target[fifth], target[sixth], target[seventh], target[eighth] = e, f, g, h


@jit_internal
def _write_nobody(
    game: int, seats: NDArray[np.int8], kinds: NDArray[np.int16], legal: NDArray[np.uint64]
) -> None:
    """Write that nobody decides in a game."""
    seats[game] = NOBODY
    kinds[game] = Op.OVER
    for word in range(WORDS):
        legal[game, word] = 0


@jit_internal
def _step(
    states: np.ndarray,
    order: NDArray[np.int64],
    actions: NDArray[np.int64],
    to_absolute: NDArray[np.int64],
    to_own: NDArray[np.int64],
    seats: NDArray[np.int8],
    kinds: NDArray[np.int16],
    legal: NDArray[np.uint64],
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
    deals: int,
    words: NDArray[np.uint64],
    blank: NDArray[np.uint64],
    seeds: NDArray[np.uint64],
    own: NDArray[np.int8],
    draws_own: int,
    plays_others: int,
) -> None:
    """Take the decision of one game and advance to the next one, or to the end.

    With `deals`, only a game in `over` is replaced by a new one, at its first decision. One kernel
    does both, because a second one would contain the whole engine again.

    With `plays_others`, all seats but that in `own` act at random until it decides or the game
    ends, as in `batch.step_games`; with `draws_own`, dealing draws the seat.

    See `GpuBatch` for the arrays. `legal` has a bit for every action, shape ``(n, 3)``. `over` gets
    the games that end, after their number.
    """
    thread = thread_index()
    if thread >= (over[0] if deals else len(states)):
        return
    game = over[1 + thread] if deals else order[thread]
    state = states[game]
    players = rewards.shape[1]
    before = local_memory(np.int16, MAX_PLAYERS)
    chosen = np.int64(_GO_ON)
    if deals:
        seeds[game] = xorshift(mixed(seeds[game]))
        _copy_words(blank, words[game])
        state["rng"] = mixed(seeds[game])
        if draws_own:
            own[game] = below(randomness, game, players)
    else:
        status[game] = RUNNING
        for seat in range(players):
            before[seat] = state["score"][seat]
            rewards[game, seat] = 0
        if state["status"] != RUNNING:
            _write_nobody(game, seats, kinds, legal)
            return
        if seats[game] != NOBODY:
            action = actions[game]
            refused = action < 0 or action >= SIZE or not _is_legal(legal, game, action)
            illegal[game] = refused and action != HOLD
            if refused:
                return
            chosen = to_absolute[seats[game], action]
    _write_nobody(game, seats, kinds, legal)
    options = numba.carray(local_memory(np.int16, SIZE), (SIZE,))
    while True:
        count = advance(state, chosen, options)
        if count == 0 or not plays_others:
            break
        seat = deciding_seat(state)
        if seat == own[game]:
            break
        sort_options(options, count, to_own[seat])
        chosen = np.int64(options[below(randomness, game, count)])
    if by_score and not deals:
        _pay_for_points(state, game, before, rewards)
    if state["status"] == RUNNING:
        seat = deciding_seat(state)
        seats[game] = seat
        kinds[game] = current_op(state)
        for option in range(count):
            bit = np.uint64(to_own[seat, options[option]])
            legal[game, bit >> np.uint64(6)] |= np.uint64(1) << (bit & np.uint64(63))
        if draws:
            actions[game] = to_own[seat, options[below(randomness, game, count)]]
        return
    status[game] = state["status"]
    winners[game] = state["winner"]
    turns[game] = state["turn"]
    for seat in range(players):
        scores[game, seat] = state["score"][seat]
        rewards[game, seat] += payments[state["winner"], seat]  # NO_SEAT is -1, the last row
    over[1 + add_one(over.ctypes.data)] = game


@jit_internal
def _pay_for_points(state: State, game: int, before: Any, rewards: NDArray[np.float32]) -> None:
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
def _begin(
    states: np.ndarray,
    words: NDArray[np.uint64],
    blank: NDArray[np.uint64],
    seeds: NDArray[np.uint64],
) -> None:
    """Make one record that of an undealt game with its seed."""
    game = thread_index()
    if game < len(states):
        _copy_words(blank, words[game])
        states[game]["rng"] = mixed(seeds[game])


BEGIN: Final = Kernel(
    "impulse_begin",
    _begin,
    (_STATES, _array(types.uint64, 2), _array(types.uint64), _array(types.uint64)),
)


STEP: Final = Kernel(
    "impulse_step",
    _step,
    (
        *(_STATES, _array(_int64), _array(_int64), _FRAME, _FRAME),
        *(_array(types.int8), _array(types.int16), _array(types.uint64, 2)),
        *(_int64, _array(types.uint64), _array(types.uint8), _array(types.int8)),
        *(_array(types.float64, 2), _int64, _array(types.float32, 2)),
        *(_array(types.int8), _array(types.int16, 2), _array(types.int16), _array(_int64)),
        *(_int64, _array(types.uint64, 2), _array(types.uint64), _array(types.uint64)),
        *(_array(types.int8), _int64, _int64),
    ),
    unrolls=False,
)


# --- Observations --------------------------------------------------------------------------------


@jit_internal
def _observe(
    states: np.ndarray,
    words: NDArray[np.uint64],
    seats: NDArray[np.int8],
    rows: NDArray[np.uint8],
    flat: NDArray[np.uint8],
    flat_words: NDArray[np.uint32],
) -> None:
    """Write the observation of a seat of one game; zeros for `NOBODY`.

    `words` is the same memory as `states`, and `flat` and `flat_words` as `rows`. The record and
    the observation are bytes of one game, far from those of the other threads of a warp, so each
    byte would be an access of its own. A thread copies its record by words into memory of its own,
    where the hardware interleaves the threads. A block writes its rows into memory that its threads
    share, and copies them out by words.
    """
    thread = thread_index()
    size = block_size()
    lane = thread % size
    first = thread - lane
    features = rows.shape[1]
    count = min(size, len(rows) - first) * features
    used = (count + 3) // 4
    shared = numba.carray(shared_words(0), (used,))
    for word in range(lane, used, size):
        shared[word] = 0
    wait_for_block()
    if thread < len(states) and seats[thread] != NOBODY:
        pointer = local_memory(np.uint64, RECORD_WORDS)
        _copy_words(words[thread], numba.carray(pointer, (RECORD_WORDS,)))
        own = numba.carray(shared_bytes(lane * features), (features,))
        encode_features(record_at(pointer, states), np.int64(seats[thread]), own)
    wait_for_block()
    start = first * features
    whole = count // 4 if start % 4 == 0 else 0
    for word in range(lane, whole, size):
        flat_words[start // 4 + word] = shared[word]
    rest = numba.carray(shared_bytes(0), (count,))
    for place in range(4 * whole + lane, count, size):
        flat[start + place] = rest[place]


OBSERVE: Final = Kernel(
    "impulse_observe",
    _observe,
    (
        *(_STATES, _array(types.uint64, 2), _array(types.int8), _array(types.uint8, 2)),
        *(_array(types.uint8), _array(types.uint32)),
    ),
    block=32,  # some GPUs have 99 KiB that a block can share; rows of six players take 56 kB
)


# --- Hidden information --------------------------------------------------------------------------


@jit_internal
def _redact(states: np.ndarray, seats: NDArray[np.int8]) -> None:
    """Make one record the view of its seat."""
    game = thread_index()
    if game < len(states):
        redact(states[game], np.int64(seats[game]))


@jit_internal
def _determinize(states: np.ndarray, seats: NDArray[np.int8], seeds: NDArray[np.uint64]) -> None:
    """Make one record a full game, drawn from those that fit its seat's view."""
    game = thread_index()
    if game < len(states):
        seat = np.int64(seats[game])
        scratch = numba.carray(local_memory(np.int16, SCRATCH), (SCRATCH,))
        redact(states[game], seat)
        determinize(states[game], seat, seeds[game], scratch)


REDACT: Final = Kernel("impulse_redact", _redact, (_STATES, _array(types.int8)))
DETERMINIZE: Final = Kernel(
    "impulse_determinize", _determinize, (_STATES, _array(types.int8), _array(types.uint64))
)


# --- Legal actions -------------------------------------------------------------------------------


@jit_internal
def _unpack(legal: NDArray[np.uint64], masks: NDArray[np.uint32]) -> None:
    """Write four bits as four bytes of a mask."""
    thread = thread_index()
    quarters = masks.shape[1]
    game = thread // quarters
    if game < len(masks):
        first = np.uint64(4 * (thread - game * quarters))
        four = (legal[game, first >> np.uint64(6)] >> (first & np.uint64(63))) & np.uint64(15)
        # The product moves bit k to bit 8 k.
        masks[game, thread - game * quarters] = (four * np.uint64(0x204081)) & np.uint64(0x1010101)


@jit_internal
def _draw(
    legal: NDArray[np.uint64], randomness: NDArray[np.uint64], actions: NDArray[np.int64]
) -> None:
    """Draw a legal action of one game, as `batch.random_actions` does; none if there is none."""
    game = thread_index()
    if game >= len(legal):
        return
    count = 0
    for action in range(SIZE):
        count += int(_is_legal(legal, game, action))
    if count == 0:
        return
    left = below(randomness, game, count)
    for action in range(SIZE):
        if _is_legal(legal, game, action):
            if left == 0:
                actions[game] = action
                return
            left -= 1


UNPACK: Final = Kernel(
    "impulse_unpack", _unpack, (_array(types.uint64, 2), _array(types.uint32, 2))
)
DRAW: Final = Kernel(
    "impulse_draw", _draw, (_array(types.uint64, 2), _array(types.uint64), _array(_int64))
)
KERNELS: Final = (BEGIN, STEP, OBSERVE, UNPACK, DRAW, REDACT, DETERMINIZE)
