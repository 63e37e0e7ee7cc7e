"""The functions of the C library, compiled like the rest of the engine.

`impulse.h` describes each for users. A function returns 0 or a number that is not negative; after a
negative `Error`, nothing was changed.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from string import ascii_lowercase
from typing import Any, Final, TypeAlias

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from impulse_env._version import __version__
from impulse_env.batch import NOBODY, sort_options
from impulse_env.compiled.compilation import jit_internal
from impulse_env.compiled.memory import local_memory, pointer_to, record_at
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import (
    MAX_PLAYERS,
    MIN_PLAYERS,
    NO_RACE,
    NO_SEAT,
    RACE_COUNT,
    RUNNING,
    Op,
    Seat,
    State,
)
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import mixed, xorshift
from impulse_env.engine.state import STATE, empty_states
from impulse_env.frame import IDENTITY, absolute_frame, own_frame
from impulse_env.information import SCRATCH, determinize, redact
from impulse_env.observation import encode
from impulse_env.observation import size as observation_size
from impulse_env.options import RANGES, TEAM_SIZES, Options

GAME: Final = np.dtype(
    [("record", STATE), ("seat", np.int32), ("count", np.int32), ("actions", np.int16, (SIZE,))],
    align=True,
)
"""A game with its legal actions: ``impulse_game`` of the header."""
OPTION_NAMES: Final = (
    *("players", "team_size", "start_player"),
    *RANGES,
    *("auto_forced", "draft"),
)
"""The numbers of ``impulse_options``, which are followed by a race for each of six seats."""


Result: TypeAlias = int | np.int64
"""The result of a function: 64 bits, which its C function shortens to 32."""


class Error(IntEnum):
    """What a function refuses; the names in the header begin with ``IMPULSE_``.

    From `BAD_PLAYERS` on, there is one for each of `OPTION_NAMES` and one for the races.
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


_GO_ON: Final = -1
_WORDS: Final = STATE.itemsize // 8
_GAME_BYTES: Final = GAME.itemsize
_HEAD: Final = GAME.fields["seat"][1]  # type: ignore[index]  # it has fields
_ACTIONS: Final = GAME.fields["actions"][1]  # type: ignore[index]

_ALLOWED: Final = range(MIN_PLAYERS, MAX_PLAYERS + 1)
_BLANK: Final = empty_states(1).view(np.uint64)
_TO_OWN: Final = np.stack([own_frame(players) for players in _ALLOWED]).astype(np.int16)
_TO_ABSOLUTE: Final = np.stack([absolute_frame(players) for players in _ALLOWED]).astype(np.int16)
_SIZES: Final = np.array([observation_size(players) for players in _ALLOWED], np.int64)
_IN_TEAMS: Final = np.array(
    [
        [not n or n in TEAM_SIZES.get(players, ()) for n in range(MAX_PLAYERS)]
        for players in _ALLOWED
    ]
)
"""Whether so many players may play in teams of so many, shape ``(5, 6)``; 0 is without teams."""
_DEFAULTS: Final = np.array([getattr(Options, name) for name in RANGES], np.int64)
_LIMITS: Final = np.array([*RANGES.values()], np.int64)
_RANGED: Final = OPTION_NAMES.index(next(iter(RANGES)))
_AUTO_FORCED: Final = OPTION_NAMES.index("auto_forced")
_DRAFT: Final = OPTION_NAMES.index("draft")
_RACES: Final = len(OPTION_NAMES)
OPTION_COUNT: Final = _RACES + MAX_PLAYERS


# --- The parts of a game -------------------------------------------------------------------------


@jit_internal
def _record(games: Any, game: int) -> State:
    return record_at(pointer_to(games, game * _GAME_BYTES, np.uint64), STATE)


@jit_internal
def _words(games: Any, game: int) -> NDArray[np.uint64]:
    """Return the record of a game as words."""
    return numba.carray(pointer_to(games, game * _GAME_BYTES, np.uint64), (_WORDS,))


@jit_internal
def _head(games: Any, game: int) -> NDArray[np.int32]:
    """Return the seat that decides, and the number of its legal actions."""
    return numba.carray(pointer_to(games, game * _GAME_BYTES + _HEAD, np.int32), (2,))


