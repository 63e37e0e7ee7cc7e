"""The loop of a training: rounds of rollout and update; in between it evaluates and saves."""

from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, Self

from stable_baselines3.common.logger import Logger

from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import check_weights
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.run.legs import Legs
from impulse_training.run.storage.args_file import options_of
from impulse_training.run.storage.result import DivergedError
from impulse_training.selfplay.environment.games import TrainingGames
from impulse_training.selfplay.group import Group
from impulse_training.selfplay.progress.figures import TrainingFigures
from impulse_training.selfplay.progress.progress_bar import ProgressBar
from impulse_training.selfplay.rounds import Rounds
from impulse_training.selfplay.state import checkpoint
from impulse_training.selfplay.state.folder import AVERAGE, TrainingFolder
from impulse_training.selfplay.train_options import Args

_DIVERGED: Final = 1e6
"""Weights beyond this mean the run has diverged; NaNs follow."""


@dataclass(frozen=True)
class Intervals:
    """How often a training does what it does between two rollouts.

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


class Training:
    """A run: rounds of rollout and update, with evaluations, snapshots and saves between them.

    Attributes:
        agent: The agent that receives the weights for each evaluation and save.
        average: The agent that receives their moving average, or None.
        rounds: Rollouts and updates.
        updates: Number of updates so far.
        curve: The evaluations so far.
        every: The intervals.
    """

    def __init__(
        self,
        args: Args,
        agent: PolicyAgent,
        env: TrainingGames,
        evaluator: Evaluator,
        folder: TrainingFolder,
        budget: Budget,
        logger: Logger,
        metadata: dict[str, Any],
        group: Group,
    ) -> None:
        """Prepare a run.

        Args:
            args: The options of the run, as they go into its state.
            agent: The agent to train.
            env: The games, with the opponent pool.
            evaluator: Measures the agent.
            folder: The folder of the run.
            budget: The limits of the run.
            logger: Receives the metrics.
            metadata: The stages before this run, from the agent's checkpoint or the state.
            group: The processes that learn together.
        """
        self.agent, self.env, self.budget, self.folder = agent, env, budget, folder
        self.evaluator, self.every, self.logger = evaluator, Intervals.of(args), logger
        self.rounds = Rounds(args, agent, env, budget, group)
        self._group = group
        self.average = deepcopy(agent) if args.average else None
        self.updates = 0
        self.curve: list[Point] = []
        self._options, self._legs = options_of(args), Legs(args, metadata)
        self._is_asked_to_end = False
        self._evaluated_at = self._saved_at = 0.0
        self._saved_steps: int | None = None
        self._figures = TrainingFigures(env, budget)
        self._bar = ProgressBar(budget, evaluator.names[:3])

    # --- The loop --------------------------------------------------------------------------------

    def run(self) -> None:
        """Train until the budget is spent or `stop` was called; then evaluate and save."""
        self._figures.begin()
        self._bar.start(self.curve)
        self.budget.run(True)
        while True:
            self.budget.tick(self.rounds.steps)
            self._check_weights()
            is_over = self._is_asked_to_end or self.budget.spent >= 1
            is_save_due = self.budget.seconds - self._saved_at >= self.every.save
            due = self._group.first((is_over, self._is_evaluation_due, is_save_due))
            is_over, is_evaluation_due, is_save_due = due
            if is_over:
                self._conclude()
                return
            if is_evaluation_due:
                self.evaluate()
            if is_save_due:
                self.save()
            self._renew_pool()
            self.rounds.collect(self._tick)
            self.updates += 1
            self._figures.latest = self.rounds.update(self.updates)
            self._log()

    def stop(self) -> None:
        """End the run after the current rollout and its update."""
        self._is_asked_to_end = True

    def finish(self) -> None:
        """Stop the clock and the progress bar."""
        self.budget.run(False)
        self._bar.stop(self.curve)

    def _tick(self) -> None:
        self.budget.tick(self.rounds.steps)
        self._bar.update(self.curve)

    def _renew_pool(self) -> None:
        """Add a snapshot of the policy to the pool, and sample those that play, if it is time."""
        pool = self.env.opponent_pool
        if self.updates % self.every.snapshot == 0:
            weights = self.rounds.learner.network.state_dict()
            pool.add_snapshot(weights, f"past {self.budget.steps:,}")
        if self.updates % self.every.resample == 0:
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
        if self.every.eval_steps is None:
            return self.budget.seconds - self._evaluated_at >= self.every.evaluate
        done = self.curve[-1]["steps"] if self.curve else 0
        return self.budget.steps // self.every.eval_steps > done // self.every.eval_steps

    def _log(self) -> None:
        """Log the metrics of an update."""
        for name, value in self._figures.of_update(self.rounds.episodes).items():
            self.logger.record(name, value)
        self.logger.dump(self.budget.steps)

    # --- Evaluation ------------------------------------------------------------------------------

    def evaluate(self) -> None:
        """Play against the evaluation opponents; log, save and print the result.

        Only the first process does so; the others wait for it at their next step.
        """
        if not self._group.is_first:
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
        for name, value in point.items():
            self.logger.record(name if "/" in name else f"curve/{name}", value)
        for name, rate in self.env.opponent_pool.win_rates_by_name().items():
            self.logger.record(f"league/{name}", rate)
        self.logger.dump(self.budget.steps)
        self.folder.write_results(self.agent, self.curve, self.average)
        if not self._bar.is_shown:
            print(reading.line(self.budget), flush=True)
        self.budget.run(True)

    def _update_agent(self) -> None:
        """Give the agent the current weights and their metadata."""
        metadata = self._legs.metadata(self.budget.steps, self.budget.seconds)
        self.agent.set_weights(self.rounds.learner.network.state_dict())
        self.agent.config["training"] = metadata
        learner = self.rounds.learner
        if self.average is not None and learner.average is not None:
            self.average.set_weights(learner.average.module.state_dict())
            self.average.config["training"] = metadata

    # --- Saves -----------------------------------------------------------------------------------

    def _conclude(self) -> None:
        """Evaluate and save a last time, unless the resumed run had already ended."""
        self.budget.run(False)
        is_evaluated = bool(self.curve) and self.curve[-1]["steps"] == self.budget.steps
        is_saved = self._saved_steps == self.budget.steps
        is_evaluated, is_saved = self._group.first((is_evaluated, is_saved))
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
            **checkpoint.capture(self.rounds, self.env, self.budget),
            "args": self._options,
            "training": self.agent.config["training"],
            "loop": {
                "updates": self.updates,
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
        self.updates, self.curve = own["updates"], own["curve"]
        self._evaluated_at, self._saved_at = own["evaluated_at"], own["saved_at"]
        self._saved_steps = state["budget"]["steps"]
        self.agent.set_weights(state["network"])
        self.agent.config["training"] = state["training"]
        self.folder.restore_results(self.agent, self.curve)
        self.folder.write_snapshot(self.agent, self._saved_steps)
        # Last, because it sets the random generators.
        checkpoint.restore(self.rounds, self.env, self.budget, state)
        if self.average is not None:
            self._update_agent()
            self.average.save(self.folder.path / AVERAGE)
