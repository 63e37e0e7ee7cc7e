"""The options of a game, checked in one place, and the undealt records that they describe."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final

import numpy as np

from impulse_env.arguments import checked_integer, integer_of, shown
from impulse_env.engine.constants import (
    LEAST_HAND_LIMIT,
    LEAST_SHIPS,
    MAX_ACTIVATIONS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_SHIPS,
    MAX_TURNS,
    MIN_PLAYERS,
    MOST_TARGET_SCORE,
    MOST_TURNS,
    NO_SEAT,
    TARGET_SCORE,
    Op,
    Race,
)
from impulse_env.engine.rng import state_of_seed
from impulse_env.engine.state import STATE, empty_states
from impulse_env.errors import ArgumentError, did_you_mean

TEAM_SIZES: Final = {4: (2,), 6: (2, 3)}
"""Numbers of players per team that the rules allow, by number of players (p. 8)."""

RACE_NAMES: Final = tuple(race.name.lower() for race in Race)

RANGES: Final = {
    "target_score": (1, MOST_TARGET_SCORE),
    "hand_limit": (LEAST_HAND_LIMIT, MAX_HAND),
    "ships": (LEAST_SHIPS, MAX_SHIPS),
    "max_turns": (1, MOST_TURNS),
    "max_activations": (0, MAX_ACTIVATIONS),
}


class OptionError(ArgumentError):
    """An option has a value that is not allowed; the message names the allowed values."""


@dataclass(frozen=True)
class Options:
    """The options of a game (section 12 of the rules).

    Attributes:
        players: Number of players, 2 to 6.
        team_size: None, or players per team: 2 with 4 players, 2 or 3 with 6 (p. 8).
        races: None: random; "draft": drafted in turn order; or one entry for every seat, a name or
            None for a random race.
        start_player: The seat that begins; None: random.
        target_score: Points needed to win, 1 to 100.
        hand_limit: Highest number of cards in hand, 6 to 10.
        ships: Ships of each player, 3 to 12.
        max_turns: Player turns after which the game is truncated (R5), 1 to 30,000.
        max_activations: Highest number of map activations in one turn (R5), 0 to 32.
        auto_forced: Whether the engine takes decisions that have exactly one legal action.
    """

    players: int = 2
    team_size: int | None = None
    races: str | Sequence[str | None] | None = None
    start_player: int | None = None
    target_score: int = TARGET_SCORE
    hand_limit: int = MAX_HAND
    ships: int = MAX_SHIPS
    max_turns: int = MAX_TURNS
    max_activations: int = MAX_ACTIVATIONS
    auto_forced: bool = True

    def __post_init__(self) -> None:
        """Check every option and convert numpy integers to Python's; raises `OptionError`."""
        self._read_integer("players", MIN_PLAYERS, MAX_PLAYERS)
        if self.team_size is not None:
            self._read_team_size(TEAM_SIZES.get(self.players, ()))
        for name, (low, high) in RANGES.items():
            self._read_integer(name, low, high)
        if self.start_player is not None:
            self._read_integer("start_player", 0, self.players - 1)
        if not isinstance(self.auto_forced, (bool, np.bool_)):
            raise OptionError(f"auto_forced must be True or False, not {shown(self.auto_forced)}")
        object.__setattr__(self, "auto_forced", bool(self.auto_forced))
        self._check_races(self.players)

    def _read_integer(self, name: str, low: int, high: int) -> None:
        number = checked_integer(name, getattr(self, name), low, high, OptionError)
        object.__setattr__(self, name, number)

    def _read_team_size(self, sizes: tuple[int, ...]) -> None:
        size = integer_of(self.team_size)
        if size not in sizes:
            allowed = ", ".join(["None", *map(str, sizes)])
            raise OptionError(
                f"team_size (players per team) with {self.players} players must be one of "
                f"{allowed}; not {shown(self.team_size)}"
            )
        object.__setattr__(self, "team_size", size)

    def _check_races(self, players: int) -> None:
        is_word = isinstance(self.races, str)
        if self.races is None or (is_word and self.races == "draft"):
            return
        is_list = isinstance(self.races, Sequence) and not is_word
        if not is_list or len(self.races) != players:
            raise OptionError(
                f'races must be None, "draft" or a list of {players} names, not {shown(self.races)}'
            )
        # Lists would make the options unhashable.
        object.__setattr__(self, "races", tuple(self.races))
        names = [race for race in self.races if race is not None]
        for race in names:
            if race not in RACE_NAMES:
                raise OptionError(f"races: unknown race {race!r}; there are {list(RACE_NAMES)}")
        if len(set(names)) < len(names):
            raise OptionError(f"races must all be different, not {list(self.races)}")

    @property
    def team_count(self) -> int:
        """Number of teams; without teams, the number of players."""
        return self.players // self.team_size if self.team_size else self.players

    def new_states(self, seeds: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return undealt records, one for each seed, shape ``(len(seeds),)``, dtype `STATE`.

        The first step, which takes no action, deals them.

        Raises:
            ArgumentError: A seed is not an integer.
        """
        try:
            numbers = [checked_integer("seed", seed) for seed in seeds]
        except TypeError as error:
            raise ArgumentError(f"seeds must be integers, not {shown(seeds)}") from error
        # As bytes: numpy repeats records field by field, ten times as slowly.
        rows = np.empty((len(numbers), STATE.itemsize), np.uint8)
        rows[:] = _undealt(self).view(np.uint8)
        states = np.ndarray(len(numbers), STATE, rows)
        states["rng"] = [state_of_seed(number) for number in numbers]
        return states


@lru_cache(maxsize=64)
def _undealt(options: Options) -> np.ndarray:
    """Return the undealt record of a game with these options, without a seed, shape ``(1,)``."""
    states = empty_states(1)
    states["players"] = options.players
    states["teams"] = options.team_count
    states["target_score"] = options.target_score
    states["hand_limit"] = options.hand_limit
    states["ships"] = options.ships
    states["max_turns"] = options.max_turns
    states["max_activations"] = options.max_activations
    states["auto_forced"] = options.auto_forced
    states["start_seat"] = NO_SEAT if options.start_player is None else options.start_player
    states["phase"] = Op.START_GAME
    if options.races == "draft":
        states["draft"] = 1
    elif options.races is not None:
        for seat, race in enumerate(options.races):
            if race is not None:
                states["race"][:, seat] = RACE_NAMES.index(race)
    states.flags.writeable = False
    return states


OPTION_NAMES: Final = tuple(field.name for field in fields(Options))
"""The keywords of a game's options."""


def check_keywords(given: Iterable[str], known: Iterable[str]) -> None:
    """Raise `OptionError` for the first unknown keyword; the message suggests the nearest one."""
    allowed = tuple(known)
    for name in given:
        if name not in allowed:
            raise OptionError(
                f"there is no option {name!r}{did_you_mean(name, allowed)} "
                f"(there are {', '.join(allowed)})"
            )


def check_least(given: Any, least: float, *names: str) -> None:
    """Raise `OptionError` for the first of these attributes that is too small, or not finite.

    Args:
        given: The object with the attributes. None and empty tuples are allowed.
        least: The lowest value that a number, or a number in a tuple, may have.
        names: The names of the attributes.
    """
    for name in names:
        value = getattr(given, name)
        for number in value if isinstance(value, tuple) else (value,):
            if number is not None and not least <= number < math.inf:
                raise OptionError(f"{name} must be {least:g} or more, not {number}")


def check_once(given: Any, *names: str) -> None:
    """Raise `OptionError` for the first of these attributes, tuples, that repeats a value."""
    for name in names:
        values = getattr(given, name)
        if twice := [value for value in values if values.count(value) > 1]:
            raise OptionError(f"{name} must all be different, but {twice[0]} occurs twice")


def check_range(name: str, value: int, high: int, why: str) -> None:
    """Raise `OptionError` unless a value is from 0 to `high`; `why` explains that limit."""
    if not 0 <= value <= high:
        raise OptionError(f"{name} must be from 0 to {high}, not {value}: {why}")


def is_record(state: object) -> bool:
    """Return whether an object is one game's record."""
    return isinstance(state, np.void) and state.dtype == STATE
