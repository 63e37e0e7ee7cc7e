"""The options of a training with RLlib; neither Ray nor torch is needed to read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from impulse_training.run.config import GameArgs, NetworkArgs, PpoArgs

Weights = dict[str, Any]
"""Of a module: arrays by name."""


@dataclass(frozen=True)
class Workers:
    """Where RLlib computes.

    Attributes:
        env_runners: Processes that play; 0: the command's own.
        games: Games that each of them plays side by side.
        learners: Processes that learn, 0 or 1; 0: the command's own.
        gpus: Graphics cards of the process that learns.
    """

    env_runners: int
    games: int
    learners: int
    gpus: int

    def __post_init__(self) -> None:
        """Raise `ValueError` if a number makes no sense."""
        if self.games < 1 or min(self.env_runners, self.learners, self.gpus) < 0:
            raise ValueError(f"numbers of processes, games and cards make no sense: {self}")
        if self.learners > 1:
            # Its episodes of agents that do not act at the same time cannot be split (2.60).
            raise ValueError("RLlib learns a game of turns in one process: learners must be 0 or 1")

    @property
    def cpus(self) -> int:
        """Cores that the processes take of a cluster."""
        return self.env_runners + self.learners


@dataclass(frozen=True)
class SeatsConfig:
    """What is played, and by whom besides those that learn.

    Attributes:
        options: Arguments of the PettingZoo environment: players, teams, reward and so on.
        fixed: How likely each agent of that name takes a seat, for all seats but one, which is
            drawn anew for every game and always left to RLlib. At most 1 together.
    """

    options: Mapping[str, Any]
    fixed: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class OpponentWeights:
    """How often each kind of player takes a seat, for all seats but one.

    Attributes:
        current: Weight of the current policy.
        past: Weight of its snapshots, all together.
        fixed: Weight of each agent that does not learn, by name.
        snapshots: How many snapshots are kept.
    """

    current: float
    past: float
    fixed: dict[str, float]
    snapshots: int

    def __post_init__(self) -> None:
        """Raise `ValueError` if nobody could be drawn."""
        weights = [self.current, self.past, *self.fixed.values()]
        if min(weights) < 0 or sum(weights) <= 0:
            raise ValueError(f"weights of opponents must not be negative, nor all 0: {weights}")
        if self.past > 0 and self.snapshots < 1:
            raise ValueError("past policies can play only if snapshots are kept")

    @property
    def chances(self) -> dict[str, float]:
        """The share of the seats that each agent gets that does not learn."""
        total = self.current + self.past + sum(self.fixed.values())
        return {name: weight / total for name, weight in self.fixed.items() if weight > 0}

    @property
    def past_modules(self) -> list[str]:
        """Names of the snapshots' modules."""
        return [f"past_{number}" for number in range(self.snapshots)] if self.past > 0 else []


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
    def opponent_weights(self) -> OpponentWeights:
        """Who plays."""
        each = self.fixed / max(1, len(self.opponents))
        return OpponentWeights(
            self.current, self.past, dict.fromkeys(self.opponents, each), self.snapshots
        )

    @property
    def table(self) -> SeatsConfig:
        """What is played."""
        options = {"players": self.players, "teams": self.teams, "reward": self.reward}
        return SeatsConfig(options, self.opponent_weights.chances)

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
    def compatibility(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to be gone on from."""
        return {
            "players": self.players,
            "teams": self.teams,
            "network": self.network,
            "snapshots": len(self.opponent_weights.past_modules),
        }
