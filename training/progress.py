"""What goes on beside the learning: the budget, evaluations, snapshots, the bar, the files."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import inf
from pathlib import Path
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
)
from stable_baselines3.common.callbacks import BaseCallback

from agents import Agent
from agents.policy import PolicyAgent
from impulse_env.options import Options
from training import match
from training.features import weights_of
from training.vec_env import OpponentPool

EVALUATION_SEED = 1
"""The deals of every evaluation; the same, so that their differences are not luck of the deal."""


class Budget:
    """How long to train: minutes, steps, or whichever ends first.

    Attributes:
        seconds: Time spent training so far; evaluations do not count.
        steps: Decisions so far.
    """

    def __init__(self, minutes: float | None, timesteps: int | None) -> None:
        if minutes is None and timesteps is None:
            raise ValueError("a training needs a number of minutes or of timesteps")
        self._limit_s = inf if minutes is None else 60 * minutes
        self._limit_steps = inf if timesteps is None else timesteps
        self.seconds = 0.0
        self.steps = 0
        self._since: float | None = None

    def run(self, is_running: bool) -> None:
        """Start or stop the clock."""
        self.tick(self.steps)
        self._since = perf_counter() if is_running else None

    def tick(self, steps: int) -> None:
        """Take note of the time and the steps."""
        now = perf_counter()
        if self._since is not None:
            self.seconds += now - self._since
            self._since = now
        self.steps = steps

    @property
    def spent(self) -> float:
        """The share that is spent, at most 1."""
        return min(1.0, max(self.seconds / self._limit_s, self.steps / self._limit_steps))

    @property
    def seconds_left(self) -> float:
        """An estimate, at the pace so far."""
        return self.seconds * (1 / self.spent - 1) if self.spent else inf


@dataclass(frozen=True)
class Point:
    """One evaluation: a point of the learning curve.

    Attributes:
        seconds: Time spent training.
        steps: Decisions of the learner.
        random: Share of the games won against the agent that plays at random.
        greedy: Likewise against the rule-based agent.
        reward: Mean reward of the last hundred episodes of the training.
        length: Their mean number of decisions of the learner.
    """

    seconds: float
    steps: int
    random: float
    greedy: float
    reward: float
    length: float


class Monitor(BaseCallback):
    """Watches a training.

    Args:
        learner: Gets the weights whenever they are evaluated; saved as ``policy.pt``.
        pool: Its first agent gets the weights before every rollout, those of `past` in turn.
        budget: Ends the training.
        folder: Where ``policy.pt`` and ``curve.csv`` are written, at every evaluation.
        evaluation: Opponents (random and greedy), options, games against each, and the seconds
            from one evaluation to the next.
        snapshot_every: Updates from one snapshot to the next.
        past: Where in the pool the snapshots are.
    """

    def __init__(
        self,
        learner: PolicyAgent,
        pool: OpponentPool,
        budget: Budget,
        *,
        folder: Path,
        evaluation: tuple[Sequence[Agent], Options, int, float],
        snapshot_every: int,
        past: Sequence[int],
    ) -> None:
        super().__init__()
        self.learner, self.pool, self.budget, self.folder = learner, pool, budget, folder
        self.evaluation = evaluation
        self.snapshot_every = snapshot_every
        self.past = list(past)
        self.updates = 0
        self.steps = 0
        self.curve: list[Point] = []
        self._evaluated_at = 0.0
        console = Console(stderr=True)
        self._shows_bar = console.is_terminal
        self._bar = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(bar_width=20),
            TaskProgressColumn(),
            TextColumn("{task.fields[standing]}"),
            console=console,
            disable=not self._shows_bar,
        )
        self._task = self._bar.add_task("training", total=1.0, standing="")

    # --- What Stable-Baselines3 calls ------------------------------------------------------------

    def _on_training_start(self) -> None:
        self._bar.start()
        self._show()
        for index in self.past:
            self._copy_to(self.pool.agents[index])
        self.budget.run(True)

    def _on_rollout_start(self) -> None:
        self._copy_to(self.pool.agents[0])
        if self.past and self.updates % self.snapshot_every == 0:
            turn = self.updates // self.snapshot_every % len(self.past)
            self._copy_to(self.pool.agents[self.past[turn]])
        every = self.evaluation[3]
        if self.budget.seconds - self._evaluated_at >= every:
            self.evaluate()
        self.updates += 1

    def _on_step(self) -> bool:
        self.steps = self.num_timesteps
        self.budget.tick(self.steps)
        self._show()
        return self.budget.spent < 1

    # --- Evaluation ------------------------------------------------------------------------------

    def evaluate(self) -> Point:
        """Play against the fixed agents; log, save and show the result."""
        self.budget.run(False)
        self._copy_to(self.learner)
        opponents, options, games, _ = self.evaluation
        rates = [
            match.play([self.learner, opponent], options, games, EVALUATION_SEED).rate()
            for opponent in opponents
        ]
        episodes = list(self.model.ep_info_buffer or ())
        reward = float(np.mean([e["r"] for e in episodes])) if episodes else 0.0
        length = float(np.mean([e["l"] for e in episodes])) if episodes else 0.0
        point = Point(self.budget.seconds, self.steps, *rates, reward, length)
        self.curve.append(point)
        self._evaluated_at = point.seconds
        self._log(point)
        self.learner.save(self.folder / "policy.pt")
        self._write_curve()
        self.budget.run(True)
        return point

    def finish(self) -> None:
        """Evaluate a last time, save, and take the bar away."""
        self.evaluate()
        self.budget.run(False)
        self._show()
        self._bar.stop()

    def _copy_to(self, agent: Agent) -> None:
        assert isinstance(agent, PolicyAgent)
        agent.set_weights(weights_of(self.model.policy))

    def _log(self, point: Point) -> None:
        for name in ("random", "greedy"):
            self.logger.record(f"win_rate/{name}", getattr(point, name))
        self.logger.record("time/steps_per_second", point.steps / max(point.seconds, 1e-9))
        self.logger.dump(point.steps)
        if not self._shows_bar:
            print(
                f"{point.seconds:5.0f} s {point.steps:>9,} steps  wins against random "
                f"{point.random:4.0%}, greedy {point.greedy:4.0%}",
                flush=True,
            )

    def _write_curve(self) -> None:
        with (self.folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, [field.name for field in fields(Point)])
            writer.writeheader()
            writer.writerows(asdict(point) for point in self.curve)

    def _show(self) -> None:
        if not self._shows_bar:
            return
        rate = self.steps / max(self.budget.seconds, 1e-9)
        standing = f"{rate:,.0f} steps/s"
        if self.curve:
            last = self.curve[-1]
            standing += f", wins: random {last.random:.0%}, greedy {last.greedy:.0%}"
        if self.budget.spent:
            standing += f", {self.budget.seconds_left:.0f} s left"
        self._bar.update(self._task, completed=self.budget.spent, standing=standing)
