"""The results of legs: weights in half precision, as ``runs/recipes/2p/1.safetensors``.

The project ships the result of each recipe's last leg alone, as the agent of that name.
"""

from pathlib import Path
from typing import Final

from impulse_agents.checkpoints import FOLDER, SUFFIX
from impulse_agents.network.agent import PolicyAgent
from impulse_training.recipes import recipe
from impulse_training.recipes.recipe import Leg, RecipeError
from impulse_training.run import learning_curve
from impulse_training.run.storage.result import TrainingResult

_KEY: Final = "recipe"
"""Of a checkpoint's config: which leg made it."""


RUNS: Final = Path("runs/recipes")
"""Where legs are trained, each in a folder of its own, and their results beside it."""


def path_of(leg: Leg, runs: Path = RUNS) -> Path:
    """Return the file of a leg's result, be it there or not."""
    return runs / leg.recipe / f"{leg.number}{SUFFIX}"


def start_of(leg: Leg) -> Path:
    """Return what the next leg begins with: the result, or without it the agent shipped with it."""
    path, shipped = path_of(leg), FOLDER / f"{leg.recipe}{SUFFIX}"
    if not path.is_file() and shipped.is_file() and _maker(shipped) == leg.digest:
        return shipped
    return path


def learned(agent: PolicyAgent, runs: Path = RUNS) -> dict[int, Path]:
    """Return the results of the legs of its recipe that an agent went through, by number.

    Legs in which a network learned what another plays are left out: they have no learning curve.

    Args:
        agent: A trained agent.
        runs: The folder with the results; they may be missing.

    Raises:
        RecipeError: It was made by no recipe, or by one that is not there.
    """
    if _KEY not in agent.config:
        raise RecipeError(f"{agent.name} was made by no recipe")
    last = recipe.leg_of(agent.config[_KEY]["leg"])
    legs = recipe.read(last.recipe).legs[: last.number]
    return {leg.number: path_of(leg, runs) for leg in legs if leg.teacher is None}


def is_done(leg: Leg) -> bool:
    """Whether the result of a leg is there.

    Raises:
        RecipeError: A result is there of another recipe than is written now.
    """
    path = path_of(leg)
    if not path.is_file():
        return False
    if _maker(path) != leg.digest:
        raise RecipeError(
            f"{path} was made by another leg {leg.name} than the recipe has now: remove it to "
            "train that leg again, or put the recipe back"
        )
    return True


def _maker(path: Path) -> str | None:
    """Return the digest of the leg that made a checkpoint, if a leg did."""
    made: str | None = PolicyAgent.load(path).config.get(_KEY, {}).get("digest")
    return made


def write(leg: Leg, trained: TrainingResult) -> Path:
    """Keep what a leg has made, and its learning curve beside it; return the file."""
    path = path_of(leg)
    agent = PolicyAgent.load(trained.checkpoint)
    agent.config[_KEY] = {"leg": leg.name, "digest": leg.digest}
    agent.config["training"] |= {_KEY: leg.name}  # told on in what begins with it
    if trained.curve:
        learning_curve.write(path.with_suffix(".csv"), trained.curve)
    agent.save(path, is_half=True)  # last, for the leg is done when it is there
    return path
