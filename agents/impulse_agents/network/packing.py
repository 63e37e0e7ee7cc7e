"""The weights of a `PolicyNetwork` as `CompiledNetwork` wants them."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from impulse_agents.network.compiled_weights import (
    NO_MAP,
    NO_PLACES,
    CompiledNetwork,
    FeatureWeights,
    PlaceWeights,
)
from impulse_agents.network.features import FlatFeatures
from impulse_agents.network.inference import PrecomputedFeatures, PrecomputedWeights
from impulse_agents.network.kinds import POINTING
from impulse_agents.network.map_packing import floats, pack_map
from impulse_agents.network.policy_network import PolicyNetwork
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES, MAX_SHIPS


def pack(network: PolicyNetwork) -> CompiledNetwork:
    """Return copies of a network's weights for compiled code."""
    precomputed = network.precompute()
    with torch.no_grad():
        policy, critic = _dense(network.policy), [*_dense(network.critic), network.value]
        layers, weights = _pack_layers([*policy, *critic])
        action, action_bias = network.action.weight.double(), network.action.bias.double()
        if network.kind in POINTING:
            # What is wanted of a card is linear in the hidden layer, as its logit is.
            assert precomputed.cards is not None
            faces = precomputed.cards[1 : FACES + 1].double()
            wanted = network.card_pointer.wanted
            action[CARD_0 : CARD_0 + FACES] += faces @ wanted.weight.double()
            action_bias[CARD_0 : CARD_0 + FACES] += faces @ wanted.bias.double()
        return CompiledNetwork(
            _pack_features(precomputed.features),
            layers,
            np.array([len(policy)]),
            weights,
            floats(action.T),
            floats(action_bias),
            _pack_places(network, precomputed),
            pack_map(network) if network.kind == "map" else NO_MAP,
        )


def pack_if_compiled(network: nn.Module) -> CompiledNetwork | None:
    """Return the same; None on an accelerator, by another author, or without a compiler."""
    if not (IS_COMPILED and isinstance(network, PolicyNetwork)):
        return None
    return pack(network) if network.action.weight.device.type == "cpu" else None


def _dense(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


def _pack_layers(layers: list[nn.Linear]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return inputs, outputs and start of each layer, and all weights end to end."""
    shapes, parts, start = [], [], 0
    for layer in layers:
        shapes.append((layer.in_features, layer.out_features, start))
        parts += [layer.weight.T.flatten(), layer.bias]
        start += layer.weight.numel() + layer.bias.numel()
    return np.array(shapes, np.int64), floats(torch.cat(parts))


def _pack_features(features: PrecomputedFeatures | FlatFeatures) -> FeatureWeights:
    """Return what counts, then the tables of the codes; in a flat network everything counts."""
    if isinstance(features, FlatFeatures):
        return FeatureWeights(
            floats(features.dense.weight.T * features.scale[:, None]),
            np.arange(features.dense.in_features),
            np.zeros(features.dense.in_features, np.int64),
            np.empty((0, 3), np.int64),
            floats(features.dense.bias),
        )
    inputs = len(features.columns)
    coded = features.index.numpy()
    counted = np.setdiff1d(np.arange(inputs), coded)
    first_row = np.empty(inputs, np.int64)
    first_row[counted] = np.arange(len(counted))
    tables = len(counted) + features.offset.numpy()  # for each code, then for each route's last
    first_row[coded], lasts = tables[: len(coded)], tables[len(coded) :]

    rows = torch.cat([features.columns[torch.from_numpy(counted)], features.rows])
    starts = np.unique(tables)
    lengths = np.diff(starts, append=len(rows))
    highest_code = np.zeros(inputs, np.int64)
    highest_code[coded] = lengths[np.searchsorted(starts, first_row[coded])] - 1
    runs = zip(features.routes, lasts, strict=True)
    return FeatureWeights(
        floats(rows),
        first_row,
        highest_code,
        np.array([(run.start, run.stop, last) for run, last in runs], np.int64),
        floats(features.bias),
    )


def _pack_places(network: PolicyNetwork, precomputed: PrecomputedWeights) -> PlaceWeights:
    """Return the weights of the pointer to places, of no width if there is none."""
    if network.kind not in POINTING:
        return NO_PLACES
    pointer = network.place_pointer
    assert precomputed.cards is not None
    starts = pointer.cards.start, pointer.transports.start, pointer.cruisers.start
    return PlaceWeights(
        np.array(starts, np.int64),
        floats(pointer.card(precomputed.cards)),
        floats(pointer.in_cell.weight.T / MAX_SHIPS),
        floats(pointer.at_gate.weight.T / MAX_SHIPS),
        floats(pointer.spot),
        floats(pointer.wanted.weight.T),
        floats(pointer.wanted.bias),
    )
