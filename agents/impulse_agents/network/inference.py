"""A network with all computed beforehand that does not depend on the observation.

Play uses it, and learning as well: gradients pass through, and where most codes of an observation
are 0 adding up the rows of the others takes half the time of multiplying by what is mostly 0.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F  # noqa: N812 - everybody calls it so

from impulse_agents.network.features import CARD_CODES, Features, FlatFeatures, last_place
from impulse_env.engine.constants import FACES
from impulse_env.observation import size

ROWS_PER_THREAD: Final = 1024
"""Observations that are worth a thread of torch of their own."""


class PrecomputedFeatures:
    """`Features` with everything that does not depend on the observation computed beforehand.

    What a card in a slot adds to the features is a row of a table; the sum of all rows, and of the
    counts times their weights, are the features before the last step. What the code 0 adds is in
    the bias already, and rows say how much more another code adds.
    """

    def __init__(self, features: Features) -> None:
        table = features.cards()
        weights = iter(torch.split(features.dense.weight.T, features.widths))
        columns = table.new_zeros(size(features.players), features.width)
        for run in features.plain:
            columns[run] += next(weights)
        faces = table[1 : FACES + 1]
        zones = [zone for run in features.by_face for zone in range(run.start, run.stop, FACES)]
        parts = torch.split(next(weights), features.card_dim)
        for start, part, share in zip(zones, parts, features.share, strict=True):
            columns[start : start + FACES] += faces @ part * share
        self.columns = columns * features.scale[:, None]

        rows: list[Tensor] = []
        zeros: list[Tensor] = []  # what the code 0 adds, for each column that chooses
        sources: list[tuple[list[slice], list[int]]] = []

        def add(runs: list[slice], tables: list[Tensor], which: Sequence[int]) -> None:
            """Let each column of the runs choose a row of one of the tables by its code."""
            starts = np.cumsum([sum(map(len, rows)), *(len(t) for t in tables)])
            sources.append((runs, [int(starts[k]) for k in which]))
            rows.extend(table - table[0] for table in tables)
            zeros.extend(tables[k][0] for k in which)

        slots = torch.split(next(weights), features.card_dim)
        add(features.slots, [table @ part for part in slots], range(len(slots)))
        pooled = torch.split(next(weights), features.card_dim)
        zone_of_slot = (features.zone_offset // CARD_CODES).tolist()
        add(features.pooled, [table @ part for part in pooled], zone_of_slot)
        small = next(weights)
        bounds = [*features.small_offset.tolist(), len(small)]
        add(features.small, [small[a:b] for a, b in pairwise(bounds)], range(len(bounds) - 1))
        places = features.place.weight
        large = torch.split(next(weights), features.place.embedding_dim)
        add(features.large, [places @ part for part in large], range(len(large)))
        lasts = []
        for run in features.routes:
            each = places @ next(weights)
            each[0] = 0
            add([run], [each], [0] * (run.stop - run.start))
            lasts.append(sum(map(len, rows)))
            last = places @ next(weights)
            rows.append(last - last[0])
            zeros.append(last[0])
        self.rows = torch.cat(rows)
        device = table.device
        columns_read = [
            c for runs, _ in sources for run in runs for c in range(run.start, run.stop)
        ]
        self.index = torch.tensor(columns_read, device=device)
        offsets = [offset for _, offsets in sources for offset in offsets]
        self.offset = torch.tensor([*offsets, *lasts], device=device)
        self.routes = features.routes
        self.bias = features.dense.bias + torch.stack(zeros).sum(0)

    def __call__(self, observations: Tensor, more: Tensor | None = None) -> Tensor:
        """Return the features, shape ``(n, width)``, of uint8 observations; see `Features`."""
        last = [last_place(observations[:, run])[:, None] for run in self.routes]
        codes = torch.cat([observations.index_select(1, self.index), *last], 1)
        row, column = codes.nonzero(as_tuple=True)
        chosen = self.offset[column] + codes[row, column]
        begins = torch.searchsorted(row, torch.arange(len(codes), device=codes.device))
        begun = self.bias if more is None else self.bias + more
        counted = torch.addmm(begun, observations.float(), self.columns)
        return F.relu_(counted + F.embedding_bag(chosen, self.rows, begins, mode="sum"))


class PrecomputedWeights(NamedTuple):
    """What of a `PolicyNetwork` can be computed before there is an observation.

    Attributes:
        features: Precomputed features.
        cards: From `Features.cards`; None for a flat network.
    """

    features: PrecomputedFeatures | FlatFeatures
    cards: Tensor | None


@contextmanager
def threads_for(rows: int) -> Iterator[None]:
    """Let torch use as many threads as so many observations are worth.

    With a few rows a second thread costs many times what it saves, and where other programs want
    the cores more still: one decision takes 2 ms on one thread and 10 to 20 on two. Fewer threads
    than are set stay fewer.
    """
    before = torch.get_num_threads()
    wanted = max(1, min(before, rows // ROWS_PER_THREAD))
    if wanted == before:
        yield
        return
    torch.set_num_threads(wanted)
    try:
        yield
    finally:
        torch.set_num_threads(before)
