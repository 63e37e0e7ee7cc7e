"""The command `impulse train`: trains as its options say, or the missing legs of a recipe."""

from typing import Any

from impulse_env.options import check_least
from impulse_training.recipes import results
from impulse_training.recipes.recipe import RecipeError
from impulse_training.recipes.run import train_recipe
from impulse_training.selfplay import train
from impulse_training.selfplay.train_options import Args


def main(args: Args) -> dict[str, Any]:
    """Train as the options say; with a recipe what is missing of it, and say what is there."""
    if args.recipe is None:
        if args.legs is not None:
            raise RecipeError("--legs is of a recipe: give --recipe as well")
        return train.main(args)
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
