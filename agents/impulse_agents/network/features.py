"""What the network of a trained agent makes of an observation: one dense layer of features.

`Features` has the weights. `PrecomputedFeatures` computes with them, and beforehand all that does
not depend on the observation. Play uses it, and learning as well: gradients pass through, and where
most codes of an observation are 0 adding up the rows of the others takes half the time of
multiplying by what is mostly 0.
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
"""Of a row or a column of some weights: a part of the network, a section of the observation, and
the index in it, whose first is the seat if the section has an axis of seats. The same name means
the same for another number of players and in another layout."""
Axes: TypeAlias = dict[str, dict[int, list[Name]]]
"""For weights by name, for each axis whose length hangs on the observation, the names along it."""

POOLED: Final = frozenset(("table", "known", "plan", "next_plan", "waiting", "own_laid"))
"""Rows of cards of which it matters what lies there, and hardly where."""
ROUTES: Final = frozenset(("fleet_from", "path"))
"""Rows of places: pooled, and the last one apart, because the next step starts from it."""
CARD_CODES: Final = FACES + 5
"""None, the faces, face-down, two Basic Techs, the Sector Core."""
LARGE_COUNT: Final = 20
"""Counts are divided by their limit, but by no more than this: few scores come near 100."""
NEAR_LIMIT: Final = frozenset(("deck_size", "turns_left"))
"""Counts that do come near it, so that they are divided by all of it."""
CROWDED: Final = {"unseen": 32, "discard": 32}
"""Zones of so many cards that what they add up to is divided by this. An input that is many times
as large as the others, and the same in every game, drowns them while the network learns."""
EACH_FACE: Final = ("own_hand", "matching")
"""Counts of faces that also come in one by one."""
SMALL_CATEGORY: Final = 10
"""Categories up to this one are made one-hot; larger ones are embedded."""


def card_attributes() -> NDArray[np.float32]:
    """Return what is printed on every card code, shape ``(CARD_CODES, attributes)``, in [0, 1]."""
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
    """The weights that make one dense layer of an observation; see `PrecomputedFeatures`.

    Counts and flags are scaled to about [0, 1]. A card is what is printed on it plus what was
    learned about it, the same wherever it lies; rows of cards are pooled, the others kept apart.

    Args:
        parts: The sections of the observation.
        width: Length of the result.
        card_dim: Length of a card's embedding.
        place_dim: Length of a place's or an operation's.
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
        # Every row of a pooled section (a seat's Plan, say) is a zone with counts of its own.
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
        # Places and operations in one table: a row means something else in each, but what reads
        # it knows which it reads.
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
        """Return the embedding of every card code, 0 for none, shape ``(CARD_CODES, card_dim)``."""
        table = self.card.weight + self.printed(self.attributes)
        return table * self.is_card

    def axes(self) -> Axes:
        """Return the names of what the dense layer reads, in order, and of the codes of places."""
        return {
            "features.dense.weight": {1: self.inputs()},
            "features.place.weight": {0: [("place", "", c) for c in range(len(self.place.weight))]},
        }

    def inputs(self) -> list[Name]:
        """Return the names of what the dense layer reads, in order; the last index counts on."""
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
    """Give a module arrays that follow from what it is, so that no checkpoint has to keep them.

    They hold their numbers even where the weights are shapes alone, on the device "meta".
    """
    for name, value in values.items():
        module.register_buffer(name, torch.from_numpy(value), persistent=False)


def highest(parts: Sequence[Section]) -> NDArray[np.int64]:
    """Return the largest value of every feature of some sections, shape ``(features,)``."""
    return np.concatenate([np.broadcast_to(part.high, part.shape).ravel() for part in parts])


def last_place(route: Tensor) -> Tensor:
    """Return the last number of each row that is not 0, or 0."""
    filled = (route > 0).sum(1, keepdim=True)
    return route.gather(1, (filled - 1).clamp(min=0))[:, 0]


