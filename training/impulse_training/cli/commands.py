"""The tree of commands: a dozen words at the top, everything else below one of them.

A word at the top may be a command with more below it, as `git stash` is: `impulse train` and
`impulse train rllib`. What a command needs is imported when it is called, not before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final

_AGENTS: Final = "impulse_agents"
_TABLE: Final = "impulse_table"
_TRAINING: Final = "impulse_training"
_CLI: Final = f"{_TRAINING}.cli"


@dataclass(frozen=True)
class Command:
    """A command.

    Attributes:
        name: What is typed after `impulse`: a word, or two for a command below the first.
        summary: What it does, in a line.
        options: ``module:Class`` of the dataclass whose fields are its options; importing it
            needs no extra.
        run: ``module:function`` that takes the options. What it prints is for people; what it
            returns, if anything, is what `--json` prints.
        examples: Command lines that are worth typing.
        has_json: Whether it takes `--json`.
        extra: The extra that brings all it needs; None if what it needs depends on the options.
        defaults: ``module:function`` that takes the options and returns what those that are left
            out are instead of their defaults, None if they are as by default.
    """

    name: str
    summary: str
    options: str
    run: str
    examples: tuple[str, ...] = ()
    has_json: bool = False
    extra: str | None = None
    defaults: str | None = None


@dataclass(frozen=True)
class Group:
    """A word at the top that is no command itself.

    Attributes:
        name: The word.
        summary: What the commands below it have in common.
    """

    name: str
    summary: str


def load(reference: str) -> Any:
    """Return what a ``module:name`` stands for."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


