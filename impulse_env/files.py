"""Whole files: whoever reads one while it is written, or after a crash, sees the old or the new.

That holds for a crash of the machine, too: what is written is on the disk before it takes its
place. It costs about a millisecond a file.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final

from impulse_env.errors import ImpulseError

READABLE_BY_ALL: Final = 0o666
"""The permissions of an ordinary new file, before the process's umask takes some away."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Windows would end lines in its own way without it."""


class OutputError(ImpulseError, OSError):
    """Nothing can be written where an option says; the message names the option and the reason."""


@contextmanager
def replacing(path: str | Path, mode: int = READABLE_BY_ALL) -> Iterator[IO[bytes]]:
    """Yield an open binary file that takes the place of `path` when the block ends well.

    It is written beside that, as ``NAME.part``. If the block raises, it is removed and `path` stays
    as it was.

    Args:
        path: The file; the folders above it are made.
        mode: Permissions, less the process's umask.

    Raises:
        OSError: It cannot be written; the error names the file.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    # One that a crash left behind may have other permissions.
    beside.unlink(missing_ok=True)
    try:
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | _BINARY, mode), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        _sync_folder(path.parent)
    except BaseException as error:
        with suppress(OSError):
            beside.unlink()
        failed = _nameless_os_error(error)
        if failed is not None:
            raise OSError(failed.errno, failed.strerror or str(failed), str(path)) from error
        raise


def _nameless_os_error(error: BaseException | None) -> OSError | None:
    """Return what failed in writing, if that is what it was: it does not know the file's name.

    Libraries raise errors of their own while they handle it, such as torch.
    """
    while isinstance(error, Exception):
        if isinstance(error, OSError):
            return error if error.filename is None else None
        error = error.__context__
    return None


def _sync_folder(folder: Path) -> None:
    """Let the folder's entries reach the disk, where the system can be asked for that."""
    if os.name == "posix":
        with suppress(OSError):  # some file systems refuse
            entries = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(entries)
            finally:
                os.close(entries)


def write_atomically(path: str | Path, content: str | bytes, mode: int = READABLE_BY_ALL) -> None:
    """Write a whole file at once, see `replacing`.

    Args:
        path: The file; the folders above it are made.
        content: What it holds from then on; text in UTF-8, its line ends as they are. Parts of
            names of files that are no text become question marks.
        mode: Permissions, less the process's umask.
    """
    with replacing(path, mode) as file:
        file.write(content.encode(errors="replace") if isinstance(content, str) else content)


def check_output(option: str, path: str | Path, *, is_folder: bool = False) -> None:
    """Raise `OutputError` if nothing can be written to a path; leaves nothing behind.

    Commands call it first: what they write may take hours to compute.

    Args:
        option: What named the path, as a person types it.
        path: A file, as `replacing` writes it, or a folder; it need not exist, nor those above it.
        is_folder: Whether files go into it.
    """
    why = _why_unwritable(Path(path), is_folder)
    if why:
        raise OutputError(f"{option} {path} cannot be written: {why}")


def _why_unwritable(path: Path, is_folder: bool) -> str:
    """Return why nothing can be written to a path, in words; nothing if something can."""
    try:
        if not is_folder:
            is_device = path.parent == Path("/dev")  # as root, a rename would replace it
            if is_device or (path.exists() and not path.is_file()):
                return "it is a folder" if path.is_dir() else "it is no regular file"
            path = path.parent
        nearest = path
        while not (nearest.exists() or nearest.is_symlink()):
            nearest = nearest.parent
        if not nearest.is_dir():
            return f"{'it' if nearest == path and is_folder else nearest} is no folder"
        with TemporaryFile(dir=nearest):  # rights do not tell all: disks may be read-only
            return ""
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)


def sha256_of(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why_unusable(path: Path) -> str:
    """Return why a path is no file that can be read, in words; nothing if it is one.

    What would block whoever opens it, as a pipe, or never end, as some devices, is none.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return "there is no such file"
    except (OSError, ValueError) as error:
        return f"it cannot be looked at: {getattr(error, 'strerror', None) or error}"
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "it is no regular file"
    return "" if os.access(path, os.R_OK) else "it may not be read"
