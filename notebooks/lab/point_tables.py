"""Tables of games, a row for each seat that is asked about: won or not, rounds, points by source.

Every table has the column ``deal``: rows of one deal began with the same cards, also those of other
tables, and the agents had the same chance in them. So what two tables differ by is what was changed
between them.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import impulse_agents
from impulse_env.options import Options
from impulse_env.outcomes import SOURCE_NAMES
from lab.point_source_ablation import Restricted, play_restricted, sources_of
from impulse_training.rollout.continuations import dealt

SOURCES = list(SOURCE_NAMES)
"""The columns of points, in order."""


def mirrored(
    agent: str,
    deals: NDArray[np.int64],
    players: int = 2,
    *,
    unsought: Iterable[str] = (),
    uncounted: Iterable[str] = (),
) -> pd.DataFrame:
    """Play games between one agent and itself; whatever is forbidden is so for all seats.

    Args:
        agent: A name for `impulse_agents.make`.
        deals: Their seeds.
        players: 2 to 6.
        unsought: Sources that nobody goes after, see `forbidding`.
        uncounted: Sources that bring nobody points.

    Returns:
        A row for each seat, see `against`.

    Raises:
        ValueError: There is no such source, or no such agent, or it does not play such games.
    """
    seats = np.ones((len(deals), players), np.bool_)
    ended = _played([agent], np.zeros(players, np.int64), deals, seats, unsought, uncounted)
    return pd.concat([_rows(ended, deals, np.full(len(deals), s)) for s in range(players)])


def against(
    agent: str,
    others: str,
    deals: NDArray[np.int64],
    players: int = 2,
    *,
    unsought: Iterable[str] = (),
    uncounted: Iterable[str] = (),
) -> pd.DataFrame:
    """Play every deal once with an agent on each seat, others on all the rest.

    Args:
        agent: A name for `impulse_agents.make`.
        others: The same, for the rest; what is forbidden is not so for them.
        deals: The seeds.
        players: 2 to 6.
        unsought: Sources that the agent does not go after, see `forbidding`.
        uncounted: Sources that bring it no points.

    Returns:
        A row for each game, about the agent's seat: ``deal``, ``seat``, ``won``, ``rounds``,
        ``score``, a column for each of `SOURCES` (its points), ``withheld`` (points of all sources
        that did not count), ``largest`` (the share of the largest source, NaN without a point).

    Raises:
        ValueError: As of `mirrored`.
    """
    each = np.repeat(deals, players)
    seat = np.tile(np.arange(players), len(deals))
    is_own = np.arange(players) == seat[:, None]
    by_seat = np.where(is_own, 0, 1)
    ended = _played([agent, others], by_seat, each, is_own, unsought, uncounted)
    return _rows(ended, each, seat)


def _played(
    names: list[str],
    agent_by_seat: NDArray[np.int64],
    deals: NDArray[np.int64],
    seats: NDArray[np.bool_],
    unsought: Iterable[str],
    uncounted: Iterable[str],
) -> Restricted:
    """Play a game for each deal; what is forbidden is so for some seats, ``(n, players)``."""
    options = Options(players=seats.shape[1])
    agents = [impulse_agents.make(name) for name in names]
    return play_restricted(
        options,
        dealt(options, deals),
        agents,
        agent_by_seat,
        unsought=seats[:, :, None] & sources_of(unsought),
        uncounted=seats[:, :, None] & sources_of(uncounted),
        numbers=deals,
    )


def _rows(ended: Restricted, deals: NDArray[np.int64], seats: NDArray[np.int64]) -> pd.DataFrame:
    games = np.arange(len(deals))
    points = ended.points[games, seats]
    scores = points.sum(axis=1)
    most = points.max(axis=1, initial=0)
    about = {
        "deal": deals,
        "seat": seats,
        "won": ended.won[games, seats],
        "rounds": ended.rounds,
        "score": scores,
        "withheld": ended.withheld[games, seats].sum(axis=1),
        "largest": np.where(scores > 0, most / np.maximum(scores, 1), np.nan),
    }
    return pd.DataFrame(about | dict(zip(SOURCES, points.T, strict=True)))
