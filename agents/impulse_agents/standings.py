"""The agents' measured strength and speed: short cards, and ratings for two to six players.

``agent_cards.json`` has the figures of the agents that need no training, with the commands that
printed them. For a trained agent, `impulse agents model-card` writes them into ``NAME.json`` beside
its weights.

`impulse agents standings` writes them into ``standings.json``, one row for each agent and table.
Each agent has met every line-up of the same panel on the same deals. 0 is the mean of the table's
panel, and 400 points are odds of ten to one.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final, TypeVar

from msgspec import Meta

from impulse_agents import checkpoints, plugins, registry
from impulse_agents.base import AgentError
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically
from impulse_env.options import Options
from impulse_env.schema import SchemaError, read_json

T = TypeVar("T")

_UNTRAINED: Final = Path(__file__).with_name("agent_cards.json")
_MOST_BYTES_OF_A_CARD: Final = 1 << 20


@dataclass(frozen=True)
class Card:
    """Measured strength and speed of an agent.

    Attributes:
        agent: Its name.
        description: What it does, in a few words.
        players: Number of players in the measured games; None if it was not measured.
        won: Games won in per cent, by the name of the agent on all other sides.
        decisions_per_second: On one core, in many games at once if the agent can do that; None if
            it was not measured.
    """

    agent: str
    description: str
    players: int | None
    won: dict[str, float]
    decisions_per_second: float | None


@dataclass(frozen=True)
class _Measured:
    """The figures of an agent in a file."""

    agent: str
    players: Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
    won: dict[str, Annotated[float, Meta(ge=0, le=100)]]
    decisions_per_second: Annotated[float, Meta(ge=0, le=1e12)]


@dataclass(frozen=True)
class _OfOne:
    card: _Measured
    commands: Any = ()


@dataclass(frozen=True)
class _OfMany:
    cards: list[_Measured]
    commands: Any = ()


def cards() -> list[Card]:
    """Return the cards of all named agents: trained, searching, rule-based, of other authors.

    Raises:
        AgentError: A file beside a trained agent is not a card; the message names the field.
    """
    files = (checkpoints.FOLDER / f"{name}.json" for name in checkpoints.shipped())
    measured = [_read(path, _OfOne).card for path in files if path.is_file()]
    measured += _read(_UNTRAINED, _OfMany).cards
    complete = [Card(description=_description(one.agent), **asdict(one)) for one in measured]
    known = {card.agent for card in complete}
    others = [*(f"policy:{name}" for name in checkpoints.shipped()), *registry.own_names()]
    return complete + [
        Card(name, _description(name), None, {}, None) for name in others if name not in known
    ]


def _read(path: Path, kind: type[T]) -> T:
    """Return the checked content of a file; raises `AgentError`."""
    try:
        return read_json(path.read_bytes()[:_MOST_BYTES_OF_A_CARD], kind)
    except SchemaError as error:
        raise AgentError(f"{path} is not a card: {error}") from error


def _description(name: str) -> str:
    kind = registry.KINDS.get(name.partition(":")[0])
    if kind is not None:
        return kind.description
    is_installed = name in plugins.entry_point_names(registry.GROUP)
    return "of an installed package" if is_installed else "registered in this process"


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
