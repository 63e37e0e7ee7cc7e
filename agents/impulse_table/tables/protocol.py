"""What a page may say to the server, as checked data; everything else is refused in one sentence.

Over HTTP a page asks for a new table (`NewTable`). Over its WebSocket it sends one JSON object at a
time, told apart by ``type``:

    join     the tokens of the seats that sit at this page; none: a spectator; and the host's token,
             if it is the page of whoever began the game
    look     whose eyes to look through next, one of the page's seats
    act      a decision: the action's stable name, and how many decisions the page had seen taken
    hint     what would that agent do
    pace     seconds between two moves of agents
    skip     no pause until a person is to decide
    retry    let the agent that failed try once more
    replace  let another agent play a seat that is an agent's
    revoke   give a person's seat a fresh token, which is the host's to do; the old one opens
             nothing from then on, and whoever sits there by it is put out
    back     take back the last decision of the page's seat; other persons are asked
    answer   say whether another seat may take back its decision
    rematch  begin another game with everybody a seat further, once this one is over
    name     what a person at this page is called
    absent   how long the table waits for persons who are away, which is the host's to say
    relieve  let an agent play for a person who is away, at once, which is the host's to say
"""

from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_env.schema import SchemaError, read_json

T = TypeVar("T")

PERSON: Final = "person"
"""Instead of an agent's name: a person plays the seat."""
MAX_BYTES: Final = 4096
"""Of one message."""
LONGEST_PAUSE: Final = 10.0
LONGEST_ABSENCE: Final = 60
"""Minutes that a table waits at most, if it does not wait for ever."""

AgentName = Annotated[str, Meta(min_length=1, max_length=200)]
Token = Annotated[str, Meta(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)]
Minutes = Annotated[int, Meta(ge=1, le=LONGEST_ABSENCE)]


PersonName = Annotated[str, Meta(min_length=1, max_length=24)]
"""What a person is called, see `check_name`."""


class ProtocolError(ImpulseError, ValueError):
    """A message that the server does not take; says what was wrong and what is allowed."""


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """What a page asks for."""


class NewTable(Asked, frozen=True):
    """A new game: who sits where, and the options of `Options` that a page offers.

    Attributes:
        seats: `PERSON` or an agent's name for every seat.
        seed: Of the deal; None: a fresh one.
        away_minutes: After how many minutes an agent plays for a person who is away; None: never.
        listed: Whether everybody on the server is told of the table, and so may watch.
    """

    seats: Annotated[list[AgentName], Meta(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    team_size: int | None = None
    races: Literal["draft"] | None = None
    start_player: int | None = None
    target_score: int = Options.target_score
    seed: Annotated[int, Meta(ge=0, le=(1 << 63) - 1)] | None = None
    away_minutes: Minutes | None = None
    listed: bool = False

    def options(self) -> Options:
        """Return the options; raises `OptionError`."""
        return Options(
            len(self.seats), self.team_size, self.races, self.start_player, self.target_score
        )


class _Message(Asked, frozen=True, tag_field="type", tag=str.lower):
    """What a page sends over its WebSocket; ``type`` is the name of the class."""


class Join(_Message, frozen=True):
    """Sit down."""

    tokens: Annotated[list[Token], Meta(max_length=MAX_PLAYERS)] = []
    host: Token | None = None


class Look(_Message, frozen=True):
    """Look through another seat's eyes."""

    seat: SeatNumber


class Act(_Message, frozen=True):
    """Take a decision."""

    step: Annotated[int, Meta(ge=0)]
    action: Annotated[str, Meta(min_length=1, max_length=40)]


class Hint(_Message, frozen=True):
    """Ask an agent."""

    agent: AgentName


class Pace(_Message, frozen=True):
    """Set the pause between two moves of agents."""

    seconds: Annotated[float, Meta(ge=0, le=LONGEST_PAUSE)]


class Skip(_Message, frozen=True):
    """Go on without pauses until a person is to decide."""


class Retry(_Message, frozen=True):
    """Ask the agent that failed again."""


class Replace(_Message, frozen=True):
    """Give an agent's seat to another agent."""

    seat: SeatNumber
    agent: AgentName


class Revoke(_Message, frozen=True):
    """Give a person's seat a fresh token."""

    seat: SeatNumber


class TakeBack(_Message, frozen=True, tag="back"):
    """Take back the last decision."""


class Answer(_Message, frozen=True):
    """Let another seat take back its decision, or not."""

    agrees: bool


class Rematch(_Message, frozen=True):
    """Play again."""


class Name(_Message, frozen=True):
    """Say what the person at a seat is called."""

    seat: SeatNumber
    name: PersonName

    def __post_init__(self) -> None:
        """Check the name; raises `ProtocolError`."""
        check_name(self.name)


class Absent(_Message, frozen=True):
    """Set for how long the table waits for persons who are away; None: for ever."""

    minutes: Minutes | None


class Relieve(_Message, frozen=True):
    """Let an agent play for a person who is away."""

    seat: SeatNumber


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
)


def read_message(text: str) -> Message:
    """Return the message of a page; raises `ProtocolError`."""
    # A union is no type to mypy.
    kind: type[Message] = Message  # type: ignore[assignment]
    return read(text, kind, "this is no message that the table knows")


def read_new_table(body: bytes) -> NewTable:
    """Return what a page asks for; raises `ProtocolError`."""
    return read(body, NewTable, "this is no new table that the table knows")


def read(content: bytes | str, kind: type[T], otherwise: str) -> T:
    """Return what a page sent, which the message of an error does not repeat.

    Args:
        content: The text.
        kind: What it may be.
        otherwise: What the message of an error begins with.

    Raises:
        ProtocolError: It is something else.
    """
    try:
        return read_json(content, kind, is_secret=True)
    except SchemaError as error:
        raise ProtocolError(f"{otherwise}: {error}") from error


def check_name(name: str | None) -> None:
    """Raise `ProtocolError` if nobody can be called that."""
    if name is not None and (name != " ".join(name.split()) or not name.isprintable()):
        raise ProtocolError("a name has letters, signs and single spaces between them")
