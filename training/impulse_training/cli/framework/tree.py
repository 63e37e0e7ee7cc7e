"""Finds commands by their names, and imports the file of a command when it is asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from impulse_training.cli.commands import GROUPS, TREE
from impulse_training.cli.framework.command import Command

_CLI: Final = "impulse_training.cli"


@dataclass(frozen=True)
class Row:
    """A row of the tree.

    Attributes:
        name: What is typed after `impulse`: a word, or two for a command below the first.
        summary: What it does, in a line.
    """

    name: str
    summary: str

    @property
    def is_group(self) -> bool:
        """Whether it is no command itself, so that it has no file."""
        return self.name in GROUPS

    @property
    def module(self) -> str:
        """The dotted name of its file."""
        words = self.name.replace("-", "_").split()
        if below(self.name):
            words *= 2
        return ".".join([_CLI, *words])

    @property
    def declared(self) -> Command:
        """What its file says of it; this imports the file, as do the following."""
        declared: Command = self._file().COMMAND
        return declared

    @property
    def options(self) -> type:
        """The dataclass of its options."""
        options: type = self._file().Args
        return options

    @property
    def run(self) -> Callable[[Any], Any]:
        """The function that takes the options."""
        run: Callable[[Any], Any] = self._file().main
        return run

    def _file(self) -> ModuleType:
        return import_module(self.module)


ROWS: Final = {name: Row(name, told) for rows in TREE.values() for name, told in rows.items()}
COMMANDS: Final = {name: row for name, row in ROWS.items() if name not in GROUPS}


def find(words: Sequence[str]) -> Row | None:
    """Return what the first two words name, or the first alone, or None."""
    if " " in words[0]:  # two words as one argument
        return None
    return ROWS.get(" ".join(words[:2])) or ROWS.get(words[0])


def below(name: str) -> dict[str, Row]:
    """Return the commands below a word at the top, each by its own word."""
    start = f"{name} "
    return {
        other.removeprefix(start): row for other, row in ROWS.items() if other.startswith(start)
    }


def nearest(word: str, at: str = "") -> str:
    """Return ``; did you mean …?`` with the whole name of a command, or nothing.

    Args:
        word: What was typed; for a command below another, its own word is enough.
        at: The word at the top that it was typed after.
    """
    names = {name.rpartition(" ")[2]: name for name in ROWS} | {name: name for name in ROWS}
    names |= {name: row.name for name, row in below(at).items()}
    close = get_close_matches(word, names, n=1)
    return f"; did you mean impulse {names[close[0]]}?" if close else ""
