"""A recipe: the legs of a training, each an `impulse train` of its own.

It is a file ``agents/recipes/NAME.toml``:

    [options]                 # those of every leg, named as in `impulse_training.selfplay.config`
    players = 2

    [[legs]]
    begins = "random"         # or "before", the leg before this one, or another's, such as "2p/3"
    timesteps = 8_000_000     # the end of the leg; a clock would make another training of it
    learning_rate = 1e-3
"""

import hashlib
import json
import tomllib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from impulse_env.errors import ImpulseError, did_you_mean
from impulse_training.run.checkout import checkout
from impulse_training.selfplay.config import Args

RANDOM: Final = "random"
BEFORE: Final = "before"
_SUFFIX: Final = ".toml"
_INSTALLED: Final = Path(__file__).resolve().parent / "files"
"""Where a wheel has the recipes."""
GIVEN: Final = ("device", "threads", "bfloat16", "save_every", "keep_snapshots", "tracker")
"""Options that may be given beside a recipe and are not set by one: they are the machine's."""
_NOT_THEIRS: Final = frozenset(
    (*GIVEN, "recipe", "legs", "out", "overwrite", "resume", "warm_start", "minutes")
)
"""Options that a recipe does not set: where it runs, and what would not be the same elsewhere."""


class RecipeError(ImpulseError, ValueError):
    """A recipe cannot be read or followed; the message says why."""


@dataclass(frozen=True)
class Leg:
    """A leg of a recipe.

    Attributes:
        recipe: The recipe's name.
        number: From 1.
        begins: `RANDOM`, or the name of the leg whose result it begins with, such as "2p/1".
        options: Its options that are not as by default, by name.
        digest: Of the options, and of those of all legs that it descends from: a result is this
            leg's if it was made with the same.
    """

    recipe: str
    number: int
    begins: str
    options: dict[str, Any]
    digest: str

    @property
    def name(self) -> str:
        """The leg's name, such as "2p/1"."""
        return f"{self.recipe}/{self.number}"


@dataclass(frozen=True)
class Recipe:
    """A recipe, see above.

    Attributes:
        name: Its name.
        legs: The legs, first to last.
    """

    name: str
    legs: tuple[Leg, ...]

    @cached_property
    def timesteps(self) -> int:
        """Decisions to learn from, in all legs."""
        return sum(leg.options["timesteps"] for leg in self.legs)


def folder() -> Path:
    """Return the folder of the recipes: the checkout's, or the wheel's."""
    top = checkout()
    return _INSTALLED if top is None else top / "agents" / "recipes"


def names() -> list[str]:
    """Return the names of all recipes, sorted."""
    return sorted(path.stem for path in folder().glob(f"*{_SUFFIX}"))


def read(name: str) -> Recipe:
    """Return a recipe.

    Raises:
        RecipeError: There is none of that name, or it is none.
    """
    if name not in names():
        raise RecipeError(
            f"there is no recipe {name!r}{did_you_mean(name, names())} "
            f"(there are {', '.join(names())})"
        )
    path = folder() / f"{name}{_SUFFIX}"
    try:
        written = tomllib.loads(path.read_text(encoding="utf-8"))
        shared = written.get("options", {})
        legs: list[Leg] = []
        for entry in written["legs"]:
            begins = entry.pop("begins", BEFORE)
            legs.append(_leg(name, len(legs) + 1, begins, {**shared, **entry}, legs))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecipeError(f"{path} is no recipe: {error}") from error
    return Recipe(name, tuple(legs))


def leg_of(name: str) -> Leg:
    """Return a leg by its name, such as "2p/1"; raises `RecipeError`."""
    recipe, _, number = name.partition("/")
    legs = read(recipe).legs
    if not number.isdecimal() or not 1 <= int(number) <= len(legs):
        raise RecipeError(f"there is no leg {name!r}: the recipe {recipe} has {len(legs)}")
    return legs[int(number) - 1]


def _leg(recipe: str, number: int, begins: str, options: dict[str, Any], before: list[Leg]) -> Leg:
    known = {field.name for field in fields(Args)} - _NOT_THEIRS
    for option in options:
        if option not in known:
            raise RecipeError(
                f"leg {number} has an option {option!r} that no leg has"
                f"{did_you_mean(option, sorted(known))}"
            )
    if "timesteps" not in options:
        raise RecipeError(f"leg {number} has no end: timesteps")
    if begins == BEFORE:
        if not before:
            raise RecipeError(f"the first leg has none before it: begins = {RANDOM!r}, or a leg's")
        parent = before[-1]
    elif begins != RANDOM:
        if begins.partition("/")[0] == recipe:
            raise RecipeError(f"leg {number} begins as {begins!r}, of this recipe: say {BEFORE!r}")
        parent = leg_of(begins)
    told = [options, RANDOM if begins == RANDOM else parent.digest]
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
    tuples = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    return Leg(recipe, number, RANDOM if begins == RANDOM else parent.name, tuples, digest)
