"""A lock on a run's folder: two processes never write to the same folder."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from impulse_env.errors import ImpulseError

LOCK: Final = ".lock"
"""The file's name. The file stays: a process that removed it might remove another one's lock."""
_LOCKED_BYTE: Final = 1 << 20
"""Offset of the locked byte, beyond the text: on Windows a locked byte cannot be read."""


class FolderInUseError(ImpulseError, RuntimeError):
    """Another process writes to the folder; the message names the process."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of an existing folder.

    The operating system releases the lock when the process ends in any way. On file systems without
    locks, there is no lock.

    Raises:
        FolderInUseError: Another process holds the lock, or another part of this one.
        OSError: The folder cannot be written.
    """
    # Append mode creates the file, but keeps the text that names the holder.
    with open(folder / LOCK, "a+", encoding="utf-8") as file:
        try:
            _acquire(file)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise FolderInUseError(
                f"{holder} is writing to {folder}: wait until it ends, or choose another folder"
            ) from error
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
        yield


if sys.platform == "win32":
    import msvcrt

    def _acquire(file: IO[str]) -> None:
        file.seek(_LOCKED_BYTE)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError from error

else:
    import fcntl

    def _acquire(file: IO[str]) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:  # the file system has no locks
            return
