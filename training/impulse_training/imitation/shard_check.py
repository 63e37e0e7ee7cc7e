"""A shard of demonstrations read from its file: its arrays, types and shapes are checked first."""

import zipfile
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.errors import ImpulseError
from impulse_env.observation import size
from impulse_training.imitation.demonstrations import TOP_ACTIONS, Demonstrations
from impulse_training.run.archive import ArchiveError, check_archive

MOST_BYTES: Final = 4 << 30
"""Of a shard's file."""


class ShardError(ImpulseError, ValueError):
    """A shard is damaged, or holds something else; the message names the file and the array."""


def read_shard(path: Path, players: int) -> Demonstrations:
    """Return the decisions in a file; executes nothing from it.

    Args:
        path: An archive of numpy, uncompressed.
        players: Of the games.

    Raises:
        ShardError: It is none, or damaged, or of games of other players.
    """
    try:
        entries = check_archive(path, MOST_BYTES)
        with zipfile.ZipFile(path) as archive:
            found = Demonstrations(
                **{name: _array(archive, name, entries) for name in Demonstrations._fields}
            )
    except ArchiveError as error:
        raise ShardError(
            f"{path} is no shard of decisions, or only part of one: {error}"
        ) from error
    fault = _fault_of(found, players)
    if fault:
        raise ShardError(f"{path} is no shard of decisions of {players} players: {fault}")
    return found


def _array(archive: zipfile.ZipFile, name: str, entries: dict[str, int]) -> NDArray[Any]:
    """Return an array, no larger than its part of the archive; raises `ArchiveError`."""
    entry = f"{name}.npy"
    if entry not in entries:
        raise ArchiveError(f"it has no array {name}")
    try:
        with archive.open(entry) as file:
            if npy.read_magic(file) != (1, 0):
                raise ArchiveError(f"its array {name} is of another format of numpy")
            shape, is_fortran, dtype = npy.read_array_header_1_0(file)
            content = file.read()
        if dtype.hasobject or is_fortran:
            raise ArchiveError(f"its array {name} is of {dtype}, which none may be")
        return np.frombuffer(content, dtype).reshape(shape).copy()
    except ArchiveError:
        raise
    except Exception as error:  # of a file that was tampered with, numpy raises anything
        said = " ".join(str(error).split())[:200]
        raise ArchiveError(f"its array {name} cannot be read: {said}") from error


def _fault_of(found: Demonstrations, players: int) -> str:
    """Return what is wrong with decisions, in words; nothing if nothing is."""
    count = found.actions.shape[:1]
    rows: dict[str, tuple[tuple[int, ...], type]] = {
        "observations": ((size(players),), np.uint8),
        "masks": ((-(-N_ACTIONS // 8),), np.uint8),
        "actions": ((), np.uint8),
        "top_actions": ((TOP_ACTIONS,), np.uint8),
        "shares": ((TOP_ACTIONS,), np.float16),
        "wins": ((), np.float32),
        "score_returns": ((), np.float32),
    }
    for name, (row, kind) in rows.items():
        array = getattr(found, name)
        if array.dtype != kind or array.shape != (*count, *row):
            return (
                f"{name} must have shape {(*count, *row)} and type {np.dtype(kind)}, not "
                f"{array.shape} and {array.dtype}"
            )
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            return f"{name} must be finite, and has NaN or infinity"
    for name in ("actions", "top_actions"):
        if (getattr(found, name) >= N_ACTIONS).any():
            return f"{name} must be less than {N_ACTIONS}"
    return ""
