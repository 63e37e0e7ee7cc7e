"""What every training leaves behind, and where."""

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
    """A training cannot go on from what is there; the message says why."""


class DivergedError(ImpulseError, ArithmeticError):
    """The weights have grown beyond all bounds; the message says what to do."""


@dataclass(frozen=True)
class TrainingResult:
    """What a training leaves behind.

    Attributes:
        agent: The agent, playing its likeliest actions.
        folder: Where the checkpoint, `args.json`, `curve.csv` and what a resumption needs are.
        curve: The evaluations, first to last.
        steps: Decisions of the learner, those before a resumption included.
        seconds: Time spent training, without evaluations.
        was_interrupted: Whether Ctrl-C or SIGTERM ended it.
        restarts: Processes that were lost and started again.
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
        """The file that `policy:FOLDER` plays from."""
        return self.folder / TRAINED

    def summary(self) -> dict[str, Any]:
        """Return what `--json` prints of a training: where it is, how far, the last evaluation."""
        return {
            "checkpoint": str(self.checkpoint),
            "folder": str(self.folder),
            "steps": self.steps,
            "seconds": round(self.seconds, 1),
            "was_interrupted": self.was_interrupted,
            "evaluation": self.curve[-1] if self.curve else None,
        }


def check_run_folder(out: Path | None) -> None:
    """Raise `OutputError` if `new_run_folder` could not be written; changes nothing."""
    check_output("--out", _RUNS if out is None else out, is_folder=True)


def new_run_folder(out: Path | None, kind: str, seed: int) -> Path:
    """Return the folder of a new training: `out`, or one under ``runs/`` named by kind and time.

    The latter is made here and nowhere else: of two trainings that begin in the same second, one
    gets a number behind its name.
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
    """Return in words how long a training goes on, given `Budget.seconds_left`."""
    if isinf(seconds):
        return "time left unknown"
    return f"{seconds:.0f} s left" if seconds < 600 else f"{seconds / 60:.0f} min left"
