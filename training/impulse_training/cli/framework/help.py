"""The help of `impulse` itself, and the end of each command's help."""

from collections.abc import Sequence
from textwrap import shorten
from typing import Final

from impulse_training.cli.commands import TREE
from impulse_training.cli.framework.tree import ROWS, below

COLUMNS: Final = 80
"""Width of the screen that the help of `impulse` fits."""


def overview() -> str:
    """Return the help of `impulse` itself, which fits a screen: 24 lines of 80 columns."""
    width = max(len(name) for name in ROWS if " " not in name) + 2
    lines = [
        "usage: impulse COMMAND [OPTIONS]",
        "The board game Impulse for reinforcement learning. See also: COMMAND --help.",
    ]
    for title, rows in TREE.items():
        lines.append(f"{title}:")
        for name, summary in rows.items():
            if " " in name:
                continue
            names = ", ".join(below(name))
            if names:
                space = COLUMNS - len(f"  {summary} ()") - width
                listed = shorten(names, space, placeholder=" …", break_on_hyphens=False)
                summary = f"{summary} ({listed})"
            lines.append(f"  {name:<{width}}{summary}")
    return "\n".join([*lines, "Start with: impulse play, impulse demo, impulse agents."])


def more_help(name: str, examples: Sequence[str] = ()) -> str:
    """Return the end of a command's help: examples and subcommands."""
    lines = ["examples:", *(f"  {line}" for line in examples)] if examples else []
    commands = below(name)
    if commands:
        width = max(map(len, commands)) + 2
        lines.append(f"subcommands, as in impulse {name} {next(iter(commands))}:")
        lines += [f"  {word:<{width}}{row.summary}" for word, row in commands.items()]
    return "\n".join(lines)
