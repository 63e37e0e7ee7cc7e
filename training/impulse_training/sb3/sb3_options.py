"""The options of `impulse train sb3`; importing this module does not need PyTorch."""

from dataclasses import dataclass
from pathlib import Path

from impulse_agents import registry
from impulse_training.run.common_options import BudgetArgs, GameArgs, NetworkArgs, PpoArgs


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs, BudgetArgs):
    """Train a baseline by MaskablePPO, unmodified, on one seat against fixed opponents."""

    opponents: tuple[str, ...] = ("warrior",)
    """Agents on the other seats: one for all of them, or one for each, clockwise."""
    seed: int = 1
    """Random seed for deals, opponents and initial weights."""
    out: Path | None = None
    """Folder to write to; a new folder under runs/ by default."""
    warm_start: str | None = None
    """Checkpoint to start from (path or name), for example that of an earlier baseline."""
    num_envs: int = 256
    """Games side by side; each gives a decision per step."""
    rollout_steps: int = 64
    """Steps per update."""
    minibatch_size: int = 2048
    """Decisions per minibatch."""
    learning_rate: float = 1e-3
    """Adam's learning rate."""
    threads: int = 1
    """PyTorch threads."""
    eval_opponents: tuple[str, ...] = ("random", *registry.RULE_BASED)
    """Opponents of the evaluation at the end."""
    eval_games: int = 200
    """Games of the evaluation against each opponent."""
