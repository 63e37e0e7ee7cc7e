"""The command `impulse play`: a table in the browser, or with `--terminal` in the terminal."""

from dataclasses import dataclass

from impulse_table.terminal import TerminalArgs
from impulse_table.web.listening import ServerArgs
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse play",
        "impulse play --terminal --opponents policy:2p",
        "impulse play --agents my_agent.py:Best",
    )
)


@dataclass(frozen=True)
class Args(TerminalArgs, ServerArgs):
    """Play against agents or people: a table in the browser, or one game in the terminal."""

    terminal: bool = False
    """Play one game in the terminal instead of the browser."""


def main(args: Args) -> None:
    """Play in the terminal, or serve the table until Ctrl-C."""
    if args.terminal:
        from impulse_table import terminal

        terminal.play(args)
    else:
        from impulse_table.web.command import serve  # needs the extra `play`

        serve(args)
