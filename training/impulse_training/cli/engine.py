"""The command `impulse engine`: an agent as a program that speaks the protocol of bots.

It reads lines from standard input and answers on standard output, until ``quit`` or the end of the
input. The guide docs/guides/protocol.md describes the lines.
"""

import sys
from contextlib import redirect_stdout
from dataclasses import dataclass

from impulse_agents import registry
from impulse_agents.protocol.messages import LONGEST
from impulse_agents.serving.engine import serve
from impulse_env.options import OptionError
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse engine policy:2p",
        "impulse engine policy+search:2p:300 --seconds 10",
    )
)


@dataclass(frozen=True)
class Args:
    """Serve an agent to a program in any language, over stdin and stdout."""

    agent: str
    """Name of the agent."""
    seconds: float = 60.0
    """Longest time for a decision, which the engine tells the program."""


def main(args: Args) -> None:
    """Serve until the program says quit.

    Raises:
        AgentError: The agent does not exist.
        OptionError: The number of seconds is out of range.
    """
    if not 0 < args.seconds <= LONGEST:
        raise OptionError(f"seconds must be above 0 and at most {LONGEST:g}, not {args.seconds:g}")
    out = sys.stdout.buffer
    with redirect_stdout(sys.stderr):  # what an agent prints is no line of the protocol
        serve(registry.make(args.agent), sys.stdin.buffer, out, args.seconds)
