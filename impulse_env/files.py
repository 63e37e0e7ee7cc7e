"""Atomic writing of files: a reader sees the old file or the whole new one, even after a crash.

This also holds for a crash of the machine: the new content is on the disk before it replaces the
old file. That costs about a millisecond per file.
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
"""The permissions of an ordinary new file, before the process's umask is applied."""
_BINARY: Final = getattr(os, "O_BINARY", 0)
"""Without it, Windows would change the line ends."""


class OutputError(ImpulseError, OSError):
    """An option names a path that cannot be written; the message gives both and the reason."""


@contextmanager
def replacing(path: str | Path, mode: int = READABLE_BY_ALL) -> Iterator[IO[bytes]]:
    """Yield an open binary file that replaces `path` when the block ends without an error.

    The new file is written next to it, as ``NAME.part``. If the block raises an error, the new file
    is removed and `path` stays unchanged.

    Args:
        path: The file; missing parent folders are created.
        mode: Permissions, before the process's umask is applied.

    Raises:
        OSError: The file cannot be written; the error names it.
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    # A file that a crash left behind may have other permissions.
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
    """Return the error of a failed write, which lacks the file's name; None for other errors.

    Libraries such as torch raise errors of their own while they handle it.
    """
    while isinstance(error, Exception):
        if isinstance(error, OSError):
            return error if error.filename is None else None
        error = error.__context__
    return None


def _sync_folder(folder: Path) -> None:
    """Write the folder's entries to the disk, on systems that support it."""
    if os.name == "posix":
        with suppress(OSError):  # some file systems refuse
            entries = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(entries)
            finally:
                os.close(entries)


def write_atomically(path: str | Path, content: str | bytes, mode: int = READABLE_BY_ALL) -> None:
    """Write a whole file atomically, see `replacing`.

    Args:
        path: The file; missing parent folders are created.
        content: The new content. Text is encoded as UTF-8, without a change of line ends; file
            names in it that are not valid text get question marks.
        mode: Permissions, before the process's umask is applied.
    """
    with replacing(path, mode) as file:
        file.write(content.encode(errors="replace") if isinstance(content, str) else content)


def check_output(option: str, path: str | Path, *, is_folder: bool = False) -> None:
    """Raise `OutputError` if a path cannot be written; leaves nothing behind.

    Commands call it first, because their output may take hours to compute.

    Args:
        option: The option that named the path, as a person types it.
        path: A file, as `replacing` writes it, or a folder; neither it nor its parents need exist.
        is_folder: Whether the path is a folder for files.
    """
    why = _why_unwritable(Path(path), is_folder)
    if why:
        raise OutputError(f"{option} {path} cannot be written: {why}")


def _why_unwritable(path: Path, is_folder: bool) -> str:
    """Return in words why a path cannot be written; an empty string if it can."""
    try:
        if not is_folder:
            is_device = path.parent == Path("/dev")  # as root, a rename would replace it
            if is_device or (path.exists() and not path.is_file()):
                return "it is a folder" if path.is_dir() else "it is not a regular file"
            path = path.parent
        nearest = path
        while not (nearest.exists() or nearest.is_symlink()):
            nearest = nearest.parent
        if not nearest.is_dir():
            return f"{'it' if nearest == path and is_folder else nearest} is not a folder"
        with TemporaryFile(dir=nearest):  # permissions are not enough: disks may be read-only
            return ""
    except (OSError, ValueError) as error:
        return getattr(error, "strerror", None) or str(error)


def sha256_of(path: str | Path) -> str:
    """Return the SHA-256 of a file in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def why_unusable(path: Path) -> str:
    """Return in words why a path is not a readable file; an empty string if it is one.

    Pipes, which may block, and devices, which may never end, are not accepted.
    """
    try:
        status = os.stat(path)
    except FileNotFoundError:
        return "there is no such file"
    except (OSError, ValueError) as error:
        return f"it cannot be inspected: {getattr(error, 'strerror', None) or error}"
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "it is not a regular file"
    return "" if os.access(path, os.R_OK) else "its permissions forbid reading"
