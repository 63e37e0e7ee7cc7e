"""Options of `impulse export`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro import conf

DataFormat = Literal["parquet", "minari"]
"""Formats of data sets."""


@dataclass(frozen=True)
class ExportArgs:
    """Export a record or a random game; the suffix of --out selects the format.

    .png and .svg: a picture; .txt: as a picture in letters, or with --whole the game in words;
    .json: a position, with --viewer all; .html: a page to step through; a folder, such as tables:
    CSV tables of all games, a file each. With --format games become data to share, for learning and
    analysis.
    """

    record: Annotated[Path | None, conf.Positional] = None
    """The file of a record; for tables and data also a folder of records, or that of a tournament.
    Without it a random game."""
    out: Path | None = None
    """The file, folder or dataset to write; required."""
    format: DataFormat | None = None
    """Write data: parquet, a folder of files with a row for each game and each decision; or minari,
    of games on disk, with --out as the name of the dataset."""
    agents: tuple[str, ...] = ()
    """For data: play games of these agents, one for every seat, or one for each. A stopped
    export continues, and a larger --games adds games."""
    games: int = 1000
    """Number of games that these agents play."""
    observations: bool = False
    """For data: include the observation of each decision."""
    workers: int | None = None
    """For data: number of processes; by default the number of cores."""
    players: int = 2
    """Players of the random game, or of the games of data: 2 to 6."""
    team_size: int | None = None
    """Likewise: players per team."""
    seed: int = 0
    """Likewise: random seed for the deals and the players."""
    turn: int | None = None
    """For a picture, a text or a position: the player turn to show, at its beginning; 0 is the
    first. By default the end of the game."""
    step: int | None = None
    """Instead of a turn: the number of decisions before the position."""
    viewer: str = "public"
    """Viewpoint: all (everything), public, or a seat."""
    whole: bool = False
    """With .txt: every decision of the game."""
