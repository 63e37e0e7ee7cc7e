"""The options of a training by self-play; torch is not needed to read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from impulse_agents import registry
from impulse_training.run.config import GameArgs, NetworkArgs, PpoArgs

STATS_WINDOW: Final = 1000
"""Episodes over which the training's own figures are averaged."""


@dataclass(frozen=True)
class Args(PpoArgs, NetworkArgs, GameArgs):
    """Train an agent by self-play against a pool of opponents: itself, its past, and the agents that exist."""

    minutes: Annotated[float | None, "stop after so many minutes of training"] = None
    timesteps: Annotated[int | None, "stop after so many decisions of the learner"] = None
    seed: Annotated[int, "of the games, the opponents and the network"] = 1
    out: Annotated[Path | None, "folder to write to; new under runs/ if not given"] = None
    resume: Annotated[Path | None, "go on with the training in this folder"] = None
    start: Annotated[
        str | None, "checkpoint to begin as: path or name; may be for other players, or smaller"
    ] = None

    current: Annotated[float, "share of the current policy among the opponents"] = 0.3
    past: Annotated[float, "share of its past; the harder a snapshot, the more often"] = 0.2
    fixed: Annotated[float, "share of the agents that do not learn; likewise"] = 0.5
    opponents: Annotated[tuple[str, ...], "the agents that do not learn"] = (
        "random",
        *registry.RULE_BASED,
    )
    snapshots: Annotated[int, "how many past policies are kept"] = 12
    snapshot_every: Annotated[int, "updates from one snapshot to the next"] = 20
    past_at_once: Annotated[int, "how many of them play at the same time"] = 1
    past_every: Annotated[int, "updates after which others of them may play"] = 5

    games: Annotated[int, "games played side by side"] = 2048
    steps: Annotated[int, "decisions in each game between two updates"] = 16
    batch: Annotated[int, "decisions in a minibatch"] = 2048
    learning_rate: Annotated[float, "of Adam; it falls to a tenth by the end"] = 1e-3
    device: Annotated[str, "where torch learns: cpu, cuda, …"] = "cpu"
    threads: Annotated[int, "torch's; on a busy machine more than one is much slower"] = 1
    bfloat16: Annotated[bool, "multiply in it where the processor can: quicker, less exact"] = False
    panel: Annotated[tuple[str, ...], "who the training is measured by"] = (
        "random",
        *registry.RULE_BASED,
    )
    evaluate_every: Annotated[float, "seconds from one evaluation to the next"] = 60.0
    evaluate_steps: Annotated[int | None, "decisions between evaluations, instead of seconds"] = (
        None
    )
    evaluation_games: Annotated[int, "games of an evaluation against each of the panel"] = 200
    save_every: Annotated[float, "seconds from one state on disk to the next"] = 300.0
