"""The forward pass of a `PolicyNetwork` in compiled code, one row at a time.

Most of an observation and half of a hidden layer are zeros. Each other input adds its row of the
weights, and nothing is multiplied by 0. Only the requested logits are computed. So a row takes less
time than in any batch of torch, which needs almost a millisecond for a single row.

The weights are arguments, so that one compiled function serves all networks; `PolicyNetwork.pack`
returns them. Sums have a fixed order (no fastmath), so a row gives the same bits in any batch.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents.network.compiled_map import (
    MAP_DIM,
    NO_MAP,
    MapWeights,
    add_pools,
    describe_places,
    score_described,
)
from impulse_env.compiled.compilation import call, jit, jit_internal
from impulse_env.engine.action_space import PLACE_0, SIZE
from impulse_env.engine.constants import CELLS, GATES, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE

T = TypeVar("T")

ROWS_PER_THREAD: Final = 64
"""Rows that justify a thread: about 2 ms of work, while starting a thread takes 0.2 ms."""


class FeatureWeights(NamedTuple):
    """The weights of the features.

    Attributes:
        rows: The contribution of each input to the features, float32, ``(r, width)``.
        first_row: For each byte of the observation its row, or the row of its code 0, int64.
        highest_code: The highest code of each byte, 0 for a count, int64.
        routes: Start, end and first row of each section of places whose last place is separate,
            int64, ``(k, 3)``.
        bias: The features of an observation of zeros, before the activation, ``(width,)``.
    """

    rows: NDArray[np.float32]
    first_row: NDArray[np.int64]
    highest_code: NDArray[np.int64]
    routes: NDArray[np.int64]
    bias: NDArray[np.float32]


class PlaceWeights(NamedTuple):
    """The weights of the pointer to places.

    Attributes:
        starts: The starts of cell cards, Transports and Cruisers in an observation, int64,
            ``(3,)``.
        cards: The contribution of a cell's card by its code, float32, ``(codes, d)``.
        ships: The contributions of each seat's Transport to its cell, then of each seat's Cruiser
            to the cells beside its gate, ``(2 * players, d)``.
        cruisers: The contribution of each seat's Cruiser to its gate, ``(players, d)``.
        spots: The learned vector of each place, ``(PLACES, d)``.
        weight: From the policy's last hidden layer to the query vector, ``(hidden, d)``.
        bias: Bias of the query vector, ``(d,)``.
    """

    starts: NDArray[np.int64]
    cards: NDArray[np.float32]
    ships: NDArray[np.float32]
    cruisers: NDArray[np.float32]
    spots: NDArray[np.float32]
    weight: NDArray[np.float32]
    bias: NDArray[np.float32]


class CompiledNetwork(NamedTuple):
    """A network as arrays.

    Attributes:
        features: The weights of the features.
        layers: Inputs and outputs of each dense layer, and its start in `weights`, int64,
            ``(n, 3)``: the policy's layers, then the critic's, the last of which is the value.
        policy_layers: The number of the policy's layers, int64, ``(1,)``.
        weights: The matrix of each layer, inputs by outputs, then its bias; float32.
        action: From the policy's last hidden layer to the logits, ``(hidden, SIZE)``.
        action_bias: Bias of the logits, ``(SIZE,)``.
        places: The weights of the pointer to places.
        map: The weights of the map as a graph; without rounds in other kinds of network.
    """

    features: FeatureWeights
    layers: NDArray[np.int64]
    policy_layers: NDArray[np.int64]
    weights: NDArray[np.float32]
    action: NDArray[np.float32]
    action_bias: NDArray[np.float32]
    places: PlaceWeights
    map: MapWeights


_NO_NUMBERS: Final = np.empty(0, np.int64)
_NO_BIAS: Final = np.empty(0, np.float32)
_NO_ROWS: Final = np.empty((0, 0), np.float32)
NO_NETWORK: Final = CompiledNetwork(
    FeatureWeights(_NO_ROWS, _NO_NUMBERS, _NO_NUMBERS, np.empty((0, 3), np.int64), _NO_BIAS),
    layers=np.empty((0, 3), np.int64),
    policy_layers=np.zeros(1, np.int64),
    weights=_NO_BIAS,
    action=_NO_ROWS,
    action_bias=_NO_BIAS,
    places=PlaceWeights(_NO_NUMBERS, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_BIAS),
    map=NO_MAP,
)
"""Stands for "no network" as an argument of a compiled function; its features have width 0."""


class Workspace(NamedTuple):
    """Memory for the intermediate results of a forward pass.

    Attributes:
        chosen: The indices of non-zero inputs, int64.
        factor: Their values, float32.
        hidden: The features, and two layers in alternation; float32, ``(3, widest layer)``.
        cells: Descriptions of the cells, ``(CELLS, d)``.
        wanted: The query vector, and the description of one place, ``(2, d)``.
        context: Hidden layer of the context of the map's places.
        told: The context vector, its part in an exchange, and a sum over places, ``(3, MAP_DIM)``.
        places: Descriptions of the places, two arrays in alternation, ``(2, PLACES, MAP_DIM)``.
        sums: Sums for the cells, ``(CELLS, MAP_DIM)``.
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
    """Return a workspace for one row of a network."""
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
    """Fill `out` with the weights that begin at `start`."""
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
    """Add some rows times their factors to `out`, four at a time for fewer memory accesses."""
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
    """List the positive inputs and return their number."""
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
    """Return the output of some consecutive layers for the features."""
    values = features
    for layer in range(begin, end):
        inputs, outputs, start = network.layers[layer]
        stop = start + inputs * outputs
        matrix = network.weights[start:stop].reshape((inputs, outputs))
        count = list_positive(values, work)
        values = work.hidden[1 + layer % 2, :outputs]
        copy_weights(network.weights, stop, values)
        add_rows(matrix, work.chosen, work.factor, count, values)
        if layer < len(network.layers) - 1:  # the value may be negative
            for j in range(outputs):
                values[j] = max(values[j], np.float32(0))
    return values


