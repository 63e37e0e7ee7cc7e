"""Reading of records: every line is checked, the whole game is played; format in `record.py`."""

import base64
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

import msgspec
from msgspec import Meta, Struct

from impulse_env.actions import UnknownActionError
from impulse_env.errors import IllegalActionError, RecordError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.outcomes import STOPPED
from impulse_env.records import mistaken
from impulse_env.records.record import (
    FORMAT,
    PRINTABLE,
    VERSION,
    Annotation,
    Header,
    Move,
    Record,
    Result,
    SeatedAgent,
    is_printable,
    options_of,
)
from impulse_env.schema import SchemaError, checked, read_json

T = TypeVar("T")

_RESULT: Final = tuple(entry.name for entry in fields(Result) if entry.name != "why")
_Share = Annotated[float, Meta(ge=0, le=1)]


@dataclass
class _Header:
    """The first line."""

    format: str
    version: int
    impulse_env: Any
    agents: list[SeatedAgent]


@dataclass
class _Dealt(_Header):
    options: Options
    seed: int


@dataclass
class _Positioned(_Header):
    position: Any


@dataclass
class _Encoded(_Header):
    bytes: Any


_BEGINS: Final = {
    "options": _Dealt,
    "seed": _Dealt,
    "position": _Positioned,
    "bytes": _Encoded,
}
"""The type of a header that has a field of that name."""


class _Decision(Struct, forbid_unknown_fields=True):
    """A line with a decision; what an agent says of it has defaults."""

    seat: int
    action: str
    by: str = ""
    probabilities: dict[str, _Share] = {}
    wins: _Share | None = None
    seconds: Annotated[float, Meta(ge=-1e15, le=1e15)] | None = None


def read(path: str | Path, *, partial: bool = False) -> Record:
    """Return the record of a file, after a check that every decision is legal.

    Args:
        path: The file.
        partial: Whether to accept a record that was cut off, too; its result is None.

    Raises:
        RecordError: It is not a valid record; the message names file and line.
        OSError: The file cannot be read.
    """
    return parse(_text_of(path), str(path), partial=partial)


def skim(path: str | Path) -> Record:
    """Return the record of a file without playing its game, in a third of the time of `read`.

    The form of every line is checked. The caller must check that decisions are legal and lead to
    the recorded end. The notes of agents are left out.

    Raises:
        RecordError: It is not a record, or was cut off; the message names file and line.
        OSError: The file cannot be read.
    """
    return _record_in(_text_of(path), _Skimmer(str(path)), partial=False)


def _text_of(path: str | Path) -> str:
    data = Path(path).read_bytes()
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        fault = f"{path}, line {line}: this is not text in UTF-8{mistaken.told(path)}"
        raise RecordError(fault) from error


def parse(text: str, name: str = "the record", *, partial: bool = False) -> Record:
    """Return the record of a text; see `read`. Messages call the text `name`."""
    return _record_in(text, _Reader(name), partial)


def _record_in(text: str, reader: "_Reader", partial: bool) -> Record:
    *lines, torn = text.split("\n")
    if not lines and not torn:
        reader.fail("the file is empty; a record begins with a header")
    if not lines:
        lines, torn = [torn], ""  # another kind of file, without any end of a line
    for line in lines:
        reader.take(line)
    if torn and not partial:
        reader.number += 1
        reader.fail("the line is torn: it has no end, so the record was cut off here")
    return reader.finish(partial)


def _is_same(value: Any, expected: Any) -> bool:
    """Return whether two values are equal in JSON, where 1, 1.0 and true all differ."""
    return json.dumps(value, sort_keys=True) == json.dumps(expected, sort_keys=True)


