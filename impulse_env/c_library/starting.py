"""Games from options and seeds."""

from typing import Any, Final

import numba
import numpy as np
from numpy.typing import NDArray

from impulse_env.c_library.parts import (
    GO_ON,
    PLAYERS,
    Error,
    copy_words,
    move_on,
    record_of,
    words_of,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS, NO_RACE, NO_SEAT, RACE_COUNT, Op
from impulse_env.engine.rng import mixed
from impulse_env.engine.state import empty_states
from impulse_env.options import RANGES, TEAM_SIZES, Options

OPTION_NAMES: Final = (
    *("players", "team_size", "start_player"),
    *RANGES,
    *("auto_forced", "draft"),
)
"""The numbers of ``impulse_options``, which are followed by a race for each of six seats."""


BLANK: Final = empty_states(1).view(np.uint64)
IN_TEAMS: Final = np.array(
    [[not n or n in TEAM_SIZES.get(players, ()) for n in range(MAX_PLAYERS)] for players in PLAYERS]
)
"""Whether so many players may play in teams of so many, shape ``(5, 6)``; 0 is without teams."""
DEFAULTS: Final = np.array([getattr(Options, name) for name in RANGES], np.int64)
LIMITS: Final = np.array([*RANGES.values()], np.int64)
_RANGED: Final = OPTION_NAMES.index(next(iter(RANGES)))
_AUTO_FORCED: Final = OPTION_NAMES.index("auto_forced")
_DRAFT: Final = OPTION_NAMES.index("draft")
_RACES: Final = len(OPTION_NAMES)
OPTION_COUNT: Final = _RACES + MAX_PLAYERS


@jit_internal
def default_options(players: int, options: Any) -> int:
    """Write the options of a game with so many players."""
    chosen = numba.carray(options, (OPTION_COUNT,))
    if players < MIN_PLAYERS or players > MAX_PLAYERS:
        return Error.BAD_PLAYERS
    chosen[0] = players
    chosen[1] = 0
    chosen[2] = NO_SEAT
    for option in range(len(DEFAULTS)):
        chosen[_RANGED + option] = DEFAULTS[option]
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
    if team_size < 0 or team_size >= MAX_PLAYERS or not IN_TEAMS[players - MIN_PLAYERS, team_size]:
        return Error.BAD_TEAM_SIZE
    if chosen[2] < NO_SEAT or chosen[2] >= players:
        return Error.BAD_START_PLAYER
    for option in range(len(LIMITS)):
        value = chosen[_RANGED + option]
        if value < LIMITS[option, 0] or value > LIMITS[option, 1]:
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
    copy_words(BLANK, words_of(games, game))
    state = record_of(games, game)
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
    move_on(games, game, GO_ON)


@jit_internal
def new_games(options: Any, seeds: Any, count: int, games: Any) -> int:
    """Deal a game for each seed; options are those of all."""
    chosen = numba.carray(options, (OPTION_COUNT,))
    fault = _fault_in(chosen)
    if fault:
        return fault
    for game in range(count):
        _begin(chosen, seeds[game], games, game)
    return 0


@jit_internal
def new_game(options: Any, seed: np.uint64, game: Any) -> int:
    """Deal a game and go to its first decision."""
    chosen = numba.carray(options, (OPTION_COUNT,))
    fault = _fault_in(chosen)
    if fault:
        return fault
    _begin(chosen, seed, game, 0)
    return 0


@jit_internal
def resume(game: Any) -> int:
    """List the legal actions of a record, after advancing it to a decision."""
    if record_of(game, 0)["rng"] == 0:
        return Error.HIDDEN
    move_on(game, 0, GO_ON)
    return 0
