"""Completion of `impulse` in a shell: a script that the shell evaluates."""

from dataclasses import dataclass
from typing import Literal

import tyro

from impulse_training.cli.commands import COMMANDS, load


@dataclass(frozen=True)
class Args:
    """Print a script that completes commands and options; the shell evaluates it."""

    shell: Literal["bash", "zsh", "fish"] = "bash"
    """Which shell."""


def main(args: Args) -> None:
    """Print the script."""
    print(script(args.shell))


def script(shell: str) -> str:
    """Return the script for a shell, made from the options of every subcommand."""
    import contextlib
    import io

    options = {command.name: load(command.options) for command in COMMANDS.values()}
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        tyro.extras.subcommand_cli_from_dict(
            options, prog="impulse", args=["--tyro-print-completion", shell]
        )
    return text.getvalue()
