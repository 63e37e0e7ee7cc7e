"""The messages of a page, as checked data; all others are rejected with one sentence.

Over HTTP a page asks for a new table (`NewTable`). Over its WebSocket it sends JSON objects, whose
``type`` is one of these:

    join     the tokens of this page's seats, none for a spectator; also the host's token, on the
             page of the person who began the game
    look     the next viewpoint, one of the page's seats
    act      a decision: the action's stable name, and the number of decisions that the page knows
    hint     ask an agent what it would do
    pace     seconds between two moves of agents
    skip     no pauses until a person must decide
    retry    let the agent that failed try again
    replace  let another agent play an agent's seat
    revoke   by the host: give a person's seat a new token; the old one stops working, and pages
             that use it lose the seat
    back     take back the last decision of the page's seat; other persons are asked
    answer   agree or not that another seat takes back its decision, or that the game ends
    rematch  after the end: begin another game with all players one seat on
    name     the name of a person at this page
    absent   by the host: how long the table waits for persons who are away
    relieve  by the host: let an agent play at once for a person who is away
    resign   give up a seat of this page for good
    concede  propose to everybody that the game ends now
    chat     a line to the other persons at the table
    delegate  let an agent play a seat of this page; without an agent: take the seat back
"""

from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_env.schema import SchemaError, read_json

T = TypeVar("T")

PERSON: Final = "person"
"""Stands for a person, where other seats have an agent's name."""
MAX_BYTES: Final = 4096
"""Size limit of one message."""
LONGEST_PAUSE: Final = 10.0
LONGEST_ABSENCE: Final = 60
"""Longest time that a table waits, in minutes, unless it waits for ever."""

AgentName = Annotated[str, Meta(min_length=1, max_length=200)]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Minutes = Annotated[int, Meta(ge=1, le=LONGEST_ABSENCE)]


TurnSeconds = Annotated[int, Meta(ge=5, le=3600)]
GameMinutes = Annotated[int, Meta(ge=1, le=600)]
ChatLine = Annotated[str, Meta(min_length=1, max_length=200)]
"""A line of chat, see `check_line`."""
PersonName = Annotated[str, Meta(min_length=1, max_length=24)]
"""A person's name, see `check_name`."""


class ProtocolError(ImpulseError, ValueError):
    """A message is invalid; says what was wrong and what is allowed."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the requests of a page."""


class NewTable(Asked, frozen=True):
    """A new game: its players, and the fields of `Options` that a page offers.

    Attributes:
        seats: `PERSON` or an agent's name for every seat.
        seed: Seed of the deal; None: a random one.
        away_minutes: Minutes until an agent plays for a person who is away; None: never.
        listed: Whether the server lists the table for everybody, who can then watch.
        turn_seconds: Seconds that a person has for the decisions of a turn; None: any time.
        game_minutes: Minutes that a person has for all decisions; None: any time.
        clock_agent: The agent that plays for a person without time; None: the default one.
    """

    seats: Annotated[list[AgentName], Meta(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    team_size: int | None = None
    races: Literal["draft"] | None = None
    start_player: int | None = None
    target_score: int = Options.target_score
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)] | None = None
    away_minutes: Minutes | None = None
    listed: bool = False
    turn_seconds: TurnSeconds | None = None
    game_minutes: GameMinutes | None = None
    clock_agent: AgentName | None = None

    def options(self) -> Options:
        """Return the options of the game; raises `OptionError`."""
        return Options(
            len(self.seats), self.team_size, self.races, self.start_player, self.target_score
        )


class _Message(Asked, frozen=True, tag_field="type", tag=str.lower):
    """Base of the messages over a page's WebSocket; ``type`` is the name of the class."""


class Join(_Message, frozen=True):
    """Join a table with some seats, or as a spectator."""

    tokens: Annotated[list[Token], Meta(max_length=MAX_PLAYERS)] = []
    host: Token | None = None


class Look(_Message, frozen=True):
    """Change the viewpoint to another seat of the page."""

    seat: SeatNumber


