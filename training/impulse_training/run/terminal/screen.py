"""The console of rich as commands use it."""

import os
from typing import Literal

from rich.console import Console


class Screen(Console):
    """Prints text and tables; without colours where `NO_COLOR` is set and not empty.

    Args:
        soft_wrap: Whether the terminal wraps lines, instead of rich.
        stderr: Whether it prints to standard error.
    """

    def __init__(self, soft_wrap: bool = True, stderr: bool = False) -> None:
        # Without a colour system rich leaves bold and dim out, too.
        colors: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
        super().__init__(highlight=False, soft_wrap=soft_wrap, stderr=stderr, color_system=colors)

    def on_broken_pipe(self) -> None:
        """Raise `BrokenPipeError` again, which ends a command; rich would end it with code 1."""
        raise
