"""Tables on disk, a file each, so that neither a reload nor a restart loses a game."""

import re
from pathlib import Path
from typing import Final

from impulse_agents.table.table import SavedTable, Table, TableError
from impulse_env.files import write_atomically

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")


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
        write_atomically(self.path(table.name), table.saved.model_dump_json(), mode=0o600)

    def read(self, name: str) -> Table:
        """Return a table as it was kept; raises `TableError`."""
        path = self.path(name)
        try:
            return Table(SavedTable.model_validate_json(path.read_bytes()))
        except FileNotFoundError:
            raise TableError("there is no such table; it may have been played elsewhere") from None
        except (ValueError, TypeError) as error:
            raise TableError(f"{path} is damaged, or of another version: {error}") from error
