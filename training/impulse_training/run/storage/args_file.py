"""The options of a training as JSON: ``args.json`` in its folder, and what its state keeps."""

import json
import reprlib
from dataclasses import asdict, fields
from math import isnan
from pathlib import Path
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from impulse_env.files import write_atomically
from impulse_training.run.provenance.process.process import commit
from impulse_training.run.storage.result import ResumeError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    A = TypeVar("A", bound=DataclassInstance)

ARGS: Final = "args.json"
"""The file's name in the folder of a training."""


def write_args(folder: Path, args: "DataclassInstance") -> None:
    """Write the options into the folder of a training, which they name from then on."""
    kept = {**options_of(args), "out": str(folder), "commit": commit()}
    write_atomically(folder / ARGS, json.dumps(kept, indent=1) + "\n")


def options_of(args: "DataclassInstance") -> dict[str, Any]:
    """Return the options by name, as JSON holds them: lists for tuples, text for paths."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(args), default=str))
    return found


def args_of(options: dict[str, Any], kind: "type[A]", source: Path) -> "A":
    """Return the options that `options_of` told, tuples where it had lists.

    Args:
        options: By name; those that came later may be missing.
        kind: The class of the options.
        source: Where they were kept.

    Raises:
        ResumeError: There are options that are none of this class, or of another type.
    """
    # Passed over, a renamed option would silently fall back to its default.
    unknown = sorted(options.keys() - {field.name for field in fields(kind)})
    if unknown:
        raise ResumeError(
            f"{source} is of another version, whose options {', '.join(unknown)} are not known: "
            "resume the training with that one, or begin a new one with --warm-start"
        )
    hints = get_type_hints(kind)
    for name, value in options.items():
        if not _is_of(value, hints[name]):
            what = getattr(hints[name], "__name__", str(hints[name]))
            raise ResumeError(
                f"{source} tells the option {name} as {reprlib.repr(value)}, which is no {what}"
            )
    return kind(**{name: tuple(v) if isinstance(v, list) else v for name, v in options.items()})


def _is_of(value: Any, hint: Any) -> bool:
    """Whether what JSON holds is a value of an annotated type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_is_of(value, one) for one in inner)
    if origin is Literal:
        return value in inner
    if origin is tuple:
        return isinstance(value, list | tuple) and all(_is_of(one, inner[0]) for one in value)
    if hint in (int, float) and isinstance(value, bool):
        return False
    if hint is float:
        return isinstance(value, int | float) and not isnan(value)
    return isinstance(value, str if hint is Path else hint)
