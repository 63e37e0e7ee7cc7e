"""A `Table` in the terminal, and as Markdown."""

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Shown
from rich.text import Text

from impulse_env.files import check_output, write_atomically
from impulse_training.report.table import Table
from impulse_training.run.terminal.screen import Screen

_NAME: Final = 20
"""Characters of the first column that stay on one line in any terminal."""
_UNBOUNDED: Final = 10_000


def print_table(console: Console, table: Table) -> None:
    """Print a table with its title and its note."""

    def text(words: str, style: str = "") -> Text:
        # Names of agents are text, not markup. Encode first: replacements can be longer than the
        # characters they replace, and columns must line up.
        encoded = words.encode(console.encoding, getattr(console.file, "errors", None) or "replace")
        return Text(encoded.decode(console.encoding, "surrogateescape"), style)

    shown = Shown(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    shown.add_column(text(table.columns[0]), overflow="fold")
    for column in table.columns[1:]:
        shown.add_column(text(column.replace(" ", "\n")), justify="right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*map(text, row))
    # Lines may be longer than the terminal, so that no cell is cut off.
    longest = max(len(row[0]) for row in (table.columns, *table.rows))
    whole = console.measure(shown, options=console.options.update(max_width=_UNBOUNDED)).maximum
    needed = whole - longest + min(longest, _NAME)
    shown.width = needed if needed > console.width else None
    for part in (text(table.title, "bold"), shown, text(table.note, "dim"), ""):
        console.print(part, soft_wrap=False, crop=False)


def print_and_keep(make: Callable[[Console], Table], path: Path) -> dict[str, Any]:
    """Make a table, print it, write it as Markdown, and return its fields by name.

    Args:
        make: Makes the table, and prints its progress on the console.
        path: The file to write, in the folder of ``--out``.

    Raises:
        OSError: The file cannot be written; `make` was not called.
    """
    check_output("--out", path.parent, is_folder=True)
    console = Screen()
    table = make(console)
    print_table(console, table)
    write_atomically(path, markdown(table))
    return asdict(table)


def markdown(table: Table) -> str:
    """Return a table as Markdown, without its title and its note."""
    ruler = ["---", *["---:"] * (len(table.columns) - 1)]
    return "".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n"
        for row in (table.columns, ruler, *table.rows)
    )
