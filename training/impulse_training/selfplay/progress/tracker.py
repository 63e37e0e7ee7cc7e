"""Sends options and metrics of a run to TensorBoard's HParams and to `--tracker`."""

import json
import os
import re
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import numpy as np
from stable_baselines3.common.logger import HParam, KVWriter, Logger, make_output_format

from impulse_env.errors import ImpulseError
from impulse_env.extras import missing_extra
from impulse_env.files import write_atomically
from impulse_env.schema import read_json
from impulse_training.selfplay.train_options import Args

PROJECT: Final = "impulse"
"""Default project of Weights & Biases and default experiment of MLflow."""
RUNS: Final = "tracker.json"
"""The file in a run's folder with the tracker's name of the run, by tracker."""
_NOT_HYPER: Final = ("recipe", "legs", "out", "overwrite", "resume", "tracker")
_ODD_IN_MLFLOW: Final = re.compile(r"[^\w\-. /:]")


class TrackerError(ImpulseError, RuntimeError):
    """A tracker cannot be reached or used; the message says why."""


def hyperparameters(args: Args) -> dict[str, bool | int | float | str]:
    """Return the options that affect the training; tuples and None as text."""
    return {
        name: value if isinstance(value, bool | int | float) else _text(value)
        for name, value in asdict(args).items()
        if name not in _NOT_HYPER
    }


def hparams(args: Args, panel: Sequence[str]) -> HParam:
    """Return the entry for TensorBoard's HParams.

    Args:
        args: The options of the run.
        panel: The evaluation opponents. TensorBoard shows the latest logged win rates against them
            and the rating, next to the options.
    """
    shown = ("curve/rating", *(f"win/{name}" for name in panel))
    return HParam(hyperparameters(args), dict.fromkeys(shown, 0.0))


@contextmanager
def logging(tensorboard: Path, tracker: "TrackerWriter | None") -> Iterator[Logger]:
    """Log to a folder for TensorBoard and to the tracker, if there is one, while the block runs."""
    outputs: list[KVWriter] = [make_output_format("tensorboard", str(tensorboard))]
    outputs += [] if tracker is None else [tracker]
    try:
        yield Logger(str(tensorboard), outputs)
    finally:
        for output in outputs:
            with suppress(OSError):  # a full disk was reported already
                output.close()


class TrackerWriter(KVWriter):
    """Sends logged metrics to a tracker.

    If the tracker fails, the run continues: it prints one message and stops sending.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._is_broken = False

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        """Send all numbers."""
        figures = {
            name: float(value)
            for name, value in key_values.items()
            if isinstance(value, int | float | np.number) and not isinstance(value, bool)
        }
        self._try(self._log, figures, step)

    def keep(self, checkpoint: Path) -> None:
        """Send the trained agent."""
        self._try(self._keep, checkpoint)

    def close(self) -> None:
        """End the run."""
        self._try(self._close)

    def _try(self, send: Any, *what: Any) -> None:
        if self._is_broken:
            return
        try:
            send(*what)
        except Exception as error:  # an error of the library or the network must not end the run
            self._is_broken = True
            reason = " ".join(str(error).split()) or type(error).__name__
            print(f"stopped sending to {self._name}: {reason}", flush=True)

    @abstractmethod
    def _log(self, figures: dict[str, float], step: int) -> None:
        """Send metrics."""

    @abstractmethod
    def _keep(self, checkpoint: Path) -> None:
        """Send a file."""

    @abstractmethod
    def _close(self) -> None:
        """End the run."""


class WandbWriter(TrackerWriter):
    """A run of Weights & Biases; ``WANDB_MODE=offline`` stores it in the run's folder."""

    def __init__(self, folder: Path, options: dict[str, Any], run: str | None) -> None:
        super().__init__("Weights & Biases")
        self._wandb = _imported("wandb")
        self._run = self._wandb.init(
            project=None if "WANDB_PROJECT" in os.environ else PROJECT,
            name=folder.name,
            id=run,
            resume="allow",
            config=options,
            dir=str(folder),
        )
        self.run = str(self._run.id)

    def _log(self, figures: dict[str, float], step: int) -> None:
        self._run.log(figures, step=step)

    def _keep(self, checkpoint: Path) -> None:
        artifact = self._wandb.Artifact(f"policy-{self.run}", type="model")
        artifact.add_file(str(checkpoint))
        self._run.log_artifact(artifact)

    def _close(self) -> None:
        self._run.finish()


class MlflowWriter(TrackerWriter):
    """A run of MLflow, in the store that ``MLFLOW_TRACKING_URI`` names."""

    def __init__(self, folder: Path, options: dict[str, Any], run: str | None) -> None:
        super().__init__("MLflow")
        self._mlflow = _imported("mlflow")
        if not {"MLFLOW_EXPERIMENT_NAME", "MLFLOW_EXPERIMENT_ID"} & os.environ.keys():
            self._mlflow.set_experiment(PROJECT)
        begun = self._mlflow.start_run(run_id=run, run_name=None if run else folder.name)
        self.run = str(begun.info.run_id)
        if run is None:  # parameters of a run cannot change
            self._mlflow.log_params(options)
        self._mlflow.log_dict(options, "options.json")

    def _log(self, figures: dict[str, float], step: int) -> None:
        named = {_ODD_IN_MLFLOW.sub("_", name): value for name, value in figures.items()}
        self._mlflow.log_metrics(named, step=step)

    def _keep(self, checkpoint: Path) -> None:
        self._mlflow.log_artifact(str(checkpoint))

    def _close(self) -> None:
        self._mlflow.end_run()


_WRITERS: Final[dict[str, type[WandbWriter] | type[MlflowWriter]]] = {
    "wandb": WandbWriter,
    "mlflow": MlflowWriter,
}


def make_tracker(name: str, folder: Path, args: Args) -> TrackerWriter:
    """Return the writer for a tracker; a resumed run continues the same run of the tracker.

    Args:
        name: "wandb" or "mlflow".
        folder: The run's folder, which stores the tracker's name of the run.
        args: The options of the run.

    Raises:
        MissingExtraError: The tracker is not installed.
        TrackerError: The tracker cannot start a run.
    """
    path = folder / RUNS
    runs = read_json(path.read_bytes(), dict[str, Any], str(path)) if path.is_file() else {}
    try:
        writer = _WRITERS[name](folder, hyperparameters(args), runs.get(name))
    except ImpulseError:
        raise
    except Exception as error:  # each tracker has its own errors
        reason = " ".join(str(error).split()) or type(error).__name__
        raise TrackerError(f"--tracker {name} cannot be used: {reason}") from error
    write_atomically(path, json.dumps({**runs, name: writer.run}) + "\n")
    return writer


def check_installed(name: str) -> None:
    """Raise `MissingExtraError` unless a tracker is installed."""
    _imported(name)


def _imported(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise missing_extra(f"--tracker {name}", error) or error from error


def _text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
