"""Metrics of the training for the learning curve: episodes, updates and time shares."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from impulse_env.outcomes import SOURCE_NAMES
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.selfplay.environment.games import TrainingGames


class TrainingFigures:
    """Collects the metrics between two evaluations.

    Args:
        env: The games, with the opponent pool.
        budget: The budget of the run.
    """

    def __init__(self, env: TrainingGames, budget: Budget) -> None:
        self._env, self._budget = env, budget
        self._sources = list(enumerate(SOURCE_NAMES)) if env.has_points else []
        self._latest: dict[str, float] = {}
        self.begin()

    def begin(self) -> None:
        """Start counting time: earlier time was not training, or in another process."""
        self._seconds = self._seconds_now()

    def of_update(
        self, latest: dict[str, float], episodes: Iterable[dict[str, Any]]
    ) -> dict[str, float]:
        """Return the metrics of an update, from `update`, and of recent episodes, for the log."""
        self._latest, described = latest, list(episodes)
        metrics = {f"train/{name}": value for name, value in latest.items()}
        metrics["time/steps_per_second"] = self._budget.steps_per_second
        if described:
            metrics["rollout/ep_rew_mean"] = float(np.mean([e["return"] for e in described]))
            metrics["rollout/ep_len_mean"] = float(np.mean([e["length"] for e in described]))
        return metrics

    def take(self, episodes: Iterable[dict[str, Any]]) -> Point:
        """Return the metrics since the last call, and those of recent episodes."""
        described = list(episodes)

        def mean(of: Callable[[dict[str, Any]], float]) -> float:
            return float(np.mean([of(e) for e in described])) if described else 0.0

        def points(source: int) -> Callable[[dict[str, Any]], float]:
            return lambda e: e["points"][source]

        now = self._seconds_now()
        games, opponents, seconds = now - self._seconds
        self._seconds = now
        past = [snapshot.rate for snapshot in self._env.opponent_pool.past]
        return {
            "reward": mean(lambda e: e["return"]),
            "length": mean(lambda e: e["length"]),
            "rounds": mean(lambda e: e["rounds"]),
            **{f"points/{name}": mean(points(i)) for i, name in self._sources},
            "win/past": float(np.mean(past)) if past else 0.5,
            "entropy": self._latest.get("entropy", 0.0),
            "explained_variance": self._latest.get("explained_variance", 0.0),
            "steps_per_second": self._budget.steps_per_second,
            "env_share": _share(games - opponents, seconds),
            "opponents_share": _share(opponents, seconds),
        }

    def _seconds_now(self) -> Any:
        """Return the seconds of the games, of the opponents among them, and of training."""
        seconds = self._env.watch.seconds
        return np.array([seconds["games"], seconds["opponents"], self._budget.seconds])


def _share(part: float, whole: float) -> float:
    """Return a time share from 0 to 1; after a stop, a part may have counted too much."""
    return min(1.0, max(0.0, float(part) / max(float(whole), 1e-9)))
