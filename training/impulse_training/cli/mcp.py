"""The command `impulse mcp`: a game for language models over the Model Context Protocol."""

from dataclasses import dataclass

from impulse_table.mcp.serving import McpArgs, serve
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse mcp --seat 1",
        "impulse mcp --seat 0 --players 3 --opponents policy:3p greedy",
        "impulse mcp --seat 0 1 --players 4 --port 8766",
        "impulse mcp --watch --opponents policy:2p --pace 2",
    ),
    extra="mcp",
)


@dataclass(frozen=True)
class Args(McpArgs):
    """Serve one game to clients of the Model Context Protocol, such as language models.

    Each client plays one seat with a tool for each kind of action, or watches. Agents play the
    other seats.
    """


def main(args: Args) -> None:
    """Serve until the client leaves, or until Ctrl-C."""
    serve(args)
