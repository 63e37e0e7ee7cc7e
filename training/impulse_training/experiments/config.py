"""Options of the experiments and of the demo; nothing of an extra is needed to read them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from impulse_agents.network.kinds import KINDS
from impulse_training.selfplay.config import Args as TrainArgs


@dataclass(frozen=True)
class AblationArgs:
    """Train every kind of network with the same steps, and compare what they reach."""

    networks: tuple[str, ...] = KINDS
    """Networks to compare: pointers, map, or of your own as in training."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Of the trainings."""
    players: int = 2
    """Players of a game, 2 to 6."""
    timesteps: int = 1_000_000
    """Decisions to learn from, each."""
    games: int = 400
    """Games of an evaluation against each of the panel."""
    out: Path = Path("runs/ablation")
    """Folder to write to."""


@dataclass(frozen=True)
class BestResponseArgs:
    """Train a best response against each target and report how often it wins."""

    targets: tuple[str, ...]
    """Agents, or checkpoints by name or path."""
    players: int = 2
    """Players of a game; the target has all other seats."""
    team_size: int | None = None
    """Players per team; the target then has all seats of the other teams."""
    timesteps: int = 2_000_000
    """Decisions of the best response to learn from."""
    warm_start: str | None = None
    """Checkpoint that every best response begins as."""
    learning_rate: float = TrainArgs.learning_rate
    """Of Adam; less for one that begins strong."""
    final_learning_rate: float | None = None
    """What it falls to instead of a tenth."""
    minibatch_size: int = TrainArgs.minibatch_size
    """Decisions in a minibatch."""
    num_envs: int = TrainArgs.num_envs
    """Decisions of a step."""
    rollout_steps: int = TrainArgs.rollout_steps
    """Steps between two updates."""
    gamma: float = TrainArgs.gamma
    """Discount from one decision to the next; a game has about 80."""
    gae_lambda: float = TrainArgs.gae_lambda
    """How far advantages look ahead before they trust the value."""
    ent_coef: float = TrainArgs.ent_coef
    """Weight of the bonus for undecided policies."""
    device: str = TrainArgs.device
    """Where torch learns, and where trained agents decide that it learns against: cpu, cuda, …"""
    threads: int = TrainArgs.threads
    """Torch's; on a busy machine more than one is much slower."""
    bfloat16: bool = TrainArgs.bfloat16
    """Multiply in it where the processor can: quicker, less exact."""
    seed: int = 1
    """Of the training."""
    games: int = 2000
    """Games of the final measurement."""
    points: int = 8
    """Measurements on the way."""
    out: Path = Path("runs/exploit")
    """Folder to write to."""


@dataclass(frozen=True)
class SearchTrialsArgs:
    """Try other settings of a search against the search as it is, by a sequential test."""

    candidates: tuple[str, ...]
    """What to try: settings such as exploration=2 or value_weight=1,turns=3, or another search with
    its simulations, such as ismcts:300; settings may follow it behind commas."""
    agent: str = "policy+search:2p:100"
    """The search that they are compared with."""
    equal: Literal["time", "simulations"] = "time"
    """What both have the same of: time a decision, or simulations as they are given."""
    players: int = 2
    """Players of a game; the candidate has one seat, the other search all others."""
    difference: float = 0.05
    """How much oftener than par a better one wins."""
    alpha: float = 0.05
    """How often one that is no better may be found better."""
    beta: float = 0.05
    """How often one that is better may be found no better."""
    games: int = 2000
    """Games of each candidate at most."""
    seed: int = 0
    """Of the deals and the searches."""


@dataclass(frozen=True)
class FitEvaluationArgs:
    """Fit what the rule-based agents and the search think of a position."""

    games: int = 4000
    """Games for each number of players."""
    players: tuple[int, ...] = (2, 3, 4)
    """Numbers of players."""
    agents: tuple[str, ...] = (
        "core_rush",
        "warrior",
        "miner",
        "trader",
        "greedy",
    )
    """Who plays, drawn for each seat."""
    ridge: float = 1e-4
    """Weight of the squared coefficients."""
    seed: int = 0
    """Of the games."""


@dataclass(frozen=True)
class DemoArgs:
    """Print a game, train an agent, play it against the others."""

    minutes: float = 3.0
    """How long to train."""
    players: int = 2
    """Players of a game, 2 to 6."""
    games: int = 3000
    """Games of the tournament at the end."""
    seed: int = 1
    """Of everything."""
    out: Path = Path("runs/demo")
    """Folder to write to."""
