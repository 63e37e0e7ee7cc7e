"""The training's own figures in its learning curve: episodes, the update, where time went."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO

from impulse_env.outcomes import SOURCE_NAMES
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.selfplay.environment.seat_vec_env import SeatVecEnv


class TrainingFigures:
    """Tells from one evaluation to the next what a training did.

    Args:
        env: The games, with the opponent pool.
        budget: Of the training.
    """

    def __init__(self, env: SeatVecEnv, budget: Budget) -> None:
        self._env, self._budget = env, budget
        self.begin()

    def begin(self) -> None:
        """Count time from now on: what went before was no training, or another process's."""
        self._seconds = self._seconds_now()

    def take(self, model: MaskablePPO) -> Point:
        """Return the figures since this was called before, and those of late episodes."""
        episodes = list(model.ep_info_buffer or ())

        def mean(of: Callable[[dict[str, Any]], float]) -> float:
            return float(np.mean([of(e) for e in episodes])) if episodes else 0.0

        def points(source: int) -> Callable[[dict[str, Any]], float]:
            return lambda e: e["points"][source]

        now = self._seconds_now()
        step, opponents, seconds = now - self._seconds
        self._seconds = now
        logged = model.logger.name_to_value
        past = [snapshot.rate for snapshot in self._env.opponent_pool.past]
        return {
            "reward": mean(lambda e: e["r"]),
            "length": mean(lambda e: e["l"]),
            "rounds": mean(lambda e: e["rounds"]),
            **{f"points/{name}": mean(points(i)) for i, name in enumerate(SOURCE_NAMES)},
            "win/past": float(np.mean(past)) if past else 0.5,
            "entropy": -float(logged.get("train/entropy_loss", 0.0)),
            "explained_variance": float(logged.get("train/explained_variance", 0.0)),
            "steps_per_second": self._budget.steps_per_second,
            "env_share": _share(step - opponents, seconds),
            "opponents_share": _share(opponents, seconds),
        }

    def _seconds_now(self) -> Any:
        """Return the seconds in `step`, of them those waiting for opponents, and of training."""
        return np.array([*self._env.seconds, self._budget.seconds])


def _share(part: float, whole: float) -> float:
    """Return a share of the time; a process that was stopped may have counted more in a part."""
    return min(1.0, max(0.0, float(part) / max(float(whole), 1e-9)))
