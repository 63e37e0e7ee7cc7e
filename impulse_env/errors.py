"""What can go wrong at the edge; every message says what was wrong and what is allowed."""


class IllegalActionError(ValueError):
    """The action is not one of the legal ones; nothing was changed."""


class HiddenGameError(ValueError):
    """A seat's view lacks what is needed: draw a full game with `Game.determinize` first."""


class PositionError(ValueError):
    """A position is malformed; the message names the field."""


class GameBytesError(ValueError):
    """Bytes that are no game of this version."""


class RecordError(ValueError):
    """A file is no record of a game, or the game does not go as it says; names file and line."""
