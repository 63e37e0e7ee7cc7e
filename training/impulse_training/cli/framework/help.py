"""The help of `impulse` itself, and what the help of each command has at its end."""

from collections.abc import Sequence
from textwrap import shorten
from typing import Final

from impulse_training.cli.commands import TREE
from impulse_training.cli.framework.tree import ROWS, below

COLUMNS: Final = 80
"""Of the screen that the help of `impulse` fits."""


def overview() -> str:
    """Return the help of `impulse` itself, which fits a screen: 24 lines of 80 columns."""
    width = max(len(name) for name in ROWS if " " not in name) + 2
    lines = [
        "usage: impulse COMMAND [OPTIONS]",
        "",
        "The board game Impulse for reinforcement learning. COMMAND --help explains one.",
        "",
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
    return "\n".join([*lines, "", "Begin with: impulse play, impulse demo, impulse agents."])


def more_help(name: str, examples: Sequence[str] = ()) -> str:
    """Return what the help of a command has after the options: examples, and commands below it."""
    lines = ["examples:", *(f"  {line}" for line in examples)] if examples else []
    commands = below(name)
    if commands:
        width = max(map(len, commands)) + 2
        lines.append(f"below it, as in impulse {name} {next(iter(commands))}:")
        lines += [f"  {word:<{width}}{row.summary}" for word, row in commands.items()]
    return "\n".join(lines)
