"""Write a checkpoint's model card: its training, its results, its known weaknesses.

`impulse model-card 2p --run runs/2p` writes ``2p.md`` beside ``2p.pt``, its results as ``2p.json``,
and the learning curve of the run, as ``2p.curve.csv`` and ``2p.curve.png``. What a person wrote
under "Known weaknesses" stays when the card is written again.
"""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from impulse_agents import checkpoints
from impulse_agents.checkpoints import path_of
from impulse_agents.network.agent import PolicyAgent
from impulse_env.errors import ImpulseError
from impulse_env.files import sha256_of, write_atomically
from impulse_training.evaluation.config import ModelCardArgs
from impulse_training.evaluation.decision_speed import decisions_per_second
from impulse_training.evaluation.results import (
    Evaluation,
    EvaluationError,
    default_folder,
    name_of,
)
from impulse_training.run import learning_curve

MISSING: Final = "not recorded"
LIBRARIES: Final = (
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "numpy",
    "numba",
    "impulse_env",
)
WEAKNESSES: Final = "## Known weaknesses\n"
"""The last heading; whatever stands below it is a person's."""


class CardError(ImpulseError, ValueError):
    """A card cannot be written as asked; the message says why."""


def write(args: ModelCardArgs) -> Path:
    """Write the card and return its path.

    Raises:
        AgentError: There is no such checkpoint, or it cannot be read.
        EvaluationError: The results cannot be read, or are those of another file.
        CurveError: The run has no learning curve.
        CardError: The text on weaknesses is given twice.
    """
    path = path_of(args.checkpoint)
    evaluation = Evaluation.read(args.results or default_folder(args.checkpoint))
    if evaluation.sha256 != sha256_of(path):
        raise EvaluationError(
            f"these are the results of another file: {evaluation.checkpoint} with SHA-256 "
            f"{evaluation.sha256[:8]}…; {path} has {sha256_of(path)[:8]}…"
        )
    card = path.with_suffix(".md")
    # Before anything is written: the old card may hold the only copy.
    weaknesses = _weaknesses(args, card)
    if args.run is not None:
        points = learning_curve.read(args.run / "curve.csv")
        learning_curve.write(path.with_suffix(".curve.csv"), points)
        learning_curve.draw(path.with_suffix(".curve.png"), points, name_of(args.checkpoint))
    text = f"{_page(args.checkpoint, path, evaluation)}\n{WEAKNESSES}\n{weaknesses}\n"
    write_atomically(card, text)
    _write_short(path, evaluation)
    return card


def _write_short(path: Path, evaluation: Evaluation) -> None:
    """Write what `impulse agents` lists: the bare policy's results, and how fast it decides."""
    short = {
        "agent": f"policy:{path.stem}",
        "players": evaluation.players,
        "won": {
            row.opponent: round(100 * row.won.share, 1)
            for row in evaluation.rows
            if row.agent.startswith("policy:") and row.won.share is not None
        },
        "decisions_per_second": round(decisions_per_second(PolicyAgent.load(path))),
    }
    # The first printed the results; the second measured the speed.
    told = {"commands": [evaluation.command, f"impulse model-card {path.stem}"], "card": short}
    text = json.dumps(told, indent=1) + "\n"
    write_atomically(path.with_suffix(".json"), text)


def _weaknesses(args: ModelCardArgs, card: Path) -> str:
    """Return the text that is given or, without one, that of the card as it is."""
    if args.weaknesses is not None and args.weaknesses_file is not None:
        raise CardError("give --weaknesses or --weaknesses-file, not both")
    if args.weaknesses is not None:
        return args.weaknesses.strip()
    if args.weaknesses_file is not None:
        return args.weaknesses_file.read_text(encoding="utf-8").strip()
    before = card.read_text(encoding="utf-8") if card.exists() else ""
    return before.partition(f"\n{WEAKNESSES}")[2].strip() or "None are recorded yet."


def _page(checkpoint: str, path: Path, evaluation: Evaluation) -> str:
    """Return the card up to the weaknesses."""
    agent = PolicyAgent.load(path)
    config = agent.config
    is_shipped = path.resolve().parent == checkpoints.FOLDER.resolve()
    given = path.stem if is_shipped else checkpoint
    teams = "" if evaluation.team_size is None else f" in teams of {evaluation.team_size}"
    parameters = sum(weights.numel() for weights in agent.network.parameters())
    rows = [
        ("File", f"`{path.name}`, {path.stat().st_size / 1e6:.2f} MB"),
        ("SHA-256", f"`{evaluation.sha256}`"),
        ("Network", f"{parameters:,} weights: `{json.dumps(config['network'])}`"),
        *_training(config),
    ]
    table = "".join(f"| {what} | {said.replace('|', chr(92) + '|')} |\n" for what, said in rows)
    return (
        f"# {name_of(checkpoint)}\n\n"
        f"A trained agent for {evaluation.players} players{teams}: `policy:{given}` plays what the "
        f"network says, `policy+search:{given}:300` searches with it. Written by "
        "`impulse model-card`.\n\n"
        f"## Training\n\n| | |\n| --- | --- |\n{table}\n{_leg_table(config)}{_stages(config)}"
        f"{_curve(path)}"
        f"## Results\n\n{evaluation.markdown()}\n"
        f"Played with impulse_env {evaluation.version}.\n"
    )


