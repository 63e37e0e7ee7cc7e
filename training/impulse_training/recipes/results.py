"""The results of stages: weights in half precision, such as ``runs/recipes/2p/1.safetensors``.

The project ships only the result of each recipe's last stage, as the agent of that name.
"""

from pathlib import Path
from typing import Final

from impulse_agents.checkpoints import FOLDER, SUFFIX
from impulse_agents.network.agent import PolicyAgent
from impulse_training.recipes import recipe
from impulse_training.recipes.recipe import RecipeError, Stage
from impulse_training.run import learning_curve
from impulse_training.run.storage.result import TrainingResult
from impulse_training.selfplay.state.folder import AVERAGE

_KEY: Final = "recipe"
"""Key in a checkpoint's config of the stage that made it."""


RUNS: Final = Path("runs/recipes")
"""Folder of the training runs of all stages and of their results."""


def path_of(stage: Stage, runs: Path = RUNS) -> Path:
    """Return the file of a stage's result, which may not exist."""
    return runs / stage.recipe / f"{stage.number}{SUFFIX}"


def start_of(stage: Stage) -> Path:
    """Return the start of the next stage: the result, or the shipped agent if it is the same."""
    path, shipped = path_of(stage), FOLDER / f"{stage.recipe}{SUFFIX}"
    if not path.is_file() and shipped.is_file() and _maker(shipped) == stage.digest:
        return shipped
    return path


def learned(agent: PolicyAgent, runs: Path = RUNS) -> dict[int, Path]:
    """Return the results of the stages of its recipe that made an agent, by number.

    Stages with a teacher are left out: they have no learning curve.

    Args:
        agent: A trained agent.
        runs: The folder with the results; they may be missing.

    Raises:
        RecipeError: No recipe made the agent, or its recipe does not exist.
    """
    if _KEY not in agent.config:
        raise RecipeError(f"{agent.name} does not come from a recipe")
    stage = recipe.stage_of(agent.config[_KEY]["leg"])
    made = {stage.number: stage}
    while stage.needs is not None and stage.needs.startswith(f"{stage.recipe}/"):
        stage = recipe.stage_of(stage.needs)
        made[stage.number] = stage
    return {
        number: path_of(made[number], runs)
        for number in sorted(made)
        if made[number].teacher is None
    }


def is_done(stage: Stage) -> bool:
    """Whether the result of a stage exists.

    Raises:
        RecipeError: The result comes from another version of the recipe.
    """
    path = path_of(stage)
    if not path.is_file():
        return False
    if _maker(path) != stage.digest:
        raise RecipeError(
            f"{path} comes from another version of stage {stage.name}: remove it to train the "
            "stage again, or restore the recipe"
        )
    return True


def _maker(path: Path) -> str | None:
    """Return the digest of the stage that made a checkpoint, or None."""
    made: str | None = PolicyAgent.load(path).config.get(_KEY, {}).get("digest")
    return made


def write(stage: Stage, trained: TrainingResult) -> Path:
    """Save the result of a stage and its learning curve; return the file.

    The result of a stage that sets ``average`` is the policy with average weights.
    """
    path = path_of(stage)
    is_average = bool(stage.options.get("average"))
    agent = PolicyAgent.load(trained.folder / AVERAGE if is_average else trained.checkpoint)
    agent.config[_KEY] = {"leg": stage.name, "digest": stage.digest}
    agent.config["training"] |= {_KEY: stage.name}  # its successors inherit this
    if trained.curve:
        learning_curve.write(path.with_suffix(".csv"), trained.curve)
    agent.save(path, is_half=True)  # last: this file marks the stage as done
    return path
