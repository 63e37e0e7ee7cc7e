"""Options of the commands that measure agents, and write the card of a trained one."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from impulse_agents.network.config_check import KINDS
from impulse_agents.registry import RULE_BASED
from impulse_training.evaluation.suite import OPPONENTS
from impulse_training.report.replay_choice import Replays
from impulse_training.selfplay.train_options import Args as TrainArgs


@dataclass(frozen=True)
class EvaluateArgs:
    """Measure a trained agent against a panel of others, at the table it was trained for.

    It plays alone against each: with more than two sides, the other agent plays all others. Every
    deal is played from every side. Finished games are kept: the same command plays the missing
    ones.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    games: int = 2000
    """Of each match; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    search: int = 300
    """Simulations of a decision where the agent itself searches."""
    opponents: tuple[str, ...] = OPPONENTS
    """"policy+search" is the agent with a search, against itself without; "mixed", with three sides
    or more, are different rule-based agents, by turns."""
    out: Path | None = None
    """Folder to write to; runs/evaluate-NAME if not given."""
    replays: Replays = "none"
    """Write a report of each match, with pages of the games worth a look, or of all; results.md
    links them."""
    analyse: str | None = None
    """On these pages, let this trained agent, such as policy:2p, say how well each choice was
    made."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""


@dataclass(frozen=True)
class CalibrateArgs:
    """Find out by games which chance to win an agent's value stands for; kept beside the agent.

    It plays every other game against itself, and in those between one of the opponents has all
    other sides. Half of the games are fitted to, the others show how good that is.
    """

    agent: str
    """A trained agent: a shipped name such as 2p, or a path; or a search, such as ismcts:300 or
    policy+search:2p:300. A checkpoint is written anew."""
    players: int | None = None
    """Of a search without a network, which can play with any number; two if not given."""
    team_size: int | None = None
    """Of such a search: players per team, if they play in teams."""
    games: int = 4000
    """How many, each of a deal of its own."""
    seed: int = 0
    """Of the deals and the agents."""
    opponents: tuple[str, ...] = RULE_BASED
    """Who plays against it, by turns."""


@dataclass(frozen=True)
class WeaknessesArgs:
    """Find out where a trained agent gives its chances away, from games against an opponent.

    Its own network tries every legal action of each of its decisions, in the same drawn worlds;
    three games that it lost are told by the decision that cost most of those that a search does not
    choose either. `impulse agents model-card` puts it on the card.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    opponent: str = "warrior"
    """Who plays all other sides."""
    games: int = 60
    """How many are played and analysed; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    out: Path | None = None
    """Folder to write to; runs/weaknesses-NAME if not given."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""


@dataclass(frozen=True)
class ModelCardArgs:
    """Write a trained agent's card beside its file: training, results, known weaknesses.

    An agent that is not calibrated yet is, see `impulse agents calibrate`.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    results: Path | None = None
    """Folder of `impulse evaluate`; runs/evaluate-NAME if not given. If there is none, the results
    on the card stay, provided that they are of the same weights."""
    run: tuple[Path, ...] = ()
    """Folder of the training, or its curve.csv; of several legs all of them, the first one first,
    such as agents/recipes/2p/*.csv. Without it the curve stays as it is."""
    lost_games: Path | None = None
    """Folder of `impulse agents weaknesses`; runs/weaknesses-NAME if not given. If there is none,
    what the card says stays, provided that it is of the same weights."""
    weaknesses: str | None = None
    """Text on what it plays badly; what the card says already if not given."""
    weaknesses_file: Path | None = None
    """File with that text."""


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
