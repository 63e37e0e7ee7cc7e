"""The map as a graph: what each of its places is, from what lies, stands and happens around it.

A card, a fleet or a gate beside it means the same wherever on the map it is, so the weights are
shared by all places. What the decision is about is told to every place, and places tell their
neighbours what they are, a few times over.
"""

from typing import Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.features import CARD_CODES, LARGE_COUNT, card_attributes, last_place
from impulse_agents.network.kinds import MAP_DIM, MAP_ROUNDS
from impulse_env.engine.constants import CELLS, GATES, PLACES
from impulse_env.engine.sector_map import CELLS_OF_GATE
from impulse_env.observation import Kind, Section, high, sections

CONTEXT_WIDTH: Final = 64
"""Hidden units of what is told to every place."""
CONTEXT: Final = (
    *("own_hand", "score", "points_needed", "ships_left", "hand_size", "gems", "turn", "phase"),
    *("activations_left", "decision", "frame_left", "frame_done", "frame_low", "frame_high"),
    *("frame_ship_type", "fleet_ships", "frame_op", "frame_mode", "frame_card"),
)
"""Sections of the observation that say what the decision is about, and for whom."""
MARKS: Final = ("fleet_from", "path", "last of path", "frame_place", "ships to move")
"""What marks a place in the decision."""
FLEET: Final = 4.0
"""Counts of ships are divided by this: a large fleet."""
BY_CELL: Final = ("Transports", "has Transports", "home")
"""What a cell has for each seat."""
BY_GATE: Final = ("Cruisers", "has Cruisers")
"""What a gate has for each seat."""
POOLS: Final = ("cells", "gates", "own Transports", "own Cruisers")
"""What is summed up of the places for the rest of the network."""
FEW_PLACES: Final = 2.0
"""Sums over the places of the own fleets are divided by this."""


class MapContext(nn.Module):
    """What every place is told: the same for all places of an observation.

    Args:
        players: 2 to 6.
        dim: Length of the result, and of a card's description.
    """

    scale: Tensor
    columns: Tensor
    code_columns: Tensor
    code_offsets: Tensor
    card_columns: Tensor

    def __init__(self, players: int, dim: int) -> None:
        super().__init__()
        self.players = players
        parts = [part for part in sections(players) if part.name in CONTEXT]
        self.names = {
            kind: [(part.name, *index) for part in some for index in np.ndindex(part.shape)]
            for kind, some in _by_use(parts).items()
        }
        columns = {
            kind: [column for part in some for column in range(part.start, part.stop)]
            for kind, some in _by_use(parts).items()
        }
        limits = np.minimum(high(players), LARGE_COUNT).astype(np.float32)
        self._fix("columns", torch.tensor(columns["counts"]))
        self._fix("scale", torch.from_numpy(1 / limits[columns["counts"]]))
        self._fix("card_columns", torch.tensor(columns["cards"]))
        self._fix("code_columns", torch.tensor(columns["codes"]))
        rows = [int(high(players)[column]) + 1 for column in columns["codes"]]
        self._fix("code_offsets", torch.tensor(np.cumsum([0, *rows[:-1]])))
        self.counts = nn.Linear(len(columns["counts"]), CONTEXT_WIDTH)
        self.codes = nn.Embedding(sum(rows), CONTEXT_WIDTH)
        self.cards = nn.Parameter(torch.empty(len(columns["cards"]), dim, CONTEXT_WIDTH))
        self.out = nn.Linear(CONTEXT_WIDTH, dim)
        nn.init.normal_(self.codes.weight, std=0.3)
        nn.init.normal_(self.cards, std=dim**-0.5)

    def _fix(self, name: str, value: Tensor) -> None:
        # They follow from `players`: no need to keep them in a checkpoint.
        self.register_buffer(name, value, persistent=False)

    def forward(self, observations: Tensor, cards: Tensor) -> Tensor:
        """Return what is told, shape ``(n, dim)``; `cards` are the descriptions of all codes."""
        found = self.counts(observations[:, self.columns] * self.scale)
        codes = observations[:, self.code_columns].long() + self.code_offsets
        found = found + self.codes(codes).sum(1)
        lying = F.embedding(observations[:, self.card_columns].long(), cards)
        found = found + torch.einsum("nkd,kdw->nw", lying, self.cards)
        told: Tensor = F.relu(self.out(F.relu(found)))
        return told


