"""The Sector Map (p. 5, p. 7) against formulas of its own: points in the plane, not axial steps."""

import cmath
import math

import pytest

from impulse_env.actions import GATE_NAMES
from impulse_env.engine import sector_map

ROWS = (3, 4, 5, 4, 3)
CORNERS = {"TL": 1, "TR": 3, "L": 8, "R": 12, "BL": 17, "BR": 19}
HOMES = {
    2: ("L", "R"),
    3: ("L", "TR", "BR"),
    4: ("TL", "TR", "BR", "BL"),
    5: ("L", "TL", "TR", "BR", "BL"),
    6: ("L", "TL", "TR", "R", "BR", "BL"),
}


def centers():
    """The middle of each cell 1-19 as a complex number, one apart, y downwards."""
    points = []
    for row, length in enumerate(ROWS):
        for column in range(length):
            points.append(
                complex(column - (length - 1) / 2, (row - 2) * math.sqrt(3) / 2)  # rows are dense
            )
    return points


CENTERS = centers()
PAIRS = [
    (a, b)
    for a in range(1, 20)
    for b in range(a + 1, 20)
    if abs(abs(CENTERS[a - 1] - CENTERS[b - 1]) - 1) < 1e-9
]


def neighbors(cell):
    return {a + b - cell for a, b in PAIRS if cell in (a, b)}


def turned(cell, sixths):
    """The cell on which `cell` lands when the map is turned clockwise (y points down)."""
    goal = CENTERS[cell - 1] * cmath.exp(1j * math.pi / 3 * sixths)
    (found,) = [c for c in range(1, 20) if abs(CENTERS[c - 1] - goal) < 1e-9]
    return found


def engine_neighbors(cell):
    row = sector_map.NEIGHBORS_OF_CELL[cell - 1]
    return {int(c) + 1 for c in row if c >= 0}


def test_two_touching_cells_share_one_gate_and_there_are_42_p7():
    assert [tuple(c + 1 for c in pair) for pair in sector_map.CELLS_OF_GATE_PAIRS] == PAIRS
    assert len(PAIRS) == 42
    assert GATE_NAMES == tuple(f"{a}-{b}" for a, b in PAIRS)


def test_corner_cells_have_3_gates_other_border_cells_4_inner_cells_6_p7():
    inner = {5, 6, 9, 10, 11, 14, 15}
    for cell in range(1, 20):
        expected = 3 if cell in CORNERS.values() else 6 if cell in inner else 4
        assert len(neighbors(cell)) == expected
        assert sector_map.GATE_COUNT_OF_CELL[cell - 1] == expected


@pytest.mark.parametrize("cell", range(1, 20))
def test_the_neighbors_and_gates_of_a_cell_are_the_touching_ones(cell):
    assert engine_neighbors(cell) == neighbors(cell)
    count = sector_map.GATE_COUNT_OF_CELL[cell - 1]
    for k in range(6):
        gate = int(sector_map.GATES_OF_CELL[cell - 1, k])
        behind = int(sector_map.NEIGHBORS_OF_CELL[cell - 1, k])
        assert (gate >= 0) == (behind >= 0) == (k < count)
        if k < count:
            assert sorted((cell, behind + 1)) == list(PAIRS[gate])


def test_the_sector_core_is_cell_10_in_the_middle_p5():
    assert CENTERS[9] == 0
    assert neighbors(10) == {5, 6, 9, 11, 14, 15}


def test_a_cruiser_crosses_the_one_cell_that_two_gates_share():
    for g, pair in enumerate(PAIRS):
        for h, other in enumerate(PAIRS):
            shared = set(pair) & set(other) if g != h else set()
            expected = shared.pop() - 1 if shared else -1
            assert sector_map.CROSSED_CELL[g, h] == expected


@pytest.mark.parametrize("players", HOMES)
def test_homes_are_the_corners_of_the_players_number_clockwise_p5(players):
    expected = [CORNERS[name] - 1 for name in HOMES[players]]
    row = [int(cell) for cell in sector_map.HOMES[players]]
    assert row == expected + [-1] * (6 - players)
    angles = [cmath.phase(CENTERS[cell]) for cell in expected]
    around = [(angle - angles[0]) % (2 * math.pi) for angle in angles]
    assert around == sorted(around), "seats go round clockwise (p. 13)"


@pytest.mark.parametrize("players", [2, 3, 6])
def test_homes_lie_as_far_apart_as_possible(players):
    points = [CENTERS[CORNERS[name] - 1] for name in HOMES[players]]
    gaps = [abs(a - points[k - 1]) for k, a in enumerate(points)]
    assert max(gaps) - min(gaps) < 1e-9


@pytest.mark.parametrize("corner", CORNERS.values())
def test_the_first_cruiser_stands_on_the_gate_towards_the_sector_core_p5(corner):
    nearest = min(neighbors(corner), key=lambda cell: abs(CENTERS[cell - 1]))
    gate = int(sector_map.START_GATE_OF_CELL[corner - 1])
    assert PAIRS[gate] == tuple(sorted((corner, nearest)))
    assert 10 in neighbors(nearest)


def test_cells_that_are_no_corner_have_no_first_gate():
    for cell in set(range(1, 20)) - set(CORNERS.values()):
        assert sector_map.START_GATE_OF_CELL[cell - 1] == -1
        assert sector_map.TURNS_TO_LEFT[cell - 1] == -1


@pytest.mark.parametrize("sixths", range(6))
def test_a_turn_by_sixths_moves_cells_and_gates_as_the_plane_does(sixths):
    for cell in range(1, 20):
        assert sector_map.TURNED_CELL[sixths, cell - 1] == turned(cell, sixths) - 1
    for gate, (a, b) in enumerate(PAIRS):
        goal = tuple(sorted((turned(a, sixths), turned(b, sixths))))
        assert PAIRS[int(sector_map.TURNED_GATE[sixths, gate])] == goal


@pytest.mark.parametrize("corner", CORNERS.values())
def test_every_home_can_be_turned_to_the_left_corner(corner):
    sixths = int(sector_map.TURNS_TO_LEFT[corner - 1])
    assert turned(corner, sixths) == CORNERS["L"]


def test_a_place_touches_its_cell_or_the_two_cells_of_its_gate():
    masks = [1 << cell for cell in range(19)] + [(1 << a - 1) | (1 << b - 1) for a, b in PAIRS]
    assert sector_map.CELLS_AT_PLACE.tolist() == masks
