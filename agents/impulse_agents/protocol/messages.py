"""The messages of the protocol as types; other lines are refused in one sentence."""

from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

import msgspec
from msgspec import Meta, Struct

from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.errors import ImpulseError
from impulse_env.schema import SchemaError, read_json

PROTOCOL: Final = 1
"""Version of the protocol; a new field or type of message does not change it."""
MOST_LINE: Final = 1 << 20
"""Bytes of a line, without its end."""
MOST_INFO: Final = 1000
"""Lines of ``info`` before an answer."""
MOST_AHEAD: Final = 64
"""Decisions that a program may have before it answers the first."""
LONGEST: Final = 3600.0
"""Most seconds that a program may claim for a decision."""
USUAL: Final = 60.0
"""Seconds for a decision of a program that claims no other number."""

Want: TypeAlias = Literal["view", "observation", "text", "world"]
WANTS: Final[tuple[Want, ...]] = get_args(Want)
"""The parts of a decision that a program can ask for."""
InfoKind: TypeAlias = Literal["chances", "lines"]

_Count = Annotated[int, Meta(ge=0, lt=1 << 53)]
_Share = Annotated[float, Meta(ge=0, le=1)]
_Players = Annotated[int, Meta(ge=MIN_PLAYERS, le=MAX_PLAYERS)]
_Seconds = Annotated[float, Meta(gt=0, le=LONGEST)]
_Name = Annotated[str, Meta(max_length=100)]
_ActionName = Annotated[str, Meta(max_length=40)]


class MessageError(ImpulseError, ValueError):
    """A line is not a message of the protocol; says what is wrong in one sentence."""


# --- From the program -----------------------------------------------------------------------------


class Ready(Struct, tag="hello", frozen=True):
    """The first line of a program.

    Attributes:
        protocol: `PROTOCOL`.
        name: Its name, for people.
        version: Its version, for people.
        wants: What each decision must contain.
        players: Numbers of players that it supports.
        seconds: The longest time that it takes for a decision.
        ahead: Decisions that it accepts before it answers the first.
    """

    protocol: int
    name: _Name = ""
    version: _Name = ""
    wants: tuple[Want, ...] = ()
    players: Annotated[tuple[_Players, ...], Meta(min_length=1, max_length=MAX_PLAYERS)] = tuple(
        range(MIN_PLAYERS, MAX_PLAYERS + 1)
    )
    seconds: _Seconds = USUAL
    ahead: Annotated[int, Meta(ge=1, le=MOST_AHEAD)] = 1


class Line(Struct, frozen=True):
    """A line of a search; see `impulse_agents.base.Variation`."""

    actions: Annotated[tuple[_ActionName, ...], Meta(min_length=1, max_length=100)]
    wins: _Share
    visits: _Count = 0
    share: _Share = 0.0


class Info(Struct, tag="info", frozen=True):
    """A program's thoughts about a decision, before its answer.

    Attributes:
        wins: The seat's chance to win.
        shares: The probability of each action, by name.
        lines: Lines of a search, the best first.
    """

    wins: _Share | None = None
    shares: Annotated[dict[_ActionName, _Share], Meta(max_length=200)] | None = None
    lines: Annotated[tuple[Line, ...], Meta(max_length=100)] | None = None


class Action(Struct, tag="action", frozen=True):
    """The answer to a decision: its `id`, and an action by name or number."""

    id: int
    action: _ActionName | int


class Trouble(Struct, tag="error", frozen=True):
    """A program, or the engine, cannot do what a line asks for."""

    message: Annotated[str, Meta(max_length=1000)]
    id: int | None = None


FromProgram: TypeAlias = Ready | Info | Action | Trouble

# --- From the host --------------------------------------------------------------------------------


class Hello(Struct, tag="hello", frozen=True):
    """The first line of a host: the version of the protocol and of Impulse."""

    protocol: int
    impulse: _Name = ""


class SetOptions(Struct, tag="options", frozen=True):
    """The plan of the host: parts of each decision, and seconds until it sends `Stop`."""

    wants: tuple[Want, ...] = ()
    seconds: _Seconds = USUAL


class NewGame(Struct, tag="new_game", frozen=True):
    """A game that the next decisions name: its options, and the program's seat."""

    game: _Count
    players: _Players
    seat: Annotated[int, Meta(ge=0, lt=MAX_PLAYERS)] = 0
    team_size: int | None = None
    target_score: int | None = None


class Choose(Struct, tag="choose", frozen=True):
    """A decision.

    Attributes:
        id: Its number, which the answer repeats.
        legal: The names of the legal actions, absolute.
        game: The game, see `NewGame`.
        seed: A random number; the same decision with the same seed should get the same answer.
        info: What the program should send before its answer.
        count: The largest number of suggestions or lines.
        world: A possible full game in base64, from `Game.to_bytes`.
    """

    id: _Count
    legal: Annotated[tuple[_ActionName, ...], Meta(min_length=1, max_length=200)]
    game: _Count = 0
    seed: _Count = 0
    info: InfoKind | None = None
    count: Annotated[int, Meta(ge=1, le=1000)] = 3
    world: str | None = None


class Stop(Struct, tag="stop", frozen=True):
    """The program must answer now."""


class Quit(Struct, tag="quit", frozen=True):
    """The program must end."""


FromHost: TypeAlias = Hello | SetOptions | NewGame | Choose | Stop | Quit

# --- Lines ----------------------------------------------------------------------------------------

_OF_PROGRAM: Final[Any] = msgspec.json.Decoder(FromProgram)
_OF_HOST: Final[Any] = msgspec.json.Decoder(FromHost)


_HOST_TYPES: Final = tuple(kind.__struct_config__.tag for kind in get_args(FromHost))


class _Typed(Struct):
    type: str


def to_line(message: FromHost | FromProgram) -> bytes:
    """Return a message as a line, with its end."""
    return msgspec.json.encode(message) + b"\n"


def from_program(line: bytes) -> FromProgram:
    """Return the message of a program's line; raises `MessageError`."""
    return _read(_OF_PROGRAM, line)


def from_host(line: bytes) -> FromHost | None:
    """Return the message of a host's line, None for a type of a later version.

    Raises:
        MessageError: The line is not a message.
    """
    try:
        return _read(_OF_HOST, line)
    except MessageError:
        if _is_of_later_version(line):
            return None
        raise


def _is_of_later_version(line: bytes) -> bool:
    """Whether a line is an object with a type that no message of a host has."""
    try:
        return msgspec.json.decode(line, type=_Typed).type not in _HOST_TYPES
    except (ValueError, RecursionError):
        return False


def _read(decoder: Any, line: bytes) -> Any:
    if len(line) > MOST_LINE:
        raise MessageError(f"a line must have at most {MOST_LINE} bytes")
    try:
        return decoder.decode(line)
    except (ValueError, RecursionError):
        pass  # a second reading finds the sentence
    try:
        return read_json(line, decoder.type)
    except SchemaError as error:
        raise MessageError(" ".join(str(error).split())) from error
