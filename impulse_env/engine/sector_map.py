"""The Sector Map: adjacent cells and gates (p. 5, p. 7), without cards and ships.

Cells 0…18 row by row (printed 1…19); axial coordinates (q, r) with rows r = -2…2:

            1   2   3              TL · TR
          4   5   6   7
        8   9  10  11  12        L · core · R
         13  14  15  16
           17  18  19              BL · BR

A gate is a touching pair of cells. Places 0…18 are the cells, 19…60 the gates.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_env.engine.constants import CELLS, CORE, GATES, MAX_PLAYERS, PLACES, Cell, Gate

RADIUS: Final = 2
DIRECTIONS: Final = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""Axial steps, clockwise from east."""
CORNERS: Final = ("TL", "TR", "R", "BR", "BL", "L")
"""Corner cells, clockwise."""
TURNS: Final = len(CORNERS)
"""A sixth of a full turn maps the map onto itself."""

COORDINATES: Final = tuple(
    (q, r)
    for r in range(-RADIUS, RADIUS + 1)
    for q in range(max(-RADIUS, -RADIUS - r), min(RADIUS, RADIUS - r) + 1)
)
_CELL_AT: Final = {qr: cell for cell, qr in enumerate(COORDINATES)}

CELLS_OF_GATE_PAIRS: Final = tuple(
    sorted(
        (cell, other)
        for cell, (q, r) in enumerate(COORDINATES)
        for dq, dr in DIRECTIONS
        if (other := _CELL_AT.get((q + dq, r + dr), -1)) > cell
    )
)
GATE_AT: Final = {pair: gate for gate, pair in enumerate(CELLS_OF_GATE_PAIRS)}


def _frozen(values: object, dtype: type = np.int64) -> NDArray[np.int64]:
    table: NDArray[np.int64] = np.array(values, dtype=dtype)
    table.setflags(write=False)
    return table


def _ragged(rows: list[list[int]], width: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    padded = [row + [-1] * (width - len(row)) for row in rows]
    return _frozen(padded), _frozen([len(row) for row in rows])


CELLS_OF_GATE: Final = _frozen(CELLS_OF_GATE_PAIRS)
"""Shape (42, 2): the two cells of each gate, ascending."""
GATES_OF_CELL, GATE_COUNT_OF_CELL = _ragged(
    [[g for g, pair in enumerate(CELLS_OF_GATE_PAIRS) if c in pair] for c in range(CELLS)], TURNS
)
"""Shape (19, 6), -1 past the count: corners have 3 gates, other border cells 4, inner cells 6."""
NEIGHBORS_OF_CELL = _frozen(
    [
        [-1 if gate < 0 else int(CELLS_OF_GATE[gate].sum() - cell) for gate in GATES_OF_CELL[cell]]
        for cell in range(CELLS)
    ]
)
"""Shape (19, 6): the cell behind each gate of `GATES_OF_CELL`."""

_crossed = np.full((GATES, GATES), -1, dtype=np.int64)
for _g, _pair in enumerate(CELLS_OF_GATE_PAIRS):
    for _h, _other in enumerate(CELLS_OF_GATE_PAIRS):
        if _g != _h and set(_pair) & set(_other):
            (_crossed[_g, _h],) = set(_pair) & set(_other)
CROSSED_CELL: Final = _frozen(_crossed)
"""Shape (42, 42): the one cell that a Cruiser crosses between two gates, -1 if they share none."""

CELLS_AT_PLACE: Final = _frozen(
    [1 << cell for cell in range(CELLS)] + [(1 << a) | (1 << b) for a, b in CELLS_OF_GATE_PAIRS]
)
"""Shape (61,): mask of the cells that a place touches."""

_HOMES: Final = {
    2: ("L", "R"),
    3: ("L", "TR", "BR"),
    4: ("TL", "TR", "BR", "BL"),
    5: ("L", "TL", "TR", "BR", "BL"),
    6: ("L", "TL", "TR", "R", "BR", "BL"),
}
CELL_OF_CORNER: Final = {
    "TL": _CELL_AT[0, -RADIUS],
    "TR": _CELL_AT[RADIUS, -RADIUS],
    "R": _CELL_AT[RADIUS, 0],
    "BR": _CELL_AT[0, RADIUS],
    "BL": _CELL_AT[-RADIUS, RADIUS],
    "L": _CELL_AT[-RADIUS, 0],
}
HOMES: Final = _frozen(
    [
        [CELL_OF_CORNER[c] for c in _HOMES.get(n, ())]
        + [-1] * (MAX_PLAYERS - len(_HOMES.get(n, ())))
        for n in range(MAX_PLAYERS + 1)
    ]
)
"""Shape (7, 6): the home cell by number of players and seat (p. 5), -1 without a seat."""


def _gate_towards_core(cell: Cell) -> Gate:
    """Return the gate of a corner cell whose other cell is nearest to the Sector Core."""
    q, r = COORDINATES[cell]
    inner = _CELL_AT[q // 2, r // 2]
    return GATE_AT[min(cell, inner), max(cell, inner)]


START_GATE_OF_CELL: Final = _frozen(
    [_gate_towards_core(c) if c in CELL_OF_CORNER.values() else -1 for c in range(CELLS)]
)
"""Shape (19,): the gate of a home's first Cruiser by its corner cell (p. 5), -1 elsewhere."""


def _turned(cell: Cell) -> Cell:
    """Return the cell that `cell` becomes after a clockwise turn of the map by a sixth."""
    q, r = COORDINATES[cell]
    return _CELL_AT[-r, q + r]


_turns = [list(range(CELLS))]
for _ in range(TURNS - 1):
    _turns.append([_turned(cell) for cell in _turns[-1]])
TURNED_CELL: Final = _frozen(_turns)
"""Shape (6, 19): the cell after k sixths of a clockwise turn."""
TURNED_GATE: Final = _frozen(
    [[GATE_AT[min(t[a], t[b]), max(t[a], t[b])] for a, b in CELLS_OF_GATE_PAIRS] for t in _turns]
)
"""Shape (6, 42): the gate after k sixths of a clockwise turn."""
TURNS_TO_LEFT: Final = _frozen(
    [
        next((k for k in range(TURNS) if TURNED_CELL[k, c] == CELL_OF_CORNER["L"]), -1)
        for c in range(CELLS)
    ]
)
"""Shape (19,): sixths of a turn from a corner cell to L, -1 for cells that are not corners."""

if len(CELLS_OF_GATE_PAIRS) != GATES or COORDINATES[CORE] != (0, 0) or PLACES != CELLS + GATES:
    raise ValueError("the map must have 19 cells and 42 gates around the Sector Core")
