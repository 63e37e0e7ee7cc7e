"""Train an agent on a Ray cluster: `python -m training.train_rllib --timesteps 1000000`.

PPO of RLlib learns from all seats that the policy plays, in games that many processes play, on this
machine or on all of a cluster:

    ray start --head                                        on the first machine
    ray start --address=FIRST:6379                          on every other
    python -m training.train_rllib --address auto ...       on any of them

Ctrl-C ends the training after the update under way, and what was learned is kept; pressed again, it
ends at once, and what was last saved is kept. `--help` explains every option.
"""

import json
import logging
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from time import perf_counter, strftime
from typing import Annotated, Any, Final

import torch

from agents.network import PolicyNetwork
from agents.policy import PolicyAgent, describe
from training import curve
from training.arguments import parse
from training.budget import Budget
from training.curve import Point
from training.hyperparameters import GameArgs, NetworkArgs, PpoArgs
from training.interrupt import interruptible

try:
    from ray.rllib.algorithms.algorithm import Algorithm
except ImportError as error:
    raise SystemExit(
        f"training with RLlib needs Ray ({error}): pip install -e '.[train,ray]' -c constraints.txt"
    ) from error

from training import rllib_checkpoint
from training.rllib_cluster import connected
from training.rllib_env import SeatsEnv, Table
from training.rllib_league import (
    LEARNER,
    League,
    Workers,
    configured,
    take_snapshot,
    weights_of,
)
from training.yardstick import Yardstick

_LINE_EVERY: Final = 5.0
"""Seconds from one line of progress to the next, or more."""
_VAIN: Final = 10
"""How many updates in a row may find nothing to learn from, because processes were lost."""


