"""The place of every element, which depends only on the table: nothing moves during a game.

map             turn, decision, Impulse of each team,
(corners: piles) cards on the table, legend
hand of the viewer, if it is a seat
seat 0          seat 1
seat 2          …
"""

from functools import cache
from typing import Final, NamedTuple

from impulse_env.drawing.elements import Box
from impulse_env.drawing.symbols import CARD_HEIGHT
from impulse_env.engine.constants import MAX_IMPULSES

WIDTH: Final = 1200
_EDGE: Final = 12
_GAP: Final = 8
MAP: Final = Box(_EDGE, _EDGE, 694, 648)
_RIGHT: Final = Box(MAP.right + 12, _EDGE, WIDTH - MAP.right - 12 - _EDGE, MAP.height)
_TURN: Final = 34
_PROMPT: Final = 96
_NARROW_PROMPT: Final = 84
_IMPULSE: Final = CARD_HEIGHT + 22
_LEGEND: Final = 66
_POINTS_TITLE: Final = 24
POINTS_ROW: Final = 18
_OWN_HAND: Final = CARD_HEIGHT + 28
SEAT_HEIGHT: Final = 196
_COLUMNS: Final = 2


class Layout(NamedTuple):
    """The boxes of a drawing."""

    height: float
    turn: Box
    prompt: Box
    impulses: tuple[Box, ...]
    table: Box
    points: Box | None
    legend: Box
    own_hand: Box | None
    seats: tuple[Box, ...]


@cache
def layout_of(players: int, impulses: int, has_own_hand: bool) -> Layout:
    """Return the boxes for a number of players and a number of Impulses."""
    top = _RIGHT.y

    def next_box(height: float) -> Box:
        nonlocal top
        box = _RIGHT._replace(y=top, height=height)
        top += height + _GAP
        return box

    turn = next_box(_TURN)
    prompt = next_box(_PROMPT if impulses < MAX_IMPULSES else _NARROW_PROMPT)
    rows = tuple(next_box(_IMPULSE) for _ in range(impulses))
    points_height = _POINTS_TITLE + players * POINTS_ROW if impulses == 1 else -_GAP
    table = next_box(_RIGHT.bottom - top - 2 * _GAP - points_height - _LEGEND)
    points = next_box(points_height) if impulses == 1 else None
    legend = next_box(_LEGEND)
    top = MAP.bottom + _GAP
    own_hand = Box(_EDGE, top, WIDTH - 2 * _EDGE, _OWN_HAND) if has_own_hand else None
    if own_hand:
        top = own_hand.bottom + _GAP
    width = (WIDTH - 2 * _EDGE - _GAP) / _COLUMNS
    seats = tuple(
        Box(
            _EDGE + (width + _GAP) * (seat % _COLUMNS),
            top + (SEAT_HEIGHT + _GAP) * (seat // _COLUMNS),
            width,
            SEAT_HEIGHT,
        )
        for seat in range(players)
    )
    height = seats[-1].bottom + _EDGE
    return Layout(height, turn, prompt, rows, table, points, legend, own_hand, seats)
