"""The declaration of a command."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """A command, declared as `COMMAND` at the top of its file.

    The same file has `Args`, a dataclass whose fields are the options, and `main`, a function that
    takes them. `main` prints text for people; `--json` prints its return value, if it has one.
    Importing the file needs no extra: `main` imports the libraries of extras.

    Attributes:
        examples: Example command lines for the help.
        has_json: Whether the command takes `--json`.
        extra: The extra with all libraries of the command; None if that depends on the options.
        left_out: Takes the parsed options and returns values for the omitted ones; None if
            omitted options have their defaults.
    """

    examples: tuple[str, ...]
    has_json: bool = False
    extra: str | None = None
    left_out: Callable[[Any], Any] | None = None
