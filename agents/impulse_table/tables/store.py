"""Tables on disk, a file each, so that neither a reload nor a restart loses a game."""

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
"""Of a file: several times the longest game."""
_LONGEST: Final = 300
"""Characters of what is wrong with a file."""


class DamagedTableError(TableError):
    """A table that cannot be played on; the message names its file, which stays as it is."""


class Store:
    """A folder of tables.

    Args:
        folder: Made, readable for nobody else, when the first table is kept.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the file of a table; raises `TableError` if no table can have that name."""
        if not _NAME.fullmatch(name):
            raise TableError("a table's name has letters, digits, - and _ in it, and no more")
        return self.folder / f"{name}.json"

    def keep(self, table: Table) -> None:
        """Write a table; whoever reads meanwhile sees it as it was or as it is."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        # The file holds the seats' tokens.
        write_atomically(self.path(table.name), msgspec.json.encode(table.saved), mode=0o600)

    def read(self, name: str) -> Table:
        """Return a table as it was kept.

        Raises:
            TableError: There is none of that name.
            DamagedTableError: Its file cannot be read, or holds no table.
        """
        saved = self._saved(name)
        try:
            return Table(saved)
        except (ValueError, TypeError) as error:
            raise self._damaged(name, str(error)) from error

    def check(self, name: str) -> tuple[SavedTable, Game]:
        """Return what was kept of a table, and its game; raises what `read` does, but quicker."""
        saved = self._saved(name)
        try:
            return saved, saved.replayed()
        except (ValueError, TypeError) as error:
            raise self._damaged(name, str(error)) from error

    def names(self) -> Iterator[str]:
        """Yield the names of all tables, damaged ones too; raises OSError."""
        if self.folder.exists():
            yield from sorted(path.stem for path in self.folder.iterdir() if path.suffix == ".json")

    def _saved(self, name: str) -> SavedTable:
        try:
            saved = SavedTable.read(_content(self.path(name)))
        except FileNotFoundError:
            raise TableError("there is no such table; it may have been played elsewhere") from None
        except OSError as error:
            raise self._damaged(name, error.strerror or str(error)) from error
        except SchemaError as error:
            raise self._damaged(name, str(error)) from error
        if saved.name != name:
            raise self._damaged(name, "it holds a table of another name")
        return saved

    def _damaged(self, name: str, why: str) -> DamagedTableError:
        short = " ".join(why.split())[:_LONGEST]
        return DamagedTableError(f"{self.path(name)} is damaged, or of another version: {short}")


def _content(path: Path) -> bytes:
    """Return what is in a file; raises OSError, also if it is no file that a table could be."""
    found = path.lstat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError("it is no plain file")
    if found.st_size > _MOST_BYTES:
        raise OSError(f"it has {found.st_size:,} bytes, and no table has more than {_MOST_BYTES:,}")
    return path.read_bytes()