@jit_internal
def _actions(games: Any, game: int) -> NDArray[np.int16]:
    """Return the room for the legal actions."""
    return numba.carray(pointer_to(games, game * _GAME_BYTES + _ACTIONS, np.int16), (SIZE,))


@jit_internal
def _advance(games: Any, game: int, action: int) -> None:
    """Do an action (none if negative), and list the legal actions of the next decision."""
    state = _record(games, game)
    actions = _actions(games, game)
    count = advance(state, action, actions)
    sort_options(actions, count, IDENTITY[0])
    head = _head(games, game)
    head[0] = deciding_seat(state) if state["status"] == RUNNING else NOBODY
    head[1] = count


# --- Starting a game -----------------------------------------------------------------------------


@jit_internal
def _default_options(players: int, options: Any) -> int:
    """Write the options of a game with so many players."""
    chosen = numba.carray(options, (OPTION_COUNT,))
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    chosen[0] = players
    chosen[1] = 0
    chosen[2] = NO_SEAT
    for option in range(len(_DEFAULTS)):
        chosen[_RANGED + option] = _DEFAULTS[option]
    chosen[_AUTO_FORCED] = 1
    chosen[_DRAFT] = 0
    chosen[_RACES:] = NO_RACE
    return 0


@jit_internal
def _fault_in(chosen: NDArray[np.int32]) -> int:
    """Return the first error in options, or 0."""
    players = int(chosen[0])
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    team_size = int(chosen[1])
    if team_size < 0 or team_size >= MAX_PLAYERS or not _IN_TEAMS[players - MIN_PLAYERS, team_size]:
        return Error.BAD_TEAM_SIZE
    if chosen[2] < NO_SEAT or chosen[2] >= players:
        return Error.BAD_START_PLAYER
    for option in range(len(_LIMITS)):
        value = chosen[_RANGED + option]
        if value < _LIMITS[option, 0] or value > _LIMITS[option, 1]:
            return Error.BAD_TARGET_SCORE - option
    if chosen[_AUTO_FORCED] < 0 or chosen[_AUTO_FORCED] > 1:
        return Error.BAD_AUTO_FORCED
    if chosen[_DRAFT] < 0 or chosen[_DRAFT] > 1:
        return Error.BAD_DRAFT
    races = chosen[_RACES:]
    for seat in range(MAX_PLAYERS):
        race = races[seat]
        if race == NO_RACE:
            continue
        if race < 0 or race >= RACE_COUNT or seat >= players or chosen[_DRAFT]:
            return Error.BAD_RACES
        for other in range(seat):
            if races[other] == race:
                return Error.BAD_RACES
    return 0


@jit_internal
def _begin(chosen: NDArray[np.int32], seed: np.uint64, games: Any, game: int) -> None:
    """Deal one game and go to its first decision."""
    _copy_words(_BLANK, _words(games, game))
    state = _record(games, game)
    players = int(chosen[0])
    state["rng"] = mixed(seed)
    state["players"] = players
    state["teams"] = players // chosen[1] if chosen[1] else players
    state["start_seat"] = chosen[2]
    state["target_score"] = chosen[_RANGED]
    state["hand_limit"] = chosen[_RANGED + 1]
    state["ships"] = chosen[_RANGED + 2]
    state["max_turns"] = chosen[_RANGED + 3]
    state["max_activations"] = chosen[_RANGED + 4]
    state["auto_forced"] = chosen[_AUTO_FORCED]
    state["draft"] = chosen[_DRAFT]
    state["phase"] = Op.START_GAME
    for seat in range(MAX_PLAYERS):
        state["race"][seat] = chosen[_RACES + seat]
    _advance(games, game, _GO_ON)


@jit_internal
def _new_games(options: Any, seeds: Any, count: int, games: Any) -> int:
    chosen = numba.carray(options, (OPTION_COUNT,))
    fault = _fault_in(chosen)
    if fault:
        return fault
    for game in range(count):
        _begin(chosen, seeds[game], games, game)
    return 0


