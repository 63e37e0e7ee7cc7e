"""The tables of `studies.point_tables`, played once and read afterwards, in parts."""

from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import impulse_agents
from impulse_agents.identity import identity_of
from lab.table_cache import kept
from lab import point_tables

VERSION: Final = 1
"""Rises where `studies.forbidding` or `studies.pursuing` change so that other games come of it."""
PART: Final = 50
"""Deals of a file: a run that was stopped goes on with the next, and one of more deals too."""


class KeptTables:
    """The tables of `studies.point_tables`, kept in a folder.

    Args:
        folder: Where; made if it is not there.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def mirrored(
        self,
        agent: str,
        deals: NDArray[np.int64],
        players: int = 2,
        *,
        unsought: Iterable[str] = (),
        uncounted: Iterable[str] = (),
    ) -> pd.DataFrame:
        """Return what `point_tables.mirrored` does, played or read; rows in another order."""
        return self._table(point_tables.mirrored, [agent], deals, players, unsought, uncounted)

    def against(
        self,
        agent: str,
        others: str,
        deals: NDArray[np.int64],
        players: int = 2,
        *,
        unsought: Iterable[str] = (),
        uncounted: Iterable[str] = (),
    ) -> pd.DataFrame:
        """Return what `point_tables.against` does, played or read."""
        names = [agent, others]
        return self._table(point_tables.against, names, deals, players, unsought, uncounted)

    def _table(
        self,
        play: Callable[..., pd.DataFrame],
        names: list[str],
        deals: NDArray[np.int64],
        players: int,
        unsought: Iterable[str],
        uncounted: Iterable[str],
    ) -> pd.DataFrame:
        """Return a table from its files, one for `PART` deals, played where there is none."""
        # Told once for all parts: an identity is a digest of many sources.
        who = [_digest(name) for name in names]
        forbidden = {"unsought": sorted(unsought), "uncounted": sorted(uncounted)}
        about = {"version": VERSION, "who": who, "players": players, **forbidden}
        found: list[pd.DataFrame] = []
        played: list[pd.DataFrame] = []

        def part_from(start: int) -> pd.DataFrame:
            # Games side by side cost less than part after part: all that follow are played at once.
            if not played:
                played.append(play(*names, deals[start:], players, **forbidden))
            return played[0][played[0].deal.isin(deals[start : start + PART])]

        for start in range(0, len(deals), PART):
            part = deals[start : start + PART].tolist()
            make = partial(part_from, start)
            found.append(kept(play.__name__, make, [], self.folder, deals=part, **about))
        return pd.concat(found, ignore_index=True)


@cache
def _digest(name: str) -> str:
    """Return the digest of an agent's identity."""
    return identity_of(impulse_agents.make(name)).digest
