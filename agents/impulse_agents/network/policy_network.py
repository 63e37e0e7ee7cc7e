"""The network of a trained agent: features of the observation, and its two heads.

It needs torch and nothing else, so that a checkpoint plays where nobody trains.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from impulse_agents.network.features import Features, FlatFeatures
from impulse_agents.network.heads import CardPointer, PlacePointer
from impulse_agents.network.inference import PrecomputedFeatures, PrecomputedWeights
from impulse_agents.network.kinds import KINDS, MAP_DIM, POINTING
from impulse_agents.network.map_encoder import POOLS, MapEncoder, MapPointer
from impulse_env.actions import N_ACTIONS
from impulse_env.engine.action_space import CARD_0, PLACE_0
from impulse_env.engine.constants import PLACES


def _layers(inputs: int, widths: Sequence[int]) -> tuple[nn.Sequential, int]:
    found: list[nn.Module] = []
    for width in widths:
        found += [nn.Linear(inputs, width), nn.ReLU()]
        inputs = width
    return nn.Sequential(*found), inputs


class PolicyNetwork(nn.Module):
    """Features, then a head of its own for the policy and for the value.

    Args:
        players: 2 to 6.
        width: Width of the features.
        policy: Widths of the policy's hidden layers.
        value: Widths of the value's.
        card_dim: Length of a card's embedding.
        kind: One of `KINDS`: "flat" reads bare numbers, "cards" embeds cards and places, "pointers"
            also scores every card and place as an action by what it is, and "map" also reads the
            map as a graph.
    """

    def __init__(
        self,
        players: int,
        width: int,
        policy: Sequence[int],
        value: Sequence[int],
        card_dim: int,
        kind: str = "pointers",
    ) -> None:
        if kind not in KINDS:
            raise ValueError(f"a network is one of {', '.join(KINDS)}, not {kind!r}")
        super().__init__()
        self.kind = kind
        self.features: Features | FlatFeatures
        if kind == "flat":
            self.features = FlatFeatures(players, width)
        else:
            self.features = Features(players, width, card_dim)
        self.policy, policy_width = _layers(width, policy)
        self.action = nn.Linear(policy_width, N_ACTIONS)
        self.critic, value_width = _layers(width, value)
        self.value = nn.Linear(value_width, 1)
        for module, gain in ((self.features, 2**0.5), (self.policy, 2**0.5), (self.critic, 2**0.5)):
            _initialise(module, gain)
        _initialise(self.action, 0.01)  # at first all actions are about equally likely
        _initialise(self.value, 1.0)
        if kind in POINTING:
            assert isinstance(self.features, Features)
            self.card_pointer = CardPointer(self.features, policy_width)
            self.place_pointer = PlacePointer(players, policy_width, card_dim)
            for pointer in (self.card_pointer, self.place_pointer):
                _initialise(pointer.wanted, 0.1)
        if kind == "map":
            self.map = MapEncoder(players)
            self.map_pointer = MapPointer(policy_width)
            self.from_map = nn.Linear(len(POOLS) * MAP_DIM, width, bias=False)
            _initialise(self.from_map, 1.0)
            _initialise(self.map_pointer, 0.1)

    def precompute(self, is_learning: bool = False) -> "PrecomputedWeights":
        """Return what does not depend on the observation, computed for these weights.

        Args:
            is_learning: Whether gradients are to pass through it, once.
        """
        if isinstance(self.features, FlatFeatures):
            return PrecomputedWeights(self.features, None)  # nothing can be computed beforehand
        with torch.set_grad_enabled(is_learning):
            return PrecomputedWeights(PrecomputedFeatures(self.features), self.features.cards())

    def logits(
        self,
        observations: Tensor,
        precomputed: "PrecomputedWeights | None" = None,
        masks: Tensor | None = None,
    ) -> Tensor:
        """Return the policy's logits before masking, shape ``(n, N_ACTIONS)``.

        Args:
            observations: Shape ``(n, observation.size(players))``, uint8.
            precomputed: From `precompute`: the same result sooner.
            masks: Legal actions, not 0, shape ``(n, N_ACTIONS)``; then the logits of illegal
                actions may be any, and the map is looked at only where a place is to be chosen.
        """
        found, places = self.shared(observations, precomputed)
        return self._act(found, places, observations, precomputed, masks)

    def values(
        self, observations: Tensor, precomputed: "PrecomputedWeights | None" = None
    ) -> Tensor:
        """Return what the seat expects to be paid, shape ``(n,)``; see `logits`."""
        return self.value(self.critic(self.shared(observations, precomputed)[0]))[:, 0]

    def forward(
        self,
        observations: Tensor,
        precomputed: "PrecomputedWeights | None" = None,
        masks: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """Return `logits` and `values`."""
        found, places = self.shared(observations, precomputed)
        logits = self._act(found, places, observations, precomputed, masks)
        return logits, self.value(self.critic(found))[:, 0]

    def shared(
        self, observations: Tensor, precomputed: "PrecomputedWeights | None" = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return what both heads read: the features, and the places if it reads the map.

        Shapes ``(n, width)`` and ``(n, PLACES, MAP_DIM)``.
        """
        features = self.features if precomputed is None else precomputed.features
        if self.kind != "map":
            return features(observations), None
        places, pools = self.map(observations)
        return features(observations, self.from_map(pools)), places

    def _act(
        self,
        found: Tensor,
        places: Tensor | None,
        observations: Tensor,
        precomputed: "PrecomputedWeights | None",
        masks: Tensor | None,
    ) -> Tensor:
        hidden = self.policy(found)
        logits = self.action(hidden)
        if self.kind not in POINTING:
            return logits
        assert isinstance(self.features, Features)
        cards = self.features.cards() if precomputed is None else precomputed.cards
        to_cards = self.card_pointer(hidden, cards)
        rows: slice | Tensor = slice(None)
        if masks is not None:
            rows = masks[:, PLACE_0 : PLACE_0 + PLACES].any(1).nonzero()[:, 0]
        to_places = self.place_pointer(hidden[rows], observations[rows], cards)
        if places is not None:
            to_places = to_places + self.map_pointer(hidden[rows], places[rows])
        if masks is not None:
            none = to_places.new_zeros(len(logits), PLACES)
            to_places = none.index_put((rows,), to_places)
        before = logits.new_zeros(len(logits), CARD_0)
        after = logits.new_zeros(len(logits), N_ACTIONS - PLACE_0 - PLACES)
        return logits + torch.cat([before, to_cards, to_places, after], 1)


def _initialise(module: nn.Module, gain: float) -> None:
    """Make dense layers orthogonal, without bias: what PPO is known to start well from."""
    for part in module.modules():
        if isinstance(part, nn.Linear):
            nn.init.orthogonal_(part.weight, gain)
            if part.bias is not None:
                nn.init.zeros_(part.bias)
