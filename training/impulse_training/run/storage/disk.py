"""Reports a full disk or a read-only folder in one sentence."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from impulse_env.errors import ImpulseError


class StorageError(ImpulseError, OSError):
    """A file of a run cannot be written; the message names the file, the reason and the disk."""


@contextmanager
def reporting_storage_errors(folder: Path, remedy: Callable[[], str]) -> Iterator[None]:
    """Turn disk errors in the block into a sentence that says how to continue the run.

    Args:
        folder: The folder of the run.
        remedy: Returns the end of the sentence: the saved files to continue from.

    Raises:
        StorageError: A file could not be read or written.
    """
    try:
        yield
    except (StorageError, BrokenPipeError):  # the latter: the reader of the output closed it
        raise
    except OSError as error:
        sys.stdout.flush()  # raises again if standard output failed
        path = Path(str(error.filename)) if error.filename else folder
        raise StorageError(
            f"{path} cannot be written: {error.strerror or error} ({_disk(folder)}); {remedy()}"
        ) from error


def _disk(folder: Path) -> str:
    """Return a description of a folder's disk with its free space."""
    try:
        mount = folder.resolve()
        while not mount.is_mount() and mount != mount.parent:
            mount = mount.parent
        free = shutil.disk_usage(folder).free
    except OSError:
        return f"on the disk of {folder}"
    return f"the disk at {mount} has {free / 1e6:,.1f} MB free"
