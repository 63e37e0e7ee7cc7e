"""The command line of this process, for results and checkpoints."""

import shlex
import sys
from pathlib import Path


def command() -> str:
    """Return the command line of this process, quoted for a shell."""
    name = Path(sys.argv[0]).name
    return shlex.join([name] if name == "impulse" else ["python", name]) + "".join(
        f" {shlex.quote(word)}" for word in sys.argv[1:]
    )
