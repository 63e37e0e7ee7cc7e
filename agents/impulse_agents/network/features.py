"""The first layer of a trained agent's network: one dense layer of features of an observation.

`Features` has the weights. `PrecomputedFeatures` computes with them, and precomputes all that does
not depend on the observation. Play and training use it; gradients pass through. As most codes of an
observation are 0, adding up the rows of the others takes half the time of a multiplication.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.compiled import FeatureWeights
from impulse_env.engine import cards
from impulse_env.engine.constants import COLOR_COUNT, CRUISER, FACES, TRANSPORT, Family
from impulse_env.observation import Kind, Section

Name: TypeAlias = tuple[Any, ...]
"""The name of a row or a column of weights: a part of the network, a section of the observation,
and the index in it. If the section has an axis of seats, the index begins with the seat. Names keep
their meaning for other numbers of players and other layouts."""
Axes: TypeAlias = dict[str, dict[int, list[Name]]]
"""By name of weights and by axis: the names along each axis that depends on the observation."""

POOLED: Final = frozenset(("table", "known", "plan", "next_plan", "waiting", "own_laid"))
"""Sections of cards whose positions hardly matter."""
ROUTES: Final = frozenset(("fleet_from", "path"))
"""Sections of places: pooled, with the last place separate, where the next step starts."""
CARD_CODES: Final = FACES + 5
"""The codes of cards: none, the faces, face-down, two Basic Techs, the Sector Core."""
LARGE_COUNT: Final = 20
"""Counts are divided by their limit, but at most by this: few scores come near 100."""
NEAR_LIMIT: Final = frozenset(("deck_size", "turns_left"))
"""Counts that do come near their limit, so that they are divided by it."""
CROWDED: Final = {"unseen": 32, "discard": 32}
"""Divisors for the sums of zones with many cards. A much larger input that is the same in every
game would hide the others from the learning network."""
EACH_FACE: Final = ("own_hand", "matching")
"""Counts by face that are also separate inputs."""
SMALL_CATEGORY: Final = 10
"""Largest category that is one-hot; larger ones are embedded."""


def card_attributes() -> NDArray[np.float32]:
    """Return printed attributes of card codes, shape ``(CARD_CODES, attributes)``, in [0, 1]."""
    faces = np.arange(FACES)
    numbers = [
        cards.COUNT_BY_CARD / 3,
        cards.SHIPS_BY_CARD / 12,
        cards.FLEETS_BY_CARD / 2,
        cards.MOVES_BY_CARD / 2,
        cards.BOMBS_BY_CARD / 3,
        cards.POINTS_BY_CARD / 2,
        cards.SHIP_TYPES_BY_CARD & TRANSPORT > 0,
        cards.SHIP_TYPES_BY_CARD & CRUISER > 0,
    ]
    parts = [
        np.eye(COLOR_COUNT)[cards.COLOR_BY_CARD],
        np.eye(3)[cards.SIZE_BY_CARD - 1],
        np.eye(len(Family))[cards.FAMILY_BY_CARD],
        np.eye(len(cards.BOXES))[cards.BOX_BY_CARD],
        np.eye(3)[cards.MAX_SIZE_BY_CARD - 1],
        (cards.COLORS_BY_CARD[:, None] >> np.arange(COLOR_COUNT)) & 1,
        np.stack(numbers, axis=1),
    ]
    table = np.zeros((CARD_CODES, sum(part.shape[1] for part in parts)), np.float32)
    table[1 + faces] = np.concatenate(parts, axis=1)
    return table


class Features(nn.Module):
    """The weights of one dense layer of an observation; see `PrecomputedFeatures`.

    Counts and flags are scaled to about [0, 1]. A card's embedding is the sum of a projection of
    its printed attributes and a learned vector, the same at every position. Some sections of cards
    are pooled; in others each slot is separate.

    Args:
        parts: The sections of the observation.
        width: Length of the result.
        card_dim: Length of a card's embedding.
        place_dim: Length of the embedding of a place or an operation.
    """

    scale: Tensor
    share: Tensor
    zone_offset: Tensor
    attributes: Tensor
    is_card: Tensor

    def __init__(
        self, parts: Sequence[Section], width: int, card_dim: int = 16, place_dim: int = 8
    ) -> None:
        super().__init__()
        self.parts, self.width, self.card_dim = parts, width, card_dim
        by_face = [p for p in parts if "face" in p.axes]
        slots = [p for p in parts if p.kind == Kind.CARD and p.name not in POOLED]
        pooled = [p for p in parts if p.name in POOLED]
        routes = [p for p in parts if p.name in ROUTES]
        categories = [
            p
            for p in parts
            if p.kind not in (Kind.COUNT, Kind.FLAG, Kind.CARD) and p.name not in ROUTES
        ]
        small = [p for p in categories if _limit(p) <= SMALL_CATEGORY]
        large = [p for p in categories if _limit(p) > SMALL_CATEGORY]
        plain = [p for p in parts if p.kind in (Kind.COUNT, Kind.FLAG)]
        plain = [p for p in plain if p not in by_face or p.name in EACH_FACE]

        self.plain, self.by_face = _columns(plain), _columns(by_face)[::FACES]
        self.slots, self.pooled = _columns(slots), _columns(pooled)
        self.small, self.large = _columns(small), _columns(large)
        self.routes = [slice(part.start, part.stop) for part in routes]
        limits = np.minimum(highest(parts), LARGE_COUNT).astype(np.float32)
        for part in parts:
            if part.name in NEAR_LIMIT:
                limits[part.start : part.stop] = _limit(part)
        zones = [p.name for p in by_face for _ in range(p.start, p.stop, FACES)]
        shares = [1 / CROWDED.get(name, 1) for name in zones]
        # Every row of a pooled section, such as a seat's Plan, is a zone with its own sum.
        rows = [row for p in pooled for row in [p.shape[-1]] * (np.prod(p.shape[:-1], dtype=int))]
        self.zones = len(rows)
        zone_of_slot = np.repeat(np.arange(self.zones), rows)
        self.codes = [_limit(p) + 1 for p in small for _ in range(p.start, p.stop)]
        largest = max(_limit(p) for p in (*large, *routes)) + 1

        attributes = card_attributes()
        register_constants(
            self,
            scale=1 / limits,
            share=np.array(shares, np.float32)[:, None],
            zone_offset=zone_of_slot * CARD_CODES,
            attributes=attributes,
            is_card=(np.arange(CARD_CODES) > 0)[:, None],
        )
        self.card = nn.Embedding(CARD_CODES, card_dim)
        self.printed = nn.Linear(attributes.shape[1], card_dim, bias=False)
        # Places and operations share a table: a row has two meanings, but each reader has its own
        # weights.
        self.place = nn.Embedding(largest, place_dim)
        # The inputs of the dense layer, in order.
        self.widths = [
            len(self.plain),
            card_dim * len(self.by_face),
            card_dim * len(self.slots),
            card_dim * self.zones,
            sum(self.codes),
            place_dim * len(self.large),
            *[place_dim] * (2 * len(self.routes)),
        ]
        self.dense = nn.Linear(sum(self.widths), width)
        nn.init.normal_(self.card.weight, std=0.3)
        nn.init.normal_(self.place.weight, std=0.5)

    def cards(self) -> Tensor:
        """Return the embeddings of card codes, 0 for no card, shape ``(CARD_CODES, card_dim)``."""
        table = self.card.weight + self.printed(self.attributes)
        return table * self.is_card

    def axes(self) -> Axes:
        """Return the names of the dense layer's inputs, in order, and of the codes of places."""
        return {
            "features.dense.weight": {1: self.inputs()},
            "features.place.weight": {0: [("place", "", c) for c in range(len(self.place.weight))]},
        }

    def inputs(self) -> list[Name]:
        """Return the names of the dense layer's inputs, in order; the last index is a component."""
        names = [(p.name, *index) for p in self.parts for index in np.ndindex(p.shape)]
        firsts = np.flatnonzero(np.diff(self.zone_offset.numpy(), prepend=-1))
        place_dim = self.place.embedding_dim
        blocks: list[tuple[str, list[int], int | list[int]]] = [
            ("plain", self.plain, 1),
            ("by face", self.by_face, self.card_dim),
            ("slots", self.slots, self.card_dim),
            ("zones", [self.pooled[first] for first in firsts], self.card_dim),
            ("small", self.small, self.codes),
            ("large", self.large, place_dim),
            ("route", [route.start for route in self.routes], 2 * place_dim),
        ]
        return [
            (part, *names[column], k)
            for part, columns, lengths in blocks
            for column, length in zip(columns, np.broadcast_to(lengths, len(columns)), strict=True)
            for k in range(length)
        ]