class _Reader:
    """Reads one line after another and plays the game."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.number = 0
        self._record: Record | None = None
        self._game: Game | None = None

    def fail(self, what: str) -> NoReturn:
        """Raise the error of the current line."""
        raise RecordError(f"{self.name}, line {max(self.number, 1)}: {what}")

    def take(self, line: str) -> None:
        """Read the next line."""
        self.number += 1
        if self._record is None or self._game is None:
            header = self._header(line)
            self._record, self._game = Record(header), header.new_game()
            return
        entry = self._object(line)
        if self._record.result is not None:
            self.fail("the result is the last line of a record, but another one follows it")
        if "action" in entry:
            self._record.moves.append(self._move(entry, self._game))
        elif "end" in entry:
            self._record.result = self._result(entry, self._game)
        else:
            self.fail('a line is a decision with "action" or the result with "end"')

    def finish(self, partial: bool) -> Record:
        """Return the record after the last line."""
        assert self._record is not None
        if self._record.result is None and not partial:
            self.fail("the record ends here without a result: it was cut off")
        return self._record

    # --- The header ------------------------------------------------------------------------

    def _header(self, line: str) -> Header:
        try:
            entry = read_json(line, dict[str, Any])
        except SchemaError:
            entry = {}
        if entry.get("format") != FORMAT:
            must = f'the first line must be {{"format":"{FORMAT}",…}}'
            self.fail(f"this is not a record: {must}{mistaken.told(self.name)}")
        if not _is_same(entry.get("version"), VERSION):
            self.fail(
                f"the record has version {entry.get('version')!r}; this package reads {VERSION}"
            )
        kinds: set[type[_Header]] = {kind for name, kind in _BEGINS.items() if name in entry}
        if len(kinds) != 1:
            self.fail("a record begins with options and seed, with a position or with bytes")
        read = self._checked(entry, kinds.pop())
        if isinstance(read, _Dealt):
            options, seed, start = read.options, read.seed, None
        else:
            seed, start = None, self._start(entry)
            options = options_of(start)
        if len(read.agents) != options.players:
            self.fail(f"agents must be a list of {options.players}, not of {len(read.agents)}")
        return Header(options, tuple(read.agents), seed, start)

    def _start(self, entry: dict[str, Any]) -> Game:
        kind = "position" if "position" in entry else "bytes"
        try:
            if kind == "position":
                return Game.from_position(entry[kind])
            return Game.from_bytes(base64.b64decode(entry[kind], validate=True))
        except (ValueError, AttributeError, TypeError) as error:
            self.fail(f"{kind}: {error}")

    # --- Decisions -------------------------------------------------------------------------

    def _move(self, entry: dict[str, Any], game: Game) -> Move:
        read = self._checked(entry, _Decision)
        if game.seat is None:
            self.fail("the game is over, but another decision follows")
        if read.seat != game.seat:
            self.fail(f"seat {game.seat} decides here, not {read.seat}")
        note = self._note(read, game) if len(entry) > 2 else None
        try:
            name = game.name(game.action(read.action))
            game.step(name)
        except (IllegalActionError, UnknownActionError) as error:
            self.fail(str(error))
        return Move(read.seat, name, note)

    def _note(self, read: _Decision, game: Game) -> Annotation:
        if read.probabilities:
            legal = {game.name(action) for action in game.legal_actions()}
            for name in read.probabilities.keys() - legal:
                self.fail(f"probabilities: {name!r} is not legal here")
        return Annotation(self._text("by", read.by), read.probabilities, read.wins, read.seconds)

    # --- The result ------------------------------------------------------------------------

    def _result(self, entry: dict[str, Any], game: Game) -> Result:
        read = self._checked(entry, Result)
        found = Result.of(game, self._text("why", read.why))
        if read.end != STOPPED and not game.is_over:
            self.fail(f"the result is {read.end!r}, but the game continues: decisions are missing")
        for name in _RESULT:
            told, value = getattr(read, name), getattr(found, name)
            if told != value:
                self.fail(f"the result says {name} {told!r:.80}; the game ends with {value!r}")
        return found

    # --- Values ----------------------------------------------------------------------------

    def _object(self, line: str) -> dict[str, Any]:
        try:
            entry = msgspec.json.decode(line)
        except (ValueError, RecursionError) as error:
            self.fail(f"this is not JSON: {error}")
        if not isinstance(entry, dict):
            self.fail("a line must be a JSON object")
        return entry

    def _checked(self, entry: dict[str, Any], kind: type[T]) -> T:
        try:
            return checked(entry, kind)
        except SchemaError as error:
            self.fail(str(error))

    def _text(self, name: str, value: str) -> str:
        if not is_printable(value):
            self.fail(f"{name} must be {PRINTABLE}, not {value!r:.80}")
        return value


class _Skimmer(_Reader):
    """Reads one line after another and checks only their form."""

    def _move(self, entry: dict[str, Any], game: Game) -> Move:
        name, seat = entry["action"], entry.get("seat")
        if not isinstance(name, str):
            self.fail(f"an action is a name such as 'card 57', not {name!r}")
        if type(seat) is not int:
            self.fail(f"a seat is an integer, not {seat!r}")
        try:
            game.action(name)
        except UnknownActionError as error:
            self.fail(str(error))
        return Move(seat, name)

    def _result(self, entry: dict[str, Any], game: Game) -> Result:
        read = self._checked(entry, Result)
        self._text("end", read.end)
        if len(read.scores) != game.players:
            self.fail(f"scores must be a list of {game.players}, not of {len(read.scores)}")
        return read
