"""A recipe: the stages of a training run, each of which is one `impulse train`.

It is a file ``agents/recipes/NAME.toml``:

    [options]                 # options of every stage, named as those of `impulse train`
    players = 2

    [[stages]]                # a stage
    begins = "random"         # or "before", the previous stage, or one of another recipe: "2p/3"
    timesteps = 8_000_000     # the stage's end; limits by the clock are not reproducible
    learning_rate = 1e-3

    [[stages]]
    teacher = "before"        # `impulse train distill` trains a new network from this stage's agent
    timesteps = 3_000_000     # such a stage ignores shared options that distillation does not have
    network = "map"

    [[stages]]
    like = 1                  # the options of stage 1, except timesteps and seed
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
"""Folder of the recipes in a wheel."""
GIVEN: Final = ("device", "threads", "bfloat16", "save_every", "keep_snapshots", "tracker")
"""Options allowed with --recipe, which no recipe sets: they depend on the machine."""
_NOT_THEIRS: Final = frozenset(
    (*GIVEN, "recipe", "legs", "out", "overwrite", "resume", "warm_start", "minutes", "teacher")
)
"""Options that a recipe does not set, because they depend on the machine or the place."""
_OWN: Final = ("timesteps", "seed")
"""Options that a stage does not copy from another with ``like``."""


class RecipeError(ImpulseError, ValueError):
    """A recipe cannot be read or trained; the message says why."""


@dataclass(frozen=True)
class Stage:
    """A stage of a recipe.

    Attributes:
        recipe: The recipe's name.
        number: The number of the stage, from 1.
        begins: `RANDOM`, or the name of the stage whose result it starts from, such as "2p/1".
        teacher: The name of the stage whose agent is the teacher; None without distillation.
        options: The options that differ from their defaults, by name.
        digest: Digest of the options of this stage and all its ancestors. A result belongs to this
            stage if it has the same digest.
    """

    recipe: str
    number: int
    begins: str
    teacher: str | None
    options: dict[str, Any]
    digest: str

    @property
    def name(self) -> str:
        """The stage's name, such as "2p/1"."""
        return f"{self.recipe}/{self.number}"

    @property
    def needs(self) -> str | None:
        """The name of the stage whose result this one needs, or None."""
        return self.teacher or (None if self.begins == RANDOM else self.begins)


@dataclass(frozen=True)
class Recipe:
    """A recipe, see the module's docstring.

    Attributes:
        name: The recipe's name.
        stages: The stages in order.
    """

    name: str
    stages: tuple[Stage, ...]

    @cached_property
    def timesteps(self) -> int:
        """Decisions of the learner in all stages."""
        return sum(stage.options["timesteps"] for stage in self.stages)


def folder() -> Path:
    """Return the folder of the recipes, in the checkout or in the wheel."""
    top = checkout()
    return _INSTALLED if top is None else top / "agents" / "recipes"


def names() -> list[str]:
    """Return the names of all recipes, sorted."""
    return sorted(path.stem for path in folder().glob(f"*{_SUFFIX}"))


def read(name: str) -> Recipe:
    """Return a recipe.

    Raises:
        RecipeError: There is no recipe with this name, or its file is invalid.
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
        stages: list[Stage] = []
        for entry in written["stages"]:
            teacher = entry.pop("teacher", None)
            begins = entry.pop("begins", BEFORE if teacher is None else RANDOM)
            if teacher is not None and begins != RANDOM:
                raise RecipeError(
                    f"stage {len(stages) + 1} has a teacher, so begins must be {RANDOM!r}, "
                    f"not {begins!r}"
                )
            inherited = shared if teacher is None else _known(shared, DistillArgs)
            if "like" in entry:
                inherited = _like(entry.pop("like"), teacher, stages)
            stages.append(_stage(name, begins, teacher, {**inherited, **entry}, stages))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecipeError(f"{path} is not a recipe: {error}") from error
    return Recipe(name, tuple(stages))


def stage_of(name: str) -> Stage:
    """Return a stage by its name, such as "2p/1"; raises `RecipeError`."""
    recipe, _, number = name.partition("/")
    stages = read(recipe).stages
    if not number.isdecimal() or not 1 <= int(number) <= len(stages):
        raise RecipeError(
            f"there is no stage {name!r}: the recipe {recipe} has the stages 1 to {len(stages)}"
        )
    return stages[int(number) - 1]


def _known(options: dict[str, Any], kind: type[Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in options.items() if name in names}


def _like(number: Any, teacher: str | None, before: list[Stage]) -> dict[str, Any]:
    """Return the options of an earlier stage, without timesteps and seed."""
    alike = [stage.number for stage in before if (stage.teacher is None) == (teacher is None)]
    if number not in alike or isinstance(number, bool):
        raise RecipeError(
            f"stage {len(before) + 1} has like = {number!r}, but earlier stages of its kind are "
            + (", ".join(map(str, alike)) or "none")
        )
    options = before[number - 1].options
    return {name: value for name, value in options.items() if name not in _OWN}


def _stage(
    recipe: str, begins: str, teacher: str | None, options: dict[str, Any], before: list[Stage]
) -> Stage:
    number = len(before) + 1
    kind = Args if teacher is None else DistillArgs
    known = {field.name for field in fields(kind)} - _NOT_THEIRS
    kind_of_stage = "" if teacher is None else " with a teacher"
    for option in options:
        if option not in known:
            raise RecipeError(
                f"stage {number}{kind_of_stage} cannot set the option {option!r}"
                f"{did_you_mean(option, sorted(known))}"
            )
    if "timesteps" not in options:
        raise RecipeError(f"stage {number} needs timesteps")
    parent = _parent(recipe, begins if teacher is None else teacher, before)
    content = [options, RANDOM if parent is None else parent.digest]
    if teacher is not None:
        content.append("taught")
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]
    tuples = {name: tuple(v) if isinstance(v, list) else v for name, v in options.items()}
    name = RANDOM if parent is None else parent.name
    if teacher is not None:
        return Stage(recipe, number, RANDOM, name, tuples, digest)
    return Stage(recipe, number, name, None, tuples, digest)


def _parent(recipe: str, name: str, before: list[Stage]) -> Stage | None:
    """Return the stage that another starts from or learns from; None for random weights."""
    if name == RANDOM:
        return None
    if name == BEFORE:
        if not before:
            raise RecipeError(
                f"the first stage has no previous one: begins must be {RANDOM!r} or the stage of "
                "another recipe"
            )
        return before[-1]
    if name.partition("/")[0] == recipe:
        number = len(before) + 1
        raise RecipeError(
            f"stage {number} begins with {name!r} of its own recipe: only {BEFORE!r} is allowed"
        )
    return stage_of(name)