TREE: Final[dict[str, tuple[Command | Group, ...]]] = {
    "Play and watch": (
        Command(
            "play",
            "play against agents or people, in the browser or with --terminal",
            f"{_TABLE}.play:Args",
            f"{_TABLE}.play:main",
            (
                "impulse play",
                "impulse play --terminal --opponents policy:2p",
                "impulse play --agents my_agent.py:Best",
            ),
        ),
        Command(
            "replay",
            "step through a recorded game, or write it as a page",
            f"{_CLI}.replay:Args",
            f"{_CLI}.replay:main",
            (
                "impulse replay game.jsonl",
                "impulse replay game.jsonl --html game.html",
                "impulse replay game.jsonl --analyse policy:2p",
            ),
        ),
        Group("games", "record and examine games"),
        Command(
            "games record",
            "write records of games between agents",
            f"{_TRAINING}.rollout.record_games:Args",
            f"{_TRAINING}.rollout.record_games:main",
            (
                "impulse games record greedy policy:2p --games 10 --out runs/games",
                "impulse games record random --players 4 --seed 7",
            ),
            has_json=True,
        ),
        Command(
            "games explore",
            "explore openings: what was chosen first in many games, how often, and who won",
            f"{_TRAINING}.report.explore.explore_options:ExploreArgs",
            f"{_TRAINING}.report.explore.explore:main",
            (
                "impulse games explore runs/games",
                "impulse games explore runs/t1 --html openings.html --replays 3",
                "impulse games explore runs/games --agent policy:2p --judge rules",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "games analyse",
            "what a search finds at a decision of a game",
            f"{_AGENTS}.advice.analyse:Args",
            f"{_AGENTS}.advice.analyse:main",
            ("impulse games analyse ismcts:1000 --seed 3 --decision 60",),
            has_json=True,
        ),
        Command(
            "games annotate",
            "write into a record what agents think of its decisions",
            f"{_AGENTS}.advice.annotate:Args",
            f"{_AGENTS}.advice.annotate:main",
            ("impulse games annotate game.jsonl --by ismcts:300",),
            has_json=True,
        ),
        Command(
            "games complexity",
            "measure what makes the game hard: length, choices, hidden cards, chance",
            f"{_TRAINING}.bench.bench_options:ComplexityArgs",
            f"{_TRAINING}.bench.complexity:main",
            ("impulse games complexity", "impulse games complexity --agent policy:2p --players 2"),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "export",
            "turn games into pictures, text, positions, pages, tables, or data",
            f"{_TRAINING}.export.export_options:ExportArgs",
            f"{_CLI}.export:main",
            (
                "impulse export game.jsonl --out game.png --turn 20 --viewer 0",
                "impulse export --players 6 --seed 8 --turn 40 --out board.svg",
                "impulse export runs/games --out tables",
                "impulse export --format parquet --agents policy:4p --players 4 --games 10000 "
                "--out data/4p",
            ),
            has_json=True,
        ),
    ),
    "Compare agents": (
        Command(
            "match",
            "play agents against each other: win rates with intervals",
            f"{_TRAINING}.evaluation.evaluation_options:MatchArgs",
            f"{_TRAINING}.evaluation.match:main",
            (
                "impulse match policy:2p greedy --games 2000",
                "impulse match my_agent.py:Best random --players 4",
                "impulse match my_agent.py:Best greedy --difference 0.05 --games 20000",
            ),
            has_json=True,
        ),
        Command(
            "tournament",
            "rate agents: every line-up on every deal from every seat",
            f"{_TRAINING}.report.tournament_options:TournamentArgs",
            f"{_TRAINING}.report.tournament:main",
            (
                "impulse tournament --agents greedy core_rush random --games 600 --out runs/t1",
                "impulse tournament --replay 3 --out runs/t1",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "tournament report",
            "make a tournament's tables and page again from its games",
            f"{_TRAINING}.report.tournament_options:ReportArgs",
            f"{_TRAINING}.report.page:main",
            ("impulse tournament report runs/t1",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "evaluate",
            "measure a trained agent against every kind of opponent",
            f"{_TRAINING}.evaluation.evaluation_options:EvaluateArgs",
            f"{_TRAINING}.evaluation.evaluate:main",
            ("impulse evaluate 2p --games 2000", "impulse evaluate runs/demo"),
            has_json=True,
            extra="train",
        ),
        Command(
            "agents",
            "list the agents",
            f"{_TRAINING}.cli.cli_options:AgentsArgs",
            f"{_TRAINING}.cli.agents:main",
            ("impulse agents", "impulse agents --json"),
            has_json=True,
        ),
        Command(
            "agents standings",
            "show how strong all agents are, or place one of your own among them",
            f"{_TRAINING}.evaluation.standings.standings_options:StandingsArgs",
            f"{_TRAINING}.evaluation.standings.standings:main",
            (
                "impulse agents standings",
                "impulse agents standings my_agent.py:Best --players 4",
                "impulse agents standings --all",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "agents calibrate",
            "find out by games which chance to win a trained agent's value stands for",
            f"{_TRAINING}.evaluation.evaluation_options:CalibrateArgs",
            f"{_TRAINING}.evaluation.calibration.calibrate:main",
            ("impulse agents calibrate 2p", "impulse agents calibrate runs/demo --games 1000"),
            has_json=True,
            extra="train",
        ),
        Command(
            "agents fit-luck",
            "find out by games how much of the luck that a judge sees to take out of results",
            f"{_TRAINING}.evaluation.evaluation_options:FitLuckArgs",
            f"{_TRAINING}.evaluation.calibration.fit_luck:main",
            ("impulse agents fit-luck rules --players 3", "impulse agents fit-luck 2p"),
            has_json=True,
            extra="train",
        ),
        Command(
            "agents weaknesses",
            "find out where a trained agent gives its chances away, from games that it lost",
            f"{_TRAINING}.evaluation.evaluation_options:WeaknessesArgs",
            f"{_TRAINING}.evaluation.weaknesses:main",
            ("impulse agents weaknesses 2p --opponent warrior",),
            has_json=True,
            extra="train",
        ),
        Command(
            "agents search-trials",
            "try other settings of a search against the search as it is, by a sequential test",
            f"{_TRAINING}.evaluation.evaluation_options:SearchTrialsArgs",
            f"{_TRAINING}.evaluation.search_trials:main",
            (
                "impulse agents search-trials exploration=0.5 exploration=2 --equal simulations",
                "impulse agents search-trials value_weight=1 --agent policy+search:2p:300",
                "impulse agents search-trials policy+search:2p:300 --agent ismcts:1000",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "agents migrate",
            "carry a trained agent over a change of the observation",
            f"{_TRAINING}.run.common_options:MigrateArgs",
            f"{_TRAINING}.run.migrate:main",
            (
                "impulse agents migrate runs/old/policy.safetensors --out new.safetensors",
                "impulse agents migrate old.safetensors --removed gems=count:20",
            ),
            has_json=True,
            extra="train",
        ),
        Command(
            "agents model-card",
            "write a trained agent's card: how it was made, what it can do",
            f"{_TRAINING}.evaluation.evaluation_options:ModelCardArgs",
            f"{_TRAINING}.evaluation.model_card.model_card:main",
            ("impulse agents model-card 2p --run runs/2p",),
            has_json=True,
            extra="train",
        ),
    ),
    "Train": (
        Command(
            "train",
            "train an agent by self-play",
            f"{_TRAINING}.selfplay.train_options:Args",
            f"{_CLI}.train:main",
            (
                "impulse train --minutes 10",
                "impulse train --warm-start 2p --players 3 --minutes 60 --out runs/three",
                "impulse train --resume runs/three --minutes 120",
            ),
            has_json=True,
            extra="train",
            defaults=f"{_TRAINING}.selfplay.resume:given_args",
        ),
        Command(
            "train rllib",
            "train by self-play with RLlib, on this machine or on a Ray cluster",
            f"{_TRAINING}.rllib.rllib_options:Args",
            f"{_TRAINING}.rllib.train:main",
            (
                "impulse train rllib --minutes 2",
                "impulse train rllib --address auto --env-runners 64 --timesteps 50000000",
            ),
            has_json=True,
            extra="ray",
        ),
        Command(
            "train imitate",
            "fit a network to what a teacher does (behaviour cloning, DAgger)",
            f"{_TRAINING}.imitation.imitation_options:Args",
            f"{_CLI}.imitate:main",
            ("impulse train imitate --teacher ismcts:300 --decisions 500000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "train distill",
            "fit a network to what a trained agent plays",
            f"{_TRAINING}.imitation.imitation_options:DistillArgs",
            f"{_CLI}.distill:main",
            ("impulse train distill --teacher 5p --bfloat16",),
            has_json=True,
            extra="train",
        ),
        Command(
            "train best-response",
            "how beatable: train a best response to an agent",
            f"{_TRAINING}.evaluation.evaluation_options:BestResponseArgs",
            f"{_TRAINING}.evaluation.best_response:main",
            ("impulse train best-response 2p warrior --timesteps 2000000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "train ablation",
            "which network learns faster, from the same steps and seeds",
            f"{_TRAINING}.evaluation.evaluation_options:AblationArgs",
            f"{_TRAINING}.evaluation.ablation:main",
            ("impulse train ablation --timesteps 1000000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "train fit-evaluation",
            "fit what the rule-based agents and the search think of a position",
            f"{_TRAINING}.evaluation.evaluation_options:FitEvaluationArgs",
            f"{_TRAINING}.evaluation.calibration.fit_evaluation:main",
            ("impulse train fit-evaluation --games 4000",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "demo",
            "the project in a few minutes: a game, a training, a tournament",
            f"{_TRAINING}.cli.cli_options:DemoArgs",
            f"{_TRAINING}.cli.demo:main",
            ("impulse demo --minutes 3",),
            has_json=True,
            extra="train",
        ),
    ),
    "This machine": (
        Command(
            "info",
            "versions, cache, hardware, and what is installed",
            f"{_TRAINING}.cli.cli_options:InfoArgs",
            f"{_TRAINING}.cli.info:main",
            ("impulse info",),
            has_json=True,
        ),
        Command(
            "bench",
            "measure the environment's speed",
            f"{_TRAINING}.bench.bench_options:EnvironmentArgs",
            f"{_TRAINING}.bench.environment:main",
            ("impulse bench --no-cold", "impulse bench --peers"),
            has_json=True,
        ),
        Command(
            "bench agents",
            "measure how fast the agents decide",
            f"{_TRAINING}.bench.bench_options:AgentsArgs",
            f"{_TRAINING}.bench.agents:main",
            ("impulse bench agents",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "bench training",
            "measure what the games cost a training",
            f"{_TRAINING}.bench.bench_options:TrainingArgs",
            f"{_TRAINING}.bench.training:main",
            ("impulse bench training --num-envs 2048 8192",),
            has_json=True,
            extra="train",
        ),
        Group("tools", "set up and check"),
        Command(
            "tools warmup",
            "compile everything now, so that nothing waits later",
            f"{_TRAINING}.cli.cli_options:WarmupArgs",
            f"{_TRAINING}.cli.warmup:main",
            ("impulse tools warmup",),
            has_json=True,
        ),
        Command(
            "tools completion",
            "print a script that completes commands and options in a shell",
            f"{_CLI}.completion:Args",
            f"{_CLI}.completion:main",
            ('eval "$(impulse tools completion --shell bash)"',),
        ),
        Command(
            "tools soak",
            "play random games of all settings, every record checked after every decision",
            f"{_TRAINING}.bench.bench_options:SoakArgs",
            f"{_TRAINING}.bench.soak:main",
            ("impulse tools soak", "impulse tools soak --decisions 1000000 --workers 1"),
            has_json=True,
        ),
        Command(
            "tools signature",
            "print a fingerprint of how the game plays",
            f"{_CLI}.signature:Args",
            f"{_CLI}.signature:main",
            ("impulse tools signature",),
            has_json=True,
        ),
        Command(
            "tools claims",
            "list the numbers of the pages, or measure them again",
            f"{_CLI}.claims:Args",
            f"{_CLI}.claims:main",
            (
                "impulse tools claims",
                "impulse tools claims verify --minutes 30",
                "impulse tools claims verify strength",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "tools golden",
            "rewrite the golden games and drawings that tests compare with",
            f"{_CLI}.golden:Args",
            f"{_CLI}.golden:main",
            ("impulse tools golden --games tests/env/testing/playthroughs",),
        ),
    ),
}
"""The commands and groups by what a person wants, in the order of the help."""

ROWS: Final = {row.name: row for rows in TREE.values() for row in rows}
COMMANDS: Final = {name: row for name, row in ROWS.items() if isinstance(row, Command)}


def find(words: Sequence[str]) -> Command | Group | None:
    """Return what the first two words name, or the first alone, or None."""
    if " " in words[0]:  # two words as one argument
        return None
    return ROWS.get(" ".join(words[:2])) or ROWS.get(words[0])


def below(name: str) -> dict[str, Command]:
    """Return the commands below a word at the top, each by its own word."""
    start = f"{name} "
    return {
        command.name.removeprefix(start): command
        for command in COMMANDS.values()
        if command.name.startswith(start)
    }


def nearest(word: str, at: str = "") -> str:
    """Return ``; did you mean …?`` with the whole name of a command, or nothing.

    Args:
        word: What was typed; for a command below another, its own word is enough.
        at: The word at the top that it was typed after.
    """
    names = {name.rpartition(" ")[2]: name for name in ROWS} | {name: name for name in ROWS}
    names |= {name: command.name for name, command in below(at).items()}
    close = get_close_matches(word, names, n=1)
    return f"; did you mean impulse {names[close[0]]}?" if close else ""