def register_constants(module: nn.Module, **values: NDArray[Any]) -> None:
    """Register constant arrays of a module, which checkpoints need not contain.

    They keep their numbers even if the weights have only shapes, on the device "meta".
    """
    for name, value in values.items():
        module.register_buffer(name, torch.from_numpy(value), persistent=False)


def highest(parts: Sequence[Section]) -> NDArray[np.int64]:
    """Return the largest value of every feature of some sections, shape ``(features,)``."""
    return np.concatenate([np.broadcast_to(part.high, part.shape).ravel() for part in parts])


def last_place(route: Tensor) -> Tensor:
    """Return the last non-zero number of each row, or 0."""
    filled = (route > 0).sum(1, keepdim=True)
    return route.gather(1, (filled - 1).clamp(min=0))[:, 0]


def floats(values: Tensor) -> NDArray[np.float32]:
    """Return a copy of some weights for compiled code, in C order."""
    return np.array(values.detach().float().numpy(), np.float32, order="C")


def _stacked(weights: Tensor, length: int) -> Tensor:
    """Return the weights of equal blocks of inputs, shape ``(blocks, length, width)``."""
    return weights.unflatten(0, (-1, length))


def _products(table: Tensor, blocks: Tensor) -> Tensor:
    """Return a table times the weights of each block, shape ``(blocks, len(table), width)``.

    The gradient of the operator ``@`` takes up to four times as long: it copies the blocks
    transposed.
    """
    return torch.bmm(table.expand(len(blocks), -1, -1), blocks)


