"""A disk that is full, or a folder that cannot be written into, told in a sentence."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from impulse_env.errors import ImpulseError


class StorageError(ImpulseError, OSError):
    """A file of a training cannot be written; the message names it, the reason and the disk."""


@contextmanager
def storage_errors_told(folder: Path, kept: Callable[[], str]) -> Iterator[None]:
    """Let errors of the disk within the block say what is kept of a training, and where.

    Args:
        folder: The training's.
        kept: Says what a person can go on with; called when an error is told.

    Raises:
        StorageError: A file could not be read or written.
    """
    try:
        yield
    except (StorageError, BrokenPipeError):  # the latter: nobody reads what is printed
        raise
    except OSError as error:
        sys.stdout.flush()  # raises again if that is what cannot be written
        path = Path(str(error.filename)) if error.filename else folder
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error} ({_disk(folder)}); {kept()}"
        ) from error


def _disk(folder: Path) -> str:
    """Return which disk a folder is on, and how much of it is free, in words."""
    try:
        mount = folder.resolve()
        while not mount.is_mount() and mount != mount.parent:
            mount = mount.parent
        free = shutil.disk_usage(folder).free
    except OSError:
        return f"on the disk of {folder}"
    return f"the disk at {mount} has {free / 1e6:,.1f} MB free"
