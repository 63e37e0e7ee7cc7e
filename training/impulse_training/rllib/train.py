"""Train an agent on a Ray cluster: `impulse train rllib --timesteps 1000000`.

RLlib's PPO learns from all seats that the policy plays. Many processes play the games, on this
machine or on all machines of a cluster:

    ray start --head                                        on the first machine
    ray start --address=FIRST:6379                          on every other
    impulse train rllib --address auto ...                  on any of them

Ctrl-C ends the training after the current update and saves the agent. A second Ctrl-C ends it at
once; the files of the last save remain. `--help` explains every option.
"""

from dataclasses import asdict
from pathlib import Path
from time import perf_counter
from typing import Final

import torch
from ray.rllib.algorithms.algorithm import Algorithm

from impulse_agents.checkpoints import TRAINED
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.build import build_network
from impulse_agents.network.checkpoint import checkpoint_config
from impulse_env.errors import ImpulseError
from impulse_env.options import check_least, check_once
from impulse_training.rllib import checkpoint as rllib_checkpoint
from impulse_training.rllib.algorithm import ppo_config, take_snapshot, weights_of
from impulse_training.rllib.cluster import connected
from impulse_training.rllib.env import SeatsEnv
from impulse_training.rllib.opponents import LEARNER
from impulse_training.rllib.rllib_options import Args
from impulse_training.rollout.evaluator import Evaluator
from impulse_training.run import learning_curve as curve
from impulse_training.run.budget import Budget
from impulse_training.run.common_options import ConfigError, check_network
from impulse_training.run.learning_curve import Point
from impulse_training.run.storage.args_file import write_args
from impulse_training.run.storage.result import (
    TrainingResult,
    check_run_folder,
    new_run_folder,
    seconds_left_text,
)
from impulse_training.run.terminal.interrupt import interruptible

_LINE_EVERY: Final = 5.0
"""Minimum seconds between two progress lines."""
_VAIN: Final = 10
"""Number of updates in a row without any decision after which a run fails."""


class TrainingError(ImpulseError, RuntimeError):
    """A run cannot continue; the message says why."""


def train(args: Args) -> TrainingResult:
    """Train until the budget is spent or Ctrl-C is pressed.

    Raises:
        ConfigError, OptionError, AgentError: An argument has a value that does not work.
        ClusterError: The cluster does not exist, or it is too small.
        ResumeError: `resume` is not a checkpoint of a training with these options.
        TrainingError: The processes that play fail repeatedly.
    """
    check_run_folder(args.out)
    check_network(args)
    check_least(args, 1, "epochs", "threads", "snapshot_every", "eval_games")
    check_least(args, 2, "minibatch_size")
    check_once(args, "eval_opponents")
    check_least(args, 0, "seed", "snapshots", "eval_every", "learning_rate")
    if args.minibatch_size > args.train_batch_size:
        raise ConfigError(
            f"minibatch_size must be {args.train_batch_size} (train_batch_size) or less, not "
            f"{args.minibatch_size}"
        )
    SeatsEnv({"table": args.table})  # raises errors here, not on the cluster
    config = ppo_config(
        args.table, args.opponent_weights, args.network_config, args.workers, **args.ppo
    )
    budget = Budget(args.minutes, args.timesteps)
    trained = asdict(args) | {"out": None, "resume": None}
    description = checkpoint_config(args.players, args.network_config, trained=trained)
    agent = PolicyAgent(build_network(args.players, args.network_config), description, "policy")
    if args.resume is not None:
        rllib_checkpoint.check(args.resume, args.compatibility)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    with connected(args.address, args.installed, args.workers.cpus, args.gpus):
        folder = new_run_folder(args.out, "train-rllib", args.seed)
        write_args(folder, args)
        algorithm = config.build_algo()
        try:
            if args.resume is not None:
                algorithm.restore_from_path(args.resume.resolve())
            return _Training(algorithm, args, agent, budget, folder).run()
        except KeyboardInterrupt:
            is_saved = (folder / "checkpoint").is_dir()
            saved = f"the last save is in {folder}" if is_saved else "nothing was saved yet"
            raise KeyboardInterrupt(f"ended at once; {saved}") from None
        finally:
            algorithm.stop()


