"""Tables on disk, one file each, so that neither a reload nor a restart loses a game."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

from impulse_env.files import write_atomically
from impulse_env.game import Game
from impulse_env.schema import SchemaError
from impulse_table.tables.table import SavedTable, Table, TableError

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
_MOST_BYTES: Final = 4 << 20
"""Size limit of a file: several times the longest game."""
_LONGEST: Final = 300
"""Characters of an error's reason."""


class DamagedTableError(TableError):
    """A table's file is damaged; the message names the file, which stays unchanged."""


class Store:
    """A folder of tables.

    Args:
        folder: The folder. The first `keep` creates it, readable only for its owner.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the file of a table; raises `TableError` if no table can have that name."""
        if not _NAME.fullmatch(name):
            raise TableError("a table's name has only letters, digits, - and _, at most 32")
        return self.folder / f"{name}.json"

    def keep(self, table: Table) -> None:
        """Write a table atomically: a reader sees the old or the new file."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The file holds the seats' tokens.
        write_atomically(self.path(table.name), msgspec.json.encode(table.saved), mode=0o600)

    def saved(self, name: str) -> SavedTable:
        """Return the data of a table, without a check of its game; errors as in `read`."""
        try:
            saved = SavedTable.read(content_of(self.path(name)))
        except FileNotFoundError:
            raise TableError("there is no such table; it may have been played elsewhere") from None
        except OSError as error:
            raise self._damaged(name, error.strerror or str(error)) from error
        except SchemaError as error:
            raise self._damaged(name, str(error)) from error
        if saved.name != name:
            raise self._damaged(name, "it contains a table with another name")
        return saved

    def read(self, name: str) -> Table:
        """Return a saved table.

        Raises:
            TableError: No table has that name.
            DamagedTableError: Its file cannot be read, or does not contain a table.
        """
        saved = self.saved(name)
        try:
            return Table(saved)
        except (ValueError, TypeError) as error:
            raise self._damaged(name, str(error)) from error

    def check(self, name: str) -> tuple[SavedTable, Game]:
        """Return the data of a table, and its game; faster than `read`, with the same errors."""
        saved = self.saved(name)
        try:
            return saved, saved.replayed()
        except (ValueError, TypeError) as error:
            raise self._damaged(name, str(error)) from error

    def names(self) -> Iterator[str]:
        """Yield the names of all tables, also of damaged ones; raises OSError."""
        if self.folder.exists():
            yield from sorted(path.stem for path in self.folder.iterdir() if path.suffix == ".json")

    def _damaged(self, name: str, why: str) -> DamagedTableError:
        short = " ".join(why.split())[:_LONGEST]
        return DamagedTableError(f"{self.path(name)} is damaged, or of another version: {short}")


def content_of(path: Path) -> bytes:
    """Return the content of a file; raises OSError, also if it is too large or not a plain file."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode):
        raise OSError("it is not a plain file")
    if status.st_size > _MOST_BYTES:
        raise OSError(f"it has {status.st_size:,} bytes, and {_MOST_BYTES:,} are allowed")
    return path.read_bytes()