@jit_internal
def _new_game(options: Any, seed: np.uint64, game: Any) -> int:
    chosen = numba.carray(options, (OPTION_COUNT,))
    fault = _fault_in(chosen)
    if fault:
        return fault
    _begin(chosen, seed, game, 0)
    return 0


@jit_internal
def _resume(game: Any) -> int:
    """List the legal actions of a record, after advancing it to a decision."""
    if _record(game, 0)["rng"] == 0:
        return Error.HIDDEN
    _advance(game, 0, _GO_ON)
    return 0


# --- Playing -------------------------------------------------------------------------------------


@jit_internal
def _fault_of_action(games: Any, game: int, action: int) -> int:
    """Return the error of an action in a game, or 0."""
    if _record(games, game)["rng"] == 0:
        return Error.HIDDEN
    actions = _actions(games, game)
    for option in range(_head(games, game)[1]):
        if actions[option] == action:
            return 0
    return Error.ILLEGAL_ACTION


@jit_internal
def _step(game: Any, action: int) -> Result:
    fault = _fault_of_action(game, 0, action)
    if fault:
        return fault
    _advance(game, 0, action)
    return np.int64(_head(game, 0)[1])


@jit_internal
def _step_games(games: Any, actions: Any, count: int, first: Any) -> int:
    """Step every game that is not over; `first` gets the first game with an error."""
    for game in range(count):
        if _head(games, game)[0] != NOBODY:
            fault = _fault_of_action(games, game, actions[game])
            if fault:
                first[0] = game
                return fault
    for game in range(count):
        if _head(games, game)[0] != NOBODY:
            _advance(games, game, actions[game])
    return 0


@jit_internal
def _legal_mask(game: Any, own: int, mask: Any) -> int:
    return _legal_masks(game, 1, own, mask)


@jit_internal
def _legal_masks(games: Any, count: int, own: int, masks: Any) -> int:
    for game in range(count):
        mask = numba.carray(pointer_to(masks, game * SIZE, np.uint8), (SIZE,))
        mask[:] = 0
        seat, actions = _head(games, game)[0], _actions(games, game)
        players = int(_record(games, game)["players"])
        for option in range(_head(games, game)[1]):
            action = actions[option]
            mask[_TO_OWN[players - MIN_PLAYERS, seat, action] if own else action] = 1
    return 0


@jit_internal
def _translated(tables: NDArray[np.int16], players: int, seat: Seat, action: int) -> Result:
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    if seat < 0 or seat >= players:
        return Error.BAD_SEAT
    if action < 0 or action >= SIZE:
        return Error.ILLEGAL_ACTION
    return np.int64(tables[players - MIN_PLAYERS, seat, action])


@jit_internal
def _to_own(players: int, seat: Seat, action: int) -> Result:
    return _translated(_TO_OWN, players, seat, action)


@jit_internal
def _to_absolute(players: int, seat: Seat, action: int) -> Result:
    return _translated(_TO_ABSOLUTE, players, seat, action)


