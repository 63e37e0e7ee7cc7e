"""How far a student has come, as a file: what a fit that was stopped goes on from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from impulse_agents.network.checkpoint import check_finite
from impulse_agents.network.weights_file import WeightsError
from impulse_env.errors import ImpulseError
from impulse_training.imitation.imitation_options import DistillArgs
from impulse_training.run.storage.args_file import options_of
from impulse_training.run.storage.result import ResumeError
from impulse_training.run.storage.tree_file import load_optimizer, read_tree, write_tree

FORMAT: Final = 2
MOST_BYTES: Final = 4 << 30
STATE: Final = "student.safetensors"
"""The file's name in the folder of a student."""
_MACHINES: Final = ("out", "threads", "device", "bfloat16", "save_every")
"""Options that a fit may go on with others of."""


@dataclass(frozen=True)
class StudentState:
    """How far a student has come.

    Attributes:
        learned: Decisions that it has learned from.
        lessons: Lessons that it has had, each of some games.
        seconds: Time that took.
        training: What its checkpoint tells of its training.
    """

    learned: int = 0
    lessons: int = 0
    seconds: float = 0.0
    training: dict[str, Any] = field(default_factory=dict)


def save_state(
    folder: Path,
    args: DistillArgs,
    state: StudentState,
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
) -> None:
    """Write a state; whatever happens meanwhile, it or the one before is there afterwards."""
    tree = {
        "format": FORMAT,
        "args": _settled(args),
        "progress": vars(state),
        "network": network.state_dict(),
        "optimizer": optimizer.state_dict(),
    }
    write_tree(folder / STATE, tree)


def load_state(
    folder: Path, args: DistillArgs, network: nn.Module, optimizer: torch.optim.Optimizer
) -> StudentState:
    """Put back what was saved in a folder and return how far that is; nothing if there is none.

    Raises:
        ResumeError: It is damaged, or of a fit with other options.
    """
    path = folder / STATE
    if not path.is_file():
        return StudentState()
    anew = f"remove {path} to begin anew"
    try:
        saved = read_tree(path, MOST_BYTES)
        if saved["format"] != FORMAT or not isinstance(saved["progress"], dict):
            raise ValueError(f"its format is not {FORMAT}")
        given = saved["args"]
        if given == _settled(args):
            check_finite(saved["network"])
            network.load_state_dict(saved["network"])
            load_optimizer(optimizer, saved["optimizer"])
            return StudentState(**saved["progress"])
    except WeightsError as error:
        raise ResumeError(f"{path} is no state of a student ({error}): {anew}") from error
    except (ImpulseError, LookupError, TypeError, ValueError, RuntimeError) as error:
        said = " ".join(str(error).split())[:300]
        raise ResumeError(f"{path} is no state of a student ({said}): {anew}") from error
    raise ResumeError(f"in {folder} is a student that learned with other options: {anew}")


def _settled(args: DistillArgs) -> dict[str, Any]:
    """Return the options that a fit has to go on with."""
    return {name: value for name, value in options_of(args).items() if name not in _MACHINES}
