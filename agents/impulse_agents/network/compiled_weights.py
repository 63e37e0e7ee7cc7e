"""A network as arrays: what compiled code takes as its argument. `packing` makes them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray


class FeatureWeights(NamedTuple):
    """What the features are computed with.

    Attributes:
        rows: What an input adds to the features, float32, ``(r, width)``.
        first_row: For each byte of the observation its row, or that of its code 0, int64.
        highest_code: The highest code of a byte, 0 for one that counts, int64.
        routes: Start, end and first row of each run of places whose last one counts apart, int64,
            ``(k, 3)``.
        bias: The features of an observation of zeros, before the last step, ``(width,)``.
    """

    rows: NDArray[np.float32]
    first_row: NDArray[np.int64]
    highest_code: NDArray[np.int64]
    routes: NDArray[np.int64]
    bias: NDArray[np.float32]


class PlaceWeights(NamedTuple):
    """What the pointer to places computes with; d is 0 in a network that has none.

    Attributes:
        starts: Where cell cards, Transports and Cruisers stand in an observation, int64, ``(3,)``.
        cards: What the card of a cell adds, by its code, float32, ``(codes, d)``.
        ships: What a Transport of each seat adds to its cell, then a Cruiser of each to the cells
            beside its gate, ``(2 * players, d)``.
        cruisers: What a Cruiser of each seat adds to its gate, ``(players, d)``.
        spots: What a place is by itself, ``(PLACES, d)``.
        weight: From the policy's last hidden layer to what is wanted, ``(hidden, d)``.
        bias: ``(d,)``.
    """

    starts: NDArray[np.int64]
    cards: NDArray[np.float32]
    ships: NDArray[np.float32]
    cruisers: NDArray[np.float32]
    spots: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]


_NO_WEIGHTS: Final = np.empty((0, 0), np.float32)
NO_PLACES: Final = PlaceWeights(
    np.zeros(3, np.int64),
    cards=_NO_WEIGHTS,
    ships=_NO_WEIGHTS,
    cruisers=_NO_WEIGHTS,
    spots=_NO_WEIGHTS,
    weight=_NO_WEIGHTS,
    bias=_NO_WEIGHTS.ravel(),
)
"""Of a network that has no pointer to places."""


class MapWeights(NamedTuple):
    """What the map is read with as a graph; in a network that does not there are no rounds.

    Attributes:
        columns: Bytes of the observation that tell what is decided, int64, ``(c,)``.
        first_row: For each of them its row, or that of its code 0, int64, ``(c,)``.
        highest_code: Its highest code, 0 for one that counts, int64, ``(c,)``.
        context_rows: What it adds to the hidden layer of the context, float32, ``(r, h)``.
        context_bias: ``(h,)``.
        told: From there to what every place is told, ``(h, d)``.
        told_bias: ``(d,)``.
        starts: Where cell cards, Transports, Cruisers, homes, fleets, their ships, the path and the
            place of the frame stand in an observation, int64, ``(8,)``.
        fleets: Most fleets of a movement, and most legs of a path, int64, ``(2,)``.
        cards: What the card of a cell adds, by its code, ``(codes, d)``.
        cell_seats: What a Transport of each seat, having one, and being its home add to a cell,
            ``(3, players, d)``.
        gate_seats: What a Cruiser of each seat and having one add to a gate, ``(2, players, d)``.
        marks: What a mark adds to a cell and to a gate, ``(2, marks, d)``.
        spots: What a place is by itself, ``(PLACES, d)``.
        rounds: The matrices of each exchange: gate to gate, cell to gate, cell to cell, gate to
            cell, ``(rounds, 4, d, d)``.
        news: From what is told to what it says in each exchange, ``(rounds, d, d)``.
        news_bias: ``(rounds, d)``.
        pools: From the sums over places to the features, ``(4, d, width)``.
        wanted: From the policy's last hidden layer to what is wanted, ``(hidden, d)``.
        wanted_bias: ``(d,)``.
        always: What is always wanted of a cell and of a gate, and a bias, ``(2, d + 1)``.
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
"""Of a network that does not read the map as a graph."""


class CompiledNetwork(NamedTuple):
    """A network as arrays.

    Attributes:
        features: The features.
        layers: Inputs and outputs of each dense layer, and where it begins in `weights`, int64,
            ``(n, 3)``: those of the policy, then those of the critic, the last of which is the
            value.
        policy_layers: How many of them are the policy's, int64, ``(1,)``.
        weights: Of each layer the matrix, inputs by outputs, then the bias; float32.
        action: From the policy's last hidden layer to the logits, ``(hidden, SIZE)``.
        action_bias: ``(SIZE,)``.
        places: The pointer to places.
    """

    features: FeatureWeights
    layers: NDArray[np.int64]
    policy_layers: NDArray[np.int64]
    weights: NDArray[np.float32]
    action: NDArray[np.float32]
    action_bias: NDArray[np.float32]
    places: PlaceWeights
    map: MapWeights


NO_NETWORK: Final = CompiledNetwork(
    FeatureWeights(
        _NO_WEIGHTS,
        np.empty(0, np.int64),
        np.empty(0, np.int64),
        np.empty((0, 3), np.int64),
        _NO_WEIGHTS.ravel(),
    ),
    np.empty((0, 3), np.int64),
    np.zeros(1, np.int64),
    _NO_WEIGHTS.ravel(),
    _NO_WEIGHTS,
    _NO_WEIGHTS.ravel(),
    NO_PLACES,
    NO_MAP,
)
"""For a compiled function that takes a network and is to do without; its features have no width."""
