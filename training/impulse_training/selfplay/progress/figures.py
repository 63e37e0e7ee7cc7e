"""Metrics of the training for the learning curve: episodes, updates and time shares."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO

from impulse_env.outcomes import SOURCE_NAMES
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.selfplay.environment.seat_vec_env import SeatVecEnv


class TrainingFigures:
    """Collects the metrics between two evaluations.

    Args:
        env: The games, with the opponent pool.
        budget: The budget of the run.
    """

    def __init__(self, env: SeatVecEnv, budget: Budget) -> None:
        self._env, self._budget = env, budget
        self.begin()

    def begin(self) -> None:
        """Start counting time: earlier time was not training, or in another process."""
        self._seconds = self._seconds_now()

    def take(self, model: MaskablePPO) -> Point:
        """Return the metrics since the last call, and those of recent episodes."""
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
        """Return the seconds in `step`, for opponents in it, and of training."""
        return np.array([*self._env.seconds, self._budget.seconds])


def _share(part: float, whole: float) -> float:
    """Return a time share from 0 to 1; after a stop, a part may have counted too much."""
    return min(1.0, max(0.0, float(part) / max(float(whole), 1e-9)))
