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
    answer   allow or refuse that another seat takes back its decision
    rematch  after the end: begin another game with all players one seat on
    name     the name of a person at this page
    absent   by the host: how long the table waits for persons who are away
    relieve  by the host: let an agent play at once for a person who is away
"""

from typing import Annotated, Final, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
)

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ImpulseError
from impulse_env.options import Options

PERSON: Final = "person"
"""Stands for a person, where other seats have an agent's name."""
MAX_BYTES: Final = 4096
"""Size limit of one message."""
LONGEST_PAUSE: Final = 10.0
LONGEST_ABSENCE: Final = 60
"""Longest time that a table waits, in minutes, unless it waits for ever."""

AgentName = Annotated[str, Field(min_length=1, max_length=200)]
Token = Annotated[str, Field(min_length=1, max_length=64)]
SeatNumber = Annotated[int, Field(ge=0, lt=MAX_PLAYERS)]
Minutes = Annotated[int, Field(ge=1, le=LONGEST_ABSENCE)]


def _plain(name: str) -> str:
    if name != " ".join(name.split()) or not name.isprintable():
        raise ValueError("it has letters, signs and single spaces between them")
    return name


PersonName = Annotated[str, Field(min_length=1, max_length=24), AfterValidator(_plain)]
"""What a person is called."""


class ProtocolError(ImpulseError, ValueError):
    """A message is invalid; says what was wrong and what is allowed."""


class _Checked(BaseModel):
    """Nothing is converted, nothing unknown is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewTable(_Checked):
    """A new game: its players, and the fields of `Options` that a page offers.

    Attributes:
        seats: `PERSON` or an agent's name for every seat.
        seed: Seed of the deal; None: a random one.
        away_minutes: Minutes until an agent plays for a person who is away; None: never.
        listed: Whether the server lists the table for everybody, who can then watch.
    """

    seats: Annotated[list[AgentName], Field(min_length=MIN_PLAYERS, max_length=MAX_PLAYERS)]
    team_size: int | None = None
    races: Literal["draft"] | None = None
    start_player: int | None = None
    target_score: int = Options.target_score
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] | None = None
    away_minutes: Minutes | None = None
    listed: bool = False

    def options(self) -> Options:
        """Return the options of the game; raises `OptionError`."""
        return Options(
            len(self.seats), self.team_size, self.races, self.start_player, self.target_score
        )


class Join(_Checked):
    """Sit down."""

    type: Literal["join"]
    tokens: Annotated[list[Token], Field(max_length=MAX_PLAYERS)] = []
    host: Token | None = None


class Look(_Checked):
    """Look through another seat's eyes."""

    type: Literal["look"]
    seat: SeatNumber


class Act(_Checked):
    """Take a decision."""

    type: Literal["act"]
    step: Annotated[int, Field(ge=0)]
    action: Annotated[str, Field(min_length=1, max_length=40)]


class Hint(_Checked):
    """Ask an agent."""

    type: Literal["hint"]
    agent: AgentName


class Pace(_Checked):
    """Set the pause between two moves of agents."""

    type: Literal["pace"]
    seconds: Annotated[float, Field(ge=0, le=LONGEST_PAUSE, strict=False)]


class Skip(_Checked):
    """Go on without pauses until a person is to decide."""

    type: Literal["skip"]


class Retry(_Checked):
    """Ask the agent that failed again."""

    type: Literal["retry"]


class Replace(_Checked):
    """Give an agent's seat to another agent."""

    type: Literal["replace"]
    seat: SeatNumber
    agent: AgentName


class Revoke(_Checked):
    """Give a person's seat a fresh token."""

    type: Literal["revoke"]
    seat: SeatNumber


class TakeBack(_Checked):
    """Take back the last decision."""

    type: Literal["back"]


class Answer(_Checked):
    """Let another seat take back its decision, or not."""

    type: Literal["answer"]
    agrees: bool


class Rematch(_Checked):
    """Play again."""

    type: Literal["rematch"]


class Name(_Checked):
    """Say what the person at a seat is called."""

    type: Literal["name"]
    seat: SeatNumber
    name: PersonName


class Absent(_Checked):
    """Set for how long the table waits for persons who are away; None: for ever."""

    type: Literal["absent"]
    minutes: Minutes | None


class Relieve(_Checked):
    """Let an agent play for a person who is away."""

    type: Literal["relieve"]
    seat: SeatNumber


Message = (
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

_MESSAGES: Final[TypeAdapter[Message]] = TypeAdapter(
    Annotated[Message, Field(discriminator="type")]
)


def read_message(text: str) -> Message:
    """Return the message of a page; raises `ProtocolError`."""
    try:
        return _MESSAGES.validate_json(text)
    except ValidationError as error:
        raise ProtocolError(
            f"this is no message that the table knows: {first_fault(error)}"
        ) from error


def read_new_table(body: bytes) -> NewTable:
    """Return what a page asks for; raises `ProtocolError`."""
    try:
        return NewTable.model_validate_json(body)
    except ValidationError as error:
        raise ProtocolError(
            f"this is no new table that the table knows: {first_fault(error)}"
        ) from error


def first_fault(error: ValidationError) -> str:
    """Return where the first fault is and what it is, without repeating what was read."""
    fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
    where = ".".join(str(part) for part in fault["loc"]) or "all of it"
    return f"{where}: {fault['msg']}"