@jit_internal
def _compute_features(
    weights: FeatureWeights,
    observation: NDArray[np.uint8],
    work: Workspace,
    out: NDArray[np.float32],
) -> None:
    """Write the features before the activation, shape ``(width,)``.

    A code beyond the highest counts as the highest.
    """
    count = np.int64(0)
    for feature in range(len(observation)):
        number = np.int64(observation[feature])
        if number != 0:
            code = min(number, weights.highest_code[feature])
            work.chosen[count] = weights.first_row[feature] + code
            work.factor[count] = 1 if code > 0 else number
            count += 1
    for run in range(len(weights.routes)):
        last = np.int64(0)
        for feature in range(weights.routes[run, 0], weights.routes[run, 1]):
            if observation[feature] != 0:
                last = min(np.int64(observation[feature]), weights.highest_code[feature])
        if last > 0:
            work.chosen[count] = weights.routes[run, 2] + last
            work.factor[count] = 1
            count += 1
    copy_weights(weights.bias, np.int64(0), out)
    add_rows(weights.rows, work.chosen, work.factor, count, out)


@jit_internal
def _describe_cells(
    places: PlaceWeights, observation: NDArray[np.uint8], cells: NDArray[np.float32]
) -> None:
    """Write the description of every cell, from its card and nearby ships; ``(CELLS, d)``."""
    players, dim = places.cruisers.shape
    for cell in range(CELLS):
        code = min(int(observation[places.starts[0] + cell]), len(places.cards) - 1)
        for j in range(dim):
            cells[cell, j] = places.cards[code, j]
        for seat in range(players):
            ships = np.float32(observation[places.starts[1] + seat * CELLS + cell])
            if ships > 0:
                for j in range(dim):
                    cells[cell, j] += ships * places.ships[seat, j]
    for seat in range(players):
        for gate in range(GATES):
            ships = np.float32(observation[places.starts[2] + seat * GATES + gate])
            if ships > 0:
                for side in range(2):
                    cell = CELLS_OF_GATE[gate, side]
                    for j in range(dim):
                        cells[cell, j] += ships * places.ships[players + seat, j]


@jit_internal
def _score_place(
    places: PlaceWeights,
    observation: NDArray[np.uint8],
    work: Workspace,
    place: int,
) -> np.float32:
    """Return the addition to the logit of a place; the cells must be described."""
    players, dim = places.cruisers.shape
    query, description = work.wanted[0], work.wanted[1]
    if place < CELLS:
        for j in range(dim):
            description[j] = places.spots[place, j] + work.cells[place, j]
    else:
        gate = place - CELLS
        one, other = CELLS_OF_GATE[gate, 0], CELLS_OF_GATE[gate, 1]
        for j in range(dim):
            description[j] = places.spots[place, j] + work.cells[one, j] + work.cells[other, j]
        for seat in range(players):
            ships = np.float32(observation[places.starts[2] + seat * GATES + gate])
            if ships > 0:
                for j in range(dim):
                    description[j] += ships * places.cruisers[seat, j]
    total = np.float32(0)
    for j in range(dim):
        total += max(description[j], np.float32(0)) * query[j]
    return total


