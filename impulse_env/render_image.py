"""A game as a picture, with Pillow (the extra `render`). Nothing here opens a window.

Whatever the record holds is drawn: hand in what `render.as_seen` makes of it unless everything
may be seen.
"""

import math
import textwrap
from functools import cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import (
    CELLS,
    CORE,
    FACES,
    GATES,
    NO_SEAT,
    Cell,
    Gate,
    Seat,
    State,
)
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES
from impulse_env.render import cell_words, common_lines, fleets_on, pending_lines, seat_lines

if TYPE_CHECKING:
    from PIL import ImageDraw

IMAGE_SIZE: Final = (1120, 760)
"""Width and height in pixels."""
_RADIUS: Final = 64
_MAP_CENTER: Final = (305, 370)
_PANEL_X: Final = 625
_PANEL_COLUMNS: Final = 74
_PAPER: Final = (250, 249, 246)
_INK: Final = (40, 40, 40)
_FILL_BY_COLOR: Final = ((240, 190, 185), (185, 210, 240), (190, 225, 185), (245, 230, 165))
"""In `Color` order, pale enough for black words."""
_CORE_FILL: Final = (225, 210, 240)
_FACE_DOWN_FILL: Final = (205, 205, 205)
_SEAT_FILL: Final = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (120, 94, 240),
    (90, 60, 30),
)
"""Told apart by colour-blind people too; the seat's number stands beside its ships."""


class RenderError(ImportError):
    """The picture cannot be drawn here; the message says what is missing."""


def require_pillow() -> None:
    """Raise `RenderError` if the picture cannot be drawn here."""
    try:
        import PIL.ImageDraw  # noqa: F401
    except ImportError as error:
        raise RenderError(
            'the picture of render_mode "rgb_array" needs Pillow: '
            'pip install "impulse-env[render]"; render_mode "ansi" needs nothing'
        ) from error


def draw_image(state: State) -> NDArray[np.uint8]:
    """Return the game as a picture, shape ``(height, width, 3)``; raises `RenderError`."""
    require_pillow()
    from PIL import Image, ImageDraw

    image = Image.new("RGB", IMAGE_SIZE, _PAPER)
    draw = ImageDraw.Draw(image)
    for cell in range(CELLS):
        _draw_cell(draw, state, cell)
    for gate in range(GATES):
        _draw_gate(draw, state, gate)
    _draw_panel(draw, state)
    return np.array(image)


@cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def _center_of(cell: Cell) -> tuple[float, float]:
    q, r = COORDINATES[cell]
    x, y = _MAP_CENTER
    return x + _RADIUS * math.sqrt(3) * (q + r / 2), y + _RADIUS * 1.5 * r


def _draw_cell(draw: "ImageDraw.ImageDraw", state: State, cell: Cell) -> None:
    x, y = _center_of(cell)
    card = int(state["cell_card"][cell])
    is_up = bool(state["cell_face_up"][cell])
    corners = [
        (
            x + (_RADIUS - 2) * math.sin(math.pi / 3 * k),
            y - (_RADIUS - 2) * math.cos(math.pi / 3 * k),
        )
        for k in range(6)
    ]
    fill = _FACE_DOWN_FILL
    if cell == CORE:
        fill = _CORE_FILL
    elif is_up and 0 <= card < FACES:
        fill = _FILL_BY_COLOR[int(COLOR_BY_CARD[card])]
    draw.polygon(corners, fill=fill, outline=_INK)
    title, below = cell_words(state, cell)
    draw.text((x, y - 42), str(cell + 1), _INK, _font(11), anchor="mm")
    draw.text((x, y - 20), title, _INK, _font(13), anchor="mm")
    draw.text((x, y - 4), below, _INK, _font(11), anchor="mm")
    fleets = fleets_on(state, cell)
    for place, seat in enumerate(fleets):
        at = (x + 24 * (place - (len(fleets) - 1) / 2), y + 22)
        box = (at[0] - 11, at[1] - 11, at[0] + 11, at[1] + 11)
        draw.ellipse(box, fill=_SEAT_FILL[seat], outline=_INK)
        _draw_count(draw, at, seat, int(state["transports"][seat, cell]))


def _draw_gate(draw: "ImageDraw.ImageDraw", state: State, gate: Gate) -> None:
    (x0, y0), (x1, y1) = (_center_of(int(cell)) for cell in CELLS_OF_GATE[gate])
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    seat = int(state["gate_owner"][gate])
    if seat == NO_SEAT:
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=_INK)
        return
    diamond = [(x, y - 15), (x + 15, y), (x, y + 15), (x - 15, y)]
    draw.polygon(diamond, fill=_SEAT_FILL[seat], outline=_INK)
    _draw_count(draw, (x, y), seat, int(state["gate_ships"][gate]))


def _draw_count(
    draw: "ImageDraw.ImageDraw", at: tuple[float, float], seat: Seat, count: int
) -> None:
    draw.text(at, f"{seat}:{count}", (255, 255, 255), _font(11), anchor="mm")


def _draw_panel(draw: "ImageDraw.ImageDraw", state: State) -> None:
    y = 16.0

    def write(line: str, fill: tuple[int, int, int], size: int) -> None:
        nonlocal y
        for part in textwrap.wrap(line, _PANEL_COLUMNS, subsequent_indent="    "):
            draw.text((_PANEL_X, y), part, fill, _font(size))
            y += size + 3

    # What is under way comes first: six players may have more than fits.
    for line in [*common_lines(state), *pending_lines(state)]:
        write(line, _INK, 13)
    for seat in range(int(state["players"])):
        y += 5
        first, *more = seat_lines(state, seat)
        write(first, _SEAT_FILL[seat], 14)
        for line in more:
            write(line, _INK, 12)
    draw.text(
        (_MAP_CENTER[0], IMAGE_SIZE[1] - 12),
        "circles: seat:Transports   diamonds: seat:Cruisers",
        _INK,
        _font(11),
        anchor="mm",
    )
