"""Colours for the text of a game, by the codes that terminals understand."""

import os
import re
from typing import IO, Final

from impulse_env.engine.cards import ACTION_BY_CARD
from impulse_env.engine.constants import Color

_CARD_CODES: Final = {Color.RED: "31", Color.BLUE: "34", Color.GREEN: "32", Color.YELLOW: "33"}
_SEAT_CODES: Final = ("38;5;39", "38;5;208", "38;5;42", "38;5;205", "38;5;105", "38;5;180")
"""Of the 256 colours, those nearest to the drawing's that can be read on black and on white."""
_ACTIONS: Final = "|".join(sorted({action.capitalize() for action in ACTION_BY_CARD}))
_CARD: Final = re.compile(rf"\b(?:{_ACTIONS}) ([RBGY])[123]\b")
_FLEET: Final = re.compile(r"\b([0-5]):\d+\b")
_SEAT_LINE: Final = re.compile(r"^[> ] ([0-5]) [A-Z].*$", re.MULTILINE)
_COLOR_OF: Final = {color.name[0]: color for color in Color}


def wants_color(stream: IO[str]) -> bool:
    """Return whether colours belong on that stream.

    They do on a terminal, unless the environment has a `NO_COLOR` that is not empty, or `TERM` says
    that the terminal knows none.
    """
    has_colors = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return has_colors and stream.isatty()


def colored(text: str) -> str:
    """Return `render.draw_text` with cards, fleets and seats in their colours; no other change."""

    def of_card(found: re.Match[str]) -> str:
        return _painted(found[0], _CARD_CODES[_COLOR_OF[found[1]]])

    def of_seat(found: re.Match[str]) -> str:
        return _painted(found[0], "1;" + _SEAT_CODES[int(found[1])])

    for pattern, paint in ((_CARD, of_card), (_FLEET, of_seat), (_SEAT_LINE, of_seat)):
        text = pattern.sub(paint, text)
    return text


def _painted(words: str, code: str) -> str:
    return f"\x1b[{code}m{words}\x1b[0m"
