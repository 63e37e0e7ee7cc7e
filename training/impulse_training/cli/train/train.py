"""The command `impulse train`: trains with its options, or runs the missing stages of a recipe."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.selfplay.train_options import Args


def _left_out(args: Args) -> Args | None:
    """Return the saved options of a resumed run; None for a new run."""
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
    """Train with the options, or run the missing stages of a recipe; print the agent's name."""
    from impulse_training.recipes.recipe import RecipeError

    if args.recipe is not None:
        return _train_recipe(args)
    if args.legs is not None:
        raise RecipeError("--legs needs --recipe")
    from impulse_training.selfplay.train import train

    # A resumed run keeps its budget.
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
        "done": [stage.name for stage in trained.done],
        "made": [stage.name for stage in trained.made],
        "was_interrupted": trained.was_interrupted,
        "checkpoint": None if last is None else str(last),
    }
