"""What the file of a command says of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Command:
    """A command, declared as `COMMAND` at the top of its file.

    The same file has `Args`, a dataclass whose fields are the options, and `main`, a function that
    takes them. What `main` prints is for people; what it returns, if anything, is what `--json`
    prints. Importing the file needs no extra: `main` imports what does.

    Attributes:
        examples: Command lines that are worth typing.
        has_json: Whether it takes `--json`.
        extra: The extra that brings all it needs; None if what it needs depends on the options.
        left_out: Takes the options that were read and returns the values of those that were not
            typed; None if these have their defaults.
    """

    examples: tuple[str, ...]
    has_json: bool = False
    extra: str | None = None
    left_out: Callable[[Any], Any] | None = None
