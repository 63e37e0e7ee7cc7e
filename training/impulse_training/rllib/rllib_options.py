"""The options of `impulse train rllib`; importing this module needs neither Ray nor PyTorch."""

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
"""Weights of a module: arrays by name."""


@dataclass(frozen=True)
class Workers:
    """The processes of RLlib.

    Attributes:
        env_runners: Processes that play; with 0, the command's process plays.
        games: Simultaneous games per process.
        learners: Learner processes, 0 or 1; with 0, the command's process learns.
        gpus: GPUs of the learner.
    """

    env_runners: int
    games: int
    learners: int
    gpus: int

    def __post_init__(self) -> None:
        """Raise `ConfigError` if a number is out of range."""
        if self.games < 1 or min(self.env_runners, self.learners, self.gpus) < 0:
            raise ConfigError(
                f"num_envs must be 1 or more, and env_runners, learners and gpus 0 or more: {self}"
            )
        if self.learners > 1:
            # RLlib 2.60 cannot split episodes of agents that do not act at the same time.
            raise ConfigError(
                f"learners must be 0 or 1 for a turn-based game in RLlib, not {self.learners}"
            )

    @property
    def cpus(self) -> int:
        """Cores that the processes need in a cluster."""
        return self.env_runners + self.learners


@dataclass(frozen=True)
class SeatsConfig:
    """The environment, and the fixed agents in it.

    Attributes:
        options: Arguments of the PettingZoo environment: players, team_size, reward and so on.
        fixed: Probability of each fixed agent, by name, to take a seat; their sum is at most 1. One
            seat, sampled for every game, always belongs to RLlib.
    """

    options: Mapping[str, Any]
    fixed: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class OpponentWeights:
    """Weights of the players for all seats but one.

    Attributes:
        current: Weight of the current policy.
        past: Total weight of its snapshots.
        fixed: Weight of each fixed agent, by name.
        snapshots: Number of snapshots.
    """

    current: float
    past: float
    fixed: dict[str, float]
    snapshots: int

    def __post_init__(self) -> None:
        """Raise `ConfigError` if the weights do not define a distribution."""
        weights = [self.current, self.past, *self.fixed.values()]
        if min(weights) < 0 or sum(weights) <= 0:
            raise ConfigError(f"opponent fractions must be 0 or more, and not all 0: {weights}")
        if self.past > 0 and self.snapshots < 1:
            raise ConfigError(
                f"snapshots must be 1 or more if snapshot_fraction is above 0, not {self.snapshots}"
            )

    @property
    def chances(self) -> dict[str, float]:
        """The probability of each fixed agent to take a seat, by name."""
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
    """Random seed for deals and initial weights; runs still differ, as processes run in any
    order."""
    out: Path | None = None
    """Folder to write to; a new folder under runs/ by default."""
    resume: Path | None = None
    """Resume from OUT/checkpoint of an earlier run."""

    address: str | None = None
    """"auto" or HOST:PORT of a Ray cluster; this machine by default."""
    installed: bool = False
    """The cluster has the code installed: do not send it."""
    env_runners: int = 2
    """Processes that play, one core each; with 0, the command's process plays."""
    num_envs: int = 32
    """Simultaneous games per process."""
    learners: int = 0
    """Learner processes, 0 or 1; with 0, the command's process learns."""
    gpus: int = 0
    """GPUs of the learner."""
    threads: int = 1
    """PyTorch threads, if the command's process learns."""

    self_fraction: float = 0.5
    """Share of the current policy on all seats but one."""
    snapshot_fraction: float = 0.2
    """Total share of past snapshots on these seats."""
    fixed_fraction: float = 0.3
    """Total share of fixed agents on these seats."""
    opponents: tuple[str, ...] = ("random", "greedy")
    """Fixed agents of the pool."""
    snapshots: int = 3
    """Number of past snapshots in the pool."""
    snapshot_every: int = 20
    """Updates between two snapshots."""

    train_batch_size: int = 8192
    """Decisions per update."""
    minibatch_size: int = 1024
    """Decisions per minibatch."""
    learning_rate: float = 2e-3
    """Adam's learning rate; with --timesteps it falls to a tenth."""
    max_grad_norm: float = 0.5
    """Gradient clipping: maximum norm."""

    eval_every: float = 60
    """Seconds between two evaluations, each with a checkpoint."""
    eval_opponents: tuple[str, ...] = ("random", "greedy")
    """Opponents of the evaluations."""
    eval_games: int = 200
    """Games per evaluation against each opponent."""

    @property
    def workers(self) -> Workers:
        """The processes of RLlib."""
        return Workers(self.env_runners, self.num_envs, self.learners, self.gpus)

    @property
    def opponent_weights(self) -> OpponentWeights:
        """The weights of the players."""
        each = self.fixed_fraction / max(1, len(self.opponents))
        return OpponentWeights(
            self.self_fraction,
            self.snapshot_fraction,
            dict.fromkeys(self.opponents, each),
            self.snapshots,
        )

    @property
    def table(self) -> SeatsConfig:
        """The environment and its fixed agents."""
        options = {"players": self.players, "team_size": self.team_size, "reward": self.reward}
        return SeatsConfig(options, self.opponent_weights.chances)

    @property
    def ppo(self) -> dict[str, Any]:
        """The options of PPO under RLlib's names."""
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
        """The options that a resumed run must not change."""
        return {
            "players": self.players,
            "team_size": self.team_size,
            "network": self.network_config,
            "snapshots": len(self.opponent_weights.past_modules),
        }
