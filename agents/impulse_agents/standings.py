"""How strong the agents are, at tables of two to six players: ratings that come with the project.

They stand in ``standings.json``, a row for each agent and table, which `impulse agents standings`
writes: each agent has met every line-up of the same panel on the same deals. 0 is the mean of the
panel of that table, 400 points are odds of ten to one.
"""

import json
import reprlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, fields
from math import isfinite
from pathlib import Path
from typing import Any, Final

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.options import OptionError, Options

FILE: Final = Path(__file__).with_name("standings.json")
_MOST_BYTES: Final = 4 << 20


class StandingsError(ImpulseError, ValueError):
    """A file of standings cannot be used; the message says why."""


@dataclass(frozen=True)
class Standing:
    """How strong an agent is at one kind of table.

    Attributes:
        agent: Its name.
        players: Players of a game.
        team_size: Players of a team; None: each for themselves.
        rating: In Elo points.
        low: Lower end of the 95 % interval; None: the games set no limit.
        high: Upper end; likewise.
        won: Its share of the games, 0 to 1.
        par: The share if all were equal.
        adjusted: Its share with the luck taken out that the rule-based evaluation sees, see
            `impulse_agents.luck`; can lie a little outside of 0 to 1.
        adjusted_low: Lower end of its 95 % interval; None: too few deals.
        adjusted_high: Upper end; likewise.
        games: How many.
        milliseconds: Processor time of a decision with more than one legal answer, one game at a
            time, on the machine that played.
        identity: What the agent was, see `impulse_agents.identity`.
        command: What was typed.
    """

    agent: str
    players: int
    team_size: int | None
    rating: float
    low: float | None
    high: float | None
    won: float
    par: float
    adjusted: float
    adjusted_low: float | None
    adjusted_high: float | None
    games: int
    milliseconds: float
    identity: str
    command: str

    @property
    def table(self) -> tuple[int, int | None]:
        """The kind of table: players, and players of a team."""
        return self.players, self.team_size


def read(path: Path | None = None) -> list[Standing]:
    """Return the rows of a file, or of the project's; none if it is not there.

    Raises:
        StandingsError: It holds something else; the message names the row and the field.
    """
    path = path or FILE
    if not path.is_file():
        return []
    try:
        told = json.loads(path.read_bytes()[:_MOST_BYTES])
    except (ValueError, RecursionError) as error:
        raise StandingsError(f"{path} holds no standings: it is no JSON, or cut off") from error
    rows = told.get("rows") if isinstance(told, dict) else None
    if not isinstance(rows, list):
        raise StandingsError(f"{path} holds no standings: rows must be a list")
    return [_checked(row, f"{path}, row {number}") for number, row in enumerate(rows, 1)]


def write(rows: Sequence[Standing], path: Path) -> None:
    """Write rows, the tables in order and the strongest first."""
    ordered = sorted(rows, key=lambda row: (row.players, row.team_size or 0, -row.rating))
    text = ",\n".join(f"  {json.dumps(asdict(row))}" for row in ordered)
    write_atomically(path, f'{{"rows": [\n{text}\n]}}\n')


def _checked(told: Any, where: str) -> Standing:
    if not isinstance(told, dict) or told.keys() != _FIELDS.keys():
        wanted = ", ".join(_FIELDS)
        raise StandingsError(f"{where} must be an object with the fields {wanted}")
    for name, (holds, allowed) in _FIELDS.items():
        if not holds(told[name]):
            raise StandingsError(
                f"{where}: {name} must be {allowed}, not {reprlib.repr(told[name])}"
            )
    try:
        Options(told["players"], told["team_size"])
    except OptionError as error:
        raise StandingsError(f"{where}: {error}") from error
    return Standing(**told)


def _is_number(said: Any, least: float, most: float) -> bool:
    is_number = isinstance(said, int | float) and not isinstance(said, bool)
    return is_number and isfinite(said) and least <= said <= most


def _is_whole(said: Any) -> bool:
    return isinstance(said, int) and not isinstance(said, bool) and said > 0


_RATING: Final = "a number from -100,000 to 100,000"
_SHARE: Final = "a number from -9 to 9"
_FIELDS: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "agent": (lambda said: isinstance(said, str), "a name"),
    "players": (_is_whole, "a whole number"),
    "team_size": (lambda said: said is None or _is_whole(said), "a whole number or null"),
    "rating": (lambda said: _is_number(said, -1e5, 1e5), _RATING),
    "low": (lambda said: said is None or _is_number(said, -1e5, 1e5), f"{_RATING}, or null"),
    "high": (lambda said: said is None or _is_number(said, -1e5, 1e5), f"{_RATING}, or null"),
    "won": (lambda said: _is_number(said, 0, 1), "a number from 0 to 1"),
    "par": (lambda said: _is_number(said, 0, 1), "a number from 0 to 1"),
    "adjusted": (lambda said: _is_number(said, -9, 9), _SHARE),
    "adjusted_low": (lambda said: said is None or _is_number(said, -9, 9), f"{_SHARE}, or null"),
    "adjusted_high": (lambda said: said is None or _is_number(said, -9, 9), f"{_SHARE}, or null"),
    "games": (_is_whole, "a whole number above 0"),
    "milliseconds": (lambda said: _is_number(said, 0, 1e9), "a number from 0 to 1e9"),
    "identity": (lambda said: isinstance(said, str), "a text"),
    "command": (lambda said: isinstance(said, str), "a text"),
}
assert [field.name for field in fields(Standing)] == list(_FIELDS)
