"""The options of `impulse train`; importing this module does not need PyTorch."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from impulse_agents import registry
from impulse_training.run.common_options import BudgetArgs, GameArgs, NetworkArgs, PpoArgs

Tracker = Literal["wandb", "mlflow"]
"""Experiment trackers that can receive metrics, in addition to TensorBoard."""
Magnet = Literal["uniform", "average"]
"""Targets of the magnet: equally likely actions, or the policy with average weights."""
Critic = Literal["own", "hands", "hands-q"]
"""Critics of a training, see `impulse_training.selfplay.critic`."""
Games = Literal["host", "device"]
"""Where the games of a training are played."""


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs, BudgetArgs):
    """Train an agent by self-play against a pool: itself, past snapshots and fixed agents."""

    recipe: str | None = None
    """Train a released agent such as 2p again: the missing stages of agents/recipes/NAME.toml."""
    legs: int | None = None
    """With --recipe: maximum number of stages to train."""
    seed: int = 1
    """Random seed for deals, opponents and initial weights."""
    out: Path | None = None
    """Folder to write to; a new folder under runs/ by default."""
    overwrite: bool = False
    """Remove the files of an earlier run in the --out folder."""
    resume: Path | None = None
    """Resume the run in this folder. Omitted options keep their values, new limits replace old
    ones, fixed options are rejected."""
    warm_start: str | None = None
    """Checkpoint to start from (path or name); may have another player count or a smaller
    network."""
    value_only: bool = False
    """Freeze the policy; train only the weights of the value head."""

    self_fraction: float = 0.3
    """Share of the current policy among the opponents."""
    snapshot_fraction: float = 0.2
    """Share of past snapshots among the opponents; stronger ones play more often."""
    fixed_fraction: float = 0.5
    """Share of fixed agents among the opponents; stronger ones play more often."""
    alike_fraction: float = 0.0
    """Share of games where all opponents are the same agent and all allies the current policy, as
    in evaluations. In the other games each seat is sampled independently."""
    coalition: bool = False
    """Play all seats but one against a fixed agent on that seat, and win whenever it does not."""
    opponents: tuple[str, ...] = (
        "random",
        *registry.RULE_BASED,
    )
    """Fixed agents of the pool."""
    snapshots: int = 12
    """Maximum number of past snapshots in the pool."""
    snapshot_every: int = 20
    """Updates between two snapshots."""
    snapshots_at_once: int = 1
    """Number of snapshots that play at the same time."""
    resample_every: int = 5
    """Updates between two samplings of the snapshots that play."""

    learn_share: float = 0.5
    """Share of the decisions to learn from: those with the largest advantages, good or bad. A
    smaller share makes updates cheaper. --value-only learns from all."""
    overlap: bool = True
    """Whether a rollout is played while the training learns from the one before, on a core of its
    own, with weights that are one update older. --no-overlap plays it first. Games on a device
    never overlap."""
    behavior_kl: float = 0.0
    """Weight of the KL divergence from the policy that played the rollout, which holds an update
    back."""
    magnet: Magnet = "uniform"
    """Target that pulls the policy with the weight --ent-coef: equally likely actions, which is the
    entropy bonus, or the policy with average weights, which needs --average."""
    ent_power: float = 0.0
    """The weight of the magnet falls by this power of the number of updates."""
    ent_floor: float = 0.0
    """Lowest weight of the magnet, if it falls."""
    average: float = 0.0
    """Decay per minibatch of a moving average of the weights, which is evaluated and saved beside
    them; 0 for none."""
    critic: Critic = "own"
    """Which critic judges decisions in training: the network's own value head (own), one that sees
    all hands (hands), or one that sees them and judges every action (hands-q)."""
    played_starts: float = 0.0
    """Share of new games that begin in the middle of a recent game, where hidden cards are dealt
    again."""

    num_envs: int = 256
    """Decisions per step; twice as many games run side by side."""
    rollout_steps: int = 64
    """Steps per update. As there are two games per decision of a step, a seat makes half as many
    decisions between updates."""
    minibatch_size: int = 512
    """Decisions per minibatch."""
    learning_rate: float = 1e-3
    """Adam's learning rate. It falls linearly to a tenth, by timesteps if they are limited,
    otherwise by the clock. A resumed run with a new limit continues from its current rate."""
    final_learning_rate: float | None = None
    """Learning rate at the end; a tenth of the first by default."""
    device: str = "cpu"
    """PyTorch device of the learner and of trained opponents: cpu, cuda, …"""
    games: Games = "host"
    """Where the games are played: on the processor (host), or all on the learner's device, with
    opponents that can play there: random, rule-based and trained agents (device)."""
    threads: int = 1
    """PyTorch threads; more than one is much slower on a busy machine."""
    bfloat16: bool = False
    """Multiply in bfloat16 where the hardware supports it: faster, less exact."""
    eval_opponents: tuple[str, ...] = (
        "random",
        *registry.RULE_BASED,
    )
    """Opponents of the evaluations."""
    eval_every: float = 60.0
    """Seconds between two evaluations."""
    eval_steps: int | None = None
    """Decisions between two evaluations, instead of seconds."""
    eval_games: int = 200
    """Games per evaluation against each opponent."""
    save_every: float = 300.0
    """Seconds between two saves of the training state."""
    keep_snapshots: int = 20
    """Maximum number of snapshots on disk, one per save, spread over the run; 0 for none."""
    tracker: Tracker | None = None
    """Also send options, metrics and the trained agent to Weights & Biases or MLflow. Their
    environment variables, such as WANDB_MODE and MLFLOW_TRACKING_URI, set the destination."""

    @property
    def is_overlapping(self) -> bool:
        """Whether it learns from a rollout while it plays the next one."""
        return self.overlap and self.games == "host"
