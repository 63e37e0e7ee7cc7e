"""Trains the missing stages of a recipe: `impulse train --recipe 2p`."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from impulse_env.files import check_output
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.recipes import results
from impulse_training.recipes.recipe import (
    GIVEN,
    RANDOM,
    Recipe,
    RecipeError,
    Stage,
    read,
    stage_of,
)
from impulse_training.recipes.results import RUNS, start_of
from impulse_training.run.storage.result import TrainingResult
from impulse_training.run.warm_start import inherit_network
from impulse_training.selfplay import train
from impulse_training.selfplay.state import state_file
from impulse_training.selfplay.state.resume import saved_args
from impulse_training.selfplay.train_options import Args


@dataclass(frozen=True)
class Trained:
    """The result of training a recipe.

    Attributes:
        done: The stages whose results exist.
        made: The stages that this call trained.
        was_interrupted: Whether Ctrl-C or SIGTERM ended the call.
    """

    done: list[Stage]
    made: list[Stage]
    was_interrupted: bool


def train_recipe(args: Args) -> Trained:
    """Train the missing stages of `args.recipe`, at most `args.legs` of them.

    An interrupted stage continues. Stages of other recipes that a stage starts from come first,
    unless the project ships their result. Stages that the last one does not descend from are left
    out: other recipes start from them.

    Raises:
        RecipeError: There is no such recipe, or the options include one that recipes set.
    """
    assert args.recipe is not None
    recipe = read(args.recipe)
    overrides = _overrides(args)
    done: list[Stage] = []
    made: list[Stage] = []
    for stage in _in_order(recipe):
        if results.is_done(stage):
            print(f"{stage.name} is done: {results.path_of(stage)}")
        elif args.legs is not None and len(made) == args.legs:
            break
        else:
            check_output("--recipe", RUNS, is_folder=True)
            stages = len(read(stage.recipe).stages)
            print(f"{stage.name} of {stages}: {stage.options['timesteps']:,} timesteps")
            trained = _train(stage, overrides)
            if trained.was_interrupted:
                return Trained(done, made, True)
            print(f"{stage.name} is done: {results.write(stage, trained)}")
            made.append(stage)
        done.append(stage)
    return Trained(done, made, False)


def _in_order(recipe: Recipe) -> list[Stage]:
    """Return the stages that made a recipe's last one, in order, also those of other recipes."""
    ordered: dict[str, Stage] = {}

    def put(stage: Stage) -> None:
        if stage.name in ordered:
            return
        has_start = start_of(stage) != results.path_of(stage) or results.is_done(stage)
        if stage.recipe != recipe.name and has_start:
            return
        if stage.needs is not None:
            put(stage_of(stage.needs))
        ordered[stage.name] = stage

    put(recipe.stages[-1])
    return list(ordered.values())


def lesson_of(stage: Stage) -> DistillArgs:
    """Return the options of a stage with a teacher."""
    assert stage.teacher is not None
    teacher = str(start_of(stage_of(stage.teacher)))
    return DistillArgs(
        **stage.options, teacher=teacher, out=RUNS / stage.recipe / str(stage.number)
    )


def options_of(stage: Stage) -> Args:
    """Return the options of a stage without a teacher."""
    start = None if stage.begins == RANDOM else str(start_of(stage_of(stage.begins)))
    return Args(**stage.options, warm_start=start, out=RUNS / stage.recipe / str(stage.number))


def _train(stage: Stage, overrides: dict[str, Any]) -> TrainingResult:
    if stage.teacher is not None:
        from impulse_training.imitation.distillation import distill

        names = {field.name for field in fields(DistillArgs)}
        known = {name: value for name, value in overrides.items() if name in names}
        return distill(replace(lesson_of(stage), **known))
    args = replace(options_of(stage), **overrides)
    folder, start_file = args.out, args.warm_start
    assert folder is not None
    if start_file is not None and state_file.has_state(folder):
        inherited = inherit_network(start_file, args)
        args = replace(inherited, warm_start=_begun_with(folder, start_file))
    return train.train_or_resume(args)


def _begun_with(folder: Path, start: str) -> str:
    """Return the path of the checkpoint that an unfinished stage started from.

    The checkout may have moved since, but the result is the same.
    """
    state, _ = state_file.load_latest(folder)
    saved = saved_args(state, folder).warm_start
    if saved is not None and Path(saved).parts[-2:] == Path(start).parts[-2:]:
        return saved
    return start


def _overrides(args: Args) -> dict[str, Any]:
    """Return the options of the command line that go with a recipe; raises `RecipeError`."""
    overrides = {
        field.name: getattr(args, field.name)
        for field in fields(Args)
        if getattr(args, field.name) != field.default and field.name not in ("recipe", "legs")
    }
    for name in overrides:
        if name not in GIVEN:
            allowed = ", ".join(f"--{one.replace('_', '-')}" for one in ("legs", *GIVEN))
            raise RecipeError(
                f"--recipe sets --{name.replace('_', '-')} itself: it only allows {allowed}"
            )
    return overrides
