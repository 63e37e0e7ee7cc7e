"""The kind "map": "pointers", and the map as a graph.

The description of a place depends on the cards, the ships and the decision around it. A card, a
fleet or a gate beside a place means the same anywhere on the map, so all places share weights.
Every place gets a context vector of the decision, and places exchange messages with their
neighbours in a few rounds.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.compiled_map import MAP_DIM, MapWeights
from impulse_agents.network.features import (
    CARD_CODES,
    LARGE_COUNT,
    Axes,
    Name,
    PrecomputedFeatures,
    card_attributes,
    floats,
    highest,
    last_place,
    register_constants,
)
from impulse_agents.network.policy_network import PolicyNetwork, initialise, joined_cells
from impulse_env.engine.constants import CELLS, GATES, PLACES
from impulse_env.observation import Kind, Section

MAP_ROUNDS: Final = 2
"""Number of rounds of messages between neighbours."""
CONTEXT_WIDTH: Final = 64
"""Hidden units of the context."""
CONTEXT: Final = (
    *("own_hand", "score", "points_needed", "ships_left", "hand_size", "gems", "turn", "phase"),
    *("activations_left", "decision", "frame_left", "frame_done", "frame_low", "frame_high"),
    *("frame_ship_type", "fleet_ships", "frame_op", "frame_mode", "frame_card"),
)
"""Sections of the observation that describe the decision and its seat."""
MARKS: Final = ("fleet_from", "path", "last of path", "frame_place", "ships to move")
"""The marks of a place in the decision."""
FLEET: Final = 4.0
"""Counts of ships are divided by this: a large fleet."""
BY_CELL: Final = ("Transports", "has Transports", "home")
"""The inputs of a cell for each seat."""
BY_GATE: Final = ("Cruisers", "has Cruisers")
"""The inputs of a gate for each seat."""
POOLS: Final = ("cells", "gates", "own Transports", "own Cruisers")
"""The sums over places for the rest of the network."""
FEW_PLACES: Final = 2.0
"""Sums over the places of the own fleets are divided by this."""


class MapNetwork(PolicyNetwork):
    """`PolicyNetwork` that also reads the map as a graph; its arguments are the same."""

    kind: ClassVar = "map"

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.map = MapEncoder(self.players, self.parts)
        self.map_pointer = MapPointer(self.action.in_features)
        self.from_map = nn.Linear(len(POOLS) * MAP_DIM, self.features.width, bias=False)
        initialise(self.from_map, 1.0)
        initialise(self.map_pointer, 0.1)

    def shared(
        self, observations: Tensor, precomputed: PrecomputedFeatures | None = None
    ) -> tuple[Tensor, Tensor | None]:
        """Return the features, including those of the map, and descriptions of the places."""
        features = precomputed or self.precompute(torch.is_grad_enabled())
        places, pools = self.map(observations)
        return features(observations, self.from_map(pools)), places

    def score_places(
        self, hidden: Tensor, observations: Tensor, cards: Tensor, described: Tensor | None
    ) -> Tensor:
        """Return the additions to the logits of places, shape ``(n, PLACES)``."""
        pointed = super().score_places(hidden, observations, cards, described)
        found: Tensor = pointed + self.map_pointer(hidden, described)
        return found

    def pack_map(self) -> MapWeights:
        """Return copies of the weights of the map for compiled code."""
        encoder, pointer = self.map, self.map_pointer
        context = encoder.context
        about, rows, bias = _context_rows(context, encoder.cards())
        columns, first_row, highest_code = about
        lying = ("cell_card", "transports", "cruisers", "home")
        moving = ("fleet_from", "fleet_ships", "path", "frame_place")
        lengths = [encoder.where[name] for name in ("fleet_from", "path")]
        rounds = [one for one in encoder.rounds if isinstance(one, MapRound)]
        ends = (pointer.cell, pointer.gate)
        return MapWeights(
            columns=columns,
            first_row=first_row,
            highest_code=highest_code,
            context_rows=floats(rows),
            context_bias=floats(bias),
            told=floats(context.out.weight.T),
            told_bias=floats(context.out.bias),
            starts=np.array([encoder.where[name].start for name in (*lying, *moving)], np.int64),
            fleets=np.array([part.stop - part.start for part in lengths], np.int64),
            cards=floats(encoder.cards()),
            cell_seats=floats(_by_seat(encoder.cell_seats.weight, len(BY_CELL))),
            gate_seats=floats(_by_seat(encoder.gate_seats.weight, len(BY_GATE))),
            marks=floats(_marks(encoder)),
            spots=floats(encoder.spot),
            rounds=floats(torch.stack([_matrices(one) for one in rounds])),
            news=floats(torch.stack([one.told.weight.T for one in rounds])),
            news_bias=floats(torch.stack([one.told.bias for one in rounds])),
            pools=floats(_pools(self.from_map.weight)),
            wanted=floats(pointer.wanted.weight.T),
            wanted_bias=floats(pointer.wanted.bias),
            always=floats(torch.stack([torch.cat([end.weight[0], end.bias]) for end in ends])),
        )

    def axes(self) -> Axes:
        """Return the names along the axes of weights that depend on the observation."""
        names, seats = self.map.context.names, range(self.players)
        codes = zip(names["codes"], self.map.context.code_lengths, strict=True)
        return {
            **super().axes(),
            "map.context.counts.weight": {1: names["counts"]},
            "map.context.codes.weight": {
                0: [(*name, code) for name, length in codes for code in range(length)]
            },
            "map.context.cards": {0: names["cards"]},
            "map.cell_seats.weight": {1: [(what, "home", s) for what in BY_CELL for s in seats]},
            "map.gate_seats.weight": {1: [(what, "home", s) for what in BY_GATE for s in seats]},
        }

    def policy_readers(self) -> list[nn.Linear]:
        """Return the layers that read the policy's last hidden layer."""
        return [*super().policy_readers(), self.map_pointer.wanted]

    @torch.no_grad()
    def widen(self, other: PolicyNetwork) -> None:
        """Copy a smaller network, or one of the kind "pointers"; see `PolicyNetwork.widen`."""
        if isinstance(other, MapNetwork):
            self.from_map.weight[: len(other.from_map.weight)] = other.from_map.weight
        else:  # at first, the map adds nothing
            for layer in (self.from_map, *self.map_pointer.children()):
                for weight in layer.parameters():
                    nn.init.zeros_(weight)
        super().widen(other)


