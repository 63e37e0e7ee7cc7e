"""Write a checkpoint's model card: its training, its results, its known weaknesses.

`impulse agents model-card 2p --run agents/recipes/2p/*.csv` writes ``2p.md`` beside
``2p.safetensors``. It writes the results as ``2p.json``, the calibration as ``2p.calibration.csv``
and ``2p.calibration.png``, and the learning curve of its stages as ``2p.curve.csv`` and
``2p.curve.png``.
When the card is rewritten, the text under "Known weaknesses" stays, and so do results of the same
weights.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import torch

from impulse_agents import checkpoints
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.checkpoint import write_config
from impulse_agents.network.weights_file import weights_digest
from impulse_agents.playing.decision_speed import decision_seconds
from impulse_env.errors import ImpulseError
from impulse_env.files import check_output, sha256_of, write_atomically
from impulse_env.options import Options
from impulse_training.evaluation import weaknesses_report
from impulse_training.evaluation.calibration import reliability
from impulse_training.evaluation.calibration.calibration_report import CalibrationReport
from impulse_training.evaluation.calibration.fitting import calibrate
from impulse_training.evaluation.calibration.positions import options_of
from impulse_training.evaluation.evaluation_options import ModelCardArgs
from impulse_training.evaluation.model_card.card_training import (
    is_by_self_play,
    leg_table,
    opponents_met,
    stages,
    training_rows,
)
from impulse_training.evaluation.model_card.front_matter import front_matter
from impulse_training.evaluation.results import (
    Evaluation,
    EvaluationError,
    default_folder,
    name_of,
)
from impulse_training.evaluation.suite import MIXED
from impulse_training.evaluation.weaknesses_report import Weaknesses, WeaknessesError
from impulse_training.run import learning_curve

RESULTS: Final = "## Results\n"
CALIBRATION: Final = "## Calibration\n"
LOST: Final = "## Where it gives its chances away\n"
WEAKNESSES: Final = "## Known weaknesses\n"
"""The last heading; a person writes the text below it."""
_GAMES_AT_ONCE: Final = 256
"""Games in which an agent's speed is measured."""


class CardError(ImpulseError, ValueError):
    """A card cannot be written with these arguments; the message says why."""


def write(args: ModelCardArgs) -> Path:
    """Write the card and return its path; calibrate the agent first if it is not calibrated.

    Raises:
        AgentError: The checkpoint does not exist or cannot be read.
        CalibrationError: Too few of its games have a winner.
        EvaluationError: The results cannot be read, or belong to other weights.
        CurveError: A run has no learning curve.
        WeaknessesError: The lost games cannot be read, or belong to another agent.
        CardError: The options give the text on weaknesses twice.
    """
    path = path_of(args.checkpoint)
    agent = PolicyAgent.load(path)
    card = path.with_suffix(".md")
    check_output("CHECKPOINT", card)
    # Read before anything is written: the old card may hold the only copy.
    before = card.read_text(encoding="utf-8") if card.exists() else ""
    weaknesses = _weaknesses(args, before)
    evaluation = _evaluation(args, agent, path, before)
    results = _section(before, RESULTS)
    if evaluation is not None:
        results = f"{evaluation.section()}{_never_met(agent, evaluation)}"
    lost = _lost_games(args, agent, path, before)
    points = learning_curve.joined([_curve_of(run) for run in _in_order(args.run)])
    report = CalibrationReport.of(agent)
    if report is None:
        report = calibrate(agent)
        write_config(path, agent.config)
    reliability.write(report, path)
    if points:
        learning_curve.write(path.with_suffix(".curve.csv"), points)
        learning_curve.draw(path.with_suffix(".curve.png"), points, name_of(args.checkpoint))
    given = _given(args.checkpoint, path)
    sections = (
        front_matter(
            name_of(args.checkpoint),
            options_of(agent),
            _won(path) if evaluation is None else _shares(evaluation),
        ),
        _head(agent, args.checkpoint, given, path),
        f"{RESULTS}\n{results}\n",
        f"{CALIBRATION}\n" + reliability.section(report, path, given, agent.has_score_reward),
        *([f"{LOST}\n{lost}\n"] if lost else []),
        f"{WEAKNESSES}\n{weaknesses}\n",
    )
    write_atomically(card, "\n".join(sections))
    if evaluation is not None:
        _write_short(agent, path, evaluation)
    return card


def _in_order(runs: Sequence[Path]) -> list[Path]:
    """Sort curve files by number, because a shell sorts 10 before 2; leave folders in order."""
    folders = list(dict.fromkeys(run.parent for run in runs))
    if not all(run.stem.isdecimal() for run in runs):
        return list(runs)
    return sorted(runs, key=lambda run: (folders.index(run.parent), int(run.stem)))


def _curve_of(run: Path) -> list[learning_curve.Point]:
    """Return the learning curve of a run's folder, or of a file."""
    return learning_curve.read(run / "curve.csv" if run.is_dir() else run)


def _evaluation(
    args: ModelCardArgs, agent: PolicyAgent, path: Path, before: str
) -> Evaluation | None:
    """Return the results on disk; None if the card keeps its own."""
    folder = args.results or default_folder(args.checkpoint)
    weights = weights_digest(agent.network.state_dict())
    is_same = weights in before or sha256_of(path) in before
    if args.results is None and not folder.exists() and is_same and _section(before, RESULTS):
        return None
    evaluation = Evaluation.read(folder)
    if evaluation.weights != weights:
        raise EvaluationError(
            f"these results belong to another agent, {evaluation.checkpoint}, whose weights have "
            f"SHA-256 {evaluation.weights[:8]}…; the weights of {path} have {weights[:8]}…"
        )
    return evaluation


