"""Options of `impulse agents standings`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro import conf


@dataclass(frozen=True)
class StandingsArgs:
    """Show how strong the agents are, or place agents among them by games.

    Agents that are named play every line-up of a fixed panel on fixed deals, at the table that
    --players and --team-size tell, and get a row; what was played is kept and not played again.
    """

    agents: Annotated[tuple[str, ...], conf.Positional] = ()
    """Whom to place; none: only show the table."""
    all: bool = False
    """Place every agent of the project at every table that it can play."""
    players: int | None = None
    """Players of a game, 2 to 6; to place an agent 2 if not given."""
    team_size: int | None = None
    """Players per team: 2 with 4 players, 2 or 3 with 6."""
    games: int = 1200
    """Of each agent at each table; rounded up to whole deals."""
    file: Path | None = None
    """Where rows are kept; that of the project in a checkout, else standings.json here, whose rows
    are shown among those of the project."""
    folder: Path = Path("runs/standings")
    """Where the games are kept."""
    workers: int | None = None
    """Processes; as many as there are cores if not given."""
    shares: bool = False
    """Show what each agent won, plain and with the luck taken out, instead of the ratings."""
    markdown: bool = False
    """Print the table as Markdown."""
    picture: Path | None = None
    """Draw strength against milliseconds into this file, .svg or .png."""