class MapRound(nn.Module):
    """One exchange between neighbours: the gates hear their two cells, then the cells their gates.

    Args:
        dim: Length of a place's description.
    """

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.told = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim, bias=False)
        self.gate_of_cells = nn.Linear(dim, dim, bias=False)
        self.cell = nn.Linear(dim, dim, bias=False)
        self.cell_of_gates = nn.Linear(dim, dim, bias=False)

    def forward(
        self, cells: Tensor, gates: Tensor, told: Tensor, joins: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the new descriptions, shapes ``(n, CELLS, dim)`` and ``(n, GATES, dim)``."""
        news = self.told(told)[:, None]
        gates = F.relu(self.gate(gates) + joins @ self.gate_of_cells(cells) + news)
        cells = F.relu(self.cell(cells) + joins.T @ self.cell_of_gates(gates) / 2 + news)
        return cells, gates


class MapEncoder(nn.Module):
    """Descriptions of all places.

    Args:
        players: 2 to 6.
    """

    joins: Tensor
    attributes: Tensor

    def __init__(self, players: int) -> None:
        super().__init__()
        where = {part.name: slice(part.start, part.stop) for part in sections(players)}
        self.players, self.where = players, where
        joins = torch.zeros(GATES, CELLS)
        joins[torch.arange(GATES)[:, None], torch.from_numpy(CELLS_OF_GATE.astype(np.int64))] = 1
        self.register_buffer("joins", joins, persistent=False)
        self.register_buffer("attributes", torch.from_numpy(card_attributes()), persistent=False)
        self.card = nn.Embedding(CARD_CODES, MAP_DIM)
        self.printed = nn.Linear(self.attributes.shape[1], MAP_DIM, bias=False)
        self.context = MapContext(players, MAP_DIM)
        self.cell_seats = nn.Linear(len(BY_CELL) * players, MAP_DIM, bias=False)
        self.gate_seats = nn.Linear(len(BY_GATE) * players, MAP_DIM, bias=False)
        self.cell_marks = nn.Linear(len(MARKS), MAP_DIM, bias=False)
        self.gate_marks = nn.Linear(len(MARKS), MAP_DIM, bias=False)
        self.spot = nn.Parameter(torch.randn(PLACES, MAP_DIM) / 10)
        self.rounds = nn.ModuleList(MapRound(MAP_DIM) for _ in range(MAP_ROUNDS))
        nn.init.normal_(self.card.weight, std=0.3)

    def cards(self) -> Tensor:
        """Return what a card code says to a place, shape ``(CARD_CODES, MAP_DIM)``."""
        found: Tensor = self.card.weight + self.printed(self.attributes)
        return found

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return descriptions, shape ``(n, PLACES, MAP_DIM)``, and their sums for the network.

        The sums have shape ``(n, len(POOLS) * MAP_DIM)``.
        """
        table = self.cards()
        transports = self._by_seat(observations, "transports", CELLS)
        cruisers = self._by_seat(observations, "cruisers", GATES)
        homes = F.one_hot(self._section(observations, "home").long(), PLACES + 1)
        homes = homes[:, :, 1 : CELLS + 1].transpose(1, 2).float()
        marks = self._marks(observations)
        told = self.context(observations, table)
        # In half precision, where that is learned in: single would spread to all that is added.
        table, spot = table.to(told.dtype), self.spot.to(told.dtype)
        lying = F.embedding(self._section(observations, "cell_card").long(), table)
        seats = torch.cat([transports / FLEET, (transports > 0).float(), homes], 2)
        found = self.cell_seats(seats) + self.cell_marks(marks[:, :CELLS]) + lying
        cells = F.relu(found + (spot[:CELLS] + told[:, None]))
        seats = torch.cat([cruisers / FLEET, (cruisers > 0).float()], 2)
        found = self.gate_seats(seats) + self.gate_marks(marks[:, CELLS:])
        gates = F.relu(found + (spot[CELLS:] + told[:, None]))
        for one in self.rounds:
            cells, gates = one(cells, gates, told, self.joins)
        of_cells, own_cells = _pool(cells, transports[:, :, 0])
        of_gates, own_gates = _pool(gates, cruisers[:, :, 0])
        pools = torch.cat([of_cells, of_gates, own_cells, own_gates], 1)
        return torch.cat([cells, gates], 1), pools

    def _section(self, observations: Tensor, name: str) -> Tensor:
        return observations[:, self.where[name]]

    def _by_seat(self, observations: Tensor, name: str, places: int) -> Tensor:
        """Return counts of ships, shape ``(n, places, players)``, float32."""
        found = self._section(observations, name).float()
        return found.view(len(observations), self.players, places).transpose(1, 2)

    def _marks(self, observations: Tensor) -> Tensor:
        """Return what marks each place, shape ``(n, PLACES, len(MARKS))``."""
        from_, path = (self._section(observations, n).long() for n in ("fleet_from", "path"))
        to_move = self._section(observations, "fleet_ships").float() / FLEET
        marks = [
            _marked(from_),
            _marked(path),
            _marked(last_place(path)[:, None]),
            _marked(self._section(observations, "frame_place").long()[:, :1]),
            _marked(from_, to_move),
        ]
        return torch.stack(marks, 2)


def _pool(places: Tensor, own: Tensor) -> tuple[Tensor, Tensor]:
    """Return the mean of places, and the sum of those with own ships, shapes ``(n, dim)``.

    Args:
        places: Descriptions, shape ``(n, k, dim)``.
        own: How many own ships are there, shape ``(n, k)``.
    """
    shares = torch.stack([torch.full_like(own, 1 / own.shape[1]), (own > 0) / FEW_PLACES], 1)
    mean, summed = torch.bmm(shares, places).unbind(1)
    return mean, summed


def _marked(codes: Tensor, amounts: Tensor | None = None) -> Tensor:
    """Return how often, or with how much, each place is named by its code; 0 names none."""
    amounts = torch.ones_like(codes, dtype=torch.float32) if amounts is None else amounts
    zeros = amounts.new_zeros(len(codes), PLACES + 1)
    return zeros.scatter_add_(1, codes, amounts)[:, 1:]


def _by_use(parts: list[Section]) -> dict[str, list[Section]]:
    """Return the sections that are counted, that hold cards, and that hold other codes."""
    found: dict[str, list[Section]] = {"counts": [], "cards": [], "codes": []}
    for part in parts:
        is_counted = part.kind in (Kind.COUNT, Kind.FLAG)
        use = "counts" if is_counted else "cards" if part.kind == Kind.CARD else "codes"
        found[use].append(part)
    return found


class MapPointer(nn.Module):
    """Adds to the logit of every place how well its description fits what the policy looks for.

    Args:
        inputs: Width of the policy's last hidden layer.
    """

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.wanted = nn.Linear(inputs, MAP_DIM)
        self.cell = nn.Linear(MAP_DIM, 1)
        self.gate = nn.Linear(MAP_DIM, 1)

    def forward(self, hidden: Tensor, places: Tensor) -> Tensor:
        """Return what is added, shape ``(n, PLACES)``; `places` from `MapEncoder`."""
        always = torch.cat([self.cell(places[:, :CELLS]), self.gate(places[:, CELLS:])], 1)
        found: Tensor = torch.einsum("npd,nd->np", places, self.wanted(hidden)) + always[..., 0]
        return found
