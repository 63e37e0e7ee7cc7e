"""Colours for the text of a game, as codes for terminals."""

import os
import re
from typing import IO, Final

from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import Color

_CARD_CODES: Final = {Color.RED: "31", Color.BLUE: "34", Color.GREEN: "32", Color.YELLOW: "33"}
_SEAT_CODES: Final = ("38;5;39", "38;5;208", "38;5;42", "38;5;205", "38;5;105", "38;5;180")
"""The nearest of the 256 colours to the drawing's that are readable on black and on white."""
_ACTIONS: Final = "|".join(sorted({action.capitalize() for action in ACTION_BY_CARD}))
_CARD: Final = re.compile(rf"\b(?:{_ACTIONS}) ([RBGY])[123]\b")
_FLEET: Final = re.compile(r"\b([0-5]):\d+\b")
_SEAT_LINE: Final = re.compile(r"^[> ] ([0-5]) [A-Z].*$", re.MULTILINE)
_COLOR_OF: Final = {color.name[0]: color for color in Color}


def wants_color(stream: IO[str]) -> bool:
    """Return whether to write colours to a stream.

    That is the case for a terminal, unless the environment variable `NO_COLOR` is set and not
    empty, or `TERM` names a terminal without colours.
    """
    has_colors = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return has_colors and stream.isatty()


def colored(text: str) -> str:
    """Return the result of `draw_text` with cards, fleets and seats in their colours."""

    def of_card(match: re.Match[str]) -> str:
        return _painted(match[0], _CARD_CODES[_COLOR_OF[match[1]]])

    def of_seat(match: re.Match[str]) -> str:
        return _painted(match[0], "1;" + _SEAT_CODES[int(match[1])])

    for pattern, paint in ((_CARD, of_card), (_FLEET, of_seat), (_SEAT_LINE, of_seat)):
        text = pattern.sub(paint, text)
    return text


def _painted(words: str, code: str) -> str:
    return f"\x1b[{code}m{words}\x1b[0m"
