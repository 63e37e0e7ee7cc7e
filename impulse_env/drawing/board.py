"""The map: cells with their cards and Transports, gates with their Cruisers."""

import math
from functools import cache, lru_cache
from typing import Final

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.drawing.elements import Box, element, group, polygon, rectangle, text, use
from impulse_env.drawing.layout import MAP
from impulse_env.drawing.lettering import width_of
from impulse_env.drawing.symbols import CARD_WIDTH, title_of
from impulse_env.engine.cards import COLOR_BY_CARD, NUMBER_BY_CARD
from impulse_env.engine.constants import CORE, FACES, HIDDEN, NO_SEAT, Cell, Color, Gate, State
from impulse_env.engine.sector_map import CELLS_OF_GATE, COORDINATES, HOMES

_RADIUS: Final = 80.0
"""Distance from the middle of a cell to a corner, including half of the gutter."""
_GUTTER: Final = 3.0
"""Half of the distance between two cells."""
_CENTER: Final = (MAP.x + MAP.width / 2, MAP.y + MAP.height / 2)
_FACE_TOP: Final = -47
"""The top of a card's face, relative to the middle of its cell."""
_SHIPS_Y: Final = 38
_HOME_MARK_Y: Final = 63
_FLEET_WIDTH: Final = 32
_MARK_SCALE: Final = 0.8
_FLEETS_WIDTH: Final = 112
_PILL: Final = Box(-20, -11.5, 40, 23)
_UPRIGHT_PILL: Final = Box(-12, -19, 24, 38)


@cache
def center_of(cell: Cell) -> tuple[float, float]:
    """Return the middle of a cell."""
    q, r = COORDINATES[cell]
    x, y = _CENTER
    return x + _RADIUS * math.sqrt(3) * (q + r / 2), y + _RADIUS * 1.5 * r


_CACHED: Final = 4096
"""Size of the caches of drawn cells and gates; a replay draws the same ones often."""

_Fleets = tuple[tuple[int, int], ...]
"""Pairs of a seat with Transports on a cell, and their number."""


@cache
def _corners(radius: float) -> tuple[tuple[float, float], ...]:
    """Return the corners of a cell around its middle, clockwise from the top."""
    angles = [math.pi / 3 * corner for corner in range(6)]
    return tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles)


def _fleet(seat: int, count: int) -> str:
    """Draw a seat's mark with a number of ships beside it, around the middle."""
    return _scaled_mark(seat, -7.5, 0) + text(str(count), 4.5, 4.6, 13, is_bold=True)


def _upright_fleet(seat: int, count: int) -> str:
    """Draw a seat's mark with a number of ships below it, around the middle."""
    return _scaled_mark(seat, 0, -7.5) + text(
        str(count), 0, 14.6, 13, is_bold=True, anchor="middle"
    )


def _scaled_mark(seat: int, x: float, y: float, scale: float = _MARK_SCALE) -> str:
    return element("use", href=f"#mark-{seat}", transform=f"translate({x} {y}) scale({scale})")


def _transports(fleets: _Fleets) -> str:
    scale = min(1.0, _FLEETS_WIDTH / (_FLEET_WIDTH * max(len(fleets), 1)))
    pitch = _FLEET_WIDTH * scale
    return "".join(
        group(
            _fleet(seat, count),
            transform=f"translate({pitch * (place - (len(fleets) - 1) / 2):.4g} {_SHIPS_Y}) "
            f"scale({scale:.4g})",
        )
        for place, (seat, count) in enumerate(fleets)
    )


def cell_part(state: State, cell: Cell) -> str:
    """Draw a cell: its number, its card, the mark of its home's seat, and its Transports."""
    players, ships = int(state["players"]), state["transports"][:, cell].tolist()
    fleets = tuple((seat, count) for seat, count in enumerate(ships[:players]) if count)
    card, is_up = int(state["cell_card"][cell]), bool(state["cell_face_up"][cell])
    return _cell(cell, players, card, is_up, fleets)


