"""The rich console of all commands."""

import os
from typing import Literal

from rich.console import Console


class Screen(Console):
    """Prints text and tables, without colours if `NO_COLOR` is set and not empty.

    Args:
        soft_wrap: Whether the terminal wraps long lines, instead of rich.
        stderr: Whether to print to standard error.
    """

    def __init__(self, soft_wrap: bool = True, stderr: bool = False) -> None:
        # Without a colour system, rich also omits bold and dim.
        colors: Literal["auto"] | None = None if os.environ.get("NO_COLOR") else "auto"
        super().__init__(highlight=False, soft_wrap=soft_wrap, stderr=stderr, color_system=colors)

    def on_broken_pipe(self) -> None:
        """Raise `BrokenPipeError` again, which ends the command; rich would exit with code 1."""
        raise