def _indices(numbers: Any, beside: Tensor) -> Tensor:
    """Return numbers as indices on the device of another tensor."""
    return torch.as_tensor(np.asarray(numbers), device=beside.device)


def _limit(part: Section) -> int:
    return part.high if isinstance(part.high, int) else max(part.high)


def _columns(parts: Sequence[Section]) -> list[int]:
    return [column for part in parts for column in range(part.start, part.stop)]


class PrecomputedFeatures:
    """`Features` with precomputed parts that do not depend on the observation.

    A card in a slot adds a row of a table to the features. The sum of all rows, and of counts times
    their weights, gives the features before the activation. The bias already contains the rows of
    code 0; the rows of other codes are differences from that.

    Args:
        features: The weights; with gradients enabled, gradients pass to them, once.
        may_wait: Whether a pass may count the codes that are not 0, for which the host waits for a
            GPU. Otherwise a pass adds the rows of all codes, which takes longer.

    Attributes:
        cards: From `Features.cards`.
    """

    def __init__(self, features: Features, may_wait: bool = True) -> None:
        self.may_wait = may_wait
        self.cards = table = features.cards()
        weights = iter(torch.split(features.dense.weight.T, features.widths))
        columns = table.new_zeros(features.parts[-1].stop, features.width)
        columns[features.plain] += next(weights)
        by_face = _stacked(next(weights), features.card_dim)
        faces = _products(table[1 : FACES + 1], by_face) * features.share[:, None]
        places_of_faces = np.add.outer(features.by_face, np.arange(FACES)).ravel()
        columns = columns.index_add(0, _indices(places_of_faces, table), faces.flatten(0, 1))
        self.columns = columns * features.scale[:, None]

        rows: list[Tensor] = []
        zeros: list[Tensor] = []  # the row of code 0, for each column of codes
        index: list[int] = []
        offset: list[int] = []

        def add(columns: Iterable[int], tables: Tensor, lengths: Sequence[int], which: Any) -> None:
            """Add columns of codes, each of which selects a row of one of the joined tables."""
            starts = np.cumsum([0, *lengths[:-1]], dtype=int)
            firsts = tables.index_select(0, _indices(np.repeat(starts, lengths), table))
            index.extend(columns)
            offset.extend((sum(map(len, rows)) + starts[which]).tolist())
            rows.append(tables - firsts)
            zeros.append(tables.index_select(0, _indices(starts[which], table)))

        def add_cards(columns: Sequence[int], which: Any) -> None:
            """Add columns of cards, whose code 0 has the row 0 in every table."""
            tables = _products(table, _stacked(next(weights), features.card_dim))
            index.extend(columns)
            offset.extend((sum(map(len, rows)) + CARD_CODES * which).tolist())
            rows.append(tables.flatten(0, 1))
            zeros.append(table.new_zeros(len(which), features.width))

        add_cards(features.slots, np.arange(len(features.slots)))
        add_cards(features.pooled, features.zone_offset.cpu().numpy() // CARD_CODES)
        add(features.small, next(weights), features.codes, np.arange(len(features.small)))
        places = features.place.weight
        parts = _stacked(next(weights), features.place.embedding_dim)
        lengths, which = [len(places)] * len(parts), np.arange(len(parts))
        add(features.large, _products(places, parts).flatten(0, 1), lengths, which)
        lasts = []
        for route in features.routes:
            each = places @ next(weights)
            each[0] = 0
            length = route.stop - route.start
            add(range(route.start, route.stop), each, [len(each)], np.zeros(length, int))
            lasts.append(sum(map(len, rows)))
            last = places @ next(weights)
            rows.append(last - last[0])
            zeros.append(last[:1])
        self.rows = torch.cat(rows)
        self.index = torch.tensor(index, device=table.device)
        self.offset = torch.tensor([*offset, *lasts], device=table.device)
        self.routes = features.routes
        self.bias = features.dense.bias + torch.cat(zeros).sum(0)

    def __call__(self, observations: Tensor, more: Tensor | None = None) -> Tensor:
        """Return the features, shape ``(n, width)``, of observations of any dtype.

        `more` is added to them before the activation.
        """
        last = [last_place(observations[:, run])[:, None] for run in self.routes]
        codes = torch.cat([observations.index_select(1, self.index), *last], 1)
        begun = self.bias if more is None else self.bias + more
        counted = torch.addmm(begun, observations.float(), self.columns)
        return F.relu_(counted + self._sum_rows(codes))

    def _sum_rows(self, codes: Tensor) -> Tensor:
        """Return the sum of the rows of each observation's codes; the row of code 0 is 0."""
        if not self.may_wait:
            return F.embedding_bag(self.offset + codes.long(), self.rows, mode="sum")
        row, column = codes.nonzero(as_tuple=True)
        chosen = self.offset[column] + codes[row, column].long()
        begins = torch.searchsorted(row, torch.arange(len(codes), device=codes.device))
        return F.embedding_bag(chosen, self.rows, begins, mode="sum")

    def pack(self) -> FeatureWeights:
        """Return copies for compiled code: first the rows of counts, then the tables of codes."""
        inputs = len(self.columns)
        coded = self.index.numpy()
        counted = np.setdiff1d(np.arange(inputs), coded)
        first_row = np.empty(inputs, np.int64)
        first_row[counted] = np.arange(len(counted))
        tables = len(counted) + self.offset.numpy()  # for each code, then for each route's last
        first_row[coded], lasts = tables[: len(coded)], tables[len(coded) :]

        rows = torch.cat([self.columns[torch.from_numpy(counted)], self.rows])
        starts = np.unique(tables)
        lengths = np.diff(starts, append=len(rows))
        highest_code = np.zeros(inputs, np.int64)
        highest_code[coded] = lengths[np.searchsorted(starts, first_row[coded])] - 1
        runs = zip(self.routes, lasts, strict=True)
        return FeatureWeights(
            floats(rows),
            first_row,
            highest_code,
            np.array([(run.start, run.stop, last) for run, last in runs], np.int64),
            floats(self.bias),
        )
