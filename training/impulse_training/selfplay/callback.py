"""Evaluates, saves and stops a training run between rollouts."""

from dataclasses import dataclass
from typing import Any, Final, Self

from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import check_weights
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.run.legs import Legs
from impulse_training.run.storage.result import DivergedError
from impulse_training.selfplay.environment.seat_vec_env import SeatVecEnv
from impulse_training.selfplay.ppo import NetworkPolicy, policy_of
from impulse_training.selfplay.progress.figures import TrainingFigures
from impulse_training.selfplay.progress.progress_bar import ProgressBar
from impulse_training.selfplay.state import checkpoint
from impulse_training.selfplay.state.folder import TrainingFolder
from impulse_training.selfplay.train_options import Args

_DIVERGED: Final = 1e6
"""Weights beyond this mean the run has diverged; NaNs follow."""


@dataclass(frozen=True)
class CallbackIntervals:
    """The intervals between evaluations, saves and snapshots.

    Attributes:
        evaluate: Seconds of training between two evaluations.
        eval_steps: Decisions between two evaluations, instead of seconds, or None.
        save: Seconds of training between two saves.
        snapshot: Updates between two snapshots for the opponent pool.
        resample: Updates between two samplings of the snapshots that play.
    """

    evaluate: float
    eval_steps: int | None
    save: float
    snapshot: int
    resample: int

    @classmethod
    def of(cls, args: Args) -> Self:
        """Return the intervals from the options."""
        return cls(
            args.eval_every,
            args.eval_steps,
            args.save_every,
            args.snapshot_every,
            args.resample_every,
        )


class TrainingCallback(BaseCallback):
    """Evaluates, saves and stops a run, always between two rollouts.

    Args:
        learner: The agent that receives the weights for each evaluation and save.
        env: The games, with the opponent pool.
        budget: The limits of the run.
        folder: The folder of the run.
        evaluator: Measures the learner.
        every: The intervals.
        options: The options of the run, for its state.
        legs: The stages of the run, including this one.
    """

    def __init__(
        self,
        learner: PolicyAgent,
        env: SeatVecEnv,
        budget: Budget,
        folder: TrainingFolder,
        evaluator: Evaluator,
        every: CallbackIntervals,
        options: dict[str, Any],
        legs: Legs,
    ) -> None:
        super().__init__()
        self.learner, self.env, self.budget, self.folder = learner, env, budget, folder
        self.evaluator, self.every = evaluator, every
        self.updates = 0
        self.curve: list[Point] = []
        self.is_over = False
        self._options, self._legs = options, legs
        self._is_asked_to_end = False
        self._evaluated_at = self._saved_at = 0.0
        self._saved_steps: int | None = None
        self._figures = TrainingFigures(env, budget)
        self._bar = ProgressBar(budget, evaluator.names[:3])

    def stop(self) -> None:
        """End the run after the current rollout and its update."""
        self._is_asked_to_end = True

    # --- What Stable-Baselines3 calls ------------------------------------------------------------

    def _on_training_start(self) -> None:
        self._figures.begin()
        self._bar.start(self.curve)
        self.budget.run(True)

    def _on_rollout_start(self) -> None:
        self.budget.tick(self.model.num_timesteps)
        self._check_weights()
        self.is_over = self._is_asked_to_end or self.budget.spent >= 1
        if self.is_over:
            # Not later: `learn` takes a step of the next rollout before it returns.
            self._conclude()
            return
        if self._is_evaluation_due:
            self.evaluate()
        if self.budget.seconds - self._saved_at >= self.every.save:
            self.save()
        weights = self._policy.network.state_dict()
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

    def _check_weights(self) -> None:
        """Raise `DivergedError` before diverged weights play or overwrite good ones."""
        if all(bool(weights.abs().max() < _DIVERGED) for weights in self._policy.parameters()):
            return  # comparisons with NaN are false
        is_saved = self._saved_steps is not None
        saved = "the last save is from before" if is_saved else "nothing was saved yet"
        raise DivergedError(
            f"the training has diverged after {self.budget.steps:,} steps: it has weights beyond "
            f"{_DIVERGED:,.0f}; choose a smaller --learning-rate; {saved}"
        )

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
        """Play against the evaluation opponents; log, save and print the result."""
        self.budget.run(False)
        self._update_learner()
        reading = self.evaluator.evaluate(self.learner)
        point = reading.point(self.budget) | self._figures.take(self._ppo)
        self.curve.append(point)
        self._evaluated_at = self.budget.seconds
        for name, value in point.items():
            self.logger.record(name if "/" in name else f"curve/{name}", value)
        for name, rate in self.env.opponent_pool.win_rates_by_name().items():
            self.logger.record(f"league/{name}", rate)
        self.logger.dump(self.budget.steps)
        self.folder.write_results(self.learner, self.curve)
        if not self._bar.is_shown:
            print(reading.line(self.budget), flush=True)
        self.budget.run(True)
        return point

    def _update_learner(self) -> None:
        """Give the learner the current weights and their metadata."""
        self.learner.set_weights(self._policy.network.state_dict())
        metadata = self._legs.metadata(self.budget.steps, self.budget.seconds)
        self.learner.config["training"] = metadata

    # --- Saves -----------------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Evaluate and save a last time, unless the resumed run had already ended."""
        self.budget.run(False)
        if not self.curve or self.curve[-1]["steps"] != self.budget.steps:
            self.evaluate()
            self.budget.run(False)
        elif self._saved_steps == self.budget.steps:
            return
        self.save()

    def finish(self) -> None:
        """Stop the clock and the progress bar."""
        self.budget.run(False)
        self._bar.stop(self.curve)

    def save(self) -> None:
        """Save the training state and a snapshot of the policy."""
        self._update_learner()
        self._saved_at, self._saved_steps = self.budget.seconds, self.budget.steps
        state = {
            **checkpoint.capture(self._ppo, self.env, self.budget),
            "args": self._options,
            "training": self.learner.config["training"],
            "callback": {
                "updates": self.updates,
                "curve": self.curve,
                "evaluated_at": self._evaluated_at,
                "saved_at": self._saved_at,
            },
        }
        self.folder.save(state, self.learner, self.curve)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `save` wrote; call this before `learn`.

        This rewrites the files that derive from a state: a killed process may have missed them, or
        may have been ahead of its last state.

        Raises:
            ResumeError: The games do not match.
            FieldError: The weights belong to another network.
        """
        check_weights(state["network"], self.learner.network.state_dict())
        own = state["callback"]
        self.updates, self.curve = own["updates"], own["curve"]
        self._evaluated_at, self._saved_at = own["evaluated_at"], own["saved_at"]
        self._saved_steps = state["budget"]["steps"]
        self.learner.set_weights(state["network"])
        self.learner.config["training"] = state["training"]
        self.folder.restore_results(self.learner, self.curve)
        self.folder.write_snapshot(self.learner, self._saved_steps)
        # Last, because it sets the random generators.
        checkpoint.restore(self._ppo, self.env, self.budget, state)
