"""Tables of games that are played once: the next time they are read.

They are found again by what was asked for and by the identities of the agents, so a table is played
anew where an agent or the rules have changed. Where the studies themselves are changed so that
other games come of it, `VERSION` has to rise.
"""

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import impulse_agents
from impulse_agents.identity import identity_of
from impulse_env.files import replacing
from impulse_training.studies import point_tables

VERSION: Final = 1


class KeptTables:
    """The tables of `point_tables`, kept in a folder.

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
        """Return what `point_tables.mirrored` does, played or read."""
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
        agents: list[str],
        deals: NDArray[np.int64],
        players: int,
        unsought: Iterable[str],
        uncounted: Iterable[str],
    ) -> pd.DataFrame:
        """Return a table from its file, played first if there is none."""
        forbidden = {"unsought": sorted(unsought), "uncounted": sorted(uncounted)}
        who = [identity_of(impulse_agents.make(agent)).digest for agent in agents]
        asked = [VERSION, play.__name__, who, deals.tolist(), players, forbidden]
        name = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:16]
        path = self.folder / f"{play.__name__}-{name}.csv"
        if not path.exists():
            text = play(*agents, deals, players, **forbidden).to_csv(index=False)
            with replacing(path) as file:
                file.write(text.encode())
        return pd.read_csv(path)
