"""The functions of the C library, and the numbers that say which library it is.

`impulse.h` describes each for users. A function returns 0 or a number that is not negative; after a
negative `Error`, nothing was changed.
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, Final

from numba import types

from impulse_env._version import __version__
from impulse_env.c_library.knowledge import (
    SIZES,
    draw,
    observe,
    observe_games,
    size_of_observation,
    view_of,
)
from impulse_env.c_library.parts import GAME, GAME_BYTES, WORDS, Error, Result, copy_games
from impulse_env.c_library.playing import (
    TO_ABSOLUTE,
    TO_OWN,
    legal_mask,
    legal_masks,
    scores_of,
    seat_of,
    status_of,
    step,
    step_games,
    to_absolute,
    to_own,
    winners_of,
)
from impulse_env.c_library.starting import (
    BLANK,
    DEFAULTS,
    IN_TEAMS,
    LIMITS,
    OPTION_NAMES,
    default_options,
    new_game,
    new_games,
    resume,
)
from impulse_env.compiled.compilation import jit_internal


@jit_internal
def _game_size() -> int:
    return GAME_BYTES


@jit_internal
def _record_size() -> int:
    return 8 * WORDS


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
    Entry("impulse_seat", seat_of, ("const impulse_game *game",)),
    Entry("impulse_status", status_of, ("const impulse_game *game",)),
    Entry("impulse_scores", scores_of, ("const impulse_game *game", "int32_t *scores")),
    Entry("impulse_winners", winners_of, ("const impulse_game *game",)),
    Entry("impulse_record_size", _record_size),
    Entry("impulse_game_size", _game_size),
    Entry("impulse_observation_size", size_of_observation, ("int32_t players",)),
    Entry(
        *("impulse_default_options", default_options),
        ("int32_t players", "impulse_options *options"),
    ),
    Entry(
        *("impulse_new_game", new_game),
        ("const impulse_options *options", "uint64_t seed", "impulse_game *game"),
    ),
    Entry("impulse_resume", resume, ("impulse_game *game",)),
    Entry("impulse_step", step, ("impulse_game *game", "int32_t action")),
    Entry(
        *("impulse_legal_mask", legal_mask),
        ("const impulse_game *game", "int32_t own", "uint8_t *mask"),
    ),
    Entry(
        *("impulse_observe", observe),
        ("const impulse_game *game", "int32_t seat", "uint8_t *out", "int64_t size"),
    ),
    Entry(
        *("impulse_view", view_of),
        ("const impulse_game *game", "int32_t seat", "impulse_game *view"),
    ),
    Entry(
        *("impulse_determinize", draw),
        ("const impulse_game *game", "int32_t seat", "uint64_t seed", "impulse_game *drawn"),
    ),
    Entry(
        *("impulse_to_own", to_own),
        ("int32_t players", "int32_t seat", "int32_t action"),
    ),
    Entry(
        *("impulse_to_absolute", to_absolute),
        ("int32_t players", "int32_t seat", "int32_t action"),
    ),
    Entry(
        *("impulse_new_games", new_games),
        (
            *("const impulse_options *options", "const uint64_t *seeds"),
            *("int64_t count", "impulse_game *games"),
        ),
    ),
    Entry(
        *("impulse_step_games", step_games),
        ("impulse_game *games", "const int32_t *actions", "int64_t count", "int64_t *wrong"),
    ),
    Entry(
        *("impulse_legal_masks", legal_masks),
        ("const impulse_game *games", "int64_t count", "int32_t own", "uint8_t *masks"),
    ),
    Entry(
        *("impulse_observe_games", observe_games),
        ("const impulse_game *games", "int64_t count", "uint8_t *out", "int64_t size"),
    ),
    Entry(
        *("impulse_copy", copy_games),
        ("const impulse_game *games", "impulse_game *copies", "int64_t count"),
    ),
)

_PUBLIC: Final = (
    *(GAME.descr, OPTION_NAMES, SIZES.tolist(), [(error.name, error.value) for error in Error]),
    [entry.declaration for entry in ENTRIES],
)
LAYOUT: Final = zlib.crc32(repr(_PUBLIC).encode()) >> 1
"""A number that changes with every struct and function: ``IMPULSE_LAYOUT`` of the header."""
_VERSION: Final = int("".join(f"{int(part):02}" for part in __version__.split(".")[:3]))
_CONSTANTS: Final = (BLANK, TO_OWN, TO_ABSOLUTE, SIZES, IN_TEAMS, DEFAULTS, LIMITS)
KEY: Final = zlib.crc32(
    b"".join(table.tobytes() for table in _CONSTANTS), zlib.crc32(f"{LAYOUT} {_VERSION}".encode())
)
"""A number that changes with every constant in the machine code from a source without any."""