@lru_cache(maxsize=_CACHED)
def _cell(cell: Cell, players: int, card: int, is_up: bool, fleets: _Fleets) -> str:
    role, face, note = "hole", "", "no card"
    if cell == CORE:
        role, face, note = "core", _core(), ""
    elif 0 <= card < FACES:
        color = Color(int(COLOR_BY_CARD[card])).name.lower()
        number = NUMBER_BY_CARD[card]
        role = color if is_up else f"{color} secret"
        face = use(f"face-{number}", -CARD_WIDTH / 2, _FACE_TOP, data_face=f"card {number}")
        note = "" if is_up else "face-down"
    elif card == HIDDEN:
        role, note = "down", "face-down"
    homes = [seat for seat in range(players) if HOMES[players, seat] == cell]
    drawn = polygon(_corners(_RADIUS - _GUTTER), f"hex {role}")
    for seat in homes:
        drawn += polygon(_corners(_RADIUS - _GUTTER - 4), f"home rim{seat}")
    drawn += face + text(CELL_NAMES[cell], 0, -54, 13, role="m", is_bold=True, anchor="middle")
    if note:
        # An unexplored cell has no Transports.
        drawn += text(note, 0, _SHIPS_Y, 10, role="m", anchor="middle")
    for seat in homes:
        drawn += _scaled_mark(seat, 0, _HOME_MARK_Y, 0.72)
    x, y = center_of(cell)
    return group(
        drawn + _transports(fleets),
        transform=f"translate({x:.5g} {y:.5g})",
        data_action=f"cell {CELL_NAMES[cell]}",
    )


@cache
def _core() -> str:
    """Draw the print of the Sector Core (p. 5)."""
    tooltip = title_of("The Sector Core: score [1] point; the player chooses the color.")
    before, size = "Score ", 12
    width = width_of(f"{before}\xa01\xa0 point.", size)
    left = -width / 2
    box = Box(left + width_of(before, size) + 1, -9.5, width_of("\xa01\xa0", size) - 2, 11.5)
    return (
        tooltip
        + text("Sector Core", 0, -22, 15, is_bold=True, anchor="middle")
        + text(f"{before}\xa01\xa0 point.", left, 0, size)
        + rectangle(box, "boxed")
    )


def gate_part(state: State, gate: Gate) -> str:
    """Draw a gate: a dot, or its Cruisers."""
    return _gate(gate, int(state["gate_owner"][gate]), int(state["gate_ships"][gate]))


@lru_cache(maxsize=_CACHED)
def _gate(gate: Gate, seat: int, ships: int) -> str:
    (x0, y0), (x1, y1) = (center_of(int(cell)) for cell in CELLS_OF_GATE[gate])
    if seat == NO_SEAT:
        drawn = element("circle", class_="dot", r=3) + element("circle", class_="touch", r=12)
    elif y0 == y1:
        # This gate has words on both sides, so its Cruisers get a narrow shape.
        drawn = rectangle(_UPRIGHT_PILL, f"pill rim{seat}", 11) + _upright_fleet(seat, ships)
    else:
        drawn = rectangle(_PILL, f"pill rim{seat}", 11) + _fleet(seat, ships)
    return group(
        drawn,
        transform=f"translate({(x0 + x1) / 2:.5g} {(y0 + y1) / 2:.5g})",
        data_action=f"gate {GATE_NAMES[gate]}",
    )


def piles_part(state: State) -> str:
    """Draw the sizes of the deck and of the discard pile, in a corner of the map."""
    drawn = ""
    for row, (words, count) in enumerate(
        (("Deck", int(state["deck_count"])), ("Discarded", int(state["discard_count"])))
    ):
        y = MAP.y + 26 * row
        drawn += use("back", 0, 0, transform=f"translate({MAP.x} {y}) scale(.55)") + text(
            f"{words} {count}", MAP.x + 34, y + 13, 13
        )
    return group(drawn)
