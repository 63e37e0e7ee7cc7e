"""The deck: `cards.csv` as read-only tables over the 80 printed faces.

Copies of a face are interchangeable (only their printed numbers differ), so the engine uses only
faces: `Card` is an index into these tables. Faces are in the order of their lowest printed number.
"""

import csv
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import (
    ALL_SHIPS,
    ANY_COLOR,
    CARDS,
    CRUISER,
    FACES,
    TRANSPORT,
    Color,
    Family,
)

BOXES: Final = ("count", "max_size", "ships", "fleets", "moves", "bombs", "points")
"""The kinds of printed numbers; one of them is in the box, and only that one is boosted (p. 22)."""
BOX_COUNT, BOX_SIZE, BOX_SHIPS, BOX_FLEETS, BOX_MOVES, BOX_BOMBS, BOX_POINTS = range(len(BOXES))

_SHIP_TYPES: Final = {
    "": 0,
    "transport": TRANSPORT,
    "cruiser": CRUISER,
    "any": TRANSPORT | CRUISER,
}


def _read_rows() -> list[dict[str, str]]:
    text = (files("impulse_env.engine") / "cards.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _table(values: list[int]) -> NDArray[np.int64]:
    table = np.array(values, dtype=np.int64)
    table.setflags(write=False)
    return table


def _number(row: dict[str, str], column: str, otherwise: int) -> int:
    return int(row[column]) if row[column] else otherwise


def _color_mask(names: str) -> int:
    return sum(1 << Color[name.upper()] for name in names.split("/")) if names else ANY_COLOR


_faces: dict[tuple[str, ...], list[dict[str, str]]] = {}
for _row in _read_rows():
    _faces.setdefault(tuple(v for k, v in _row.items() if k != "id"), []).append(_row)
_first: list[dict[str, str]] = [rows[0] for rows in _faces.values()]

NUMBERS_BY_CARD: Final = tuple(tuple(int(r["id"]) for r in rows) for rows in _faces.values())
"""The printed numbers of every copy, ascending."""
NUMBER_BY_CARD: Final = tuple(numbers[0] for numbers in NUMBERS_BY_CARD)
"""The lowest printed number of each face, its name in output."""
CARD_BY_NUMBER: Final = {n: card for card, numbers in enumerate(NUMBERS_BY_CARD) for n in numbers}
TEXT_BY_CARD: Final = tuple(row["text"] for row in _first)
"""The printed effect, with the boxed number in square brackets."""
ACTION_BY_CARD: Final = tuple(row["family"].split("_")[0] for row in _first)
"""The printed action type, one of ten: "command", "build", …"""

FAMILY_BY_CARD: Final = _table([Family[row["family"].upper()] for row in _first])
COLOR_BY_CARD: Final = _table([Color[row["color"].upper()] for row in _first])
SIZE_BY_CARD: Final = _table([int(row["size"]) for row in _first])
COPIES_BY_CARD: Final = _table([len(numbers) for numbers in NUMBERS_BY_CARD])

COUNT_BY_CARD: Final = _table([_number(row, "count", 1) for row in _first])
MAX_SIZE_BY_CARD: Final = _table([_number(row, "max_size", 3) for row in _first])
"""Largest allowed size; sizes are upper limits (p. 24), 3 if none is printed."""
COLORS_BY_CARD: Final = _table([_color_mask(row["colors"]) for row in _first])
"""Mask of the allowed colours; every colour if none is printed."""
SHIPS_BY_CARD: Final = _table(
    [ALL_SHIPS if row["ships"] == "all" else _number(row, "ships", 0) for row in _first]
)
SHIP_TYPES_BY_CARD: Final = _table([_SHIP_TYPES[row["ship_type"]] for row in _first])
FLEETS_BY_CARD: Final = _table([_number(row, "fleets", 0) for row in _first])
MOVES_BY_CARD: Final = _table([_number(row, "moves", 0) for row in _first])
BOMBS_BY_CARD: Final = _table([_number(row, "bombs", 0) for row in _first])
POINTS_BY_CARD: Final = _table([_number(row, "points", 0) for row in _first])
BOX_BY_CARD: Final = _table([BOXES.index(row["box"]) for row in _first])

if len(_first) != FACES or sum(map(len, NUMBERS_BY_CARD)) != CARDS:
    raise ValueError(f"cards.csv must hold {CARDS} cards with {FACES} faces")
