"""Dense layers in compiled code: inputs that are not zero add their rows of the weights."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_agents.network.compiled_weights import CompiledNetwork
from impulse_agents.network.kinds import MAP_DIM
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import CELLS, PLACES


class Workspace(NamedTuple):
    """Room for what a forward pass finds on its way.

    Attributes:
        chosen: Which inputs are not 0, int64.
        factor: And what they are, float32.
        hidden: Features, and two layers by turns; float32, ``(3, widest layer)``.
        cells: Descriptions of the cells, ``(CELLS, d)``.
        wanted: ``(2, d)``: what place is wanted, and the description of one.
        context: Hidden layer of what is told to the places of the map.
        told: ``(3, MAP_DIM)``: what they are told, its share in an exchange, and a sum over them.
        places: Their descriptions, two by turns, ``(2, PLACES, MAP_DIM)``.
        sums: What is summed up for the cells, ``(CELLS, MAP_DIM)``.
    """

    chosen: NDArray[np.int64]
    factor: NDArray[np.float32]
    hidden: NDArray[np.float32]
    cells: NDArray[np.float32]
    wanted: NDArray[np.float32]
    context: NDArray[np.float32]
    told: NDArray[np.float32]
    places: NDArray[np.float32]
    sums: NDArray[np.float32]


@jit_internal
def make_workspace(network: CompiledNetwork) -> Workspace:
    """Return room for one row at a time of a network."""
    widest = len(network.features.bias)
    for layer in range(len(network.layers)):
        widest = max(widest, network.layers[layer, 1])
    inputs = max(widest, len(network.features.first_row) + len(network.features.routes))
    dim = len(network.places.bias)
    return Workspace(
        np.empty(inputs, np.int64),
        np.empty(inputs, np.float32),
        np.empty((3, widest), np.float32),
        np.empty((CELLS, dim), np.float32),
        np.empty((2, dim), np.float32),
        np.empty(len(network.map.context_bias), np.float32),
        np.empty((3, MAP_DIM), np.float32),
        np.empty((2, PLACES, MAP_DIM), np.float32),
        np.empty((CELLS, MAP_DIM), np.float32),
    )


@jit_internal
def copy_weights(weights: NDArray[np.float32], start: int, out: NDArray[np.float32]) -> None:
    """Fill `out` with the weights from `start` on."""
    for j in range(len(out)):
        out[j] = weights[start + j]


@jit_internal
def add_rows(
    rows: NDArray[np.float32],
    index: NDArray[np.int64],
    factor: NDArray[np.float32],
    count: int,
    out: NDArray[np.float32],
) -> None:
    """Add some rows times their factors to `out`, four at a time to touch it less often."""
    whole = count - count % 4
    for k in range(0, whole, 4):
        a, b, c, d = rows[index[k]], rows[index[k + 1]], rows[index[k + 2]], rows[index[k + 3]]
        p, q, r, s = factor[k], factor[k + 1], factor[k + 2], factor[k + 3]
        for j in range(len(out)):
            out[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j])
    for k in range(whole, count):
        a, p = rows[index[k]], factor[k]
        for j in range(len(out)):
            out[j] += p * a[j]


@jit_internal
def list_positive(inputs: NDArray[np.float32], work: Workspace) -> int:
    """List the inputs that are not 0 and return their number."""
    count = np.int64(0)
    for i in range(len(inputs)):
        work.chosen[count] = i
        work.factor[count] = inputs[i]
        count += inputs[i] > 0
    return int(count)


@jit_internal
def run_layers(
    network: CompiledNetwork,
    begin: int,
    end: int,
    features: NDArray[np.float32],
    work: Workspace,
) -> NDArray[np.float32]:
    """Return what some layers, one after another, make of the features."""
    found = features
    for layer in range(begin, end):
        inputs, outputs, start = network.layers[layer]
        stop = start + inputs * outputs
        matrix = network.weights[start:stop].reshape((inputs, outputs))
        count = list_positive(found, work)
        found = work.hidden[1 + layer % 2, :outputs]
        copy_weights(network.weights, stop, found)
        add_rows(matrix, work.chosen, work.factor, count, found)
        if layer < len(network.layers) - 1:  # the value may be negative
            for j in range(outputs):
                found[j] = max(found[j], np.float32(0))
    return found
