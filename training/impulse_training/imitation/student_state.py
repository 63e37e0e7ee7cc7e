"""The state of a student on disk, from which a stopped distillation continues."""

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
"""Options that may change when a distillation continues."""


@dataclass(frozen=True)
class StudentState:
    """The progress of a student.

    Attributes:
        learned: Number of decisions that it has learned from.
        lessons: Number of finished lessons, each with several games.
        seconds: Training time so far.
        training: The training record for its checkpoint.
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
    """Write a state atomically: after a crash, the new or the previous state exists."""
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
    """Restore the state saved in a folder and return its progress; None without a state.

    Raises:
        ResumeError: The state is damaged, or belongs to a fit with other options.
    """
    path = folder / STATE
    if not path.is_file():
        return StudentState()
    remedy = f"remove {path} to start again"
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
        raise ResumeError(f"{path} is not the state of a student ({error}): {remedy}") from error
    except (ImpulseError, LookupError, TypeError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ResumeError(f"{path} is not the state of a student ({reason}): {remedy}") from error
    raise ResumeError(f"{folder} holds a student that learned with other options: {remedy}")


def _settled(args: DistillArgs) -> dict[str, Any]:
    """Return the options that must stay the same when a fit continues."""
    return {name: value for name, value in options_of(args).items() if name not in _MACHINES}
