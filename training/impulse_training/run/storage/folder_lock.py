"""A lock on the folder of a training: two processes never write into the same one."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from impulse_env.errors import ImpulseError

LOCK: Final = ".lock"
"""The file's name. It stays in the folder: whoever removed it might remove another one's."""
_LOCKED_BYTE: Final = 1 << 20
"""Beyond what is written: on Windows nobody can read a byte that is locked."""


class FolderInUseError(ImpulseError, RuntimeError):
    """Another process writes into the folder; the message says which."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, which must be there.

    The system holds it for the process, so it ends with that, however that ends. File systems that
    know no locks are gone on with without one.

    Raises:
        FolderInUseError: Another process holds it, or another part of this one.
        OSError: Nothing can be written there.
    """
    # Opened for appending, the file is made without emptying one that tells who holds the lock.
    with open(folder / LOCK, "a+", encoding="utf-8") as file:
        try:
            _acquire(file)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise FolderInUseError(
                f"{holder} is writing into {folder}: wait until it ends, or choose another folder"
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
        except OSError:  # the file system knows no locks
            return
