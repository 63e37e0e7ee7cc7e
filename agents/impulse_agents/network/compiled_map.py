"""The map as a graph in compiled code: the weights and functions of `MapEncoder` and `MapPointer`.

They compute one observation at a time. The machine code of `@jit` functions contains the constants
of this module.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import CELLS, GATES, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE

MAP_DIM: Final = 32
"""Length of a place's description in the map as a graph."""


class MapWeights(NamedTuple):
    """The weights of the map as a graph; without rounds in other kinds of network.

    Attributes:
        columns: The bytes of the observation that describe the decision, int64, ``(c,)``.
        first_row: For each of them its row, or the row of its code 0, int64, ``(c,)``.
        highest_code: The highest code of each, 0 for a count, int64, ``(c,)``.
        context_rows: The contributions to the hidden layer of the context, float32, ``(r, h)``.
        context_bias: Bias of that layer, ``(h,)``.
        told: From there to the context vector of every place, ``(h, d)``.
        told_bias: Bias of the context vector, ``(d,)``.
        starts: The starts of cell cards, Transports, Cruisers, homes, fleets, their ships, the path
            and the frame's place in an observation, int64, ``(8,)``.
        fleets: Largest number of fleets of a movement, and of steps of a path, int64, ``(2,)``.
        cards: The contribution of a cell's card by its code, ``(codes, d)``.
        cell_seats: The contributions of each seat to a cell: per Transport, for having one, and for
            its home, ``(3, players, d)``.
        gate_seats: The contributions of each seat to a gate: per Cruiser, and for having one,
            ``(2, players, d)``.
        marks: The contribution of each mark to a cell and to a gate, ``(2, marks, d)``.
        spots: The learned vector of each place, ``(PLACES, d)``.
        rounds: The matrices of each exchange: gate to gate, cell to gate, cell to cell, gate to
            cell, ``(rounds, 4, d, d)``.
        news: From the context vector to its part in each exchange, ``(rounds, d, d)``.
        news_bias: Bias of that part, ``(rounds, d)``.
        pools: From the sums over places to the features, ``(4, d, width)``.
        wanted: From the policy's last hidden layer to the query vector, ``(hidden, d)``.
        wanted_bias: Bias of the query vector, ``(d,)``.
        always: A constant query for cells and for gates, and a bias, ``(2, d + 1)``.
    """

    columns: NDArray[np.int64]
    first_row: NDArray[np.int64]
    highest_code: NDArray[np.int64]
    context_rows: NDArray[np.float32]
    context_bias: NDArray[np.float32]
    told: NDArray[np.float32]
    told_bias: NDArray[np.float32]
    starts: NDArray[np.int64]
    fleets: NDArray[np.int64]
    cards: NDArray[np.float32]
    cell_seats: NDArray[np.float32]
    gate_seats: NDArray[np.float32]
    marks: NDArray[np.float32]
    spots: NDArray[np.float32]
    rounds: NDArray[np.float32]
    news: NDArray[np.float32]
    news_bias: NDArray[np.float32]
    pools: NDArray[np.float32]
    wanted: NDArray[np.float32]
    wanted_bias: NDArray[np.float32]
    always: NDArray[np.float32]


_NO_NUMBERS: Final = np.empty(0, np.int64)
_NO_WEIGHTS: Final = np.empty((0, 0), np.float32)
_NO_CUBE: Final = np.empty((0, 0, 0), np.float32)
NO_MAP: Final = MapWeights(
    columns=_NO_NUMBERS,
    first_row=_NO_NUMBERS,
    highest_code=_NO_NUMBERS,
    context_rows=_NO_WEIGHTS,
    context_bias=_NO_WEIGHTS.ravel(),
    told=_NO_WEIGHTS,
    told_bias=_NO_WEIGHTS.ravel(),
    starts=_NO_NUMBERS,
    fleets=_NO_NUMBERS,
    cards=_NO_WEIGHTS,
    cell_seats=_NO_CUBE,
    gate_seats=_NO_CUBE,
    marks=_NO_CUBE,
    spots=_NO_WEIGHTS,
    rounds=np.empty((0, 0, 0, 0), np.float32),
    news=_NO_CUBE,
    news_bias=_NO_WEIGHTS,
    pools=_NO_CUBE,
    wanted=_NO_WEIGHTS,
    wanted_bias=_NO_WEIGHTS.ravel(),
    always=_NO_WEIGHTS,
)
"""For a network that does not read the map as a graph."""