class MapContext(nn.Module):
    """The context vector of the decision, the same for all places of an observation.

    Args:
        parts: The sections of the observation.
        dim: Length of the result, and of a card's description.
    """

    scale: Tensor
    columns: Tensor
    code_columns: Tensor
    code_offsets: Tensor
    card_columns: Tensor

    def __init__(self, parts: Sequence[Section], dim: int) -> None:
        super().__init__()
        highs = highest(parts)
        used = _by_use([part for part in parts if part.name in CONTEXT])
        self.names: dict[str, list[Name]] = {
            use: [("", part.name, *index) for part in some for index in np.ndindex(part.shape)]
            for use, some in used.items()
        }
        columns = {
            use: [column for part in some for column in range(part.start, part.stop)]
            for use, some in used.items()
        }
        limits = np.minimum(highs, LARGE_COUNT).astype(np.float32)
        rows = self.code_lengths = [int(highs[column]) + 1 for column in columns["codes"]]
        register_constants(
            self,
            columns=np.array(columns["counts"], np.int64),
            scale=1 / limits[columns["counts"]],
            card_columns=np.array(columns["cards"], np.int64),
            code_columns=np.array(columns["codes"], np.int64),
            code_offsets=np.cumsum([0, *rows[:-1]], dtype=np.int64),
        )
        self.counts = nn.Linear(len(columns["counts"]), CONTEXT_WIDTH)
        self.codes = nn.Embedding(sum(rows), CONTEXT_WIDTH)
        self.cards = nn.Parameter(torch.empty(len(columns["cards"]), dim, CONTEXT_WIDTH))
        self.out = nn.Linear(CONTEXT_WIDTH, dim)
        nn.init.normal_(self.codes.weight, std=0.3)
        nn.init.normal_(self.cards, std=dim**-0.5)

    def forward(self, observations: Tensor, cards: Tensor) -> Tensor:
        """Return the context vectors, ``(n, dim)``; `cards` are the descriptions of all codes."""
        found = self.counts(observations[:, self.columns] * self.scale)
        codes = observations[:, self.code_columns].long() + self.code_offsets
        found = found + self.codes(codes).sum(1)
        lying = F.embedding(observations[:, self.card_columns].long(), cards)
        found = found + torch.einsum("nkd,kdw->nw", lying, self.cards)
        told: Tensor = F.relu(self.out(F.relu(found)))
        return told


