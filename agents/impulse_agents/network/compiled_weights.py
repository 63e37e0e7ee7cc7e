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
)
"""For a compiled function that takes a network and is to do without; its features have no width."""
