"""Knowledge of a seat: observations, views and determinizations."""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import NOBODY
from impulse_env.c_library.parts import (
    GO_ON,
    PLAYERS,
    WORDS,
    Error,
    Result,
    actions_of,
    copy_games,
    copy_words,
    head_of,
    move_on,
    record_of,
    words_of,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import local_memory, pointer_to
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, Seat, State
from impulse_env.engine.rng import xorshift
from impulse_env.information import SCRATCH, determinize, redact
from impulse_env.observation import encode
from impulse_env.observation import size as observation_size

SIZES: Final = np.array([observation_size(players) for players in PLAYERS], np.int64)


@jit_internal
def _is_seat(state: State, seat: Seat) -> bool:
    return bool(seat >= 0 and seat < state["players"])


@jit_internal
def size_of_observation(players: int) -> Result:
    """Return the bytes of an observation."""
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    return np.int64(SIZES[players - MIN_PLAYERS])


@jit_internal
def observe(game: Any, seat: Seat, out: Any, size: int) -> int:
    """Write the observation of a seat."""
    state = record_of(game, 0)
    if not _is_seat(state, seat):
        return Error.BAD_SEAT
    if size != SIZES[int(state["players"]) - MIN_PLAYERS]:
        return Error.BAD_SIZE
    encode(state, seat, numba.carray(out, (size,)))
    return 0


@jit_internal
def observe_games(games: Any, count: int, out: Any, size: int) -> int:
    """Write the observation of each seat that decides; zeros where a game is over."""
    for game in range(count):
        if size != SIZES[int(record_of(games, game)["players"]) - MIN_PLAYERS]:
            return Error.BAD_SIZE
    for game in range(count):
        row = numba.carray(pointer_to(out, game * size, np.uint8), (size,))
        seat = np.int64(head_of(games, game)[0])
        if seat == NOBODY:
            row[:] = 0
        else:
            encode(record_of(games, game), seat, row)
    return 0


@jit_internal
def view_of(source: Any, seat: Seat, target: Any) -> int:
    """Write the game as a seat sees it, without the actions of other seats."""
    if not _is_seat(record_of(source, 0), seat):
        return Error.BAD_SEAT
    copy_games(source, target, 1)
    redact(record_of(target, 0), seat)
    head = head_of(target, 0)
    if head[0] != seat:
        head[1] = 0
    _forget(target)
    return 0


@jit_internal
def _forget(game: Any) -> None:
    """Clear the actions past the count: other seats had them at earlier decisions."""
    actions = actions_of(game, 0)
    for option in range(np.int64(head_of(game, 0)[1]), SIZE):
        actions[option] = 0


@jit_internal
def draw(source: Any, seat: Seat, seed: np.uint64, target: Any) -> int:
    """Draw a game as `Game.determinize` does: again if nobody had a choice in the first one."""
    if not _is_seat(record_of(source, 0), seat):
        return Error.BAD_SEAT
    if seed == 0:
        return Error.BAD_SEED
    view = numba.carray(local_memory(np.uint64, WORDS), (WORDS,))
    drawn = numba.carray(local_memory(np.uint64, WORDS), (WORDS,))
    scratch = numba.carray(local_memory(np.int16, SCRATCH), (SCRATCH,))
    copy_games(source, target, 1)
    state, words = record_of(target, 0), words_of(target, 0)
    redact(state, seat)
    copy_words(words, view)
    while True:
        determinize(state, seat, seed, scratch)
        copy_words(words, drawn)
        move_on(target, 0, GO_ON)
        if _are_equal(words, drawn):
            _forget(target)
            return 0
        seed = xorshift(seed)
        copy_words(view, words)


@jit_internal
def _are_equal(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> bool:
    for word in range(WORDS):
        if one[word] != other[word]:
            return False
    return True
