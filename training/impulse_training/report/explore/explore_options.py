"""Options of `impulse games explore`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro import conf

Eyes = Literal["seat", "public"]
"""Who looks at the drawn boards: the seat whose opening it is, or what everybody sees."""

Cards = Literal["face", "action"]
"""What tells cards apart: all that is printed on them, or the action alone, such as Command."""


@dataclass(frozen=True)
class ExploreArgs:
    """Explore openings: what was chosen first in many games, how often, and who won.

    Every seat of a game is a line of its own, named as if its home were on the left, so that all
    seats share one tree. Without --html the top of the tree is printed.
    """

    games: Annotated[tuple[Path, ...], conf.Positional] = ()
    """Records, folders of records, tournaments, or folders of exported data."""
    html: Path | None = None
    """Write the explorer into this file, which needs nothing else."""
    depth: int = 12
    """Choices of a line at most."""
    least: int = 3
    """Choices that were made less often are left out."""
    cards: Cards = "face"
    """What tells cards apart: face, all that is printed on them, or action, such as Command, which
    brings more games together."""
    rows: int = 20
    """In the terminal: how many rows are printed, those played most often."""
    agent: str | None = None
    """Only lines of this agent."""
    seat: int | None = None
    """Only lines of this seat, 0 to 5."""
    players: int | None = None
    """Only games of so many players."""
    race: str | None = None
    """Only lines of this race."""
    home: int | None = None
    """Only lines with this card on the home cell, by its printed number."""
    judge: str | None = None
    """Who says how likely the seat is to win before and after a choice: rules, or a trained agent
    such as policy:2p. If not given, what the records tell of it."""
    drawings: int = 300
    """Of a page: nodes with a drawn board at most, those played most often."""
    eyes: Eyes = "seat"
    """Of a page: what its boards show, the seat's own cards too, or only what everybody sees."""
    replays: int = 0
    """Of a page: write the replay pages of so many games of each node, into a folder beside it."""
