"""A recipe: the legs of a training, each an `impulse train` of its own.

It is a file ``agents/recipes/NAME.toml``:

    [options]                 # those of every leg, named as those of `impulse train`
    players = 2

    [[legs]]
    begins = "random"         # or "before", the leg before this one, or another's, such as "2p/3"
    timesteps = 8_000_000     # the end of the leg; a clock would make another training of it
    learning_rate = 1e-3

    [[legs]]
    teacher = "before"        # a new network learns what it plays, by `impulse train distill`
    timesteps = 3_000_000     # options that it does not have are passed over where all legs share
    network = "map"           # them

    [[legs]]
    like = 1                  # the options of that leg, but for its end and its seed
    timesteps = 8_000_000
    network = "map"
"""

import hashlib
import json
import tomllib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from impulse_env.errors import ImpulseError, did_you_mean
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.run.provenance.checkout import checkout
from impulse_training.selfplay.train_options import Args

RANDOM: Final = "random"
BEFORE: Final = "before"
_SUFFIX: Final = ".toml"
_INSTALLED: Final = Path(__file__).resolve().parent / "files"
"""Where a wheel has the recipes."""
GIVEN: Final = ("device", "threads", "bfloat16", "save_every", "keep_snapshots", "tracker")
"""Options that may be given beside a recipe and are not set by one: they are the machine's."""
_NOT_THEIRS: Final = frozenset(
    (*GIVEN, "recipe", "legs", "out", "overwrite", "resume", "warm_start", "minutes", "teacher")
)
"""Options that a recipe does not set: where it runs, and what would not be the same elsewhere."""
_OWN: Final = ("timesteps", "seed")
"""Options that no leg takes from another."""


class RecipeError(ImpulseError, ValueError):
    """A recipe cannot be read or followed; the message says why."""


@dataclass(frozen=True)
class Leg:
    """A leg of a recipe.

    Attributes:
        recipe: The recipe's name.
        number: From 1.
        begins: `RANDOM`, or the name of the leg whose result it begins with, such as "2p/1".
        teacher: The name of the leg whose agent is its teacher, if it learns what that plays.
        options: Its options that are not as by default, by name.
        digest: Of the options, and of those of all legs that it descends from: a result is this
            leg's if it was made with the same.
    """

    recipe: str
    number: int
    begins: str
    teacher: str | None
    options: dict[str, Any]
    digest: str

    @property
    def name(self) -> str:
        """The leg's name, such as "2p/1"."""
        return f"{self.recipe}/{self.number}"

    @property
    def needs(self) -> str | None:
        """The leg whose result has to be there, if there is one."""
        return self.teacher or (None if self.begins == RANDOM else self.begins)


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
            teacher = entry.pop("teacher", None)
            begins = entry.pop("begins", BEFORE if teacher is None else RANDOM)
            if teacher is not None and begins != RANDOM:
                raise RecipeError(f"leg {len(legs) + 1} has a teacher, so it begins = {RANDOM!r}")
            given = shared if teacher is None else _known(shared, DistillArgs)
            if "like" in entry:
                given = _like(entry.pop("like"), teacher, legs)
            legs.append(_leg(name, begins, teacher, {**given, **entry}, legs))
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


def _known(options: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in options.items() if name in names}


def _like(number: Any, teacher: str | None, before: list[Leg]) -> dict[str, Any]:
    """Return the options of a leg before, but for its end and its seed."""
    alike = [leg.number for leg in before if (leg.teacher is None) == (teacher is None)]
    if number not in alike or isinstance(number, bool):
        raise RecipeError(
            f"leg {len(before) + 1} is like {number!r}, and may be like "
            + (", ".join(map(str, alike)) or "none")
            + ": the number of a leg before it that learns as it does"
        )
    options = before[number - 1].options
    return {name: value for name, value in options.items() if name not in _OWN}


def _leg(
    recipe: str, begins: str, teacher: str | None, options: dict[str, Any], before: list[Leg]
) -> Leg:
    number = len(before) + 1
    kind = Args if teacher is None else DistillArgs
    known = {field.name for field in fields(kind)} - _NOT_THEIRS
    whose = "" if teacher is None else "with a teacher "
    for option in options:
        if option not in known:
            raise RecipeError(
                f"leg {number} has an option {option!r} that no leg {whose}has"
                f"{did_you_mean(option, sorted(known))}"
            )
    if "timesteps" not in options:
        raise RecipeError(f"leg {number} has no end: timesteps")
    parent = _parent(recipe, begins if teacher is None else teacher, before)
    told = [options, RANDOM if parent is None else parent.digest]
    if teacher is not None:
        told.append("taught")
    digest = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]
    tuples = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    name = RANDOM if parent is None else parent.name
    if teacher is not None:
        return Leg(recipe, number, RANDOM, name, tuples, digest)
    return Leg(recipe, number, name, None, tuples, digest)


def _parent(recipe: str, said: str, before: list[Leg]) -> Leg | None:
    """Return the leg that another begins as or is taught by; None if it begins at random."""
    if said == RANDOM:
        return None
    if said == BEFORE:
        if not before:
            raise RecipeError(f"the first leg has none before it: begins = {RANDOM!r}, or a leg's")
        return before[-1]
    if said.partition("/")[0] == recipe:
        number = len(before) + 1
        raise RecipeError(f"leg {number} begins as {said!r}, of this recipe: say {BEFORE!r}")
    return leg_of(said)
