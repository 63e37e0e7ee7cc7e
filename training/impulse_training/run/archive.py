"""The zip archives that trainings and demonstrations are kept in, looked at unread.

Whoever reads one takes memory for what it says it holds, so that is compared with the file first:
nothing in it is compressed, so nothing in it is larger than the file.
"""

import zipfile
from pathlib import Path
from typing import Final

from impulse_env.errors import ImpulseError
from impulse_env.files import why_unusable

_MOST_ENTRIES: Final = 1 << 17
_BEGIN: Final = b"PK\x03\x04"
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
"""Of the record at the end of an archive without a comment; with one, readers may disagree."""
_ENCRYPTED: Final = 1
"""The bit of an entry's flags."""


class ArchiveError(ImpulseError, ValueError):
    """A file is no archive of the expected kind; the message says why, without the file's name."""


def check_archive(path: Path, most_bytes: int) -> dict[str, int]:
    """Return the names of an archive's entries with their sizes in bytes.

    Args:
        path: The file; it is read once, to compare its checksums.
        most_bytes: How large it may be.

    Raises:
        ArchiveError: It is none, damaged, too large, or claims to hold more than it does.
    """
    problem = why_unusable(path)
    if problem:
        raise ArchiveError(problem)
    try:
        size = _checked_size(path, most_bytes)
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check_entries(entries, size)
            damaged = archive.testzip()
    except ArchiveError:
        raise
    except Exception as error:  # what zipfile raises of a file that was tampered with is not told
        raise ArchiveError(f"its zip archive cannot be read: {_line(error)}") from error
    if damaged is not None:
        raise ArchiveError(f"its part {_line(damaged)} is damaged: the checksum differs")
    return {entry.filename: entry.file_size for entry in entries}


def _checked_size(path: Path, most_bytes: int) -> int:
    """Return the size of a file that begins and ends as an archive does."""
    size = path.stat().st_size
    if size > most_bytes:
        raise ArchiveError(f"it has {size:,} bytes, and {most_bytes:,} are allowed")
    with open(path, "rb") as file:
        begin = file.read(len(_BEGIN))
        file.seek(max(0, size - _END_BYTES))
        end = file.read()
    if begin != _BEGIN:
        raise ArchiveError("it is empty" if not size else "it is no zip archive")
    if end[: len(_END)] != _END:
        raise ArchiveError("its end is missing, or something stands behind it")
    return size


def _check_entries(entries: list[zipfile.ZipInfo], size: int) -> None:
    if len(entries) > _MOST_ENTRIES:
        raise ArchiveError(f"it has {len(entries):,} parts, and {_MOST_ENTRIES:,} are allowed")
    if len({entry.filename for entry in entries}) < len(entries):
        raise ArchiveError("it has two parts of one name")
    for entry in entries:
        is_plain = entry.compress_type == zipfile.ZIP_STORED and not entry.flag_bits & _ENCRYPTED
        if not is_plain or entry.file_size != entry.compress_size:
            raise ArchiveError(
                f"its part {_line(entry.filename)} is compressed or encrypted, which none may be"
            )
    claimed = sum(entry.file_size for entry in entries)
    if claimed > size:
        raise ArchiveError(f"it claims to hold {claimed:,} bytes, and the file has {size:,}")


def _line(said: object) -> str:
    """Return the beginning of what a library or a file says, on one line."""
    return " ".join(str(said).split())[:120] or type(said).__name__
