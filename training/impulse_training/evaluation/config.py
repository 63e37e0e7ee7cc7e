"""Options of the commands that measure a trained agent and write its card."""

from dataclasses import dataclass
from pathlib import Path

from impulse_agents.registry import RULE_BASED
from impulse_training.evaluation.suite import OPPONENTS
from impulse_training.report.config import Replays


@dataclass(frozen=True)
class MatchArgs:
    """Play agents against each other: every deal once from every seat."""

    agents: tuple[str, ...]
    """One for each side; or two, of which the second plays all other sides."""
    players: int = 2
    """Players of a game, 2 to 6."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1000
    """How many, or how many at most; rounded up to whole deals."""
    seed: int = 0
    """Of the deals and the agents."""
    adjust: str | None = None
    """Also take the luck out of the results, which need fewer games then, as judged by this: rules,
    or a trained agent such as policy:2p."""
    difference: float | None = None
    """Stop as soon as a sequential test has decided whether the first agent wins as often as par
    or by so much more often, such as 0.05; less than 0: less often."""
    equivalence: float | None = None
    """Also say whether the first agent is so near to par, such as 0.02, too near to tell, or
    not."""
    alpha: float = 0.05
    """How often a difference may be found where there is none, or likeness where there is none."""
    beta: float = 0.05
    """How often a difference may be missed."""
    time_limit: float | None = None
    """Seconds that an agent may take for a decision; who takes longer fails. Agents then decide in
    a process of their own, in one game at a time."""
    game_time_limit: float | None = None
    """Seconds that a seat may take for all of its decisions in a game."""
    memory_limit: float | None = None
    """GiB that agents may take beside what they have when they are made; on Linux alone."""


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
class FitLuckArgs:
    """Find out by games how much of the luck that a judge sees to take out of results.

    `impulse match --adjust` and `impulse tournament --adjust` use what was found. Results are right
    on average with any factors that were there before the games; with fitted ones fewer games are
    enough.
    """

    judge: str
    """Who sees the luck: rules, or a calibrated agent, a shipped name such as 2p or a path. Its
    checkpoint is written anew."""
    players: int | None = None
    """With rules: players of a game, two if not given."""
    team_size: int | None = None
    """With rules: players per team."""
    games: int = 4000
    """How many, each of a deal of its own; half of them are fitted to."""
    seed: int = 0
    """Of the deals and the agents."""
    agents: tuple[str, ...] = RULE_BASED
    """Who plays, drawn for each side, beside the judge itself if that plays."""


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
