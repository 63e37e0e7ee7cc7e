"""The command `impulse tools completion`."""

from dataclasses import dataclass
from typing import Literal

from impulse_training.cli.framework.command import Command
from impulse_training.cli.framework.completion import script

COMMAND = Command(examples=('eval "$(impulse tools completion --shell bash)"',))


@dataclass(frozen=True)
class Args:
    """Print a script that completes commands and options; the shell evaluates it."""

    shell: Literal["bash", "zsh", "fish"] = "bash"
    """The shell: bash, zsh or fish."""


def main(args: Args) -> None:
    """Print the script."""
    print(script(args.shell))
