"""A game in C: its record, the seat that decides, and its legal actions."""

from enum import IntEnum
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from numpy.typing import NDArray

from impulse_env.batch import NOBODY, sort_options
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import pointer_to, record_at
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, RUNNING, State
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.state import STATE
from impulse_env.frame import IDENTITY

GAME: Final = np.dtype(
    [("record", STATE), ("seat", np.int32), ("count", np.int32), ("actions", np.int16, (SIZE,))],
    align=True,
)
"""A game with its legal actions: ``impulse_game`` of the header."""
Result: TypeAlias = int | np.int64
"""The result of a function: 64 bits, which its C function shortens to 32."""


class Error(IntEnum):
    """The errors of the functions; the names in the header begin with ``IMPULSE_``.

    From `BAD_PLAYERS` on, there is one for each of the options and one for the races.
    """

    ILLEGAL_ACTION = -1
    BAD_SEAT = -2
    BAD_SEED = -3
    BAD_SIZE = -4
    HIDDEN = -5
    FAILED = -6
    BAD_PLAYERS = -10
    BAD_TEAM_SIZE = -11
    BAD_START_PLAYER = -12
    BAD_TARGET_SCORE = -13
    BAD_HAND_LIMIT = -14
    BAD_SHIPS = -15
    BAD_MAX_TURNS = -16
    BAD_MAX_ACTIVATIONS = -17
    BAD_AUTO_FORCED = -18
    BAD_DRAFT = -19
    BAD_RACES = -20


GO_ON: Final = -1
WORDS: Final = STATE.itemsize // 8
GAME_BYTES: Final = GAME.itemsize
_HEAD: Final = GAME.fields["seat"][1]  # type: ignore[index]  # it has fields
_ACTIONS: Final = GAME.fields["actions"][1]  # type: ignore[index]

PLAYERS: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
"""The numbers of players, in the order of tables."""


@jit_internal
def record_of(games: Any, game: int) -> State:
    """Return the record of a game."""
    return record_at(pointer_to(games, game * GAME_BYTES, np.uint64), STATE)


@jit_internal
def words_of(games: Any, game: int) -> NDArray[np.uint64]:
    """Return the record of a game as words."""
    return numba.carray(pointer_to(games, game * GAME_BYTES, np.uint64), (WORDS,))


@jit_internal
def head_of(games: Any, game: int) -> NDArray[np.int32]:
    """Return the seat that decides, and the number of its legal actions."""
    return numba.carray(pointer_to(games, game * GAME_BYTES + _HEAD, np.int32), (2,))


@jit_internal
def actions_of(games: Any, game: int) -> NDArray[np.int16]:
    """Return the room for the legal actions."""
    return numba.carray(pointer_to(games, game * GAME_BYTES + _ACTIONS, np.int16), (SIZE,))


@jit_internal
def move_on(games: Any, game: int, action: int) -> None:
    """Do an action (none if negative), and list the legal actions of the next decision."""
    state = record_of(games, game)
    actions = actions_of(games, game)
    count = advance(state, action, actions)
    sort_options(actions, count, IDENTITY[0])
    head = head_of(games, game)
    head[0] = deciding_seat(state) if state["status"] == RUNNING else NOBODY
    head[1] = count


@jit_internal
def copy_games(source: Any, target: Any, count: int) -> int:
    """Copy games."""
    for word in range(count * (GAME_BYTES // 8)):
        target[word] = source[word]
    return 0


@jit_internal
def copy_words(source: NDArray[np.uint64], target: NDArray[np.uint64]) -> None:
    """Copy a record."""
    for word in range(WORDS):
        target[word] = source[word]
