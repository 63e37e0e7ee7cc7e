"""The loop of a training: rounds of rollout and update; in between it evaluates and saves."""

from copy import deepcopy
from typing import Any, Final

from stable_baselines3.common.logger import Logger

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import check_weights
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.learning_curve import Point
from impulse_training.run.legs import Legs
from impulse_training.run.storage.args_file import options_of
from impulse_training.run.storage.result import DivergedError
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.progress.figures import TrainingFigures
from impulse_training.selfplay.progress.progress_bar import ProgressBar
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.state import checkpoint
from impulse_training.selfplay.state.folder import AVERAGE, TrainingFolder

_DIVERGED: Final = 1e6
"""Weights beyond this mean the run has diverged; NaNs follow."""


class Training:
    """A run: rounds of rollout and update, with evaluations, snapshots and saves between them.

    Args:
        rounds: Rollouts and updates, with the options of the run as they go into its state.
        agent: The agent to train, which receives the weights for each evaluation and save.
        evaluator: Measures the agent.
        folder: The folder of the run.
        logger: Receives the metrics.
        metadata: The stages before this run, from the agent's checkpoint or the state.

    Attributes:
        average: The agent that receives the moving average of the weights, or None.
        curve: The evaluations so far.
    """

    def __init__(
        self,
        rounds: Rounds[TrainingGames],
        agent: PolicyAgent,
        evaluator: Evaluator,
        folder: TrainingFolder,
        logger: Logger,
        metadata: dict[str, Any],
    ) -> None:
        self.rounds, self.agent, self.evaluator = rounds, agent, evaluator
        self.folder, self.logger = folder, logger
        self.args, self.env, self.budget = rounds.args, rounds.env, rounds.budget
        self.average = deepcopy(agent) if self.args.average else None
        self.curve: list[Point] = []
        self._legs = Legs(self.args, metadata)
        self._is_asked_to_end = False
        self._evaluated_at = self._saved_at = 0.0
        self._saved_steps: int | None = None
        self._figures = TrainingFigures(self.env, self.budget)
        self._bar = ProgressBar(self.budget, evaluator.names[:3], self.curve)

    # --- The loop --------------------------------------------------------------------------------

    def run(self) -> None:
        """Train until the budget is spent or `stop` was called; then evaluate and save."""
        self._figures.begin()
        self._bar.start()
        self.budget.run(True)
        while True:
            self.budget.tick(self.rounds.steps)
            self._check_weights()
            is_over = self.budget.spent >= 1
            is_save_due = self.budget.seconds - self._saved_at >= self.args.save_every
            due = self._is_asked_to_end, is_over, self._is_evaluation_due, is_save_due
            is_asked, is_over, is_evaluation_due, is_save_due = self.rounds.group.first(due)
            if is_asked or is_over:
                if not is_asked:  # who resumes an interrupted run learns from this rollout then
                    self._log_update(self.rounds.finish())
                self._conclude()
                return
            if is_evaluation_due:
                self.evaluate()
            if is_save_due:
                self.save()
            self._renew_pool()
            self._log_update(self.rounds.round(self._tick))

    def stop(self) -> None:
        """End the run after the current rollout and its update."""
        self._is_asked_to_end = True

    def finish(self) -> None:
        """Stop the clock and the progress bar."""
        self.budget.run(False)
        self._bar.stop()

    def _tick(self) -> None:
        self.budget.tick(self.rounds.steps)
        self._bar.update()

    def _renew_pool(self) -> None:
        """Add a snapshot of the policy to the pool, and sample those that play, if it is time."""
        if self.rounds.steps and not self.rounds.updates:
            return  # the first rollout has been played, and nothing was learned from it yet
        pool = self.env.opponent_pool
        if self.rounds.updates % self.args.snapshot_every == 0:
            weights = self.rounds.learner.network.state_dict()
            pool.add_snapshot(weights, f"past {self.budget.steps:,}")
        if self.rounds.updates % self.args.resample_every == 0:
            pool.resample_snapshots()

    def _check_weights(self) -> None:
        """Raise `DivergedError` before diverged weights play or overwrite good ones."""
        weights = self.rounds.learner.network.parameters()
        if all(bool(each.abs().max() < _DIVERGED) for each in weights):
            return  # comparisons with NaN are false
        is_saved = self._saved_steps is not None
        saved = "the last save is from before" if is_saved else "nothing was saved yet"
        raise DivergedError(
            f"the training has diverged after {self.budget.steps:,} steps: it has weights beyond "
            f"{_DIVERGED:,.0f}; choose a smaller --learning-rate; {saved}"
        )

    @property
    def _is_evaluation_due(self) -> bool:
        if self.args.eval_steps is None:
            return self.budget.seconds - self._evaluated_at >= self.args.eval_every
        done = self.curve[-1]["steps"] if self.curve else 0
        return self.budget.steps // self.args.eval_steps > done // self.args.eval_steps

    def _log_update(self, metrics: dict[str, float]) -> None:
        """Log the metrics of an update, if there are any, and those of the latest games."""
        if metrics:
            self._log(self._figures.of_update(metrics, self.rounds.episodes))

    def _log(self, metrics: dict[str, float]) -> None:
        for name, value in metrics.items():
            self.logger.record(name, value)
        self.logger.dump(self.budget.steps)

    # --- Evaluation ------------------------------------------------------------------------------

    def evaluate(self) -> None:
        """Play against the evaluation opponents; log, save and print the result.

        Only the first process does so; the others wait for it at their next step.
        """
        if not self.rounds.group.is_first:
            return
        self.budget.run(False)
        self._update_agent()
        reading = self.evaluator.evaluate(self.agent)
        point = reading.point(self.budget) | self._figures.take(self.rounds.episodes)
        if self.average is not None:
            beside = self.evaluator.evaluate(self.average)
            point |= {f"average/{name}": rate for name, rate in beside.wins.items()}
            point["average/rating"] = round(beside.rating, 1)
        self.curve.append(point)
        self._evaluated_at = self.budget.seconds
        named = {name if "/" in name else f"curve/{name}": value for name, value in point.items()}
        league = self.env.opponent_pool.win_rates_by_name()
        self._log(named | {f"league/{name}": rate for name, rate in league.items()})
        self.folder.write_results(self.agent, self.curve, self.average)
        if not self._bar.is_shown:
            print(reading.line(self.budget), flush=True)
        self.budget.run(True)

    def _update_agent(self) -> None:
        """Give the agent the current weights and their metadata, and the average agent its own."""
        learner = self.rounds.learner
        metadata = self._legs.metadata(self.budget.steps, self.budget.seconds)
        self.agent.set_weights(learner.network.state_dict())
        self.agent.config["training"] = metadata
        if self.average is not None and learner.average is not None:
            self.average.set_weights(learner.average.module.state_dict())
            self.average.config["training"] = metadata

    # --- Saves -----------------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Evaluate and save a last time, unless the resumed run had already ended."""
        self.budget.run(False)
        is_evaluated = bool(self.curve) and self.curve[-1]["steps"] == self.budget.steps
        is_saved = self._saved_steps == self.budget.steps
        is_evaluated, is_saved = self.rounds.group.first((is_evaluated, is_saved))
        if not is_evaluated:
            self.evaluate()
            self.budget.run(False)
        if not (is_evaluated and is_saved):
            self.save()

    def save(self) -> None:
        """Save the training state and a snapshot of the policy."""
        self._update_agent()
        self._saved_at, self._saved_steps = self.budget.seconds, self.budget.steps
        state = {
            **checkpoint.capture(self.rounds),
            "args": options_of(self.args),
            "training": self.agent.config["training"],
            "loop": {
                "updates": self.rounds.updates,
                "curve": self.curve,
                "evaluated_at": self._evaluated_at,
                "saved_at": self._saved_at,
            },
        }
        self.folder.save(state, self.agent, self.curve, self.average)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state that `save` wrote; call this before `run`.

        This rewrites the files that derive from a state: a killed process may have missed them, or
        may have been ahead of its last state.

        Raises:
            ResumeError: The games do not match.
            FieldError: The weights belong to another network.
        """
        check_weights(state["network"], self.agent.network.state_dict())
        own = state["loop"]
        self.rounds.updates = own["updates"]
        self.curve += own["curve"]
        self._evaluated_at, self._saved_at = own["evaluated_at"], own["saved_at"]
        self._saved_steps = state["budget"]["steps"]
        self.agent.set_weights(state["network"])
        self.agent.config["training"] = state["training"]
        self.folder.restore_results(self.agent, self.curve)
        self.folder.write_snapshot(self.agent, self._saved_steps)
        # Last, because it sets the random generators.
        checkpoint.restore(self.rounds, state)
        if self.average is not None:
            self._update_agent()
            self.average.save(self.folder.path / AVERAGE)
