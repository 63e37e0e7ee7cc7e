"""The table of subcommands; a subcommand's modules are imported when it is called, not before."""

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

_ENV: Final = "impulse_env"
_AGENTS: Final = "impulse_agents"
_TRAINING: Final = "impulse_training"


@dataclass(frozen=True)
class Command:
    """A subcommand.

    Attributes:
        name: What is typed after `impulse`.
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


def load(reference: str) -> Any:
    """Return what a ``module:name`` stands for."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


GROUPS: Final[dict[str, tuple[Command, ...]]] = {
    "Play and watch": (
        Command(
            "play",
            "play in the browser against agents or people; --terminal: in the terminal",
            f"{_AGENTS}.play:Args",
            f"{_AGENTS}.play:main",
            (
                "impulse play",
                "impulse play --terminal --opponents policy:2p",
                "impulse play --agents my_agent.py:Best",
            ),
        ),
        Command(
            "replay",
            "step through a recorded game, or write it as a page",
            f"{_AGENTS}.advice.replay:Args",
            f"{_AGENTS}.advice.replay:main",
            (
                "impulse replay game.jsonl",
                "impulse replay game.jsonl --html game.html",
                "impulse replay game.jsonl --analyse policy:2p",
            ),
        ),
        Command(
            "record",
            "write records of games between agents",
            f"{_TRAINING}.rollout.record_games:Args",
            f"{_TRAINING}.rollout.record_games:main",
            (
                "impulse record greedy policy:2p --games 10 --out runs/games",
                "impulse record random --players 4 --seed 7",
            ),
            has_json=True,
        ),
        Command(
            "export",
            "turn games into pictures, text, positions, pages, tables, or data to share",
            f"{_TRAINING}.export.config:ExportArgs",
            f"{_TRAINING}.export.command:main",
            (
                "impulse export game.jsonl --out game.png --turn 20 --viewer 0",
                "impulse export --players 6 --seed 8 --turn 40 --out board.svg",
                "impulse export runs/games --out tables",
                "impulse export --format parquet --agents policy:4p --players 4 --games 10000 "
                "--out data/4p",
            ),
            has_json=True,
        ),
        Command(
            "explore",
            "explore openings: what was chosen first in many games, how often, and who won",
            f"{_TRAINING}.explore.config:ExploreArgs",
            f"{_TRAINING}.explore.command:main",
            (
                "impulse explore runs/games",
                "impulse explore runs/t1 --html openings.html --replays 3",
                "impulse explore runs/games --agent policy:2p --judge rules",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "analyse",
            "what a search finds at a decision of a game",
            f"{_AGENTS}.advice.analyse:Args",
            f"{_AGENTS}.advice.analyse:main",
            ("impulse analyse ismcts:1000 --seed 3 --decision 60",),
            has_json=True,
        ),
        Command(
            "annotate",
            "write into a record what agents think of its decisions",
            f"{_AGENTS}.advice.annotate:Args",
            f"{_AGENTS}.advice.annotate:main",
            ("impulse annotate game.jsonl --by ismcts:300",),
            has_json=True,
        ),
    ),
    "Compare agents": (
        Command(
            "agents",
            "list the agents, with their strength and speed",
            f"{_TRAINING}.report.config:AgentsArgs",
            f"{_TRAINING}.report.agents:main",
            ("impulse agents", "impulse agents --json"),
            has_json=True,
        ),
        Command(
            "match",
            "play agents against each other: win rates with intervals",
            f"{_TRAINING}.evaluation.config:MatchArgs",
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
            f"{_TRAINING}.report.config:TournamentArgs",
            f"{_TRAINING}.report.command:main",
            (
                "impulse tournament --agents greedy core_rush random --games 600 --out runs/t1",
                "impulse tournament --replay 3 --out runs/t1",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "standings",
            "show how strong all agents are, or place one of your own among them",
            f"{_TRAINING}.standings.config:StandingsArgs",
            f"{_TRAINING}.standings.command:main",
            (
                "impulse standings",
                "impulse standings my_agent.py:Best --players 4",
                "impulse standings --all",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "report",
            "make a tournament's tables and page again from its games",
            f"{_TRAINING}.report.config:ReportArgs",
            f"{_TRAINING}.report.page:main",
            ("impulse report runs/t1",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "evaluate",
            "measure a trained agent against every kind of opponent",
            f"{_TRAINING}.evaluation.config:EvaluateArgs",
            f"{_TRAINING}.evaluation.evaluate:main",
            ("impulse evaluate 2p --games 2000", "impulse evaluate runs/demo"),
            has_json=True,
            extra="train",
        ),
        Command(
            "calibrate",
            "find out by games which chance to win a trained agent's value stands for",
            f"{_TRAINING}.evaluation.config:CalibrateArgs",
            f"{_TRAINING}.evaluation.calibrate:main",
            ("impulse calibrate 2p", "impulse calibrate runs/demo --games 1000"),
            has_json=True,
            extra="train",
        ),
        Command(
            "fit-luck",
            "find out by games how much of the luck that a judge sees to take out of results",
            f"{_TRAINING}.evaluation.config:FitLuckArgs",
            f"{_TRAINING}.evaluation.fit_luck:main",
            ("impulse fit-luck rules --players 3", "impulse fit-luck 2p"),
            has_json=True,
            extra="train",
        ),
        Command(
            "weaknesses",
            "find out where a trained agent gives its chances away, from games that it lost",
            f"{_TRAINING}.evaluation.config:WeaknessesArgs",
            f"{_TRAINING}.evaluation.weaknesses:main",
            ("impulse weaknesses 2p --opponent warrior",),
            has_json=True,
            extra="train",
        ),
        Command(
            "model-card",
            "write a trained agent's card: how it was made, what it can do",
            f"{_TRAINING}.evaluation.config:ModelCardArgs",
            f"{_TRAINING}.evaluation.model_card:main",
            ("impulse model-card 2p --run runs/2p",),
            has_json=True,
            extra="train",
        ),
    ),
    "Train": (
        Command(
            "train",
            "train an agent by self-play",
            f"{_TRAINING}.selfplay.config:Args",
            f"{_TRAINING}.recipes.run:main",
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
            "train-rllib",
            "train by self-play with RLlib, on this machine or on a Ray cluster",
            f"{_TRAINING}.rllib.config:Args",
            f"{_TRAINING}.rllib.train:main",
            (
                "impulse train-rllib --minutes 2",
                "impulse train-rllib --address auto --env-runners 64 --timesteps 50000000",
            ),
            has_json=True,
            extra="ray",
        ),
        Command(
            "imitate",
            "fit a network to what a teacher does (behaviour cloning, DAgger)",
            f"{_TRAINING}.imitation.config:Args",
            f"{_TRAINING}.imitation.behavior_cloning:main",
            ("impulse imitate --teacher ismcts:300 --decisions 500000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "distill",
            "fit a network to what a trained agent plays",
            f"{_TRAINING}.imitation.config:DistillArgs",
            f"{_TRAINING}.imitation.distillation:main",
            ("impulse distill --teacher 5p --bfloat16",),
            has_json=True,
            extra="train",
        ),
        Command(
            "best-response",
            "how beatable: train a best response to an agent",
            f"{_TRAINING}.experiments.config:BestResponseArgs",
            f"{_TRAINING}.experiments.best_response:main",
            ("impulse best-response 2p warrior --timesteps 2000000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "migrate",
            "carry a trained agent over a change of the observation",
            f"{_TRAINING}.run.config:MigrateArgs",
            f"{_TRAINING}.run.migrate:main",
            (
                "impulse migrate runs/old/policy.safetensors --out new.safetensors",
                "impulse migrate old.safetensors --removed gems=count:20",
            ),
            has_json=True,
            extra="train",
        ),
        Command(
            "ablation",
            "which network learns faster, from the same steps and seeds",
            f"{_TRAINING}.experiments.config:AblationArgs",
            f"{_TRAINING}.experiments.ablation:main",
            ("impulse ablation --timesteps 1000000",),
            has_json=True,
            extra="train",
        ),
        Command(
            "search-trials",
            "try other settings of a search against the search as it is, by a sequential test",
            f"{_TRAINING}.experiments.config:SearchTrialsArgs",
            f"{_TRAINING}.experiments.search_trials:main",
            (
                "impulse search-trials exploration=0.5 exploration=2 --equal simulations",
                "impulse search-trials value_weight=1 --agent policy+search:2p:300",
                "impulse search-trials policy+search:2p:300 --agent ismcts:1000",
            ),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "fit-evaluation",
            "fit what the rule-based agents and the search think of a position",
            f"{_TRAINING}.experiments.config:FitEvaluationArgs",
            f"{_TRAINING}.experiments.fit_evaluation:main",
            ("impulse fit-evaluation --games 4000",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "demo",
            "the whole project in a few minutes: a game, a training, a tournament",
            f"{_TRAINING}.experiments.config:DemoArgs",
            f"{_TRAINING}.experiments.demo:main",
            ("impulse demo --minutes 3",),
            has_json=True,
            extra="train",
        ),
    ),
    "This machine": (
        Command(
            "info",
            "versions, cache, hardware, and what is installed",
            f"{_TRAINING}.bench.config:InfoArgs",
            f"{_TRAINING}.bench.info:main",
            ("impulse info",),
            has_json=True,
        ),
        Command(
            "warmup",
            "compile everything now, so that nothing waits later",
            f"{_TRAINING}.bench.config:WarmupArgs",
            f"{_TRAINING}.bench.warmup:main",
            ("impulse warmup",),
            has_json=True,
        ),
        Command(
            "bench",
            "measure the environment's speed, with --peers beside other libraries",
            f"{_TRAINING}.bench.config:EnvironmentArgs",
            f"{_TRAINING}.bench.environment:main",
            ("impulse bench --no-cold", "impulse bench --peers"),
            has_json=True,
        ),
        Command(
            "bench-agents",
            "measure how fast the agents decide",
            f"{_TRAINING}.bench.config:AgentsArgs",
            f"{_TRAINING}.bench.agents:main",
            ("impulse bench-agents",),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "bench-training",
            "measure what the games cost a training",
            f"{_TRAINING}.bench.config:TrainingArgs",
            f"{_TRAINING}.bench.training:main",
            ("impulse bench-training --num-envs 2048 8192",),
            has_json=True,
            extra="train",
        ),
        Command(
            "complexity",
            "measure what makes the game hard: length, choices, hidden cards, chance",
            f"{_TRAINING}.bench.config:ComplexityArgs",
            f"{_TRAINING}.bench.complexity:main",
            ("impulse complexity", "impulse complexity --agent policy:2p --players 2"),
            has_json=True,
            extra="tournament",
        ),
        Command(
            "soak",
            "play random games of all settings, every record checked after every decision",
            f"{_TRAINING}.bench.config:SoakArgs",
            f"{_TRAINING}.bench.soak:main",
            ("impulse soak", "impulse soak --decisions 1000000 --workers 1"),
            has_json=True,
        ),
        Command(
            "signature",
            "print a fingerprint of how the game plays",
            f"{_ENV}.testing.signature:Args",
            f"{_ENV}.testing.signature:main",
            ("impulse signature",),
            has_json=True,
        ),
        Command(
            "golden",
            "rewrite the golden games and drawings that tests compare with",
            f"{_ENV}.testing.golden:Args",
            f"{_ENV}.testing.golden:main",
            ("impulse golden --games tests/env/testing/playthroughs",),
        ),
        Command(
            "completion",
            "print a script that completes commands and options in a shell",
            f"{_TRAINING}.cli.completion:Args",
            f"{_TRAINING}.cli.completion:main",
            ('eval "$(impulse completion --shell bash)"',),
        ),
    ),
}
"""The subcommands by what a person wants."""

COMMANDS: Final = {command.name: command for group in GROUPS.values() for command in group}