@jit_internal
def multiply_add(
    rows: NDArray[np.float32], weights: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Add the product of rows and a square matrix, four inputs at a time for speed."""
    for i in range(len(rows)):
        for k in range(0, MAP_DIM, 4):
            p, q, r, s = rows[i, k], rows[i, k + 1], rows[i, k + 2], rows[i, k + 3]
            for j in range(MAP_DIM):
                out[i, j] += (p * weights[k, j] + q * weights[k + 1, j]) + (
                    r * weights[k + 2, j] + s * weights[k + 3, j]
                )


@jit_internal
def _multiply_row(
    row: NDArray[np.float32], weights: NDArray[np.float32], out: NDArray[np.float32]
) -> None:
    """Add the product of a row and a matrix to `out`; skip inputs of 0."""
    for k in range(len(row)):
        factor = row[k]
        if factor != 0:
            for j in range(len(out)):
                out[j] += factor * weights[k, j]


@jit_internal
def _positive(values: NDArray[np.float32]) -> None:
    for i in range(len(values)):
        for j in range(MAP_DIM):
            values[i, j] = max(values[i, j], np.float32(0))


@jit_internal
def _tell(
    weights: MapWeights,
    observation: NDArray[np.uint8],
    hidden: NDArray[np.float32],
    told: NDArray[np.float32],
) -> None:
    """Write the context vector of every place, shape ``(MAP_DIM,)``."""
    hidden[:] = weights.context_bias
    for k in range(len(weights.columns)):
        number = np.int64(observation[weights.columns[k]])
        if number != 0:
            code = min(number, weights.highest_code[k])
            row = weights.context_rows[weights.first_row[k] + code]
            factor = np.float32(1 if code > 0 else number)
            for j in range(len(hidden)):
                hidden[j] += factor * row[j]
    for j in range(len(hidden)):
        hidden[j] = max(hidden[j], np.float32(0))
    told[:] = weights.told_bias
    _multiply_row(hidden, weights.told, told)
    for j in range(MAP_DIM):
        told[j] = max(told[j], np.float32(0))


@jit_internal
def _mark(
    marks: NDArray[np.float32],
    mark: int,
    place: int,
    amount: np.float32,
    places: NDArray[np.float32],
) -> None:
    """Add a mark to the place of a code; 0 means no place."""
    if 0 < place <= PLACES:
        of = 0 if place <= CELLS else 1
        for j in range(MAP_DIM):
            places[place - 1, j] += amount * marks[of, mark, j]


@jit_internal
def _mark_places(
    weights: MapWeights, observation: NDArray[np.uint8], places: NDArray[np.float32]
) -> None:
    """Add the marks of the decision to the places: `MARKS` of `map_network`, in order."""
    starts, marks = weights.starts, weights.marks
    for fleet in range(weights.fleets[0]):
        place = int(observation[starts[4] + fleet])
        _mark(marks, 0, place, np.float32(1), places)
        _mark(marks, 4, place, np.float32(observation[starts[5] + fleet]), places)
    last = 0
    for leg in range(weights.fleets[1]):
        place = int(observation[starts[6] + leg])
        _mark(marks, 1, place, np.float32(1), places)
        last = place if place > 0 else last
    _mark(marks, 2, last, np.float32(1), places)
    _mark(marks, 3, int(observation[starts[7]]), np.float32(1), places)


@jit_internal
def _set_places(
    weights: MapWeights,
    observation: NDArray[np.uint8],
    told: NDArray[np.float32],
    places: NDArray[np.float32],
) -> None:
    """Write the description of every place before the exchanges."""
    starts, players = weights.starts, weights.gate_seats.shape[1]
    for place in range(PLACES):
        for j in range(MAP_DIM):
            places[place, j] = weights.spots[place, j] + told[j]
    for cell in range(CELLS):
        code = min(int(observation[starts[0] + cell]), len(weights.cards) - 1)
        for j in range(MAP_DIM):
            places[cell, j] += weights.cards[code, j]
    for seat in range(players):
        for cell in range(CELLS):
            ships = np.float32(observation[starts[1] + seat * CELLS + cell])
            if ships > 0:
                for j in range(MAP_DIM):
                    places[cell, j] += (
                        ships * weights.cell_seats[0, seat, j] + weights.cell_seats[1, seat, j]
                    )
        for gate in range(GATES):
            ships = np.float32(observation[starts[2] + seat * GATES + gate])
            if ships > 0:
                for j in range(MAP_DIM):
                    places[CELLS + gate, j] += (
                        ships * weights.gate_seats[0, seat, j] + weights.gate_seats[1, seat, j]
                    )
        home = int(observation[starts[3] + seat]) - 1
        if 0 <= home < CELLS:
            for j in range(MAP_DIM):
                places[home, j] += weights.cell_seats[2, seat, j]
    _mark_places(weights, observation, places)
    _positive(places)


@jit_internal
def _exchange(
    weights: MapWeights,
    turn: int,
    news: NDArray[np.float32],
    places: NDArray[np.float32],
    updated: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> None:
    """Write to `updated` the descriptions after another round; `sums` is memory for the cells."""
    layers = weights.rounds[turn]
    sums[:] = np.float32(0)
    multiply_add(places[:CELLS], layers[1], sums)
    for gate in range(GATES):
        one, other = CELLS_OF_GATE[gate, 0], CELLS_OF_GATE[gate, 1]
        for j in range(MAP_DIM):
            updated[CELLS + gate, j] = news[j] + sums[one, j] + sums[other, j]
    multiply_add(places[CELLS:], layers[0], updated[CELLS:])
    _positive(updated[CELLS:])
    sums[:] = np.float32(0)
    for gate in range(GATES):
        for side in range(2):
            cell = CELLS_OF_GATE[gate, side]
            for j in range(MAP_DIM):
                sums[cell, j] += updated[CELLS + gate, j]
    for cell in range(CELLS):
        for j in range(MAP_DIM):
            updated[cell, j] = news[j]
    multiply_add(places[:CELLS], layers[2], updated[:CELLS])
    multiply_add(sums, layers[3], updated[:CELLS])
    _positive(updated[:CELLS])


@jit_internal
def describe_places(
    weights: MapWeights,
    observation: NDArray[np.uint8],
    hidden: NDArray[np.float32],
    told: NDArray[np.float32],
    places: NDArray[np.float32],
    sums: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Return descriptions of all places, shape ``(PLACES, MAP_DIM)``.

    Args:
        weights: Weights of the encoder.
        observation: Shape ``(size(players),)``.
        hidden: Memory for the context's hidden layer, ``(CONTEXT_WIDTH,)``.
        told: Memory for the context vector, ``(2, MAP_DIM)``.
        places: Memory for descriptions, ``(2, PLACES, MAP_DIM)``; the result is one of them.
        sums: Memory for the cells, ``(CELLS, MAP_DIM)``.
    """
    _tell(weights, observation, hidden, told[0])
    _set_places(weights, observation, told[0], places[0])
    for turn in range(len(weights.rounds)):
        told[1] = weights.news_bias[turn]
        _multiply_row(told[0], weights.news[turn], told[1])
        _exchange(weights, turn, told[1], places[turn % 2], places[1 - turn % 2], sums)
    return places[len(weights.rounds) % 2]


@jit_internal
def add_pools(
    weights: MapWeights,
    observation: NDArray[np.uint8],
    places: NDArray[np.float32],
    pool: NDArray[np.float32],
    out: NDArray[np.float32],
) -> None:
    """Add to the features the sums over places; `pool` is memory, ``(MAP_DIM,)``.

    The weights include the divisors of the sums.
    """
    starts = weights.starts
    for part in range(4):
        begin, end = (0, CELLS) if part % 2 == 0 else (CELLS, PLACES)
        ships = starts[1] if part % 2 == 0 else starts[2]
        pool[:] = np.float32(0)
        for place in range(begin, end):
            if part < 2 or observation[ships + place - begin] > 0:
                for j in range(MAP_DIM):
                    pool[j] += places[place, j]
        _multiply_row(pool, weights.pools[part], out)


@jit_internal
def score_described(
    weights: MapWeights,
    wanted: NDArray[np.float32],
    places: NDArray[np.float32],
    place: int,
) -> np.float32:
    """Return the addition to the logit of a place, from the query vector."""
    always = weights.always[0 if place < CELLS else 1]
    total = always[MAP_DIM]
    for j in range(MAP_DIM):
        total += places[place, j] * (wanted[j] + always[j])
    return np.float32(total)
