"""The options of a training with RLlib; neither Ray nor torch is needed to read them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from impulse_training.run.common_options import (
    BudgetArgs,
    ConfigError,
    GameArgs,
    NetworkArgs,
    PpoArgs,
)

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
        """Raise `ConfigError` if a number makes no sense."""
        if self.games < 1 or min(self.env_runners, self.learners, self.gpus) < 0:
            raise ConfigError(f"numbers of processes, games and cards make no sense: {self}")
        if self.learners > 1:
            # Its episodes of agents that do not act at the same time cannot be split (2.60).
            raise ConfigError(
                "RLlib learns a game of turns in one process: learners must be 0 or 1"
            )

    @property
    def cpus(self) -> int:
        """Cores that the processes take of a cluster."""
        return self.env_runners + self.learners


@dataclass(frozen=True)
class SeatsConfig:
    """What is played, and by whom besides those that learn.

    Attributes:
        options: Arguments of the PettingZoo environment: players, team_size, reward and so on.
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
        """Raise `ConfigError` if nobody could be drawn."""
        weights = [self.current, self.past, *self.fixed.values()]
        if min(weights) < 0 or sum(weights) <= 0:
            raise ConfigError(f"weights of opponents must not be negative, nor all 0: {weights}")
        if self.past > 0 and self.snapshots < 1:
            raise ConfigError("past policies can play only if snapshots are kept")

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
class Args(PpoArgs, NetworkArgs, GameArgs, BudgetArgs):
    """Train an agent by self-play with RLlib, on this machine or on a Ray cluster."""

    seed: int = 1
    """Of deals and network; runs differ, as processes keep no order."""
    out: Path | None = None
    """Folder to write to; new under runs/ if not given."""
    resume: Path | None = None
    """Go on from OUT/checkpoint of an earlier training."""

    address: str | None = None
    """"auto" or HOST:PORT of a Ray cluster; else this machine."""
    installed: bool = False
    """This code is installed on all machines: do not send it."""
    env_runners: int = 2
    """Processes that play, a core each; 0: the command's own."""
    num_envs: int = 32
    """Games that each of them plays side by side."""
    learners: int = 0
    """1: a process of its own learns, on any machine; 0: the command."""
    gpus: int = 0
    """Graphics cards of the process that learns."""
    threads: int = 1
    """Torch's, where the command itself learns."""

    self_fraction: float = 0.5
    """Share of the current policy on all seats but one."""
    snapshot_fraction: float = 0.2
    """Share of its past, all snapshots together."""
    fixed_fraction: float = 0.3
    """Share of the agents that do not learn, all together."""
    opponents: tuple[str, ...] = ("random", "greedy")
    """The agents that do not learn."""
    snapshots: int = 3
    """How many past policies are kept."""
    snapshot_every: int = 20
    """Updates from one snapshot to the next."""

    train_batch_size: int = 8192
    """Decisions between two updates."""
    minibatch_size: int = 1024
    """Decisions in a minibatch."""
    learning_rate: float = 2e-3
    """Of Adam; with --timesteps it falls to a tenth."""
    max_grad_norm: float = 0.5
    """Largest norm of a gradient."""

    eval_every: float = 60
    """Seconds from one evaluation and checkpoint to the next."""
    eval_opponents: tuple[str, ...] = ("random", "greedy")
    """Who the training is measured by."""
    eval_games: int = 200
    """Games of an evaluation against each of the panel."""

    @property
    def workers(self) -> Workers:
        """Where it is computed."""
        return Workers(self.env_runners, self.num_envs, self.learners, self.gpus)

    @property
    def opponent_weights(self) -> OpponentWeights:
        """Who plays."""
        each = self.fixed_fraction / max(1, len(self.opponents))
        return OpponentWeights(
            self.self_fraction,
            self.snapshot_fraction,
            dict.fromkeys(self.opponents, each),
            self.snapshots,
        )

    @property
    def table(self) -> SeatsConfig:
        """What is played."""
        options = {"players": self.players, "team_size": self.team_size, "reward": self.reward}
        return SeatsConfig(options, self.opponent_weights.chances)

    @property
    def ppo(self) -> dict[str, Any]:
        """RLlib's names for what it learns with."""
        rate = self.learning_rate
        return {
            "train_batch_size_per_learner": self.train_batch_size,
            "minibatch_size": self.minibatch_size,
            "num_epochs": self.epochs,
            "lr": [[0, rate], [self.timesteps, rate / 10]] if self.timesteps else rate,
            "gamma": self.gamma,
            "lambda_": self.gae_lambda,
            "clip_param": self.clip_range,
            "entropy_coeff": self.ent_coef,
            "vf_loss_coeff": self.vf_coef,
            "grad_clip": self.max_grad_norm,
            "seed": self.seed,
        }

    @property
    def compatibility(self) -> dict[str, Any]:
        """What must be the same for a checkpoint to be gone on from."""
        return {
            "players": self.players,
            "team_size": self.team_size,
            "network": self.network_config,
            "snapshots": len(self.opponent_weights.past_modules),
        }
