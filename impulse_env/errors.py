"""The errors of the public functions; every message says what was wrong and what is allowed."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the nearest known word, or an empty string."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""


class ImpulseError(Exception):
    """Base class of the errors that this project raises on purpose; the message is one sentence."""


class ArgumentError(ImpulseError, ValueError):
    """An argument has a wrong type or is out of range; nothing was changed."""


class IllegalActionError(ImpulseError, ValueError):
    """The action is not legal; nothing was changed."""


class HiddenGameError(ImpulseError, ValueError):
    """The operation needs a full game, not a seat's view: call `Game.determinize` first."""


class PositionError(ImpulseError, ValueError):
    """A position is malformed; the message names the field."""


class GameBytesError(ImpulseError, ValueError):
    """The bytes are not a game of this version."""


class RecordError(ImpulseError, ValueError):
    """A file is not a valid record of a game; the message names the file and the line."""