class TrainingError(RuntimeError):
    """A training cannot go on; the message says why."""


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs):
    """Train an agent by self-play with RLlib, on this machine or on a Ray cluster."""

    timesteps: Annotated[int | None, "stop after so many decisions, resumed ones included"] = None
    minutes: Annotated[float | None, "stop after so many minutes of training"] = None
    seed: Annotated[int, "of deals and network; runs differ, as processes keep no order"] = 1
    out: Annotated[Path | None, "folder to write to; new under runs/ if not given"] = None
    resume: Annotated[Path | None, "go on from OUT/checkpoint of an earlier training"] = None

    address: Annotated[str | None, '"auto" or HOST:PORT of a Ray cluster; else this machine'] = None
    installed: Annotated[bool, "this code is installed on all machines: do not send it"] = False
    env_runners: Annotated[int, "processes that play, a core each; 0: the command's own"] = 2
    games: Annotated[int, "games that each of them plays side by side"] = 32
    learners: Annotated[int, "1: a process of its own learns, on any machine; 0: the command"] = 0
    gpus: Annotated[int, "graphics cards of the process that learns"] = 0
    threads: Annotated[int, "torch's, where the command itself learns"] = 1

    current: Annotated[float, "share of the current policy on all seats but one"] = 0.5
    past: Annotated[float, "share of its past, all snapshots together"] = 0.2
    fixed: Annotated[float, "share of the agents that do not learn, all together"] = 0.3
    opponents: Annotated[tuple[str, ...], "the agents that do not learn"] = ("random", "greedy")
    snapshots: Annotated[int, "how many past policies are kept"] = 3
    snapshot_every: Annotated[int, "updates from one snapshot to the next"] = 20

    update: Annotated[int, "decisions between two updates"] = 8192
    batch: Annotated[int, "decisions in a minibatch"] = 1024
    learning_rate: Annotated[float, "of Adam; with --timesteps it falls to a tenth"] = 2e-3
    gradient: Annotated[float, "largest norm of a gradient"] = 0.5

    evaluate_every: Annotated[float, "seconds from one evaluation and checkpoint to the next"] = 60
    panel: Annotated[tuple[str, ...], "who the training is measured by"] = ("random", "greedy")
    evaluation_games: Annotated[int, "games of an evaluation against each of the panel"] = 200

    @property
    def workers(self) -> Workers:
        """Where it is computed."""
        return Workers(self.env_runners, self.games, self.learners, self.gpus)

    @property
    def league(self) -> League:
        """Who plays."""
        each = self.fixed / max(1, len(self.opponents))
        return League(self.current, self.past, dict.fromkeys(self.opponents, each), self.snapshots)

    @property
    def table(self) -> Table:
        """What is played."""
        options = {"players": self.players, "teams": self.teams, "reward": self.reward}
        return Table(options, self.league.chances)

    @property
    def ppo(self) -> dict[str, Any]:
        """RLlib's names for what it learns with."""
        rate = self.learning_rate
        return {
            "train_batch_size_per_learner": self.update,
            "minibatch_size": self.batch,
            "num_epochs": self.epochs,
            "lr": [[0, rate], [self.timesteps, rate / 10]] if self.timesteps else rate,
            "gamma": self.gamma,
            "lambda_": self.gae_lambda,
            "clip_param": self.clip,
            "entropy_coeff": self.entropy,
            "vf_loss_coeff": self.value,
            "grad_clip": self.gradient,
            "seed": self.seed,
        }

    @property
    def fitting(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to be gone on from."""
        return {
            "players": self.players,
            "teams": self.teams,
            "network": self.network,
            "snapshots": len(self.league.past_modules),
        }


@dataclass(frozen=True)
class Trained:
    """What a training leaves behind.

    Attributes:
        agent: The agent, playing its likeliest actions.
        folder: Where `policy.pt`, `args.json`, `curve.csv` and `checkpoint` are.
        curve: The evaluations, first to last.
        steps: Decisions, those before a resumption included.
        seconds: Time spent training, without evaluations.
        restarts: Processes that were lost and started again.
        was_interrupted: Whether Ctrl-C ended it.
    """

    agent: PolicyAgent
    folder: Path
    curve: list[Point]
    steps: int
    seconds: float
    restarts: int
    was_interrupted: bool

    @property
    def policy(self) -> Path:
        """The file that `policy:PATH` plays from."""
        return self.folder / "policy.pt"

    @property
    def checkpoint(self) -> Path:
        """The folder that `--resume` goes on from."""
        return self.folder / "checkpoint"


def train(args: Args) -> Trained:
    """Train until the budget is spent or Ctrl-C is pressed.

    Raises:
        ValueError: An argument has a value that does not work, there is no such cluster, or
            `resume` is no checkpoint of such a training; the message says which and why.
        TrainingError: The processes that play fail again and again.
    """
    if args.batch > args.update:
        raise ValueError(f"a batch of {args.batch} is more than an update of {args.update}")
    SeatsEnv({"table": args.table})  # raises here what would be raised on the cluster
    config = configured(args.table, args.league, args.network, args.workers, **args.ppo)
    budget = Budget(args.minutes, args.timesteps)
    trained = asdict(args) | {"out": None, "resume": None}
    description = describe(args.players, args.network, trained=trained)
    agent = PolicyAgent(PolicyNetwork(args.players, **args.network), description, "policy")
    if args.resume is not None:
        rllib_checkpoint.check(args.resume, args.fitting)
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    folder = args.out or Path("runs") / f"train_rllib__{args.seed}__{strftime('%Y%m%d-%H%M%S')}"
    with connected(args.address, args.installed, args.workers.cpus, args.gpus):
        folder.mkdir(parents=True, exist_ok=True)
        given = json.dumps(asdict(args) | {"out": str(folder)}, indent=1, default=str)
        (folder / "args.json").write_text(given + "\n", encoding="utf-8")
        algorithm = config.build_algo()
        try:
            if args.resume is not None:
                algorithm.restore_from_path(args.resume.resolve())
            return _Training(algorithm, args, agent, budget, folder).run()
        finally:
            algorithm.stop()


class _Training:
    """A training under way."""

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
        self.yardstick = Yardstick(args.panel, args.options, args.evaluation_games)
        self.curve: list[Point] = []
        self.entropy = 0.0
        self.first_step = 0
        self._vain = 0
        self._evaluated_at = 0.0
        self._line_at = 0.0

    def run(self) -> Trained:
        """Learn, and evaluate and save every now and then and at the end."""
        past = self.args.league.past_modules
        updates = self.algorithm.iteration
        self.first_step = self._steps()
        self.budget.tick(self.first_step)
        if not updates:  # otherwise the snapshots are those of the checkpoint
            for module in past:
                take_snapshot(self.algorithm, module)
        with interruptible() as interrupt:
            self.budget.run(True)
            while self.budget.spent < 1 and not interrupt.is_wanted:
                turn, is_no_turn = divmod(updates, self.args.snapshot_every)
                if past and not is_no_turn:
                    take_snapshot(self.algorithm, past[turn % len(past)])
                self._update()
                updates += 1
                if self.budget.seconds - self._evaluated_at >= self.args.evaluate_every:
                    self._evaluate()
            self.budget.run(False)
            if not self.curve or self.curve[-1]["steps"] != self.budget.steps:
                self._evaluate()
        return Trained(
            self.agent,
            self.folder,
            self.curve,
            self.budget.steps,
            self.budget.seconds,
            self.algorithm.env_runner_group.num_remote_worker_restarts(),
            interrupt.is_wanted,
        )

    def _update(self) -> None:
        found = self.algorithm.train()
        learned = found.get("learners", {}).get(LEARNER, {})
        self.entropy = float(learned.get("entropy", self.entropy))
        self._vain = self._vain + 1 if self._steps() == self.budget.steps else 0
        self.budget.tick(self._steps())
        if self._vain == _VAIN:
            raise TrainingError("the processes that play fail again and again; Ray's logs say why")
        if perf_counter() - self._line_at >= _LINE_EVERY:
            self._line_at = perf_counter()
            print(self._standing(), flush=True)

    def _steps(self) -> int:
        """Return how many decisions there were, in earlier trainings too."""
        name = ("env_runners", "num_env_steps_sampled_lifetime")
        return int(self.algorithm.metrics.peek(name, default=0))

    def _standing(self) -> str:
        seconds, steps = self.budget.seconds, self.budget.steps
        rate = (steps - self.first_step) / max(seconds, 1e-9)
        left = []
        if self.args.minutes is not None:
            left.append(60 * self.args.minutes - seconds)
        if self.args.timesteps is not None and rate > 0:
            left.append((self.args.timesteps - steps) / rate)
        text = f"{seconds:6.0f} s {steps:>11,} steps {rate:>7,.0f} steps/s"
        return f"{text} {max(0.0, min(left)):6.0f} s left" if left else text

    def _evaluate(self) -> None:
        """Play against the panel; write down the result, the agent and a checkpoint."""
        self.budget.run(False)
        weights = {
            name.removeprefix("network."): torch.as_tensor(value)
            for name, value in weights_of(self.algorithm).items()
        }
        self.agent.set_weights(weights)
        self.agent.save(self.folder / "policy.pt")
        rllib_checkpoint.save(self.algorithm, self.folder / "checkpoint", self.args.fitting)
        reading = self.yardstick.measure(self.agent)
        point: Point = {
            "seconds": round(self.budget.seconds, 1),
            "steps": self.budget.steps,
            "rating": round(reading.rating, 1),
            **{f"win/{name}": rate for name, rate in reading.wins.items()},
            "entropy": self.entropy,
        }
        self.curve.append(point)
        self._evaluated_at = self.budget.seconds
        curve.write(self.folder / "curve.csv", self.curve)
        wins = ", ".join(f"{name} {rate:.0%}" for name, rate in reading.wins.items())
        print(f"{self._standing()}  rating {reading.rating:+.0f}, wins against {wins}", flush=True)
        self.budget.run(True)


def main() -> None:
    """Train and say where the result is."""
    args = parse(Args, "python -m training.train_rllib")
    if args.minutes is None and args.timesteps is None:
        args = replace(args, minutes=10.0)
    warnings.simplefilter("ignore")  # RLlib's, of what it is going to change
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)
    try:
        trained = train(args)
    except (ValueError, TrainingError) as error:
        raise SystemExit(f"train_rllib: {error}") from error
    except KeyboardInterrupt:
        raise SystemExit("ended at once; what was last saved is kept") from None
    if trained.restarts:
        print(f"processes that were lost and started again: {trained.restarts}")
    took = f"{trained.steps:,} steps, {trained.seconds:.0f} s"
    print(f"{took}; the agent is policy:{trained.policy}, to go on: --resume {trained.checkpoint}")


if __name__ == "__main__":
    main()
