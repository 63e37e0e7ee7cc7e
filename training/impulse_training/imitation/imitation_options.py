"""The options of imitation; torch is not needed to read them."""

from dataclasses import dataclass
from pathlib import Path

from impulse_agents import registry
from impulse_env.options import Options
from impulse_training.run.common_options import GameArgs, NetworkArgs


@dataclass(frozen=True)
class DemonstrationConfig:
    """Whose decisions are recorded, and at which tables.

    Attributes:
        teacher: The agent whose decisions are kept.
        opponents: Who may sit beside it; every seat is as likely the teacher's as one of theirs.
        rollout_policy: Who plays in the teacher's place, if somebody does; then the teacher is only
            asked what it would have done there. A pupil learns what to do in its own positions so
            (DAgger).
        players: Players of a game, 2 to 6.
        team_size: Players per team, or None.
        seed: Of the deals, the seats and the agents.
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
    """Who plays in its place, and is told what it would do."""
    opponents: tuple[str, ...] = registry.RULE_BASED
    """Who sits beside it."""
    decisions: int = 500_000
    """Of the teacher, to learn from; 0: of the folders alone."""
    extra_demonstrations: tuple[str, ...] = ()
    """Folders of such decisions to learn from, too, or of data that `impulse export` wrote."""
    warm_start: str | None = None
    """Begin with the weights of this checkpoint: path or name."""
    seed: int = 1
    """Of the games and the network."""
    out: Path = Path("runs/imitated")
    """Folder for policy.safetensors and the decisions."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""

    epochs: int = 4
    """Passes over the decisions."""
    minibatch_size: int = 1024
    """Decisions in a minibatch."""
    learning_rate: float = 2e-3
    """Of Adam; it falls to 0 along a cosine."""
    vf_coef: float = 0.5
    """Weight of the value's loss."""
    device: str = "cpu"
    """Where torch computes: cpu, cuda, …"""
    threads: int = 1
    """Torch's."""

    @property
    def source(self) -> DemonstrationConfig:
        """Whose decisions are recorded."""
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
    """Fit a network to what a trained agent plays, without keeping the games."""

    teacher: str = "2p"
    """The trained agent to learn from: path or name; the student is for its table."""
    opponents: tuple[str, ...] = registry.RULE_BASED
    """Who sits beside it, on half of the seats."""
    timesteps: int = 3_000_000
    """Decisions of the teacher, to learn from once each."""
    seed: int = 1
    """Of the games and the network."""
    out: Path = Path("runs/student")
    """Folder for policy.safetensors; a fit that was stopped goes on there."""

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
    """Of Adam; it falls to 0 in a line."""
    vf_coef: float = 0.5
    """Weight of the value's loss."""
    device: str = "cpu"
    """Where torch computes: cpu, cuda, …"""
    threads: int = 1
    """Torch's; on a busy machine more than one is much slower."""
    bfloat16: bool = False
    """Multiply in it where the processor can: quicker, less exact."""
    save_every: float = 60.0
    """Seconds from one state on disk to the next."""