def floats(values: Tensor) -> NDArray[np.float32]:
    """Return a copy of some weights for compiled code, rows after one another."""
    return np.array(values.detach().float().numpy(), np.float32, order="C")


def _limit(part: Section) -> int:
    return part.high if isinstance(part.high, int) else max(part.high)


def _columns(parts: Sequence[Section]) -> list[int]:
    return [column for part in parts for column in range(part.start, part.stop)]


class PrecomputedFeatures:
    """`Features` with everything that does not depend on the observation computed beforehand.

    What a card in a slot adds to the features is a row of a table; the sum of all rows, and of the
    counts times their weights, are the features before the last step. What the code 0 adds is in
    the bias already, and rows say how much more another code adds.

    Args:
        features: The weights; with gradients enabled, gradients pass through to them, once.

    Attributes:
        cards: From `Features.cards`.
    """

    def __init__(self, features: Features) -> None:
        self.cards = table = features.cards()
        weights = iter(torch.split(features.dense.weight.T, features.widths))
        columns = table.new_zeros(features.parts[-1].stop, features.width)
        columns[features.plain] += next(weights)
        faces = table[1 : FACES + 1]
        parts = torch.split(next(weights), features.card_dim)
        for start, part, share in zip(features.by_face, parts, features.share, strict=True):
            columns[start : start + FACES] += faces @ part * share
        self.columns = columns * features.scale[:, None]

        rows: list[Tensor] = []
        zeros: list[Tensor] = []  # what the code 0 adds, for each column that chooses
        index: list[int] = []
        offset: list[int] = []

        def add(columns: Iterable[int], tables: list[Tensor], which: Sequence[int]) -> None:
            """Let each of the columns choose a row of one of the tables by its code."""
            starts = np.cumsum([sum(map(len, rows)), *(len(t) for t in tables)])
            index.extend(columns)
            offset.extend(int(starts[k]) for k in which)
            rows.extend(table - table[0] for table in tables)
            zeros.extend(tables[k][0] for k in which)

        slots = torch.split(next(weights), features.card_dim)
        add(features.slots, [table @ part for part in slots], range(len(slots)))
        pooled = torch.split(next(weights), features.card_dim)
        zone_of_slot = (features.zone_offset // CARD_CODES).tolist()
        add(features.pooled, [table @ part for part in pooled], zone_of_slot)
        small = torch.split(next(weights), features.codes)
        add(features.small, list(small), range(len(small)))
        places = features.place.weight
        large = torch.split(next(weights), features.place.embedding_dim)
        add(features.large, [places @ part for part in large], range(len(large)))
        lasts = []
        for route in features.routes:
            each = places @ next(weights)
            each[0] = 0
            add(range(route.start, route.stop), [each], [0] * (route.stop - route.start))
            lasts.append(sum(map(len, rows)))
            last = places @ next(weights)
            rows.append(last - last[0])
            zeros.append(last[0])
        self.rows = torch.cat(rows)
        self.index = torch.tensor(index, device=table.device)
        self.offset = torch.tensor([*offset, *lasts], device=table.device)
        self.routes = features.routes
        self.bias = features.dense.bias + torch.stack(zeros).sum(0)

    def __call__(self, observations: Tensor, more: Tensor | None = None) -> Tensor:
        """Return the features, shape ``(n, width)``, of observations of any dtype.

        `more` is added to them before the last step.
        """
        last = [last_place(observations[:, run])[:, None] for run in self.routes]
        codes = torch.cat([observations.index_select(1, self.index), *last], 1)
        row, column = codes.nonzero(as_tuple=True)
        chosen = self.offset[column] + codes[row, column].long()
        begins = torch.searchsorted(row, torch.arange(len(codes), device=codes.device))
        begun = self.bias if more is None else self.bias + more
        counted = torch.addmm(begun, observations.float(), self.columns)
        return F.relu_(counted + F.embedding_bag(chosen, self.rows, begins, mode="sum"))

    def pack(self) -> FeatureWeights:
        """Return copies for compiled code: rows of what counts, then the tables of the codes."""
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
