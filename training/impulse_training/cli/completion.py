"""Completion of `impulse` in a shell: a script that the shell evaluates."""

from dataclasses import dataclass
from typing import Literal

import tyro

from impulse_training.cli.commands import COMMANDS, load
from impulse_training.cli.parsing import CONFIG, with_json


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

    options = {}
    for command in COMMANDS.values():
        taken = load(command.options)
        options[command.name] = with_json(taken) if command.has_json else taken
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.suppress(SystemExit):
        tyro.extras.subcommand_cli_from_dict(
            options, prog="impulse", args=["--tyro-print-completion", shell], config=CONFIG
        )
    found = text.getvalue()
    if shell == "zsh":
        # It is made for a folder of functions; evaluated, it has to register itself.
        body, call, _ = found.rpartition('_tyro_impulse "$@"')
        assert call
        return f"{body}compdef _tyro_impulse impulse"
    return found
