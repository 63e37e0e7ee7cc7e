"""The command `impulse train`: trains as its options say, or the missing legs of a recipe."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.selfplay.train_options import Args


def _left_out(args: Args) -> Args | None:
    """Return the options of the training that is resumed; None if a new one begins."""
    if args.resume is None:
        return None
    from impulse_training.selfplay.state.resume import resumed_args

    return resumed_args(args.resume)


COMMAND = Command(
    examples=(
        "impulse train --minutes 10",
        "impulse train --warm-start 2p --players 3 --minutes 60 --out runs/three",
        "impulse train --resume runs/three --minutes 120",
    ),
    has_json=True,
    extra="train",
    left_out=_left_out,
)


def main(args: Args) -> dict[str, Any]:
    """Train as the options say; with a recipe what is missing of it, and say what is there."""
    from impulse_training.recipes.recipe import RecipeError

    if args.recipe is not None:
        return _train_recipe(args)
    if args.legs is not None:
        raise RecipeError("--legs is of a recipe: give --recipe as well")
    from impulse_training.selfplay.train import train

    # A resumed training has the budget that it had.
    trained = train(args if args.resume is not None else args.with_default_budget())
    print(
        f"{trained.steps:,} steps in {trained.seconds:.0f} s; "
        f"the agent is policy:{typed(trained.folder)}"
    )
    return trained.summary()


def _train_recipe(args: Args) -> dict[str, Any]:
    from impulse_training.recipes import results
    from impulse_training.recipes.run import train_recipe

    check_least(args, 1, "legs")
    trained = train_recipe(args)
    last = results.path_of(trained.done[-1]) if trained.done else None
    if last is not None:
        print(f"the agent so far is policy:{last}")
    return {
        "recipe": args.recipe,
        "done": [leg.name for leg in trained.done],
        "made": [leg.name for leg in trained.made],
        "was_interrupted": trained.was_interrupted,
        "checkpoint": None if last is None else str(last),
    }
