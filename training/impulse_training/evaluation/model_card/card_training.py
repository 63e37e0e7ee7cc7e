"""The training that a checkpoint records, for its model card; it may record nothing."""

import shlex
from collections.abc import Callable
from typing import Any, Final

from impulse_agents.registry import RULE_BASED

MISSING: Final = "not recorded"
LIBRARIES: Final = (
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "numpy",
    "numba",
    "impulse_env",
)


USUAL_OPPONENTS: Final = ("random", *RULE_BASED)
"""The default opponents of a training run."""


def training_rows(config: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the training in the config of a checkpoint, as rows of a table."""
    trained, training = (_dictionary(config.get(key)) for key in ("trained", "training"))
    seed = training.get("seed", trained.get("seed"))
    legs = _legs(training)

    def of_legs(text_of: Callable[[dict[str, Any]], str]) -> str:
        return ", then ".join(dict.fromkeys(text_of(leg) for leg in legs))

    return [
        *_recipe(training),
        ("Command", ", then ".join(_command(leg.get("command")) for leg in legs)),
        ("Seed", _plain(seed)),
        ("Steps", _number(training.get("steps"), lambda steps: f"{steps:,.0f}")),
        ("Hours", _number(training.get("seconds"), lambda seconds: f"{seconds / 3600:.2f}")),
        *_when(legs),
        ("Hardware", of_legs(lambda leg: _plain(leg.get("hardware")))),
        ("Versions", of_legs(lambda leg: _versions(_dictionary(leg.get("versions"))))),
        ("Commit", of_legs(_commit)),
    ]


def opponents_met(config: dict[str, Any]) -> frozenset[str] | None:
    """Return the agents met in any part of the training; None if that is not recorded."""
    stage, options = _dictionary(config.get("training")), _dictionary(config.get("trained"))
    met = set(options.get("opponents") or ())
    while stage := _before(stage):
        for leg in _legs(stage):
            args = leg.get("args")
            if not isinstance(args, dict):
                return None
            met |= set(args.get("opponents", USUAL_OPPONENTS))
    return frozenset(met) or None


def is_by_self_play(config: dict[str, Any]) -> bool:
    """Whether its last training was self-play; `impulse train sb3` has fixed opponents."""
    return "self_fraction" in _dictionary(config.get("trained"))


def _recipe(training: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the recipe that reproduces it, if there is one."""
    stage = training.get("recipe")
    if not stage:
        return []
    return [
        ("Recipe", f"stage {_plain(stage)}; `impulse train --recipe {stage.partition('/')[0]}`")
    ]


def _when(legs: list[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return the first and last time of the training, if recorded."""
    began, ended = legs[0].get("began"), legs[-1].get("ended")
    return [("Time", f"{_plain(began)} to {_plain(ended)}")] if began and ended else []


def _commit(leg: dict[str, Any]) -> str:
    changed = ", with uncommitted changes" if leg.get("is_dirty") is True else ""
    return f"{_plain(leg.get('commit'))}{changed}"


def _command(value: Any) -> str:
    if not value:
        return MISSING
    line = shlex.join(map(str, value)) if isinstance(value, list) else str(value)
    return ", then ".join(f"`{one}`" for one in line.split("; "))  # it was resumed


def _versions(recorded: dict[str, Any]) -> str:
    """Return the versions of `LIBRARIES`, then any others; ``-`` and ``_`` in names are equal."""
    by_library = {_library(name): (name, version) for name, version in recorded.items()}
    parts = []
    for name in LIBRARIES:
        _, version = by_library.pop(_library(name), (name, None))
        parts.append(f"{name} {_plain(version)}")
    others = [f"{name} {_plain(version)}" for name, version in by_library.values()]
    return ", ".join(parts + others)


def _library(name: str) -> str:
    return name.lower().replace("_", "-")


def _number(value: Any, text_of: Callable[[float], str]) -> str:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return text_of(value) if is_number else MISSING


def _plain(value: Any) -> str:
    """Return a JSON value as text on one line."""
    if value is None or value in ("", {}, []):
        return MISSING
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items())
    if isinstance(value, list):
        return " ".join(map(str, value))
    return " ".join(str(value).split())


def _dictionary(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def stages(config: dict[str, Any]) -> str:
    """Return the commands of the earlier training that this one started from, oldest first."""
    lines: list[str] = []
    stage = _before(_dictionary(config.get("training")))
    is_taught = is_teacher = "taught_by" in _dictionary(config.get("training"))
    while stage:
        made = f"stage {_plain(stage['recipe'])}: " if stage.get("recipe") else ""
        for leg in reversed(_legs(stage)):
            steps = _number(leg.get("steps"), lambda steps: f"{steps:,.0f} steps")
            took = [f"{leg['seconds'] / 3600:.2f} hours"] if leg.get("seconds") else []
            teaches = ["teacher of the next"] if is_teacher and lines else []
            parts = ", ".join([_command(leg.get("command")), steps, *took, *teaches])
            lines.append(f"1. {made}{parts}\n")
            is_teacher = False
        is_teacher, stage = "taught_by" in stage, _before(stage)
    begun = "It was distilled from the agent of" if is_taught else "It started from the weights of"
    return f"{begun}\n\n{''.join(reversed(lines))}\n" if lines else ""


def _before(stage: dict[str, Any]) -> dict[str, Any]:
    """Return the record of the training whose weights or agent this one started from."""
    return _dictionary(stage.get("started_from") or stage.get("taught_by"))


def _legs(training: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the record of each training process; a run with one process has no list."""
    legs = training.get("legs")
    return [_dictionary(leg) for leg in legs] if isinstance(legs, list) and legs else [training]


def leg_table(config: dict[str, Any]) -> str:
    """Return the times of each training process as a table, if there was more than one."""
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
    head = "| Began | Ended | Hours | Steps | Non-default options |\n"
    head += "| --- | --- | ---: | ---: | --- |\n"
    return f"The run was stopped and resumed:\n\n{head}{''.join(rows)}\n"


def _options(value: Any) -> str:
    """Return options in the form of a command line."""
    words = [f"{name} {_plain(part)}" for name, part in _dictionary(value).items()]
    return f"`{', '.join(words)}`".replace("|", chr(92) + "|") if words else "none"
