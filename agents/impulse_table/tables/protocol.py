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
"""Instead of an agent's name: a person plays the seat."""
MAX_BYTES: Final = 4096
"""Of one message."""
LONGEST_PAUSE: Final = 10.0
LONGEST_ABSENCE: Final = 60
"""Minutes that a table waits at most, if it does not wait for ever."""

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
    """A message that the server does not take; says what was wrong and what is allowed."""


class _Checked(BaseModel):
    """Nothing is converted, nothing unknown is passed over."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewTable(_Checked):
    """A new game: who sits where, and the options of `Options` that a page offers.

    Attributes:
        seats: `PERSON` or an agent's name for every seat.
        seed: Of the deal; None: a fresh one.
        away_minutes: After how many minutes an agent plays for a person who is away; None: never.
        listed: Whether everybody on the server is told of the table, and so may watch.
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
        """Return the options; raises `OptionError`."""
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
