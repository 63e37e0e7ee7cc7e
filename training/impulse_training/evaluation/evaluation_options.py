"""Options of the commands that measure agents and write model cards."""

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
    """Measure a trained agent against a panel of opponents, at its own table size.

    In each match the agent plays alone: with more than two sides, the opponent plays all other
    sides. Every deal is played from every side. The folder stores finished games, and the same
    command plays the missing ones.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    games: int = 2000
    """Games per match, rounded up to whole deals."""
    seed: int = 0
    """Random seed for the deals and the agents."""
    search: int = 300
    """Simulations per decision when the agent searches."""
    opponents: tuple[str, ...] = OPPONENTS
    """Opponents. "policy+search" matches the agent with search against itself without; "mixed", for
    three or more sides, alternates the rule-based agents."""
    out: Path | None = None
    """Folder to write to; runs/evaluate-NAME by default."""
    replays: Replays = "none"
    """Write a report per match with replay pages of notable games or of all games; results.md links
    them."""
    analyse: str | None = None
    """Let this trained agent, such as policy:2p, rate every choice on the replay pages."""
    workers: int | None = None
    """Number of processes; one per core by default."""


@dataclass(frozen=True)
class CalibrateArgs:
    """Fit the map from an agent's values to win probabilities, and save it with the agent.

    The agent plays every second game against itself. In the other games one opponent plays all
    other sides. Half of the games are for the fit; the other half measures its error.
    """

    agent: str
    """A trained agent by shipped name such as 2p or by path; or a search, such as ismcts:300 or
    policy+search:2p:300. The command rewrites a checkpoint."""
    players: int | None = None
    """For a search without a network: players of a game, 2 by default."""
    team_size: int | None = None
    """For a search without a network: players per team."""
    games: int = 4000
    """Number of games, each with a different deal."""
    seed: int = 0
    """Random seed for the deals and the agents."""
    opponents: tuple[str, ...] = RULE_BASED
    """Opponents, which alternate."""


@dataclass(frozen=True)
class WeaknessesArgs:
    """Find the decisions that cost a trained agent games against an opponent.

    The agent's network tries every legal action of each decision in the same determinizations.
    Three lost games become examples, each with the costliest decision that a search would not
    choose either. `impulse agents model-card` adds the result to the card.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    opponent: str = "warrior"
    """Agent on all other sides."""
    games: int = 60
    """Games to play and analyse, rounded up to whole deals."""
    seed: int = 0
    """Random seed for the deals and the agents."""
    out: Path | None = None
    """Folder to write to; runs/weaknesses-NAME by default."""
    workers: int | None = None
    """Number of processes; one per core by default."""


@dataclass(frozen=True)
class ModelCardArgs:
    """Write a trained agent's model card next to its file: training, results, known weaknesses.

    This also calibrates an agent that is not calibrated yet, see `impulse agents calibrate`.
    """

    checkpoint: str
    """The trained agent: a shipped name such as 2p, or a path."""
    results: Path | None = None
    """Folder of `impulse evaluate`; runs/evaluate-NAME by default. Without this folder, the card
    keeps its results if they are for the same weights."""
    run: tuple[Path, ...] = ()
    """Folder of the training run, or its curve.csv; for several stages all of them in order, such
    as agents/recipes/2p/*.csv. By default the card keeps its curve."""
    lost_games: Path | None = None
    """Folder of `impulse agents weaknesses`; runs/weaknesses-NAME by default. Without this folder,
    the card keeps its examples if they are for the same weights."""
    weaknesses: str | None = None
    """Text about known weaknesses; by default the card keeps its text."""
    weaknesses_file: Path | None = None
    """File with the text about known weaknesses."""


