"""Hints for a path of the wrong type: its type, and the command or name to use it with."""

import os
from pathlib import Path
from typing import Final

from impulse_env.records.record import FORMAT

_FOLDERS: Final = (
    ("settings.json", "a tournament: `impulse tournament report {}`"),
    ("results.json", "an evaluation: `impulse tournament report` takes a match's folder in it"),
    ("policy.safetensors", "a training: its agent is policy:{dotted}"),
    ("games-*.parquet", "exported games: `impulse games explore {}`"),
    ("*.jsonl", "a folder of records: `impulse games explore {}`"),
    ("games.csv", "a folder of tables, which other programs read"),
)
"""The type of a folder, by the first of these files that it contains."""
_BEGINNING: Final = 100
"""Number of bytes at the start of a record that contain its format."""


def told(name: str | Path) -> str:
    """Return ``; PATH is …`` with the path's type and its command, or "" if that is unknown."""
    path = Path(name)
    try:
        what = _folder(path) if path.is_dir() else _file(path)
    except (OSError, ValueError):
        return ""
    dotted = f"./{path}" if len(path.parts) < 2 else path
    return f"; {name} is {what.format(path, dotted=dotted)}" if what else ""


def _folder(path: Path) -> str:
    return next((what for name, what in _FOLDERS if any(path.glob(name))), "")


def _file(path: Path) -> str:
    if not os.path.isfile(path):  # reading a pipe would block
        return ""
    if path.suffix == ".safetensors":
        return "a checkpoint: its agent is policy:{}"
    if path.suffix == ".py":
        return "code: {}:NAME is an agent in it"
    if path.name == "games.jsonl":
        return (
            "a tournament's games: `impulse tournament --replay N --record FILE --out "
            f"{path.parent}` makes one a record"
        )
    with path.open("rb") as file:
        is_record = FORMAT.encode() in file.read(_BEGINNING)
    return "a record of a game: `impulse replay {}`, optionally with --analyse" if is_record else ""