class _Training:
    """A training run in progress."""

    def __init__(
        self,
        algorithm: Algorithm,
        args: Args,
        agent: PolicyAgent,
        budget: Budget,
        folder: Path,
    ) -> None:
        self.algorithm, self.args, self.agent = algorithm, args, agent
        self.budget, self.folder = budget, folder
        self.evaluator = Evaluator(args.eval_opponents, args.options, args.eval_games)
        self.curve: list[Point] = []
        self.entropy = 0.0
        self._vain = 0
        self._evaluated_at = 0.0
        self._line_at = 0.0

    def run(self) -> TrainingResult:
        """Learn; evaluate and save every `eval_every` seconds and at the end."""
        past = self.args.opponent_weights.past_modules
        updates = self.algorithm.iteration
        self.budget.first_steps = self._steps()
        self.budget.tick(self.budget.first_steps)
        if not updates:  # otherwise the snapshots are those of the checkpoint
            for module in past:
                take_snapshot(self.algorithm, module)
        with interruptible() as interrupt:
            self.budget.run(True)
            while self.budget.spent < 1 and not interrupt.is_requested:
                turn, is_no_turn = divmod(updates, self.args.snapshot_every)
                if past and not is_no_turn:
                    take_snapshot(self.algorithm, past[turn % len(past)])
                self._update()
                updates += 1
                if self.budget.seconds - self._evaluated_at >= self.args.eval_every:
                    self._evaluate()
            self.budget.run(False)
            if not self.curve or self.curve[-1]["steps"] != self.budget.steps:
                self._evaluate()
        return TrainingResult(
            self.agent,
            self.folder,
            self.curve,
            self.budget.steps,
            self.budget.seconds,
            interrupt.is_requested,
            self.algorithm.env_runner_group.num_remote_worker_restarts(),
        )

    def _update(self) -> None:
        found = self.algorithm.train()
        learned = found.get("learners", {}).get(LEARNER, {})
        self.entropy = float(learned.get("entropy", self.entropy))
        self._vain = self._vain + 1 if self._steps() == self.budget.steps else 0
        self.budget.tick(self._steps())
        if self._vain == _VAIN:
            raise TrainingError("the processes that play fail repeatedly: see Ray's logs")
        if perf_counter() - self._line_at >= _LINE_EVERY:
            self._line_at = perf_counter()
            print(self._progress(), flush=True)

    def _steps(self) -> int:
        """Return the number of decisions so far, with those of resumed trainings."""
        name = ("env_runners", "num_env_steps_sampled_lifetime")
        return int(self.algorithm.metrics.peek(name, default=0))

    def _progress(self) -> str:
        budget = self.budget
        return (
            f"{budget.seconds:5.0f} s {budget.steps:>10,} steps "
            f"{budget.steps_per_second:>7,.0f} steps/s; {seconds_left_text(budget.seconds_left)}"
        )

    def _evaluate(self) -> None:
        """Play against the opponents; save the result, the agent and a checkpoint."""
        self.budget.run(False)
        weights = {
            name.removeprefix("network."): torch.as_tensor(value)
            for name, value in weights_of(self.algorithm).items()
        }
        self.agent.set_weights(weights)
        self.agent.save(self.folder / TRAINED)
        rllib_checkpoint.save(self.algorithm, self.folder / "checkpoint", self.args.compatibility)
        reading = self.evaluator.evaluate(self.agent)
        self.curve.append(reading.point(self.budget) | {"entropy": self.entropy})
        self._evaluated_at = self.budget.seconds
        curve.write(self.folder / "curve.csv", self.curve)
        print(reading.line(self.budget), flush=True)
        self.budget.run(True)
