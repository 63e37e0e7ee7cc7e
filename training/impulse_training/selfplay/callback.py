"""What goes on beside the learning: evaluations, snapshots, and when the training is saved."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import CheckpointError
from impulse_env.outcomes import SOURCE_NAMES
from impulse_training.evaluation.evaluator import Evaluator
from impulse_training.run import learning_curve
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.run.provenance import provenance
from impulse_training.selfplay import checkpoint
from impulse_training.selfplay.ppo import NetworkPolicy, policy_of
from impulse_training.selfplay.progress_bar import ProgressBar
from impulse_training.selfplay.seat_vec_env import SeatVecEnv


@dataclass(frozen=True)
class CallbackIntervals:
    """How often what is done.

    Attributes:
        evaluate: Seconds of training from one evaluation to the next.
        eval_steps: Decisions instead, if given.
        save: Seconds of training from one state on disk to the next.
        snapshot: Updates from one snapshot for the opponent pool to the next.
        resample: Updates after which other past policies play.
    """

    evaluate: float
    eval_steps: int | None
    save: float
    snapshot: int
    resample: int


class TrainingCallback(BaseCallback):
    """Watches a training, and stops it between two rollouts, so that nothing is half done.

    Args:
        learner: Gets the weights whenever they are evaluated; saved as ``policy.pt``.
        env: The games, with the opponent pool.
        budget: Ends the training.
        folder: Where ``policy.pt``, ``state.pt``, ``curve.csv`` and ``snapshots/`` are written.
        evaluator: Whom the learner is measured by.
        every: How often what is done.
    """

    def __init__(
        self,
        learner: PolicyAgent,
        env: SeatVecEnv,
        budget: Budget,
        folder: Path,
        evaluator: Evaluator,
        every: CallbackIntervals,
    ) -> None:
        super().__init__()
        self.learner, self.env, self.budget, self.folder = learner, env, budget, folder
        self.evaluator, self.every = evaluator, every
        self.updates = 0
        self.curve: list[Point] = []
        self.is_over = False
        self._is_wanted_to_end = False
        self._evaluated_at = self._saved_at = 0.0
        self._saved_steps: int | None = None
        self._commands: list[str] = []  # that trained it before this process did
        self._env_seconds = np.zeros(3)  # in step, of it the opponents', and of the training
        self._bar = ProgressBar(budget, evaluator.names[:3])

    def stop(self) -> None:
        """End the training after the rollout that is under way, and the update after it."""
        self._is_wanted_to_end = True

    # --- What Stable-Baselines3 calls ------------------------------------------------------------

    def _on_training_start(self) -> None:
        self._bar.start(self.curve)
        self.budget.run(True)

    def _on_rollout_start(self) -> None:
        self.budget.tick(self.model.num_timesteps)
        self.is_over = self._is_wanted_to_end or self.budget.spent >= 1
        if self.is_over:
            # Here and not later: a step of the next rollout is taken before `learn` returns.
            self._conclude()
            return
        if self._is_evaluation_due:
            self.evaluate()
        if self.budget.seconds - self._saved_at >= self.every.save:
            self.save()
        weights = self._policy.network.state_dict()
        current = self.env.opponent_pool.agents[0]
        assert isinstance(current, PolicyAgent)
        current.set_weights(weights)
        if self.updates % self.every.snapshot == 0:
            self.env.opponent_pool.add_snapshot(weights, f"past {self.budget.steps:,}")
        if self.updates % self.every.resample == 0:
            self.env.opponent_pool.resample_snapshots()
        self._policy.precompute()
        self.updates += 1

    def _on_step(self) -> bool:
        if not self.is_over:
            self.budget.tick(self.model.num_timesteps)
            self._bar.update(self.curve)
        return not self.is_over

    @property
    def _policy(self) -> NetworkPolicy:
        return policy_of(self.model)

    @property
    def _ppo(self) -> MaskablePPO:
        assert isinstance(self.model, MaskablePPO)
        return self.model

    @property
    def _is_evaluation_due(self) -> bool:
        if self.every.eval_steps is None:
            return self.budget.seconds - self._evaluated_at >= self.every.evaluate
        done = self.curve[-1]["steps"] if self.curve else 0
        return self.budget.steps // self.every.eval_steps > done // self.every.eval_steps

    # --- Evaluation ------------------------------------------------------------------------------

    def evaluate(self) -> Point:
        """Play against the fixed panel; log, keep and show the result."""
        self.budget.run(False)
        self.learner.set_weights(self._policy.network.state_dict())
        reading = self.evaluator.evaluate(self.learner)
        point = reading.point(self.budget) | self._figures()
        self.curve.append(point)
        self._evaluated_at = self.budget.seconds
        for name, value in point.items():
            self.logger.record(name if "/" in name else f"curve/{name}", value)
        for name, rate in self.env.opponent_pool.win_rates_by_name().items():
            self.logger.record(f"league/{name}", rate)
        self.logger.dump(self.budget.steps)
        self.learner.save(self.folder / "policy.pt")
        learning_curve.write(self.folder / "curve.csv", self.curve)
        if not self._bar.is_shown:
            print(reading.line(self.budget), flush=True)
        self.budget.run(True)
        return point

    def _figures(self) -> Point:
        """Return the training's own figures since the latest evaluation, and of late episodes."""
        episodes = list(self.model.ep_info_buffer or ())

        def mean(of: Callable[[dict[str, Any]], float]) -> float:
            return float(np.mean([of(e) for e in episodes])) if episodes else 0.0

        def points(source: int) -> Callable[[dict[str, Any]], float]:
            return lambda e: e["points"][source]

        now = np.array([*self.env.seconds, self.budget.seconds])
        step, opponents, seconds = now - self._env_seconds
        self._env_seconds = now
        logged = self.logger.name_to_value
        past = [snapshot.rate for snapshot in self.env.opponent_pool.past]
        return {
            "reward": mean(lambda e: e["r"]),
            "length": mean(lambda e: e["l"]),
            "rounds": mean(lambda e: e["rounds"]),
            **{f"points/{name}": mean(points(i)) for i, name in enumerate(SOURCE_NAMES)},
            "win/past": float(np.mean(past)) if past else 0.5,
            "entropy": -float(logged.get("train/entropy_loss", 0.0)),
            "explained_variance": float(logged.get("train/explained_variance", 0.0)),
            "steps_per_second": self.budget.steps_per_second,
            "env_share": float((step - opponents) / max(seconds, 1e-9)),
            "opponents_share": float(opponents / max(seconds, 1e-9)),
        }

    # --- Keeping ---------------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Evaluate and keep everything a last time, but for a training that had ended before."""
        self.budget.run(False)
        if not self.curve or self.curve[-1]["steps"] != self.budget.steps:
            self.evaluate()
            self.budget.run(False)
        elif self._saved_steps == self.budget.steps:
            return
        self.save()

    def finish(self) -> None:
        """Leave the bar where it is."""
        self.budget.run(False)
        self._bar.stop(self.curve)

    def save(self) -> None:
        """Write down everything that a resumed training needs, and a snapshot of the policy."""
        self.learner.set_weights(self._policy.network.state_dict())
        made = provenance(self.budget.steps, self.budget.seconds)
        made["command"] = "; ".join([*self._commands, made["command"]])
        self.learner.config["training"] = {**self.learner.config.get("training", {}), **made}
        self._saved_at, self._saved_steps = self.budget.seconds, self.budget.steps
        state = checkpoint.capture(self._ppo, self.env, self.budget)
        own = {
            "updates": self.updates,
            "curve": self.curve,
            "evaluated_at": self._evaluated_at,
            "saved_at": self._saved_at,
        }
        checkpoint.save(self.folder / checkpoint.STATE, {**state, "callback": own})
        self.learner.save(self.folder / "policy.pt")
        self.learner.save(self.folder / "snapshots" / f"{self.budget.steps:012d}.pt")

    def restore(self) -> None:
        """Go on from ``state.pt``; raises `ResumeError`. To be called before `learn`."""
        state = checkpoint.load(self.folder / checkpoint.STATE)
        own = state["callback"]
        self.updates, self.curve = own["updates"], own["curve"]
        self._evaluated_at, self._saved_at = own["evaluated_at"], own["saved_at"]
        self._saved_steps = state["budget"]["steps"]
        self.learner.set_weights(state["network"])
        with suppress(CheckpointError):  # killed before there was one
            told = PolicyAgent.load(self.folder / "policy.pt").config.get("training", {})
            self.learner.config["training"] = told
            self._commands = [told["command"]]
        # Last, for it sets the generators.
        checkpoint.restore(self._ppo, self.env, self.budget, state)
