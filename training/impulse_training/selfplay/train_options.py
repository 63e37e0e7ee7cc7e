"""The options of a training by self-play; torch is not needed to read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from impulse_agents import registry
from impulse_training.run.common_options import BudgetArgs, GameArgs, NetworkArgs, PpoArgs

Tracker = Literal["wandb", "mlflow"]
"""Where the figures of a training may be sent, besides TensorBoard."""
STATS_WINDOW: Final = 1000
"""Episodes over which the training's own figures are averaged."""


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs, BudgetArgs):
    """Train an agent by self-play against a pool: itself, its past, and the agents that exist."""

    recipe: str | None = None
    """Train an agent of record again, such as 2p: the missing legs of agents/recipes/NAME.toml."""
    legs: int | None = None
    """Of a recipe, train so many legs at most."""
    seed: int = 1
    """Of the games, the opponents and the network."""
    out: Path | None = None
    """Folder to write to; new under runs/ if not given."""
    overwrite: bool = False
    """If there is a training in that folder, remove what it has written and begin anew."""
    resume: Path | None = None
    """Go on with the training in this folder. What is not given besides stays as it was; a limit
    that is given takes the place of those before; what cannot change is refused."""
    warm_start: str | None = None
    """Checkpoint to begin as: path or name; may be for other players, or smaller."""
    value_only: bool = False
    """Learn what games are worth, and play on as before: only weights that are the value's alone
    change."""

    self_fraction: float = 0.3
    """Share of the current policy among the opponents."""
    snapshot_fraction: float = 0.2
    """Share of its past; the harder a snapshot, the more often."""
    fixed_fraction: float = 0.5
    """Share of the agents that do not learn; likewise."""
    alike_fraction: float = 0.0
    """Share of the games whose opponents are all the same one, and allies the policy itself, as
    agents are measured; in the others each seat is drawn by itself."""
    opponents: tuple[str, ...] = (
        "random",
        *registry.RULE_BASED,
    )
    """The agents that do not learn."""
    snapshots: int = 12
    """How many past policies are kept."""
    snapshot_every: int = 20
    """Updates from one snapshot to the next."""
    snapshots_at_once: int = 1
    """How many of them play at the same time."""
    resample_every: int = 5
    """Updates after which others of them may play."""

    num_envs: int = 512
    """Decisions of a step; there are twice as many games side by side."""
    rollout_steps: int = 64
    """Steps between two updates: with twice as many games as decisions of a step, each seat is
    followed for half as many of its own."""
    minibatch_size: int = 2048
    """Decisions in a minibatch."""
    learning_rate: float = 1e-3
    """Of Adam; it falls in a line to a tenth at the end, by timesteps if they are limited, else by
    the clock. Resumed with another end it goes on from where it was."""
    final_learning_rate: float | None = None
    """What it falls to instead of a tenth."""
    device: str = "cpu"
    """Where torch learns, and where trained opponents decide: cpu, cuda, …"""
    threads: int = 1
    """Torch's; on a busy machine more than one is much slower."""
    bfloat16: bool = False
    """Multiply in it where the processor can: quicker, less exact."""
    eval_opponents: tuple[str, ...] = (
        "random",
        *registry.RULE_BASED,
    )
    """Who the training is measured by."""
    eval_every: float = 60.0
    """Seconds from one evaluation to the next."""
    eval_steps: int | None = None
    """Decisions between evaluations, instead of seconds."""
    eval_games: int = 200
    """Games of an evaluation against each of the panel."""
    save_every: float = 300.0
    """Seconds from one state on disk to the next."""
    keep_snapshots: int = 20
    """How many of the policies on the way, one for each save, stay on disk, spread over the
    training; 0: none."""
    tracker: Tracker | None = None
    """Send options, figures and the trained agent to Weights & Biases or to MLflow, too; where to
    is said by their environment variables, such as WANDB_MODE and MLFLOW_TRACKING_URI."""
