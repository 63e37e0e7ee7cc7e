"""Finds commands by name, and imports the file of a command on first use."""

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
    """A command or a group of commands.

    Attributes:
        name: The words after `impulse`: one, or two for a subcommand.
        summary: Its summary, in one line.
    """

    name: str
    summary: str

    @property
    def is_group(self) -> bool:
        """Whether this is a group, which has no file of its own."""
        return self.name in GROUPS

    @property
    def module(self) -> str:
        """The dotted name of the command's file."""
        words = self.name.replace("-", "_").split()
        if below(self.name):
            words *= 2
        return ".".join([_CLI, *words])

    @property
    def declared(self) -> Command:
        """The command's declaration. This property and the next ones import the file."""
        declared: Command = self._file().COMMAND
        return declared

    @property
    def options(self) -> type:
        """The dataclass of the command's options."""
        options: type = self._file().Args
        return options

    @property
    def run(self) -> Callable[[Any], Any]:
        """The function that takes the options."""
        run: Callable[[Any], Any] = self._file().main
        return run

    def _file(self) -> ModuleType:
        return import_module(self.module)


ROWS: Final = {name: Row(name, summary) for rows in TREE.values() for name, summary in rows.items()}
COMMANDS: Final = {name: row for name, row in ROWS.items() if name not in GROUPS}


def find(words: Sequence[str]) -> Row | None:
    """Return the command of the first two words, or of the first word, or None."""
    if " " in words[0]:  # two words as one argument
        return None
    return ROWS.get(" ".join(words[:2])) or ROWS.get(words[0])


def below(name: str) -> dict[str, Row]:
    """Return the subcommands of a command or group, by their second word."""
    start = f"{name} "
    return {
        other.removeprefix(start): row for other, row in ROWS.items() if other.startswith(start)
    }


def nearest(word: str, at: str = "") -> str:
    """Return ``; did you mean …?`` with the full name of a command, or an empty text.

    Args:
        word: The unknown word; the second word of a subcommand is enough.
        at: The first word of the command line, if `word` came after it.
    """
    names = {name.rpartition(" ")[2]: name for name in ROWS} | {name: name for name in ROWS}
    names |= {name: row.name for name, row in below(at).items()}
    close = get_close_matches(word, names, n=1)
    return f"; did you mean impulse {names[close[0]]}?" if close else ""
