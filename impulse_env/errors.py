"""What can go wrong at the edge; every message says what was wrong and what is allowed."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean …?`` with the nearest of the known words, or nothing."""
    close = get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""


class ImpulseError(Exception):
    """Base of every error that this project raises on purpose; the message is one sentence."""


class ArgumentError(ImpulseError, ValueError):
    """An argument is of a wrong kind, or out of its range; nothing was changed."""


class IllegalActionError(ImpulseError, ValueError):
    """The action is not one of the legal ones; nothing was changed."""


class HiddenGameError(ImpulseError, ValueError):
    """A seat's view lacks what is needed: draw a full game with `Game.determinize` first."""


class PositionError(ImpulseError, ValueError):
    """A position is malformed; the message names the field."""


class GameBytesError(ImpulseError, ValueError):
    """Bytes that are no game of this version."""


class RecordError(ImpulseError, ValueError):
    """A file is no record of a game, or the game does not go as it says; names file and line."""
