"""Options of the commands on the whole: the agents, this machine, the demo."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class AgentsArgs:
    """List the agents: what they do, how strong they are, how fast they decide."""

    players: int | None = None
    """Trained agents for so many players alone."""


@dataclass(frozen=True)
class InfoArgs:
    """Print versions, the cache of machine code, the hardware, and what is installed."""


@dataclass(frozen=True)
class WarmupArgs:
    """Compile everything now, once for this version and machine, so that nothing waits later."""


@dataclass(frozen=True)
class DemoArgs:
    """Print a game, train an agent, play it against the others."""

    minutes: float = 3.0
    """How long to train."""
    players: int = 2
    """Players of a game, 2 to 6."""
    games: int = 3000
    """Games of the tournament at the end."""
    seed: int = 1
    """Of everything."""
    out: Path = Path("runs/demo")
    """Folder to write to."""