def _write_short(agent: PolicyAgent, path: Path, evaluation: Evaluation) -> None:
    """Write the entry of `impulse agents`: the bare policy's results and its decision speed."""
    torch.set_num_threads(1)
    seconds = decision_seconds(agent, Options(evaluation.players), _GAMES_AT_ONCE)
    short = {
        "agent": f"policy:{path.stem}",
        "players": evaluation.players,
        "won": _shares(evaluation),
        "decisions_per_second": round(1 / seconds),
    }
    # The first command measured the results, the second the speed.
    commands = [evaluation.command, f"impulse agents model-card {path.stem}"]
    answers = {"commands": commands, "card": short}
    text = json.dumps(answers, indent=1) + "\n"
    write_atomically(path.with_suffix(".json"), text)


def _lost_games(args: ModelCardArgs, agent: PolicyAgent, path: Path, before: str) -> str:
    """Return the section on lost games, or an empty text; copy its pictures next to the card."""
    folder = args.lost_games or weaknesses_report.default_folder(args.checkpoint)
    weights = agent.weights_digest()
    if args.lost_games is None and not folder.exists():
        return _section(before, LOST) if weights in before else ""
    found = Weaknesses.read(folder)
    if found.weights != weights:
        raise WeaknessesError(
            f"{folder} holds the weaknesses of another agent, whose weights have SHA-256 "
            f"{found.weights[:8]}…; the weights of {path} have {weights[:8]}…"
        )
    pictures = []
    for number, example in enumerate(found.examples, 1):
        picture = path.with_suffix(f".lost-{number}.svg")
        write_atomically(picture, (folder / example.picture).read_bytes())
        pictures.append(picture.name)
    return found.section(pictures)


def _never_met(agent: PolicyAgent, evaluation: Evaluation) -> str:
    """Return a sentence that names the opponents of its training, and those it never met."""
    met = opponents_met(agent.config)
    if met is None:
        return ""
    others = dict.fromkeys(
        row.opponent
        for row in evaluation.rows
        if row.agent.startswith("policy:") and row.opponent != MIXED
    )
    new = [f"`{name}`" for name in others if name not in met]
    known = ", ".join(f"`{name}`" for name in sorted(met))
    never = f", but never against {', '.join(new)}" if new else ""
    itself = "itself, its snapshots and " if is_by_self_play(agent.config) else ""
    return f" Training opponents: {itself}{known}{never}."


def _shares(evaluation: Evaluation) -> dict[str, float]:
    """Return the win rates of the bare policy in per cent, by opponent."""
    return {
        row.opponent: round(100 * row.won.share, 1)
        for row in evaluation.rows
        if row.agent.startswith("policy:") and row.won.share is not None
    }


def _won(path: Path) -> dict[str, float]:
    """Return the win rates that were written with the current results."""
    short = path.with_suffix(".json")
    if not short.is_file():
        return {}
    won: dict[str, float] = json.loads(short.read_text(encoding="utf-8"))["card"]["won"]
    return won


def _weaknesses(args: ModelCardArgs, before: str) -> str:
    """Return the text from the options or, without one, from the current card."""
    if args.weaknesses is not None and args.weaknesses_file is not None:
        raise CardError("give --weaknesses or --weaknesses-file, not both")
    if args.weaknesses is not None:
        return args.weaknesses.strip()
    if args.weaknesses_file is not None:
        return args.weaknesses_file.read_text(encoding="utf-8").strip()
    return before.partition(f"\n{WEAKNESSES}")[2].strip() or "None recorded yet."


def _section(card: str, heading: str) -> str:
    """Return the text of a card between a heading and the next one; empty without it."""
    return card.partition(f"\n{heading}")[2].partition("\n## ")[0].strip()


def _given(checkpoint: str, path: Path) -> str:
    """Return the name or path by which a command plays the agent of a card."""
    is_shipped = path.resolve().parent == checkpoints.FOLDER.resolve()
    return path.stem if is_shipped else checkpoint


def _head(agent: PolicyAgent, checkpoint: str, given: str, path: Path) -> str:
    """Return the card up to the results."""
    config = agent.config
    table = options_of(agent)
    teams = "" if table.team_size is None else f" in teams of {table.team_size}"
    parameters = sum(weights.numel() for weights in agent.network.parameters())
    rows = [
        ("File", f"`{path.name}`, {path.stat().st_size / 1e6:.2f} MB"),
        ("SHA-256", f"`{sha256_of(path)}`"),
        ("SHA-256 of the weights", f"`{weights_digest(agent.network.state_dict())}`"),
        ("Network", f"{parameters:,} weights: `{json.dumps(config['network'])}`"),
        *training_rows(config),
    ]
    lines = "".join(f"| {name} | {value.replace('|', chr(92) + '|')} |\n" for name, value in rows)
    return (
        f"# {name_of(checkpoint)}\n\n"
        f"A trained agent for {table.players} players{teams}: `policy:{given}` plays the network's "
        f"policy, `policy+search:{given}:300` adds a search. Written by "
        "`impulse agents model-card`.\n\n"
        f"## Training\n\n| | |\n| --- | --- |\n{lines}\n{leg_table(config)}{stages(config)}"
        f"{_curve(path)}"
    ).rstrip("\n") + "\n"


def _curve(path: Path) -> str:
    """Return the link to the picture of the learning curve, if there is one."""
    picture = path.with_suffix(".curve.png")
    if not picture.exists():
        return ""
    numbers = path.with_suffix(".curve.csv").name
    return f"![Learning curve]({picture.name})\n\nData: `{numbers}`.\n\n"
