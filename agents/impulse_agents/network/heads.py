"""Actions scored by what they stand for: cards by what is printed on them, places by the map."""

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.features import Features
from impulse_env.engine.constants import CELLS, FACES, GATES, MAX_SHIPS, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import sections


class CardPointer(nn.Module):
    """Adds to the logit of every card how well that card fits what the policy looks for.

    Args:
        features: Whose cards are looked at.
        inputs: Width of the policy's last hidden layer.
    """

    def __init__(self, features: Features, inputs: int) -> None:
        super().__init__()
        self.wanted = nn.Linear(inputs, features.card_dim)

    def forward(self, hidden: Tensor, cards: Tensor) -> Tensor:
        """Return what is added, shape ``(n, FACES)``; `cards` from `Features.cards`."""
        return self.wanted(hidden) @ cards[1 : FACES + 1].T


class PlacePointer(nn.Module):
    """Adds to the logit of every cell and gate how well that place fits what the policy looks for.

    The map is a graph: a place is described by its card, the ships there and around it, and by
    where it is. A gate knows the two cells it joins, a cell the gates around it.

    Args:
        players: 2 to 6.
        inputs: Width of the policy's last hidden layer.
        card_dim: Length of a card's embedding.
        dim: Length of a place's description.
    """

    joins: Tensor

    def __init__(self, players: int, inputs: int, card_dim: int, dim: int = 16) -> None:
        super().__init__()
        where = {part.name: part for part in sections(players)}
        self.players = players
        self.cards = slice(where["cell_card"].start, where["cell_card"].stop)
        self.transports = slice(where["transports"].start, where["transports"].stop)
        self.cruisers = slice(where["cruisers"].start, where["cruisers"].stop)
        joins = torch.zeros(GATES, CELLS)
        joins[torch.arange(GATES)[:, None], torch.from_numpy(CELLS_OF_GATE.astype(np.int64))] = 1
        self.register_buffer("joins", joins, persistent=False)
        self.card = nn.Linear(card_dim, dim, bias=False)
        self.in_cell = nn.Linear(2 * players, dim, bias=False)
        self.at_gate = nn.Linear(players, dim, bias=False)
        self.spot = nn.Parameter(torch.zeros(PLACES, dim))
        self.wanted = nn.Linear(inputs, dim)

    def forward(self, hidden: Tensor, observations: Tensor, cards: Tensor) -> Tensor:
        """Return what is added, shape ``(n, PLACES)``; `cards` from `Features.cards`."""
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
