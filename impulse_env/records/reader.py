"""Reading of records: every line is checked, the whole game is played; format in `record.py`."""

import base64
import json
import math
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, NoReturn

from impulse_env.actions import UnknownActionError
from impulse_env.errors import IllegalActionError, RecordError
from impulse_env.game import Game
from impulse_env.options import OptionError, Options
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

_HEADER: Final = ("format", "version", "impulse_env", "agents")
_BEGINS: Final = (("options", "seed"), ("position",), ("bytes",))
"""The fields of a header that describe the start of the game: one of these groups."""
_NOTE: Final = tuple(entry.name for entry in fields(Annotation))
_RESULT: Final = tuple(entry.name for entry in fields(Result))
_OPTIONS: Final = tuple(entry.name for entry in fields(Options))


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
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        if not isinstance(entry, dict) or entry.get("format") != FORMAT:
            must = f'the first line must be {{"format":"{FORMAT}",…}}'
            self.fail(f"this is not a record: {must}{mistaken.told(self.name)}")
        if not _is_same(entry.get("version"), VERSION):
            self.fail(
                f"the record has version {entry.get('version')!r}; this package reads {VERSION}"
            )
        ways = [way for way in _BEGINS if any(name in entry for name in way)]
        if len(ways) != 1:
            self.fail("a record begins with options and seed, with a position or with bytes")
        fields_of_way = (*_HEADER, *ways[0])
        self._check_fields(entry, fields_of_way, fields_of_way)
        if ways[0] == ("options", "seed"):
            options, start = self._options(entry["options"]), None
            seed: int | None = self._integer("seed", entry["seed"])
        else:
            seed, start = None, self._start(ways[0][0], entry[ways[0][0]])
            options = options_of(start)
        agents = self._list("agents", entry["agents"], options.players)
        return Header(options, tuple(map(self._agent, agents)), seed, start)

    def _options(self, entry: Any) -> Options:
        if not isinstance(entry, dict):
            self.fail(f"options must be an object, not {entry!r}")
        self._check_fields(entry, (), _OPTIONS, "options: ")
        try:
            return Options(**entry)
        except (OptionError, TypeError) as error:
            self.fail(f"options: {error}")

    def _start(self, kind: str, value: Any) -> Game:
        try:
            if kind == "position":
                return Game.from_position(value)
            return Game.from_bytes(base64.b64decode(value, validate=True))
        except (ValueError, AttributeError, TypeError) as error:
            self.fail(f"{kind}: {error}")

    def _agent(self, entry: Any) -> SeatedAgent:
        if not isinstance(entry, dict):
            self.fail(f"an agent must be an object with a name, not {entry!r}")
        self._check_fields(entry, ("name",), ("name", "seed"), "agents: ")
        seed = self._integer("the seed of an agent", entry["seed"]) if "seed" in entry else None
        try:
            return SeatedAgent(entry["name"], seed)
        except ValueError as error:
            self.fail(str(error))

    # --- Decisions -------------------------------------------------------------------------

    def _move(self, entry: dict[str, Any], game: Game) -> Move:
        self._check_fields(entry, ("seat", "action"), ("seat", "action", *_NOTE))
        if game.seat is None:
            self.fail("the game is over, but another decision follows")
        if type(entry["seat"]) is not int or entry["seat"] != game.seat:
            self.fail(f"seat {game.seat} decides here, not {entry['seat']!r}")
        note = self._note(entry, game)
        action = entry["action"]
        if not isinstance(action, str):
            self.fail(f"an action is a name such as 'card 57', not {action!r}")
        try:
            name = game.name(game.action(action))
            game.step(name)
        except (IllegalActionError, UnknownActionError) as error:
            self.fail(str(error))
        return Move(entry["seat"], name, note)

    def _note(self, entry: dict[str, Any], game: Game) -> Annotation | None:
        note = {name: entry[name] for name in _NOTE if name in entry}
        if not note:
            return None
        if "by" in note:
            note["by"] = self._text("by", note["by"])
        if "wins" in note:
            note["wins"] = self._share("wins", note["wins"])
        if "seconds" in note:
            note["seconds"] = self._number("seconds", note["seconds"])
        if "probabilities" in note:
            note["probabilities"] = self._probabilities(note["probabilities"], game)
        return Annotation(**note)

    def _probabilities(self, entry: Any, game: Game) -> dict[str, float]:
        if not isinstance(entry, dict):
            self.fail(f"probabilities must be an object, not {entry!r}")
        legal = {game.name(action) for action in game.legal_actions()}
        for name, value in entry.items():
            if name not in legal:
                self.fail(f"probabilities: {name!r} is not legal here")
            self._share(f"the probability of {name!r}", value)
        return {name: float(value) for name, value in entry.items()}

    # --- The result ------------------------------------------------------------------------

    def _result(self, entry: dict[str, Any], game: Game) -> Result:
        self._check_fields(entry, tuple(n for n in _RESULT if n != "why"), _RESULT)
        why = self._text("why", entry["why"]) if "why" in entry else ""
        result = Result.of(game, why)
        if entry["end"] != STOPPED and not game.is_over:
            self.fail(
                f"the result is {entry['end']!r}, but the game is not over: decisions are missing"
            )
        convert: dict[str, Callable[[Any], Any]] = {"winners": list, "scores": list, "points": list}
        for name in _RESULT[:-1]:
            value = convert.get(name, lambda same: same)(getattr(result, name))
            if not _is_same(entry[name], value):
                self.fail(f"the result says {name} {entry[name]!r}; the game ends with {value!r}")
        return result

    # --- Values ----------------------------------------------------------------------------

    def _object(self, line: str) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError) as error:
            self.fail(f"this is not JSON: {error}")
        if not isinstance(entry, dict):
            self.fail("a line must be a JSON object")
        return entry

    def _check_fields(
        self, entry: dict[str, Any], needed: tuple[str, ...], known: tuple[str, ...], at: str = ""
    ) -> None:
        if missing := [name for name in needed if name not in entry]:
            self.fail(f"{at}{missing[0]!r} is missing")
        if unknown := [name for name in entry if name not in known]:
            self.fail(f"{at}unknown field {unknown[0]!r}; there are {', '.join(known)}")

    def _integer(self, name: str, value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            self.fail(f"{name} must be an integer, not {value!r}")
        return int(value)

    def _number(self, name: str, value: Any) -> float:
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not math.isfinite(value):
            self.fail(f"{name} must be a number, not {value!r}")
        return float(value)

    def _share(self, name: str, value: Any) -> float:
        if not 0 <= self._number(name, value) <= 1:
            self.fail(f"{name} must be from 0 to 1, not {value!r}")
        return float(value)

    def _text(self, name: str, value: Any) -> str:
        if not is_printable(value):
            self.fail(f"{name} must be {PRINTABLE}, not {value!r:.80}")
        return str(value)

    def _list(self, name: str, value: Any, length: int) -> list[Any]:
        if not isinstance(value, list) or len(value) != length:
            self.fail(f"{name} must be a list of {length}, not {value!r:.80}")
        return list(value)


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
        self._check_fields(entry, tuple(n for n in _RESULT if n != "why"), _RESULT)
        scores = self._list("scores", entry["scores"], game.players)
        winners = entry["winners"]
        if not isinstance(winners, list):
            self.fail(f"winners must be a list, not {winners!r:.80}")
        for value in (*scores, *winners, entry["turns"]):
            self._integer("a score, a winner or the turns", value)
        self._text("end", entry["end"])
        return Result(**(entry | {"scores": tuple(scores), "winners": tuple(winners)}))
