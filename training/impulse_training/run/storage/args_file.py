"""The options of a run as JSON, in ``args.json`` and in its training state."""

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
"""The file's name in the folder of a run."""


def write_args(folder: Path, args: "DataclassInstance") -> None:
    """Write the options to the folder of a run, with `out` set to that folder."""
    saved = {**options_of(args), "out": str(folder), "commit": commit()}
    write_atomically(folder / ARGS, json.dumps(saved, indent=1) + "\n")


def options_of(args: "DataclassInstance") -> dict[str, Any]:
    """Return the options by name as values of JSON: lists for tuples, text for paths."""
    options: dict[str, Any] = json.loads(json.dumps(asdict(args), default=str))
    return options


def args_of(options: dict[str, Any], kind: "type[A]", source: Path) -> "A":
    """Return the options from the values of `options_of`, with tuples instead of lists.

    Args:
        options: The values by name; newer options may be missing.
        kind: The class of the options.
        source: The file of the values, for errors.

    Raises:
        ResumeError: An option does not exist in the class, or has another type.
    """
    # If unknown options were ignored, a renamed option would silently get its default.
    unknown = sorted(options.keys() - {field.name for field in fields(kind)})
    if unknown:
        raise ResumeError(
            f"{source} comes from another version, with the unknown options {', '.join(unknown)}: "
            "resume the run with that version, or start a new run with --warm-start"
        )
    try:
        if no_numbers := [name for name, value in options.items() if value != value]:
            raise SchemaError(f"{no_numbers[0]} must be a number, not nan")
        return checked(options, kind)
    except SchemaError as error:
        raise ResumeError(f"{source}: the option {error}") from error
