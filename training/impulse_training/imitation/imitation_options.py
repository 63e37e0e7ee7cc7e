"""The options of imitation; torch is not needed to read them."""

from dataclasses import dataclass
from pathlib import Path

from impulse_agents import registry
from impulse_env.options import Options
from impulse_training.run.common_options import GameArgs, NetworkArgs


@dataclass(frozen=True)
class DemonstrationConfig:
    """The teacher whose decisions are recorded, and its games.

    Attributes:
        teacher: The agent whose decisions are recorded.
        opponents: Agents on the other seats; a seat is equally likely the teacher's or one of
            theirs.
        rollout_policy: An agent that plays instead of the teacher, or None. The teacher then only
            labels the positions, so that a student learns in its own positions (DAgger).
        players: Players of a game, 2 to 6.
        team_size: Players per team, or None.
        seed: Random seed for the deals, the seats and the agents.
    """

    teacher: str
    opponents: tuple[str, ...]
    players: int = 2
    team_size: int | None = None
    seed: int = 0
    rollout_policy: str | None = None

    @property
    def options(self) -> Options:
        """The options of all games."""
        return Options(players=self.players, team_size=self.team_size)


@dataclass(frozen=True)
class Args(NetworkArgs, GameArgs):
    """Record a teacher's decisions and fit a network to them."""

    teacher: str = "ismcts:100"
    """The agent to learn from."""
    rollout_policy: str | None = None
    """Agent that plays instead of the teacher, which then labels its positions (DAgger)."""
    opponents: tuple[str, ...] = registry.RULE_BASED
    """Agents on the other seats."""
    decisions: int = 500_000
    """Decisions of the teacher to record; 0 uses only the folders."""
    extra_demonstrations: tuple[str, ...] = ()
    """More folders to learn from, with recorded decisions or data that `impulse export` wrote."""
    warm_start: str | None = None
    """Checkpoint to start from: path or name."""
    seed: int = 1
    """Random seed for the games and the initial weights."""
    out: Path = Path("runs/imitated")
    """Folder for policy.safetensors and the decisions."""
    workers: int | None = None
    """Number of processes; by default the number of cores."""

    epochs: int = 4
    """Passes over the decisions."""
    minibatch_size: int = 1024
    """Decisions in a minibatch."""
    learning_rate: float = 2e-3
    """Learning rate of Adam, with cosine decay to 0."""
    vf_coef: float = 0.5
    """Weight of the value loss."""
    device: str = "cpu"
    """Where torch computes: cpu, cuda, …"""
    threads: int = 1
    """PyTorch threads."""

    @property
    def source(self) -> DemonstrationConfig:
        """The teacher and the games to record."""
        return DemonstrationConfig(
            self.teacher,
            self.opponents,
            self.players,
            self.team_size,
            self.seed,
            self.rollout_policy,
        )


@dataclass(frozen=True)
class DistillArgs(NetworkArgs):
    """Distill a trained agent into a network, without storing the games."""

    teacher: str = "2p"
    """The trained agent to learn from: path or name; the student is for its table."""
    opponents: tuple[str, ...] = registry.RULE_BASED
    """Agents on the other half of the seats."""
    timesteps: int = 3_000_000
    """Decisions of the teacher; the student learns from each once."""
    seed: int = 1
    """Random seed for the games and the initial weights."""
    out: Path = Path("runs/student")
    """Folder for policy.safetensors; a stopped distillation continues there."""

    network: str = "map"
    """The student's network: pointers, map, or one of your own, as in training."""
    width: int = 512
    """Width of the features."""
    policy_layers: tuple[int, ...] = (256, 256)
    """Widths of the policy's hidden layers."""
    value_layers: tuple[int, ...] = (256, 256)
    """Widths of the value's hidden layers."""

    minibatch_size: int = 2048
    """Decisions in a minibatch."""
    learning_rate: float = 2.5e-3
    """Learning rate of Adam, with linear decay to 0."""
    vf_coef: float = 0.5
    """Weight of the value loss."""
    device: str = "cpu"
    """Where torch computes: cpu, cuda, …"""
    threads: int = 1
    """PyTorch threads; more than one is much slower on a busy machine."""
    bfloat16: bool = False
    """Use bfloat16 where the processor supports it: faster, less exact."""
    save_every: float = 60.0
    """Seconds between two saved states."""