def _stages(config: dict[str, Any]) -> str:
    """Return what the training began with: the commands before it, the first one first."""
    lines: list[str] = []
    stage = _dictionary(_dictionary(config.get("training")).get("started_from"))
    while stage:
        for leg in reversed(_legs(stage)):
            steps = _number(leg.get("steps"), lambda steps: f"{steps:,.0f}")
            lines.append(f"1. {_command(leg.get('command'))}, {steps} steps\n")
        stage = _dictionary(stage.get("started_from"))
    return f"It began with the weights of\n\n{''.join(reversed(lines))}\n" if lines else ""


def _legs(training: dict[str, Any]) -> list[dict[str, Any]]:
    """Return what is told of each process that trained it; a training may tell it of itself."""
    legs = training.get("legs")
    return [_dictionary(leg) for leg in legs] if isinstance(legs, list) and legs else [training]


def _leg_table(config: dict[str, Any]) -> str:
    """Return when each leg was trained and for how long, if there was more than one."""
    legs = _legs(_dictionary(config.get("training")))
    if len(legs) == 1:
        return ""
    rows = [
        f"| {_plain(leg.get('began'))} | {_plain(leg.get('ended'))} "
        f"| {_number(leg.get('seconds'), lambda seconds: f'{seconds / 3600:.2f}')} "
        f"| {_number(leg.get('steps'), lambda steps: f'{steps:,.0f}')} "
        f"| {_options(leg.get('args'))} |\n"
        for leg in legs
    ]
    head = "| Began | Ended | Hours | Steps | Options that are not as by default |\n"
    return (
        f"It was stopped and resumed:\n\n{head}| --- | --- | ---: | ---: | --- |\n{''.join(rows)}\n"
    )


def _options(said: Any) -> str:
    """Return options as they would be typed."""
    words = [f"{name} {_plain(value)}" for name, value in _dictionary(said).items()]
    return f"`{', '.join(words)}`".replace("|", chr(92) + "|") if words else "none"


def _curve(path: Path) -> str:
    """Return the picture of the learning curve, if there is one."""
    picture = path.with_suffix(".curve.png")
    if not picture.exists():
        return ""
    numbers = path.with_suffix(".curve.csv").name
    return f"![Learning curve]({picture.name})\n\nThe same as numbers: `{numbers}`.\n\n"


def _training(config: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what a checkpoint tells about its training; it may tell nothing."""
    trained, training = (_dictionary(config.get(key)) for key in ("trained", "training"))
    seed = training.get("seed", trained.get("seed"))
    legs = _legs(training)

    def of_legs(said: Callable[[dict[str, Any]], str]) -> str:
        return ", then ".join(dict.fromkeys(said(leg) for leg in legs))

    return [
        ("Command", ", then ".join(_command(leg.get("command")) for leg in legs)),
        ("Seed", _plain(seed)),
        ("Steps", _number(training.get("steps"), lambda steps: f"{steps:,.0f}")),
        ("Hours", _number(training.get("seconds"), lambda seconds: f"{seconds / 3600:.2f}")),
        *_when(legs),
        ("Hardware", of_legs(lambda leg: _plain(leg.get("hardware")))),
        ("Versions", of_legs(lambda leg: _versions(_dictionary(leg.get("versions"))))),
        ("Commit", of_legs(_commit)),
    ]


def _when(legs: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return from when to when it was trained, if that is told."""
    began, ended = legs[0].get("began"), legs[-1].get("ended")
    return [("Time", f"{_plain(began)} to {_plain(ended)}")] if began and ended else []


def _commit(leg: dict[str, Any]) -> str:
    changed = ", with changes that are not committed" if leg.get("is_dirty") is True else ""
    return f"{_plain(leg.get('commit'))}{changed}"


def _command(said: Any) -> str:
    if not said:
        return MISSING
    line = shlex.join(map(str, said)) if isinstance(said, list) else str(said)
    return ", then ".join(f"`{one}`" for one in line.split("; "))  # it was resumed


def _versions(said: dict[str, Any]) -> str:
    """Return the libraries that matter and any others, whichever way their names are written."""
    found = {_library(name): (name, version) for name, version in said.items()}
    parts = []
    for name in LIBRARIES:
        _, version = found.pop(_library(name), (name, None))
        parts.append(f"{name} {_plain(version)}")
    return ", ".join(parts + [f"{name} {_plain(version)}" for name, version in found.values()])


def _library(name: str) -> str:
    return name.lower().replace("_", "-")


def _number(said: Any, shown: Callable[[float], str]) -> str:
    is_number = isinstance(said, (int, float)) and not isinstance(said, bool)
    return shown(said) if is_number else MISSING


def _plain(said: Any) -> str:
    """Return what JSON holds as words on one line."""
    if said is None or said in ("", {}, []):
        return MISSING
    if isinstance(said, dict):
        return ", ".join(f"{key} {_plain(value)}" for key, value in said.items())
    if isinstance(said, list):
        return " ".join(map(str, said))
    return " ".join(str(said).split())


def _dictionary(said: Any) -> dict[str, Any]:
    return said if isinstance(said, dict) else {}


def main(args: ModelCardArgs) -> dict[str, str]:
    """Write the card and say where it is."""
    card = write(args)
    print(f"the card is {card}")
    return {"card": str(card)}
