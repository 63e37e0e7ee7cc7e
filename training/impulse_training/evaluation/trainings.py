"""Trainings that a measurement needs: up to a limit, and against a single agent."""

from pathlib import Path
from typing import Any

from impulse_training.run.storage.result import TrainingResult
from impulse_training.selfplay.train import train_or_resume
from impulse_training.selfplay.train_options import Args as TrainArgs


def train_to_end(args: TrainArgs) -> TrainingResult:
    """Train or resume as `train_or_resume`; raises `KeyboardInterrupt` if the run is interrupted.

    Comparisons of runs of equal length need this: an interrupted run is not a result, and the next
    run must not start.
    """
    trained = train_or_resume(args)
    if trained.was_interrupted:
        raise KeyboardInterrupt(
            f"interrupted after {trained.steps:,} of {args.timesteps:,} decisions; "
            "the same command continues"
        )
    return trained


def train_response(
    target: str, folder: Path, timesteps: int, points: int, **options: Any
) -> TrainingResult:
    """Train, or resume training, a policy that meets no other opponent than an agent.

    It learns from all decisions, and every rollout has the newest weights, unless `options` say
    otherwise.

    Args:
        target: The agent's name.
        folder: The folder of the run.
        timesteps: Decisions to learn from.
        points: Evaluations against the agent.
        **options: Other options of `impulse train`.

    Raises:
        KeyboardInterrupt: The run is interrupted, see `train_to_end`.
    """
    against = {
        "reward": "win",
        "self_fraction": 0.0,
        "snapshot_fraction": 0.0,
        "fixed_fraction": 1.0,
        "alike_fraction": 1.0,
        "opponents": (target,),
        "snapshots": 0,
        "eval_opponents": (target,),
        "eval_steps": max(1, timesteps // points),
        "save_every": 60.0,
    }
    exact = {"learn_share": 1.0, "overlap": False}
    return train_to_end(TrainArgs(**(exact | options | against), out=folder, timesteps=timesteps))