class MapRound(nn.Module):
    """One round of messages: gates receive from their two cells, then cells from their gates.

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
        parts: The sections of the observation.
    """

    joins: Tensor
    attributes: Tensor

    def __init__(self, players: int, parts: Sequence[Section]) -> None:
        super().__init__()
        self.players = players
        self.where = {part.name: slice(part.start, part.stop) for part in parts}
        register_constants(self, joins=joined_cells(), attributes=card_attributes())
        self.card = nn.Embedding(CARD_CODES, MAP_DIM)
        self.printed = nn.Linear(self.attributes.shape[1], MAP_DIM, bias=False)
        self.context = MapContext(parts, MAP_DIM)
        self.cell_seats = nn.Linear(len(BY_CELL) * players, MAP_DIM, bias=False)
        self.gate_seats = nn.Linear(len(BY_GATE) * players, MAP_DIM, bias=False)
        self.cell_marks = nn.Linear(len(MARKS), MAP_DIM, bias=False)
        self.gate_marks = nn.Linear(len(MARKS), MAP_DIM, bias=False)
        self.spot = nn.Parameter(torch.randn(PLACES, MAP_DIM) / 10)
        self.rounds = nn.ModuleList(MapRound(MAP_DIM) for _ in range(MAP_ROUNDS))
        nn.init.normal_(self.card.weight, std=0.3)

    def cards(self) -> Tensor:
        """Return the contribution of a card code to a place, shape ``(CARD_CODES, MAP_DIM)``."""
        found: Tensor = self.card.weight + self.printed(self.attributes)
        return found

    def forward(self, observations: Tensor) -> tuple[Tensor, Tensor]:
        """Return descriptions, shape ``(n, PLACES, MAP_DIM)``, and their sums for the network.

        The sums have shape ``(n, len(POOLS) * MAP_DIM)``.
        """
        table = self.cards()
        transports = self._by_seat(observations, "transports", CELLS)
        cruisers = self._by_seat(observations, "cruisers", GATES)
        cells = torch.arange(1, CELLS + 1, device=observations.device)[:, None]
        homes = (self._section(observations, "home")[:, None] == cells).float()
        marks = self._marks(observations)
        told = self.context(observations, table)
        # In half precision, if training uses it: single precision would spread to all sums.
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
        """Return the marks of each place, shape ``(n, PLACES, len(MARKS))``."""
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
        own: The number of own ships at each place, shape ``(n, k)``.
    """
    shares = torch.stack([torch.full_like(own, 1 / own.shape[1]), (own > 0) / FEW_PLACES], 1)
    mean, summed = torch.bmm(shares, places).unbind(1)
    return mean, summed


def _marked(codes: Tensor, amounts: Tensor | None = None) -> Tensor:
    """Return the number, or the sum of amounts, of each place's codes; code 0 means no place."""
    amounts = torch.ones_like(codes, dtype=torch.float32) if amounts is None else amounts
    zeros = amounts.new_zeros(len(codes), PLACES + 1)
    return zeros.scatter_add_(1, codes, amounts)[:, 1:]


def _by_use(parts: list[Section]) -> dict[str, list[Section]]:
    """Return the sections of counts, of cards, and of other codes."""
    found: dict[str, list[Section]] = {"counts": [], "cards": [], "codes": []}
    for part in parts:
        is_counted = part.kind in (Kind.COUNT, Kind.FLAG)
        use = "counts" if is_counted else "cards" if part.kind == Kind.CARD else "codes"
        found[use].append(part)
    return found


class MapPointer(nn.Module):
    """Adds to the logit of every place the match of its description with a query vector.

    Args:
        inputs: Width of the policy's last hidden layer.
    """

    def __init__(self, inputs: int) -> None:
        super().__init__()
        self.wanted = nn.Linear(inputs, MAP_DIM)
        self.cell = nn.Linear(MAP_DIM, 1)
        self.gate = nn.Linear(MAP_DIM, 1)

    def forward(self, hidden: Tensor, places: Tensor) -> Tensor:
        """Return the additions, shape ``(n, PLACES)``; `places` from `MapEncoder`."""
        always = torch.cat([self.cell(places[:, :CELLS]), self.gate(places[:, CELLS:])], 1)
        found: Tensor = torch.einsum("npd,nd->np", places, self.wanted(hidden)) + always[..., 0]
        return found


def _context_rows(
    context: MapContext, cards: Tensor
) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], Tensor, Tensor]:
    """Return the columns for `MapWeights`, all rows in one array, and the bias.

    The rows are those of counts, then a table for each column of codes. The bias contains the rows
    of code 0; the rows of other codes are differences from that.
    """
    sizes = np.diff([*context.code_offsets.tolist(), len(context.codes.weight)])
    tables = [*torch.split(context.codes.weight, sizes.tolist())]
    tables += [cards @ part for part in context.cards]
    counted = context.counts.weight.T * context.scale[:, None]
    lengths = [1] * len(counted) + [len(table) for table in tables]
    columns = torch.cat([context.columns, context.code_columns, context.card_columns])
    about = (
        columns.numpy().astype(np.int64),
        np.cumsum([0, *lengths[:-1]]).astype(np.int64),
        np.array(lengths, np.int64) - 1,
    )
    rows = torch.cat([counted, *(table - table[0] for table in tables)])
    return about, rows, context.counts.bias + sum(table[0] for table in tables)


def _by_seat(weight: Tensor, times: int) -> Tensor:
    """Return weights of inputs by kind and seat, ``(times, players, d)``.

    The first kind is counts of ships, whose divisor is applied here.
    """
    found = weight.T.view(times, -1, MAP_DIM).clone()
    found[0] /= FLEET
    return found


def _marks(encoder: MapEncoder) -> Tensor:
    found = torch.stack([encoder.cell_marks.weight.T, encoder.gate_marks.weight.T])
    found[:, MARKS.index("ships to move")] /= FLEET
    return found


def _matrices(one: MapRound) -> Tensor:
    """Return the matrices of a round, inputs by outputs; messages of gates to cells are halved."""
    linear = (one.gate.weight, one.gate_of_cells.weight, one.cell.weight)
    return torch.stack([*(weight.T for weight in linear), one.cell_of_gates.weight.T / 2])


def _pools(weight: Tensor) -> Tensor:
    """Return the weights of the sums over places, by pool; they include the divisors."""
    divisors = torch.tensor([CELLS, GATES, FEW_PLACES, FEW_PLACES])
    return weight.T.view(len(POOLS), MAP_DIM, -1) / divisors[:, None, None]
