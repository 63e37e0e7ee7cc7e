"""The forward pass of a `PolicyNetwork` in compiled code, a row at a time.

An observation is mostly zeros, and so is half of a hidden layer: what is not zero adds its row of
the weights, and nothing is multiplied by 0. Of the logits only those asked for are computed. So a
row takes less time than in any batch of torch, which needs most of a millisecond for one alone.

The weights are arguments, so that one compiled function serves all networks; they come from
`impulse_agents.network.packing`. Sums have a fixed order (no fastmath): a row gives the same bits
whatever is computed beside it.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.network.compiled_layers import (
    Workspace,
    add_rows,
    copy_weights,
    list_positive,
    make_workspace,
    run_layers,
)
from impulse_agents.network.compiled_map import add_pools, describe_places, score_described
from impulse_agents.network.compiled_weights import (
    CompiledNetwork,
    FeatureWeights,
    MapWeights,
    PlaceWeights,
)
from impulse_env.compiled.compilation import call, jit, jit_internal
from impulse_env.engine.action_space import PLACE_0, SIZE
from impulse_env.engine.constants import CELLS, GATES, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE


@jit_internal
def _compute_features(
    weights: FeatureWeights,
    observation: NDArray[np.uint8],
    work: Workspace,
    out: NDArray[np.float32],
) -> None:
    """Write the features before the last step, shape ``(width,)``.

    A code that does not exist counts as the highest.
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
    """Write what every cell is: its card, the ships there and around it; shape ``(CELLS, d)``."""
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
    """Return what is added to the logit of a place, once the cells are described."""
    players, dim = places.cruisers.shape
    wanted, found = work.wanted[0], work.wanted[1]
    if place < CELLS:
        for j in range(dim):
            found[j] = places.spots[place, j] + work.cells[place, j]
    else:
        gate = place - CELLS
        one, other = CELLS_OF_GATE[gate, 0], CELLS_OF_GATE[gate, 1]
        for j in range(dim):
            found[j] = places.spots[place, j] + work.cells[one, j] + work.cells[other, j]
        for seat in range(players):
            ships = np.float32(observation[places.starts[2] + seat * GATES + gate])
            if ships > 0:
                for j in range(dim):
                    found[j] += ships * places.cruisers[seat, j]
    total = np.float32(0)
    for j in range(dim):
        total += max(found[j], np.float32(0)) * wanted[j]
    return total


@jit_internal
def _point_to_places(
    places: PlaceWeights,
    observation: NDArray[np.uint8],
    inputs: int,
    actions: NDArray[np.int16],
    count: int,
    work: Workspace,
    logits: NDArray[np.float32],
) -> None:
    """Add to the logits of places how well each fits what the policy looks for."""
    is_ready = False
    for k in range(count):
        place = actions[k] - PLACE_0
        if place < 0 or place >= PLACES:
            continue
        if not is_ready:
            copy_weights(places.bias, np.int64(0), work.wanted[0])
            add_rows(places.weight, work.chosen, work.factor, inputs, work.wanted[0])
            _describe_cells(places, observation, work.cells)
            is_ready = True
        logits[k] += _score_place(places, observation, work, place)


@jit_internal
def _point_to_described(
    weights: MapWeights,
    places: NDArray[np.float32],
    inputs: int,
    actions: NDArray[np.int16],
    count: int,
    work: Workspace,
    logits: NDArray[np.float32],
) -> None:
    """Add to the logits of places how well their descriptions fit what the policy looks for."""
    wanted = work.told[0]
    is_ready = False
    for k in range(count):
        place = actions[k] - PLACE_0
        if place < 0 or place >= PLACES:
            continue
        if not is_ready:
            copy_weights(weights.wanted_bias, np.int64(0), wanted)
            add_rows(weights.wanted, work.chosen, work.factor, inputs, wanted)
            is_ready = True
        logits[k] += score_described(weights, wanted, places, place)


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
        observation: Of the game's number of players, shape ``(size(players),)``.
        actions: In the own frame; the first `count` are asked about.
        count: Their number.
        needs_value: Whether the critic is asked, too.
        work: From `make_workspace`.
        logits: Filled from 0 to `count`, as `actions` are.
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
        if len(network.places.bias) > 0:
            _point_to_places(network.places, observation, inputs, actions, count, work, logits)
        if len(network.map.rounds) > 0:
            _point_to_described(network.map, places, inputs, actions, count, work, logits)
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
    found = np.empty(SIZE, np.float32)
    for row in range(len(observations)):
        count = np.int64(0)
        for action in range(SIZE):
            if masks[row, action]:
                actions[count] = action
                count += 1
        values[row] = run_network(
            network, observations[row], actions, count, needs_values, work, found
        )
        for k in range(count):
            logits[row, actions[k]] = found[k]


def evaluate_rows(
    network: CompiledNetwork,
    observations: NDArray[np.uint8],
    masks: NDArray[np.int8],
    needs_values: bool,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the logits of the actions in the masks, and the values.

    Args:
        network: The network.
        observations: Shape ``(n, size(players))``.
        masks: 1 for the actions asked about, shape ``(n, SIZE)``.
        needs_values: Whether the values are wanted, too.

    Returns:
        Logits, shape ``(n, SIZE)``, 0 for other actions, and values, shape ``(n,)``, 0 if they are
        not wanted.
    """
    logits = np.zeros((len(observations), SIZE), np.float32)
    values = np.zeros(len(observations), np.float32)
    call(
        _run_all,
        network,
        np.ascontiguousarray(observations),
        np.ascontiguousarray(masks),
        needs_values,
        logits,
        values,
    )
    return logits, values