@jit_internal
def _point_to_places(
    network: CompiledNetwork,
    observation: NDArray[np.uint8],
    described: NDArray[np.float32],
    inputs: int,
    actions: NDArray[np.int16],
    count: int,
    work: Workspace,
    logits: NDArray[np.float32],
) -> None:
    """Add to the logits of places the match of each place with the query vector."""
    pointer, has_map = network.places, len(network.map.rounds) > 0
    is_ready = False
    for k in range(count):
        place = actions[k] - PLACE_0
        if place < 0 or place >= PLACES:
            continue
        if not is_ready:
            copy_weights(pointer.bias, np.int64(0), work.wanted[0])
            add_rows(pointer.weight, work.chosen, work.factor, inputs, work.wanted[0])
            _describe_cells(pointer, observation, work.cells)
            if has_map:
                copy_weights(network.map.wanted_bias, np.int64(0), work.told[0])
                add_rows(network.map.wanted, work.chosen, work.factor, inputs, work.told[0])
            is_ready = True
        logits[k] += _score_place(pointer, observation, work, place)
        if has_map:
            logits[k] += score_described(network.map, work.told[0], described, place)


@jit_internal
def run_network(
    network: CompiledNetwork,
    observation: NDArray[np.uint8],
    actions: NDArray[np.int16],
    count: int,
    needs_value: bool,
    work: Workspace,
    logits: NDArray[np.float32],
) -> np.float32:
    """Write the logits of some actions, and return the value, 0 if it is not needed.

    Args:
        network: The network.
        observation: An observation for the network's number of players, shape
            ``(size(players),)``.
        actions: Actions in the own frame; only the first `count` are used.
        count: Their number.
        needs_value: Whether to compute the value.
        work: From `make_workspace`.
        logits: Output: the logits of the first `count` actions.
    """
    features = work.hidden[0, : len(network.features.bias)]
    _compute_features(network.features, observation, work, features)
    places = work.places[0]
    if len(network.map.rounds) > 0:
        room = work.context, work.told[:2], work.places, work.sums
        places = describe_places(network.map, observation, *room)
        add_pools(network.map, observation, places, work.told[2], features)
    for j in range(len(features)):
        features[j] = max(features[j], np.float32(0))
    middle = network.policy_layers[0]
    if count > 0:
        hidden = run_layers(network, np.int64(0), middle, features, work)
        for k in range(count):
            logits[k] = network.action_bias[actions[k]]
        inputs = list_positive(hidden, work)
        for i in range(inputs):
            row = network.action[work.chosen[i]]
            for k in range(count):
                logits[k] += work.factor[i] * row[actions[k]]
        _point_to_places(network, observation, places, inputs, actions, count, work, logits)
    if not needs_value:
        return np.float32(0)
    return run_layers(network, middle, len(network.layers), features, work)[0]


@jit
def _run_all(
    network: CompiledNetwork,
    observations: NDArray[np.uint8],
    masks: NDArray[np.int8],
    needs_values: bool,
    logits: NDArray[np.float32],
    values: NDArray[np.float32],
) -> None:
    work = make_workspace(network)
    actions = np.empty(SIZE, np.int16)
    row_logits = np.empty(SIZE, np.float32)
    for row in range(len(observations)):
        count = np.int64(0)
        for action in range(SIZE):
            if masks[row, action]:
                actions[count] = action
                count += 1
        values[row] = run_network(
            network, observations[row], actions, count, needs_values, work, row_logits
        )
        for k in range(count):
            logits[row, actions[k]] = row_logits[k]


def in_slices(task: Callable[[slice], T], rows: int, threads: int, least: int) -> list[T]:
    """Do a task for all rows, a slice of them in each thread; return the results in order.

    Args:
        task: Takes a slice; must not access data of rows outside it.
        rows: Number of rows.
        threads: Largest number of threads.
        least: Number of rows that justify a thread.
    """
    parts = max(1, min(threads, rows // least))
    bounds = np.linspace(0, rows, parts + 1).astype(int).tolist()
    slices = [slice(a, b) for a, b in pairwise(bounds)]
    if parts == 1:
        return [task(slices[0])]
    with ThreadPoolExecutor(parts - 1) as pool:
        others = [pool.submit(task, part) for part in slices[1:]]
        return [task(slices[0]), *(other.result() for other in others)]


def evaluate_rows(
    network: CompiledNetwork,
    observations: NDArray[np.uint8],
    masks: NDArray[np.int8],
    needs_values: bool,
    threads: int = 1,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the logits of the actions in the masks, and the values.

    Args:
        network: The network.
        observations: Shape ``(n, size(players))``.
        masks: 1 for the requested actions, shape ``(n, SIZE)``.
        needs_values: Whether to compute the values.
        threads: Largest number of threads; the result is the same, bit by bit.

    Returns:
        Logits, shape ``(n, SIZE)``, 0 for other actions, and values, shape ``(n,)``, 0 if not
        computed.
    """
    logits = np.zeros((len(observations), SIZE), np.float32)
    values = np.zeros(len(observations), np.float32)
    seen, legal = np.ascontiguousarray(observations), np.ascontiguousarray(masks)

    def evaluate(rows: slice) -> None:
        arguments = network, seen[rows], legal[rows], needs_values
        call(_run_all, *arguments, logits[rows], values[rows])

    in_slices(evaluate, len(seen), threads, ROWS_PER_THREAD)
    return logits, values
