"""The options of a training as ``args.json`` in its folder, from which it is resumed."""

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from impulse_env.files import write_atomically
from impulse_training.run.provenance import commit
from impulse_training.run.result import ResumeError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ARGS: Final = "args.json"
"""The file's name in the folder of a training."""
_COMMIT: Final = "commit"
"""What the file holds besides the options."""


def write_args(folder: Path, args: "DataclassInstance") -> None:
    """Write the options into the folder of a training, which they name from then on."""
    kept = {**asdict(args), "out": str(folder), _COMMIT: commit()}
    write_atomically(folder / ARGS, json.dumps(kept, indent=1, default=str) + "\n")


def read_args(folder: Path, kind: "type[DataclassInstance]") -> dict[str, Any]:
    """Return the options of a training by name, tuples where the file has lists.

    Args:
        folder: The training's.
        kind: The class of the options.

    Raises:
        ResumeError: There is no such file, or it has options that are none of this class.
    """
    path = folder / ARGS
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ResumeError(f"there is no training to resume in {folder}: {error}") from error
    if not isinstance(kept, dict):
        raise ResumeError(f"there is no training to resume in {folder}: {path} holds no options")
    kept.pop(_COMMIT, None)
    # Passed over, a renamed option would silently fall back to its default.
    unknown = sorted(kept.keys() - {field.name for field in fields(kind)})
    if unknown:
        raise ResumeError(
            f"{path} is of another version, whose options {', '.join(unknown)} are not known: "
            "resume the training with that one, or begin a new one with --warm-start"
        )
    return {name: tuple(v) if isinstance(v, list) else v for name, v in kept.items()}
