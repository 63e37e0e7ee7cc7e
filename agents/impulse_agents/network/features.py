"""What the network of a trained agent makes of an observation: one dense layer of features."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_env.engine import cards
from impulse_env.engine.constants import COLOR_COUNT, CRUISER, FACES, TRANSPORT, Family
from impulse_env.observation import Kind, Section, high, sections, size

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


def _runs(parts: Sequence[Section]) -> list[slice]:
    """Return where the sections stand, neighbours as one: slices are views, indices copies."""
    runs: list[slice] = []
    for part in parts:
        if runs and runs[-1].stop == part.start:
            runs[-1] = slice(runs[-1].start, part.stop)
        else:
            runs.append(slice(part.start, part.stop))
    return runs


def _cut(rows: Tensor, runs: Sequence[slice]) -> list[Tensor]:
    return [rows[:, run] for run in runs]


def _length(runs: Sequence[slice]) -> int:
    return sum(run.stop - run.start for run in runs)


class Features(nn.Module):
    """An observation as one dense layer.

    Counts and flags are scaled to about [0, 1]. A card is what is printed on it plus what was
    learned about it, the same wherever it lies; rows of cards are pooled, the others kept apart.

    Args:
        players: 2 to 6; the sections of the observation depend on it.
        width: Length of the result.
        card_dim: Length of a card's embedding.
        place_dim: Length of a place's or an operation's.
    """

    scale: Tensor
    share: Tensor
    zone_offset: Tensor
    small_offset: Tensor
    attributes: Tensor
    is_card: Tensor

    def __init__(self, players: int, width: int, card_dim: int = 16, place_dim: int = 8) -> None:
        super().__init__()
        self.players, self.width, self.card_dim = players, width, card_dim
        parts = sections(players)
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

        self.plain, self.by_face = _runs(plain), _runs(by_face)
        self.slots, self.pooled = _runs(slots), _runs(pooled)
        self.small, self.large = _runs(small), _runs(large)
        self.routes = [slice(part.start, part.stop) for part in routes]
        limits = np.minimum(high(players), LARGE_COUNT).astype(np.float32)
        for part in parts:
            if part.name in NEAR_LIMIT:
                limits[part.start : part.stop] = _limit(part)
        self._fix("scale", torch.from_numpy(1 / limits))
        zones = [p.name for p in by_face for _ in range(p.start, p.stop, FACES)]
        shares = torch.tensor([1 / CROWDED.get(name, 1) for name in zones])
        self._fix("share", shares[:, None])
        # Every row of a pooled section (a seat's Plan, say) is a zone with counts of its own.
        rows = [row for p in pooled for row in [p.shape[-1]] * (np.prod(p.shape[:-1], dtype=int))]
        self.zones = len(rows)
        zone_of_slot = np.repeat(np.arange(self.zones), rows)
        self._fix("zone_offset", torch.from_numpy(zone_of_slot * CARD_CODES))
        counts = [_limit(p) + 1 for p in small for _ in range(p.start, p.stop)]
        self.one_hot = sum(counts)
        self._fix("small_offset", torch.from_numpy(np.cumsum([0, *counts[:-1]])))
        largest = max(_limit(p) for p in (*large, *routes)) + 1

        attributes = torch.from_numpy(card_attributes())
        self._fix("attributes", attributes)
        self._fix("is_card", (torch.arange(CARD_CODES) > 0)[:, None])
        self.card = nn.Embedding(CARD_CODES, card_dim)
        self.printed = nn.Linear(attributes.shape[1], card_dim, bias=False)
        # Places and operations in one table: a row means something else in each, but what reads
        # it knows which it reads.
        self.place = nn.Embedding(largest, place_dim)
        # The inputs of the dense layer, in order.
        self.widths = [
            *(run.stop - run.start for run in self.plain),
            card_dim * (_length(self.by_face) // FACES),
            card_dim * _length(self.slots),
            card_dim * self.zones,
            self.one_hot,
            place_dim * _length(self.large),
            *[place_dim] * (2 * len(self.routes)),
        ]
        self.dense = nn.Linear(sum(self.widths), width)
        nn.init.normal_(self.card.weight, std=0.3)
        nn.init.normal_(self.place.weight, std=0.5)

    def inputs(self) -> list[tuple[tuple[Any, ...], int]]:
        """Return what the dense layer reads, in order: a name for each block, and its length.

        A name is the part (as in `widths`), the section of the observation, and the index in it, so
        the same name means the same at another number of players. An axis of seats, if the section
        has one, is the index's first.
        """
        names = [(p.name, *index) for p in sections(self.players) for index in np.ndindex(p.shape)]

        def each(part: str, runs: Sequence[slice], length: int, step: int = 1) -> None:
            found.extend(
                ((part, *names[column]), length)
                for run in runs
                for column in range(run.start, run.stop, step)
            )

        found: list[tuple[tuple[Any, ...], int]] = []
        each("plain", self.plain, 1)
        each("by face", self.by_face, self.card_dim, FACES)
        each("slots", self.slots, self.card_dim)
        firsts = np.flatnonzero(np.diff(self.zone_offset.numpy(), prepend=-1))
        columns = np.concatenate([np.r_[run] for run in self.pooled])
        each("zones", [slice(column, column + 1) for column in columns[firsts]], self.card_dim)
        bounds = np.diff([*self.small_offset.tolist(), self.one_hot])
        for column, length in zip(
            np.concatenate([np.r_[r] for r in self.small]), bounds, strict=True
        ):
            each("small", [slice(column, column + 1)], int(length))
        each("large", self.large, self.place.embedding_dim)
        for run in self.routes:
            each("route", [slice(run.start, run.start + 1)], 2 * self.place.embedding_dim)
        return found

    def _fix(self, name: str, value: Tensor) -> None:
        # They follow from `players`: no need to keep them in a checkpoint.
        self.register_buffer(name, value, persistent=False)

    def cards(self) -> Tensor:
        """Return the embedding of every card code, 0 for none, shape ``(CARD_CODES, card_dim)``."""
        table = self.card.weight + self.printed(self.attributes)
        return table * self.is_card

    def forward(self, observations: Tensor, more: Tensor | None = None) -> Tensor:
        """Return the features, shape ``(n, width)``, of observations of any dtype.

        `more` is added to them before the last step.
        """
        n = len(observations)
        table = self.cards()
        numbers = observations * self.scale
        counts = torch.cat(_cut(numbers, self.by_face), 1).view(n, -1, FACES)
        zones = self._codes(observations, self.pooled) + self.zone_offset
        zones = _counted(zones, self.zones * CARD_CODES).view(n, self.zones, CARD_CODES)
        small = self._codes(observations, self.small) + self.small_offset
        found = [
            *_cut(numbers, self.plain),
            (counts @ table[1 : FACES + 1] * self.share).flatten(1),
            F.embedding(self._codes(observations, self.slots), table).flatten(1),
            (zones @ table).flatten(1),
            _counted(small, self.one_hot),
            self.place(self._codes(observations, self.large)).flatten(1),
            *(part for run in self.routes for part in self._route(observations[:, run].long())),
        ]
        dense = self.dense(torch.cat(found, dim=1))
        return F.relu(dense if more is None else dense + more)

    @staticmethod
    def _codes(observations: Tensor, runs: Sequence[slice]) -> Tensor:
        return torch.cat(_cut(observations, runs), 1).long()

    def _route(self, route: Tensor) -> tuple[Tensor, Tensor]:
        """Return the sum of all places of a row, and the last one."""
        present = (route > 0).unsqueeze(2)
        return (self.place(route) * present).sum(1), self.place(last_place(route))


def last_place(route: Tensor) -> Tensor:
    """Return the last number of each row that is not 0, or 0."""
    filled = (route > 0).sum(1, keepdim=True)
    return route.gather(1, (filled - 1).clamp(min=0))[:, 0]


def _limit(part: Section) -> int:
    return part.high if isinstance(part.high, int) else max(part.high)


def _counted(indices: Tensor, size: int) -> Tensor:
    """Return how often each index is in each row, shape ``(n, size)``."""
    ones = torch.ones_like(indices, dtype=torch.float32)
    return ones.new_zeros(len(indices), size).scatter_add_(1, indices, ones)


class FlatFeatures(nn.Module):
    """An observation as one dense layer over the bare numbers, codes among them: the evaluator.

    Args:
        players: 2 to 6.
        width: Length of the result.
    """

    scale: Tensor

    def __init__(self, players: int, width: int) -> None:
        super().__init__()
        limits = torch.from_numpy(high(players).astype(np.float32))
        self.register_buffer("scale", 1 / limits, persistent=False)
        self.dense = nn.Linear(size(players), width)

    def forward(self, observations: Tensor, more: Tensor | None = None) -> Tensor:
        """Return the features, shape ``(n, width)``; there is never `more` to add."""
        assert more is None
        return F.relu(self.dense(observations * self.scale))
