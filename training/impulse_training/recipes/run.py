"""Train the missing legs of a recipe: `impulse train --recipe 2p`."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.recipes import results
from impulse_training.recipes.recipe import GIVEN, RANDOM, Leg, Recipe, RecipeError, leg_of, read
from impulse_training.recipes.results import RUNS, start_of
from impulse_training.run.storage.result import TrainingResult
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay import train
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import kept_args
from impulse_training.selfplay.train_options import Args


@dataclass(frozen=True)
class Trained:
    """What became of a recipe.

    Attributes:
        done: The legs whose results are there now.
        made: Those that were trained just now.
        was_interrupted: Whether Ctrl-C ended it.
    """

    done: list[Leg]
    made: list[Leg]
    was_interrupted: bool


def train_recipe(args: Args) -> Trained:
    """Train the missing legs of `args.recipe`, `args.legs` of them at most.

    A leg that was interrupted goes on where it was. Legs of other recipes that it begins with are
    trained first, unless the project ships what they made.

    Raises:
        RecipeError: There is no such recipe, or an option is given that recipes set.
    """
    assert args.recipe is not None
    recipe = read(args.recipe)
    given = _given(args)
    done: list[Leg] = []
    made: list[Leg] = []
    for leg in _in_order(recipe):
        if results.is_done(leg):
            print(f"{leg.name} is done: {results.path_of(leg)}")
        elif args.legs is not None and len(made) == args.legs:
            break
        else:
            check_output("--recipe", RUNS, is_folder=True)
            legs = len(read(leg.recipe).legs)
            print(f"{leg.name} of {legs}: {leg.options['timesteps']:,} timesteps")
            trained = _train(leg, given)
            if trained.was_interrupted:
                return Trained(done, made, True)
            print(f"{leg.name} is done: {results.write(leg, trained)}")
            made.append(leg)
        done.append(leg)
    return Trained(done, made, False)


def _in_order(recipe: Recipe) -> list[Leg]:
    """Return the legs of a recipe, each after all that it needs of other recipes."""
    ordered: dict[str, Leg] = {}

    def put(leg: Leg) -> None:
        if leg.name in ordered:
            return
        has_start = start_of(leg) != results.path_of(leg) or results.is_done(leg)
        if leg.recipe != recipe.name and has_start:
            return
        if leg.needs is not None:
            put(leg_of(leg.needs))
        ordered[leg.name] = leg

    for leg in recipe.legs:
        put(leg)
    return list(ordered.values())


def lesson_of(leg: Leg) -> DistillArgs:
    """Return the options of a leg that has a teacher."""
    assert leg.teacher is not None
    teacher = str(start_of(leg_of(leg.teacher)))
    return DistillArgs(**leg.options, teacher=teacher, out=RUNS / leg.recipe / str(leg.number))


def options_of(leg: Leg) -> Args:
    """Return the options of a leg's training."""
    start = None if leg.begins == RANDOM else str(start_of(leg_of(leg.begins)))
    return Args(**leg.options, warm_start=start, out=RUNS / leg.recipe / str(leg.number))


def _train(leg: Leg, given: dict[str, Any]) -> TrainingResult:
    if leg.teacher is not None:
        from impulse_training.imitation.distillation import distill

        names = {field.name for field in fields(DistillArgs)}
        return distill(replace(lesson_of(leg), **{k: v for k, v in given.items() if k in names}))
    args = replace(options_of(leg), **given)
    folder, start_file = args.out, args.warm_start
    assert folder is not None
    if start_file is not None and state_file.has_state(folder):
        inherited = inherit_network(start_file, args)
        args = replace(inherited, warm_start=_begun_with(folder, start_file))
    return train.train_or_resume(args)


def _begun_with(folder: Path, start: str) -> str:
    """Return where the result was that a leg under way has begun with.

    The checkout may have been moved since then; it is the same leg's result.
    """
    state, _ = state_file.load_latest(folder)
    kept = kept_args(state, folder).warm_start
    if kept is not None and Path(kept).parts[-2:] == Path(start).parts[-2:]:
        return kept
    return start


def _given(args: Args) -> dict[str, Any]:
    """Return the options that are given beside the recipe; raises `RecipeError`."""
    given = {
        field.name: getattr(args, field.name)
        for field in fields(Args)
        if getattr(args, field.name) != field.default and field.name not in ("recipe", "legs")
    }
    for name in given:
        if name not in GIVEN:
            allowed = ", ".join(f"--{one.replace('_', '-')}" for one in ("legs", *GIVEN))
            raise RecipeError(
                f"--{name.replace('_', '-')} is the recipe's to say: beside --recipe there may be "
                f"{allowed}"
            )
    return given
