"""The options of a training as JSON: ``args.json`` in its folder, and what its state keeps."""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from impulse_env.files import write_atomically
from impulse_env.schema import SchemaError, checked
from impulse_training.run.provenance.process import commit
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
    try:
        if no_numbers := [name for name, value in options.items() if value != value]:
            raise SchemaError(f"{no_numbers[0]} must be a number, not nan")
        return checked(options, kind)
    except SchemaError as error:
        raise ResumeError(f"{source}: the option {error}") from error
