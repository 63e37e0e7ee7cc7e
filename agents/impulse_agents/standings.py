"""The agents' ratings at tables of two to six players, as the project ships them.

`impulse agents standings` writes them into ``standings.json``, one row for each agent and table.
Each agent has met every line-up of the same panel on the same deals. 0 is the mean of the table's
panel, and 400 points are odds of ten to one.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

from msgspec import Meta

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.options import Options
from impulse_env.schema import SchemaError, read_json

FILE: Final = Path(__file__).with_name("standings.json")
_MOST_BYTES: Final = 4 << 20
_Rating = Annotated[float, Meta(ge=-1e5, le=1e5)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Adjusted = Annotated[float, Meta(ge=-9, le=9)]


class StandingsError(ImpulseError, ValueError):
    """A file of standings cannot be used; the message says why."""


@dataclass(frozen=True)
class Standing:
    """The strength of an agent at one kind of table.

    Attributes:
        agent: Its name.
        players: Players of a game.
        team_size: Players of a team; None: no teams.
        rating: Rating in Elo points.
        low: Lower end of the 95 % interval; None: the games set no limit.
        high: Upper end; likewise.
        won: Share of games won, 0 to 1.
        par: That share if all agents were equal.
        adjusted: Luck-adjusted share of games won, by the rule-based evaluation, see
            `impulse_agents.luck`; may be slightly outside 0 to 1.
        adjusted_low: Lower end of its 95 % interval; None: too few deals.
        adjusted_high: Upper end; likewise.
        games: Number of games.
        milliseconds: Processor time of a decision with more than one legal action, one game at a
            time, on the machine that played.
        identity: The agent's identity, see `impulse_agents.identity`.
        command: The command that wrote the row.
    """

    agent: str
    players: int
    team_size: int | None
    rating: _Rating
    low: _Rating | None
    high: _Rating | None
    won: _Share
    par: _Share
    adjusted: _Adjusted
    adjusted_low: _Adjusted | None
    adjusted_high: _Adjusted | None
    games: Annotated[int, Meta(ge=1)]
    milliseconds: Annotated[float, Meta(ge=0, le=1e9)]
    identity: str
    command: str

    def __post_init__(self) -> None:
        """Raise `OptionError` if the table is impossible."""
        Options(self.players, self.team_size)

    @property
    def table(self) -> tuple[int, int | None]:
        """The kind of table: players, and players of a team."""
        return self.players, self.team_size


@dataclass(frozen=True)
class _File:
    rows: list[Standing]


def read(path: Path | None = None) -> list[Standing]:
    """Return the rows of a file, by default the project's; none if the file does not exist.

    Raises:
        StandingsError: The file contains something else; the message names the row and the field.
    """
    path = path or FILE
    if not path.is_file():
        return []
    try:
        return read_json(path.read_bytes()[:_MOST_BYTES], _File).rows
    except SchemaError as error:
        raise StandingsError(f"{path} is not a file of standings: {error}") from error


def write(rows: Sequence[Standing], path: Path) -> None:
    """Write rows, ordered by table and then by rating, the strongest first."""
    ordered = sorted(rows, key=lambda row: (row.players, row.team_size or 0, -row.rating))
    text = ",\n".join(f"  {json.dumps(asdict(row))}" for row in ordered)
    write_atomically(path, f'{{"rows": [\n{text}\n]}}\n')
