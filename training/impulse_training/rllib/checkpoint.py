"""RLlib's checkpoints with the options that they fit; a complete one is always on the disk."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

from ray.rllib.algorithms.algorithm import Algorithm

from impulse_env.schema import SchemaError, read_json
from impulse_training.run.storage.result import ResumeError

_COMPATIBILITY: Final = "compatibility.json"


def save(algorithm: Algorithm, folder: Path, compatibility: dict[str, Any]) -> None:
    """Write a checkpoint.

    Args:
        algorithm: The algorithm to save.
        folder: Folder to replace. After an interruption, it holds a complete checkpoint, or the
            folder of that name with ``.old`` holds the previous one.
        compatibility: Options that a resumed run must not change; JSON-able.
    """
    new, old = (folder.with_name(folder.name + end) for end in (".part", ".old"))
    for left_over in (new, old):
        shutil.rmtree(left_over, ignore_errors=True)
    algorithm.save_to_path(new.resolve())
    (new / _COMPATIBILITY).write_text(json.dumps(compatibility, indent=1) + "\n", encoding="utf-8")
    if folder.exists():
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def check(folder: Path, compatibility: dict[str, Any]) -> None:
    """Raise `ResumeError` unless the folder holds a checkpoint with these options."""
    try:
        found = read_json((folder / _COMPATIBILITY).read_bytes(), dict[str, Any])
    except (OSError, SchemaError) as error:
        raise ResumeError(f"{folder} is not a checkpoint of this command: {error}") from error
    for name, expected in json.loads(json.dumps(compatibility)).items():
        if found.get(name) != expected:
            raise ResumeError(
                f"{folder} was trained with {name} {found.get(name)!r}, not {expected!r}"
            )