@jit_internal
def _copy(source: Any, target: Any, count: int) -> int:
    for word in range(count * (_GAME_BYTES // 8)):
        target[word] = source[word]
    return 0


# --- What a seat knows ---------------------------------------------------------------------------


@jit_internal
def _is_seat(state: State, seat: Seat) -> bool:
    return bool(seat >= 0 and seat < state["players"])


@jit_internal
def _observation_size(players: int) -> Result:
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    return np.int64(_SIZES[players - MIN_PLAYERS])


@jit_internal
def _observe(game: Any, seat: Seat, out: Any, size: int) -> int:
    state = _record(game, 0)
    if not _is_seat(state, seat):
        return Error.BAD_SEAT
    if size != _SIZES[int(state["players"]) - MIN_PLAYERS]:
        return Error.BAD_SIZE
    encode(state, seat, numba.carray(out, (size,)))
    return 0


@jit_internal
def _observe_games(games: Any, count: int, out: Any, size: int) -> int:
    """Write the observation of each seat that decides; zeros where a game is over."""
    for game in range(count):
        if size != _SIZES[int(_record(games, game)["players"]) - MIN_PLAYERS]:
            return Error.BAD_SIZE
    for game in range(count):
        row = numba.carray(pointer_to(out, game * size, np.uint8), (size,))
        seat = np.int64(_head(games, game)[0])
        if seat == NOBODY:
            row[:] = 0
        else:
            encode(_record(games, game), seat, row)
    return 0


@jit_internal
def _view(source: Any, seat: Seat, target: Any) -> int:
    if not _is_seat(_record(source, 0), seat):
        return Error.BAD_SEAT
    _copy(source, target, 1)
    redact(_record(target, 0), seat)
    head = _head(target, 0)
    if head[0] != seat:
        head[1] = 0
    _forget(target)
    return 0


@jit_internal
def _forget(game: Any) -> None:
    """Clear the actions past the count: other seats had them at earlier decisions."""
    actions = _actions(game, 0)
    for option in range(np.int64(_head(game, 0)[1]), SIZE):
        actions[option] = 0


@jit_internal
def _determinize(source: Any, seat: Seat, seed: np.uint64, target: Any) -> int:
    """Draw a game as `Game.determinize` does: again if nobody had a choice in the first one."""
    if not _is_seat(_record(source, 0), seat):
        return Error.BAD_SEAT
    if seed == 0:
        return Error.BAD_SEED
    view = numba.carray(local_memory(np.uint64, _WORDS), (_WORDS,))
    drawn = numba.carray(local_memory(np.uint64, _WORDS), (_WORDS,))
    scratch = numba.carray(local_memory(np.int16, SCRATCH), (SCRATCH,))
    _copy(source, target, 1)
    state, words = _record(target, 0), _words(target, 0)
    redact(state, seat)
    _copy_words(words, view)
    while True:
        determinize(state, seat, seed, scratch)
        _copy_words(words, drawn)
        _advance(target, 0, _GO_ON)
        if _are_equal(words, drawn):
            _forget(target)
            return 0
        seed = xorshift(seed)
        _copy_words(view, words)


@jit_internal
def _copy_words(source: NDArray[np.uint64], target: NDArray[np.uint64]) -> None:
    for word in range(_WORDS):
        target[word] = source[word]


@jit_internal
def _are_equal(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> bool:
    for word in range(_WORDS):
        if one[word] != other[word]:
            return False
    return True


# --- Results -------------------------------------------------------------------------------------


@jit_internal
def _seat(game: Any) -> Result:
    return np.int64(_head(game, 0)[0])


@jit_internal
def _status(game: Any) -> Result:
    return np.int64(_record(game, 0)["status"])


@jit_internal
def _scores(game: Any, scores: Any) -> Result:
    state = _record(game, 0)
    players = np.int64(state["players"])
    for seat in range(players):
        scores[seat] = state["score"][seat]
    return players


@jit_internal
def _winners(game: Any) -> int:
    """Return the winning seats as bits."""
    state = _record(game, 0)
    winners = 0
    for seat in range(np.int64(state["players"])):
        if seat % state["teams"] == state["winner"]:
            winners |= 1 << seat
    return winners


# --- The library itself --------------------------------------------------------------------------


@jit_internal
def _game_size() -> int:
    return _GAME_BYTES


@jit_internal
def _record_size() -> int:
    return 8 * _WORDS


@jit_internal
def _layout() -> int:
    return LAYOUT


@jit_internal
def _version() -> int:
    return _VERSION


_C_TYPES: Final = {
    "int32_t": types.int32,
    "int64_t": types.int64,
    "uint64_t": types.uint64,
    "uint8_t *": types.CPointer(types.uint8),
    "int32_t *": types.CPointer(types.int32),
    "int64_t *": types.CPointer(types.int64),
    "uint64_t *": types.CPointer(types.uint64),
    "impulse_game *": types.CPointer(types.uint64),
    "impulse_options *": types.CPointer(types.int32),
}
"""numba's types by those of C without ``const``."""


@dataclass(frozen=True)
class Entry:
    """A function of the library.

    Attributes:
        name: Its name in C.
        function: A function of `jit_internal` that returns an integer.
        parameters: Types and names of the parameters in C.
    """

    name: str
    function: Callable[..., Result]
    parameters: tuple[str, ...] = ()

    @property
    def arguments(self) -> tuple[Any, ...]:
        """Numba's types of the arguments."""
        kinds = [parameter.rstrip(ascii_lowercase) for parameter in self.parameters]
        return tuple(_C_TYPES[kind.removeprefix("const ").rstrip()] for kind in kinds)

    @property
    def declaration(self) -> str:
        """The declaration in C, on one line."""
        return f"int32_t {self.name}({', '.join(self.parameters) or 'void'});"


ENTRIES: Final = (
    Entry("impulse_layout", _layout),
    Entry("impulse_version", _version),
    Entry("impulse_seat", _seat, ("const impulse_game *game",)),
    Entry("impulse_status", _status, ("const impulse_game *game",)),
    Entry("impulse_scores", _scores, ("const impulse_game *game", "int32_t *scores")),
    Entry("impulse_winners", _winners, ("const impulse_game *game",)),
    Entry("impulse_record_size", _record_size),
    Entry("impulse_game_size", _game_size),
    Entry("impulse_observation_size", _observation_size, ("int32_t players",)),
    Entry(
        *("impulse_default_options", _default_options),
        ("int32_t players", "impulse_options *options"),
    ),
    Entry(
        *("impulse_new_game", _new_game),
        ("const impulse_options *options", "uint64_t seed", "impulse_game *game"),
    ),
    Entry("impulse_resume", _resume, ("impulse_game *game",)),
    Entry("impulse_step", _step, ("impulse_game *game", "int32_t action")),
    Entry(
        *("impulse_legal_mask", _legal_mask),
        ("const impulse_game *game", "int32_t own", "uint8_t *mask"),
    ),
    Entry(
        *("impulse_observe", _observe),
        ("const impulse_game *game", "int32_t seat", "uint8_t *out", "int64_t size"),
    ),
    Entry(
        *("impulse_view", _view),
        ("const impulse_game *game", "int32_t seat", "impulse_game *view"),
    ),
    Entry(
        *("impulse_determinize", _determinize),
        ("const impulse_game *game", "int32_t seat", "uint64_t seed", "impulse_game *drawn"),
    ),
    Entry(
        *("impulse_to_own", _to_own),
        ("int32_t players", "int32_t seat", "int32_t action"),
    ),
    Entry(
        *("impulse_to_absolute", _to_absolute),
        ("int32_t players", "int32_t seat", "int32_t action"),
    ),
    Entry(
        *("impulse_new_games", _new_games),
        (
            *("const impulse_options *options", "const uint64_t *seeds"),
            *("int64_t count", "impulse_game *games"),
        ),
    ),
    Entry(
        *("impulse_step_games", _step_games),
        ("impulse_game *games", "const int32_t *actions", "int64_t count", "int64_t *wrong"),
    ),
    Entry(
        *("impulse_legal_masks", _legal_masks),
        ("const impulse_game *games", "int64_t count", "int32_t own", "uint8_t *masks"),
    ),
    Entry(
        *("impulse_observe_games", _observe_games),
        ("const impulse_game *games", "int64_t count", "uint8_t *out", "int64_t size"),
    ),
    Entry(
        *("impulse_copy", _copy),
        ("const impulse_game *games", "impulse_game *copies", "int64_t count"),
    ),
)

_PUBLIC: Final = (
    *(GAME.descr, OPTION_NAMES, _SIZES.tolist(), [(error.name, error.value) for error in Error]),
    [entry.declaration for entry in ENTRIES],
)
LAYOUT: Final = zlib.crc32(repr(_PUBLIC).encode()) >> 1
"""A number that changes with every struct and function: ``IMPULSE_LAYOUT`` of the header."""
_VERSION: Final = int("".join(f"{int(part):02}" for part in __version__.split(".")[:3]))
_CONSTANTS: Final = (_BLANK, _TO_OWN, _TO_ABSOLUTE, _SIZES, _IN_TEAMS, _DEFAULTS, _LIMITS)
KEY: Final = zlib.crc32(
    b"".join(table.tobytes() for table in _CONSTANTS), zlib.crc32(f"{LAYOUT} {_VERSION}".encode())
)
"""A number that changes with every constant in the machine code from a source without any."""
