"""The kind "pointers": features, two heads, and scores of cards and places by their descriptions.

The other kinds are built on it. It needs only torch, so that a checkpoint can play without the
libraries for training.
"""

from collections.abc import Sequence
from itertools import zip_longest
from typing import ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.compiled import CompiledNetwork, PlaceWeights
from impulse_agents.network.compiled_map import NO_MAP, MapWeights
from impulse_agents.network.features import (
    Axes,
    Features,
    PrecomputedFeatures,
    floats,
    register_constants,
)
from impulse_env.actions import N_ACTIONS
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.action_space import CARD_0, PLACE_0
from impulse_env.engine.constants import CELLS, FACES, GATES, MAX_SHIPS, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import Section, sections

_SHIPS: Final = ("transports", "cruisers")


class PolicyNetwork(nn.Module):
    """Features, then separate heads for the policy and the value.

    The logit of a card or a place also depends on its description.

    Args:
        players: 2 to 6.
        width: Width of the features.
        policy: Widths of the policy's hidden layers.
        value: Widths of the value's hidden layers.
        card_dim: Length of a card's embedding.
        parts: Sections of the observation, if they differ from those of this version.
    """

    kind: ClassVar = "pointers"

    def __init__(
        self,
        players: int,
        width: int,
        policy: Sequence[int],
        value: Sequence[int],
        card_dim: int,
        parts: Sequence[Section] | None = None,
    ) -> None:
        super().__init__()
        self.players, self.parts = players, sections(players) if parts is None else parts
        self.features = Features(self.parts, width, card_dim)
        self.policy, policy_width = dense_layers(width, policy)
        self.action = nn.Linear(policy_width, N_ACTIONS)
        self.critic, value_width = dense_layers(width, value)
        self.value = nn.Linear(value_width, 1)
        for module, gain in ((self.features, 2**0.5), (self.policy, 2**0.5), (self.critic, 2**0.5)):
            initialise(module, gain)
        initialise(self.action, 0.01)  # at first, all actions are about equally likely
        initialise(self.value, 1.0)
        self.card_pointer = CardPointer(self.features, policy_width)
        self.place_pointer = PlacePointer(players, self.parts, policy_width, card_dim)
        for pointer in (self.card_pointer, self.place_pointer):
            initialise(pointer.wanted, 0.1)

    # --- The pass ---------------------------------------------------------------------------------

    def precompute(self, is_learning: bool = False, may_wait: bool = True) -> PrecomputedFeatures:
        """Return all that does not depend on the observation, computed with the present weights.

        Args:
            is_learning: Whether gradients must pass through it, once.
            may_wait: Whether the host may wait for a GPU within a pass, see `PrecomputedFeatures`.
                A pass without masks then has nothing else to wait for.
        """
        with torch.set_grad_enabled(is_learning):
            return PrecomputedFeatures(self.features, may_wait)

    def forward(
        self,
        observations: Tensor,
        precomputed: PrecomputedFeatures | None = None,
        masks: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return the policy's logits before masking, and the seat's values.

        Shapes ``(n, N_ACTIONS)`` and ``(n,)``. A value is an expected return.

        Args:
            observations: Shape ``(n, observation.size(players))``, uint8.
            precomputed: From `precompute`; if None, this calls it, which takes some milliseconds.
            masks: Legal actions, not 0, shape ``(n, N_ACTIONS)``. With masks, the logits of illegal
                actions may be any numbers, and only rows with a legal place score the places.
        """
        precomputed = precomputed or self.precompute(torch.is_grad_enabled())
        found, places = self.shared(observations, precomputed)
        hidden, cards = self.policy(found), precomputed.cards
        logits = self.action(hidden)
        to_cards = self.card_pointer(hidden, cards)
        if masks is None:
            to_places = self.score_places(hidden, observations, cards, places)
        else:
            rows = masks[:, PLACE_0 : PLACE_0 + PLACES].any(1).nonzero()[:, 0]
            described = None if places is None else places[rows]
            some = self.score_places(hidden[rows], observations[rows], cards, described)
            to_places = some.new_zeros(len(logits), PLACES).index_put((rows,), some)
        before = logits.new_zeros(len(logits), CARD_0)
        after = logits.new_zeros(len(logits), N_ACTIONS - PLACE_0 - PLACES)
        logits = logits + torch.cat([before, to_cards, to_places, after], 1)
        return logits, self.value(self.critic(found))[:, 0]

    def shared(
        self, observations: Tensor, precomputed: PrecomputedFeatures | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the features, which both heads read, and descriptions of the places, if any.

        Shapes ``(n, width)`` and ``(n, PLACES, MAP_DIM)``.
        """
        features = precomputed or self.precompute(torch.is_grad_enabled())
        return features(observations), None

    def score_places(
        self, hidden: Tensor, observations: Tensor, cards: Tensor, described: Tensor | None
    ) -> Tensor:
        """Return the additions to the logits of places, shape ``(n, PLACES)``.

        Args:
            hidden: The policy's last hidden layer, shape ``(n, width)``.
            observations: Shape ``(n, features)``.
            cards: From `Features.cards`.
            described: Descriptions of the places, from `shared`.
        """
        found: Tensor = self.place_pointer(hidden, observations, cards)
        return found

    # --- For compiled code ------------------------------------------------------------------------

    def pack(self) -> CompiledNetwork:
        """Return copies of the weights for compiled code."""
        precomputed = self.precompute()
        with torch.no_grad():
            policy = _linear(self.policy)
            layers, weights = _pack_layers([*policy, *_linear(self.critic), self.value])
            action, action_bias = self.action.weight.double(), self.action.bias.double()
            # The card pointer is linear in the hidden layer, so it can be part of the logits.
            faces = precomputed.cards[1 : FACES + 1].double()
            wanted = self.card_pointer.wanted
            action[CARD_0 : CARD_0 + FACES] += faces @ wanted.weight.double()
            action_bias[CARD_0 : CARD_0 + FACES] += faces @ wanted.bias.double()
            return CompiledNetwork(
                precomputed.pack(),
                layers,
                np.array([len(policy)]),
                weights,
                floats(action.T),
                floats(action_bias),
                self.place_pointer.pack(precomputed.cards),
                self.pack_map(),
            )

    def pack_map(self) -> MapWeights:
        """Return copies of the weights of the map as a graph."""
        return NO_MAP

    # --- Start from another network ---------------------------------------------------------------

    def axes(self) -> Axes:
        """Return the names along the axes of weights that depend on the observation."""
        seats = range(self.players)
        transports, cruisers = ([("", name, seat) for seat in seats] for name in _SHIPS)
        return {
            **self.features.axes(),
            "place_pointer.in_cell.weight": {1: [*transports, *cruisers]},
            "place_pointer.at_gate.weight": {1: cruisers},
        }

    def policy_readers(self) -> list[nn.Linear]:
        """Return the layers that read the policy's last hidden layer."""
        return [self.action, self.card_pointer.wanted, self.place_pointer.wanted]

    @torch.no_grad()
    def widen(self, other: "PolicyNetwork") -> None:
        """Copy a smaller network for the same players; `transfer.can_expand` must hold.

        All weights are overwritten, except those of additional units. These have random input
        weights and zero output weights. So the network gives the same output at first, and all
        units can learn from the first step on (Net2Net).
        """
        known = other.state_dict()
        for name, weight in self.state_dict().items():
            if weight.shape == known.get(name, weight.new_empty(0)).shape:
                weight.copy_(known[name])
        _put(self.features.dense, other.features.dense.weight, other.features.dense.bias)
        readers = list(zip(self.policy_readers(), other.policy_readers(), strict=False))
        _grow_head(self.policy, other.policy, readers)
        _grow_head(self.critic, other.critic, [(self.value, other.value)])


class CardPointer(nn.Module):
    """Adds to the logit of every card the match of its embedding with a query vector.

    Args:
        features: The features with the cards' embeddings.
        inputs: Width of the policy's last hidden layer.
    """

    def __init__(self, features: Features, inputs: int) -> None:
        super().__init__()
        self.wanted = nn.Linear(inputs, features.card_dim)

    def forward(self, hidden: Tensor, cards: Tensor) -> Tensor:
        """Return the additions, shape ``(n, FACES)``; `cards` from `Features.cards`."""
        return self.wanted(hidden) @ cards[1 : FACES + 1].T


class PlacePointer(nn.Module):
    """Adds to the logit of every cell and gate the match of its description with a query vector.

    The map is a graph. The description of a place depends on its card, on the ships there and
    around it, and on its position. A gate's includes its two cells, a cell's the gates around it.

    Args:
        players: 2 to 6.
        parts: The sections of the observation.
        inputs: Width of the policy's last hidden layer.
        card_dim: Length of a card's embedding.
        dim: Length of a place's description.
    """

    joins: Tensor

    def __init__(
        self, players: int, parts: Sequence[Section], inputs: int, card_dim: int, dim: int = 16
    ) -> None:
        super().__init__()
        where = {part.name: slice(part.start, part.stop) for part in parts}
        self.players = players
        self.cards = where["cell_card"]
        self.transports, self.cruisers = (where[name] for name in _SHIPS)
        register_constants(self, joins=joined_cells())
        self.card = nn.Linear(card_dim, dim, bias=False)
        self.in_cell = nn.Linear(2 * players, dim, bias=False)
        self.at_gate = nn.Linear(players, dim, bias=False)
        self.spot = nn.Parameter(torch.zeros(PLACES, dim))
        self.wanted = nn.Linear(inputs, dim)

    def forward(self, hidden: Tensor, observations: Tensor, cards: Tensor) -> Tensor:
        """Return the additions, shape ``(n, PLACES)``; `cards` from `Features.cards`."""
        n = len(observations)
        transports = (
            observations[:, self.transports].float().view(n, self.players, CELLS) / MAX_SHIPS
        )
        cruisers = observations[:, self.cruisers].float().view(n, self.players, GATES) / MAX_SHIPS
        ships = torch.cat([transports, cruisers @ self.joins], 1).transpose(1, 2)
        lying = F.embedding(observations[:, self.cards].long(), self.card(cards))
        cells = lying + self.in_cell(ships)
        gates = torch.einsum("gc,ncd->ngd", self.joins, cells)
        gates = gates + self.at_gate(cruisers.transpose(1, 2))
        found = F.relu(torch.cat([cells, gates], 1) + self.spot)
        return torch.einsum("npd,nd->np", found, self.wanted(hidden))

    def pack(self, cards: Tensor) -> PlaceWeights:
        """Return copies of the weights for compiled code; `cards` from `Features.cards`."""
        return PlaceWeights(
            np.array([self.cards.start, self.transports.start, self.cruisers.start], np.int64),
            floats(self.card(cards)),
            floats(self.in_cell.weight.T / MAX_SHIPS),
            floats(self.at_gate.weight.T / MAX_SHIPS),
            floats(self.spot),
            floats(self.wanted.weight.T),
            floats(self.wanted.bias),
        )


def pack_if_compiled(network: nn.Module) -> CompiledNetwork | None:
    """Return the packed network; None on an accelerator, for another author's, or uncompiled."""
    if not (IS_COMPILED and isinstance(network, PolicyNetwork)):
        return None
    return network.pack() if network.action.weight.device.type == "cpu" else None


def joined_cells() -> NDArray[np.float32]:
    """Return 1 for the cells that a gate joins, 0 for others, shape ``(GATES, CELLS)``."""
    joins = np.zeros((GATES, CELLS), np.float32)
    joins[np.arange(GATES)[:, None], CELLS_OF_GATE] = 1
    return joins


def dense_layers(inputs: int, widths: Sequence[int]) -> tuple[nn.Sequential, int]:
    """Return the hidden layers of a head, and the width of the last one."""
    found: list[nn.Module] = []
    for width in widths:
        found += [nn.Linear(inputs, width), nn.ReLU()]
        inputs = width
    return nn.Sequential(*found), inputs


def initialise(module: nn.Module, gain: float) -> None:
    """Initialise dense layers orthogonally, with zero bias: a good start for PPO."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            nn.init.orthogonal_(part.weight, gain)
            if part.bias is not None:
                nn.init.zeros_(part.bias)


def _pack_layers(layers: list[nn.Linear]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """Return inputs, outputs and start of each layer, and all weights in one array."""
    shapes, parts, start = [], [], 0
    for layer in layers:
        shapes.append((layer.in_features, layer.out_features, start))
        parts += [layer.weight.T.flatten(), layer.bias]
        start += layer.weight.numel() + layer.bias.numel()
    return np.array(shapes, np.int64), floats(torch.cat(parts))


def _grow_head(
    hidden: nn.Sequential, known: nn.Sequential, readers: list[tuple[nn.Linear, nn.Linear]]
) -> None:
    """Copy the hidden layers of a head and the readers of the last one into larger ones."""
    units = readers[0][1].in_features
    for layer, its in zip_longest(_linear(hidden), _linear(known)):
        if its is None:  # an identity layer: outputs of a rectifier pass another one unchanged
            _put(layer, torch.eye(units), torch.zeros(units))
        else:
            _put(layer, its.weight, its.bias)
    for reader, its in readers:
        _put(reader, its.weight, its.bias)


def _linear(layers: nn.Sequential) -> list[nn.Linear]:
    return [layer for layer in layers if isinstance(layer, nn.Linear)]


def _put(layer: nn.Linear, weight: Tensor, bias: Tensor) -> None:
    """Set the first units of a layer, with zero weights for additional inputs."""
    units, inputs = weight.shape
    layer.weight[:units, :inputs] = weight
    layer.weight[:units, inputs:] = 0
    layer.bias[:units] = bias