class Act(_Message, frozen=True):
    """Take a decision."""

    step: Annotated[int, Meta(ge=0)]
    action: Annotated[str, Meta(min_length=1, max_length=40)]


class Hint(_Message, frozen=True):
    """Ask an agent for a hint."""

    agent: AgentName


class Pace(_Message, frozen=True):
    """Set the pause between two moves of agents."""

    seconds: Annotated[float, Meta(ge=0, le=LONGEST_PAUSE)]


class Skip(_Message, frozen=True):
    """Continue without pauses until a person must decide."""


class Retry(_Message, frozen=True):
    """Ask the agent that failed again."""


class Replace(_Message, frozen=True):
    """Give an agent's seat to another agent."""

    seat: SeatNumber
    agent: AgentName


class Revoke(_Message, frozen=True):
    """Give a person's seat a new token."""

    seat: SeatNumber


class TakeBack(_Message, frozen=True, tag="back"):
    """Take back the last decision of the page's seat."""


class Answer(_Message, frozen=True):
    """Agree or not to the proposal of another seat."""

    agrees: bool
    to: Literal["back", "concede"] = "back"


class Rematch(_Message, frozen=True):
    """Begin a rematch."""


class Name(_Message, frozen=True):
    """Set the name of the person at a seat."""

    seat: SeatNumber
    name: PersonName

    def __post_init__(self) -> None:
        """Check the name; raises `ProtocolError`."""
        check_name(self.name)


class Absent(_Message, frozen=True):
    """Set how long the table waits for persons who are away; None: for ever."""

    minutes: Minutes | None


class Relieve(_Message, frozen=True):
    """Let an agent play for a person who is away."""

    seat: SeatNumber


class Delegate(_Message, frozen=True):
    """Let an agent play a seat of the page; None: the person plays it again."""

    seat: SeatNumber
    agent: AgentName | None


class Resign(_Message, frozen=True):
    """Give up a seat of the page; the agent, if one is named, plays it to the end."""

    seat: SeatNumber
    agent: AgentName | None = None


class Concede(_Message, frozen=True):
    """Propose to everybody that the game ends now."""


class Chat(_Message, frozen=True):
    """Send a line to the other persons at the table."""

    text: ChatLine

    def __post_init__(self) -> None:
        """Check the line; raises `ProtocolError`."""
        check_line("a line of chat", self.text)


Message: TypeAlias = (
    Join
    | Look
    | Act
    | Hint
    | Pace
    | Skip
    | Retry
    | Replace
    | Revoke
    | TakeBack
    | Answer
    | Rematch
    | Name
    | Absent
    | Relieve
    | Delegate
    | Resign
    | Concede
    | Chat
)


def read_message(text: str) -> Message:
    """Return the message of a page; raises `ProtocolError`."""
    # For mypy, a union is not a type.
    kind: type[Message] = Message  # type: ignore[assignment]
    return read(text, kind, "invalid message")


def read_new_table(body: bytes) -> NewTable:
    """Return a page's request for a new table; raises `ProtocolError`."""
    return read(body, NewTable, "invalid table")


def read(content: bytes | str, kind: type[T], otherwise: str) -> T:
    """Return a page's request from JSON; an error's message does not repeat its content.

    Args:
        content: The text.
        kind: The type of the request.
        otherwise: The start of an error's message.

    Raises:
        ProtocolError: The text is not such a request.
    """
    try:
        return read_json(content, kind, is_secret=True)
    except SchemaError as error:
        raise ProtocolError(f"{otherwise}: {error}") from error


def check_name(name: str | None) -> None:
    """Raise `ProtocolError` if a person cannot have this name."""
    if name is not None:
        check_line("a name", name)


def check_line(what: str, text: str) -> None:
    """Raise `ProtocolError` if a text is not one line of printable characters."""
    if text != " ".join(text.split()) or not text.isprintable():
        raise ProtocolError(
            f"{what} must have printable characters with single spaces between them"
        )