@dataclass(frozen=True)
class AblationArgs:
    """Train with several settings, with equal decisions and seeds, and compare the results."""

    arms: tuple[str, ...] = tuple(f"network={kind}" for kind in KINDS)
    """Settings to compare, each as options of `impulse train`: name=value,name=value."""
    shared: str = ""
    """Options of all runs, in the same form."""
    warm_start: str | None = None
    """Checkpoint that all runs start from (path or name)."""
    response: int = 0
    """Decisions of a best response to each result, which starts from that; 0 for none."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Random seeds; one training run each."""
    players: int = 2
    """Players of a game, 2 to 6."""
    timesteps: int = 1_000_000
    """Decisions of the learner per training run."""
    games: int = 400
    """Games per evaluation against each opponent, and against the first arm and the response."""
    threads: int = TrainArgs.threads
    """PyTorch threads; more than one is much slower on a busy machine."""
    out: Path = Path("runs/ablation")
    """Folder to write to."""


@dataclass(frozen=True)
class BestResponseArgs:
    """Train a best response against each target and report its win rate.

    A coalition is one policy on all seats but the target's; its report is what the target still
    wins. The same command continues after an interruption, also in the games with search.
    """

    targets: tuple[str, ...]
    """Agents, or checkpoints by name or path."""
    players: int = 2
    """Players of a game; the target plays all other seats."""
    team_size: int | None = None
    """Players per team; the target plays all seats of the other teams."""
    timesteps: int = 2_000_000
    """Decisions of the learner per best response; 0, with --search, trains nothing."""
    coalition: bool = False
    """Train one policy for all seats but the target's, paid whenever the target does not win. It
    needs three players or more, without teams."""
    search: tuple[str, ...] = ()
    """Also measure the best response with these searches: simulations per decision, such as 100, or
    seconds, such as 0.05s."""
    warm_start: str | None = None
    """Checkpoint to start every best response from (path or name). Without training it is the
    network that searches, by default the target's own."""
    learning_rate: float = TrainArgs.learning_rate
    """Adam's learning rate; use less for a strong warm start."""
    final_learning_rate: float | None = None
    """Learning rate at the end; a tenth of the first by default."""
    minibatch_size: int = 2048
    """Decisions per minibatch."""
    num_envs: int = 512
    """Decisions per step."""
    rollout_steps: int = TrainArgs.rollout_steps
    """Steps per update."""
    gamma: float = TrainArgs.gamma
    """Discount factor per decision; a game has about 80 decisions."""
    gae_lambda: float = TrainArgs.gae_lambda
    """GAE's lambda, the bias-variance trade-off of advantages, from 0 to 1."""
    ent_coef: float = TrainArgs.ent_coef
    """Weight of the entropy bonus."""
    device: str = TrainArgs.device
    """PyTorch device of the learner and of trained opponents: cpu, cuda, …"""
    threads: int = TrainArgs.threads
    """PyTorch threads; more than one is much slower on a busy machine."""
    bfloat16: bool = TrainArgs.bfloat16
    """Multiply in bfloat16 where the hardware supports it: faster, less exact."""
    seed: int = 1
    """Random seed for the training run."""
    games: int = 2000
    """Games of the final measurement, and of that with each search."""
    workers: int | None = None
    """Number of processes for the games with search; one per core by default."""
    points: int = 8
    """Number of measurements during training."""
    out: Path = Path("runs/exploit")
    """Folder to write to."""


@dataclass(frozen=True)
class SearchTrialsArgs:
    """Test other settings of a search against the current ones with a sequential test."""

    candidates: tuple[str, ...]
    """Candidates: settings such as exploration=2 or value_weight=1,turns=3, or another search with
    its simulations, such as ismcts:300, and settings after commas."""
    agent: str = "policy+search:2p:100"
    """The reference search, and settings after commas."""
    equal: Literal["time", "simulations"] = "time"
    """Equalize the time per decision, or use the stated simulations."""
    players: int = 2
    """Players of a game; the candidate plays one seat, the reference all others."""
    difference: float = 0.05
    """Win rate above par that a better candidate must reach."""
    alpha: float = 0.05
    """Rate of false positives: a candidate that is not better passes."""
    beta: float = 0.05
    """Rate of false negatives: a better candidate fails."""
    games: int = 2000
    """Maximum number of games per candidate."""
    seed: int = 0
    """Random seed for the deals and the searches."""
