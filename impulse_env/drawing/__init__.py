"""A game as an SVG picture, the source of every other picture of a game.

    parts(state, by)   the drawing in named parts, to replace those that changed
    svg(state, by)     a whole document
    png(state, by)     its pixels (needs the extra `render`)

`by` is the viewer: a seat, None (public information only) or `EVERYTHING`. Only
`impulse_env.information` decides which information is hidden. Elements that an action can name
carry its name: cells and gates ``data-action="cell 5"``, face-up cards ``data-face="card 41"``.

layout     the fixed place of every element
board      the map with its cards and ships
seats      a panel for each seat, and the hand of the viewing seat
table      the common area: the turn, the decision, the Impulse, the legend
battle     the sides of a battle and the reinforcements that count
symbols    cards, gems, marks of the seats, and rows of cards
style      colours and classes
lettering  the width of texts, and line breaks
elements   SVG elements as text, and boxes
pixels     an SVG as pixels, and a window that shows drawings
"""

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import CELL_NAMES, GATE_NAMES
from impulse_env.drawing import board, seats, table
from impulse_env.drawing.elements import Box, element, group, rectangle
from impulse_env.drawing.layout import WIDTH, Layout, layout_of
from impulse_env.drawing.pixels import RenderError, pixels_of, png_bytes
from impulse_env.drawing.style import style_sheet
from impulse_env.drawing.symbols import definitions, symbols
from impulse_env.engine.cards import CARD_BY_NUMBER
from impulse_env.engine.constants import CELLS, FACES, GATES, Seat, State
from impulse_env.information import EVERYTHING, as_seen
from impulse_env.text.describe import card_text

__all__ = [
    "EVERYTHING",
    "WIDTH",
    "RenderError",
    "card_text",
    "parts",
    "png",
    "size",
    "svg",
]

_CARDS = "cards"
_USED = re.compile(r'href="#(?:face|card|chip|gems)-(\d+)"')


def parts(state: State, by: Seat | str | None) -> dict[str, str]:
    """Return the drawing in parts by name, in drawing order.

    The names and their order are the same throughout a game. The first are ``style``, ``symbols``,
    ``cards``, ``paper``, ``legend``, ``cell-7``, ``gate-5-10``, ``piles``, ``turn`` and ``prompt``.
    Then follow ``impulse`` (with teams: ``impulse-0`` and so on), ``table`` and ``points`` (only
    without teams). The last are, for each seat, ``seat-2``, ``techs-2``, ``minerals-2``, ``plan-2``
    and ``hand-2``. Each part is one ``<g id="part-NAME">``. Its text changes only if its content
    changes. To draw the parts, write them into an ``<svg class="impulse">`` of `size`.

    Args:
        state: A full record, or the view of `by`; not changed.
        by: A seat, None for public information only, or `EVERYTHING`.
    """
    view = as_seen(state, by)
    layout = _layout(view, by)
    drawn = dict(_constant_parts(layout))
    for cell in range(CELLS):
        drawn[f"cell-{CELL_NAMES[cell]}"] = board.cell_part(view, cell)
    for gate in range(GATES):
        drawn[f"gate-{GATE_NAMES[gate]}"] = board.gate_part(view, gate)
    drawn["piles"] = board.piles_part(view)
    drawn["turn"] = table.turn_part(view, layout.turn)
    drawn["prompt"] = table.prompt_part(view, layout.prompt)
    for row, box in enumerate(layout.impulses):
        name = f"impulse-{row}" if len(layout.impulses) > 1 else "impulse"
        drawn[name] = table.impulse_part(view, row, box)
    drawn["table"] = table.table_part(view, layout.table)
    if layout.points is not None:
        drawn["points"] = table.points_part(view, layout.points)
    for seat, box in enumerate(layout.seats):
        drawn[f"seat-{seat}"] = seats.seat_part(view, seat, box)
        drawn[f"techs-{seat}"] = seats.techs_part(view, seat, box)
        drawn[f"minerals-{seat}"] = seats.minerals_part(view, seat, box)
        drawn[f"plan-{seat}"] = seats.plan_part(view, seat, box)
        if layout.own_hand is not None and seat == by:
            drawn[f"hand-{seat}"] = seats.own_hand_part(view, seat, layout.own_hand, box)
        else:
            drawn[f"hand-{seat}"] = seats.hand_part(view, seat, box)
    return {name: f'<g id="part-{name}"{part[2:]}' for name, part in drawn.items()}


def size(state: State, by: Seat | str | None) -> tuple[int, int]:
    """Return width and height of the drawing, the same throughout a game."""
    return WIDTH, round(_layout(state, by).height)


def svg(state: State, by: Seat | str | None) -> str:
    """Return the drawing as one document, with definitions of only the cards that it shows."""
    drawn = parts(state, by)
    shown = "".join(part for name, part in drawn.items() if name != _CARDS)
    numbers = {int(number) for number in _USED.findall(shown)}
    cards = tuple(sorted(CARD_BY_NUMBER[number] for number in numbers))
    drawn[_CARDS] = group(definitions(cards), id=f"part-{_CARDS}")
    width, height = size(state, by)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="impulse" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        + "".join(drawn.values())
        + "</svg>"
    )


def png(state: State, by: Seat | str | None, width: int = WIDTH) -> NDArray[np.uint8]:
    """Return the pixels of the drawing, shape ``(height, width, 3)``; raises `RenderError`."""
    return pixels_of(png_bytes(svg(state, by), width))


def _layout(state: State, by: Seat | str | None) -> Layout:
    players, teams = int(state["players"]), int(state["teams"])
    is_seat = by is not None and by != EVERYTHING
    return layout_of(players, teams if teams < players else 1, is_seat)


@cache
def _constant_parts(layout: Layout) -> dict[str, str]:
    paper = Box(0, 0, WIDTH, layout.height)
    return {
        "style": group(element("style", style_sheet())),
        "symbols": group(symbols()),
        _CARDS: group(definitions(range(FACES))),
        "paper": group(rectangle(paper, "paper")),
        "legend": table.legend_part(layout.legend),
    }
