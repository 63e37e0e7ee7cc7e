"""The result of a training run, and its folder."""

from dataclasses import dataclass
from math import isinf
from pathlib import Path
from time import strftime
from typing import TYPE_CHECKING, Any, Final

from impulse_agents.checkpoints import TRAINED
from impulse_env.errors import ImpulseError
from impulse_env.files import check_output
from impulse_training.run.learning_curve import Point

if TYPE_CHECKING:
    from impulse_agents.network.agent import PolicyAgent

_RUNS: Final = Path("runs")


class ResumeError(ImpulseError, ValueError):
    """A run cannot be resumed; the message says why."""


class DivergedError(ImpulseError, ArithmeticError):
    """The training has diverged; the message says what to do."""


@dataclass(frozen=True)
class TrainingResult:
    """The result of a training run.

    Attributes:
        agent: The agent, which plays its most likely actions.
        folder: Folder of the checkpoint, `args.json`, `curve.csv` and the training state.
        curve: The evaluations in order.
        steps: Decisions of the learner, including those before a resumption.
        seconds: Training time in seconds, without evaluations.
        was_interrupted: Whether Ctrl-C or SIGTERM ended the run.
        restarts: Number of restarted processes.
    """

    agent: "PolicyAgent"
    folder: Path
    curve: list[Point]
    steps: int
    seconds: float
    was_interrupted: bool
    restarts: int = 0

    @property
    def checkpoint(self) -> Path:
        """The checkpoint that `policy:FOLDER` loads."""
        return self.folder / TRAINED

    def summary(self) -> dict[str, Any]:
        """Return the summary for `--json`: paths, steps, seconds and the last evaluation."""
        return {
            "checkpoint": str(self.checkpoint),
            "folder": str(self.folder),
            "steps": self.steps,
            "seconds": round(self.seconds, 1),
            "was_interrupted": self.was_interrupted,
            "evaluation": self.curve[-1] if self.curve else None,
        }


def check_run_folder(out: Path | None) -> None:
    """Raise `OutputError` if the folder of a new run cannot be written; changes nothing."""
    check_output("--out", _RUNS if out is None else out, is_folder=True)


def new_run_folder(out: Path | None, kind: str, seed: int) -> Path:
    """Return the folder of a new run: `out`, or one under ``runs/`` named by kind, seed and time.

    The function creates the folder. If two runs start in the same second, one gets a numbered name.
    """
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
        return out
    name = f"{kind}__{seed}__{strftime('%Y%m%d-%H%M%S')}"
    folder, number = _RUNS / name, 1
    while True:
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            number += 1
            folder = folder.with_name(f"{name}-{number}")
        else:
            return folder


def seconds_left_text(seconds: float) -> str:
    """Return the remaining time in words, from `Budget.seconds_left`."""
    if isinf(seconds):
        return "time left unknown"
    return f"{seconds:.0f} s left" if seconds < 600 else f"{seconds / 60:.0f} min left"
