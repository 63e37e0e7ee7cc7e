"""Options of `impulse games explore`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro import conf

Eyes = Literal["seat", "public"]
"""The viewpoint of the drawn boards: the seat of the line, or the public information."""

Cards = Literal["face", "action"]
"""How cards are named: by everything printed on them, or by the action alone, such as Command."""


@dataclass(frozen=True)
class ExploreArgs:
    """Explore openings: the first choices in many games, how often they were made, and who won.

    Every seat of a game is one line, named as if its home were on the left, so that all seats share
    one tree. Without --html the command prints the top of the tree.
    """

    games: Annotated[tuple[Path, ...], conf.Positional] = ()
    """Records, folders of records, tournaments, or folders of exported data."""
    html: Path | None = None
    """Write the explorer to this self-contained HTML file."""
    depth: int = 12
    """The most choices of a line."""
    least: int = 3
    """Leave out choices made fewer times than this."""
    cards: Cards = "face"
    """How cards are named: face, everything printed on them, or action, such as Command, which
    merges more lines."""
    rows: int = 20
    """Rows to print in the terminal, the most played first."""
    agent: str | None = None
    """Only lines of this agent."""
    seat: int | None = None
    """Only lines of this seat, 0 to 5."""
    players: int | None = None
    """Only games with this number of players."""
    race: str | None = None
    """Only lines of this race."""
    home: int | None = None
    """Only lines with this card on the home cell, by its printed number."""
    judge: str | None = None
    """Judge of the chance to win before and after a choice: rules, or a trained agent such as
    policy:2p. By default the chances in the records."""
    drawings: int = 300
    """For --html: the most nodes with a drawn board, the most played first."""
    eyes: Eyes = "seat"
    """For --html: the viewpoint of the boards: seat, with the seat's own cards, or public."""
    replays: int = 0
    """For --html: replay pages per node, written to a folder next to the page."""
