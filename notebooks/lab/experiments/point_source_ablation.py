"""Games in which some seats may not have points from some sources, to see what a source is worth.

Two things can be forbidden, each by itself. *Unsought*: the seat leaves out what goes after such
points (see `point_sources`), as long as anything else is legal. *Uncounted*: such points are not
given; the game is what it would be if the rules did not know them for this seat.

The agents do not know of it, and were not trained under it.

Tables of such games have the column ``deal``: rows of one deal began with the same cards, also
those of other tables, and the agents had the same chance in them. So what two tables differ by is
what was changed between them.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import impulse_agents
from impulse_agents.base import Agent
from impulse_agents.identity import identity_of
from impulse_agents.playing.continuations import Ended, dealt, run_in_parts, streams_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_env.batch import NOBODY, put_games, step_some, take_games
from impulse_env.frame import absolute_frame
from impulse_env.options import Options
from impulse_env.outcomes import SOURCE_NAMES
from lab.experiments.point_sources import pursuing, sources_of, withhold
from lab.session import cached

SOURCES: Final = list(SOURCE_NAMES)
"""The columns of points, in order."""
VERSION: Final = 1
"""Version of cached tables; raise it if a change here or in `point_sources` changes games."""
PART: Final = 50
"""Deals of a file; a stopped run, or a run with more deals, continues with the next file."""


@dataclass(frozen=True)
class Restricted(Ended):
    """Games that are over, in which points were withheld.

    Attributes:
        withheld: Those that were not counted, by seat and source, shape ``(n, players, 6)``; they
            are not among `points`.
    """

    withheld: NDArray[np.int64]


def play_restricted(
    options: Options,
    states: np.ndarray,
    agents: Sequence[Agent],
    agent_by_seat: NDArray[np.int64],
    *,
    unsought: NDArray[np.bool_],
    uncounted: NDArray[np.bool_],
    seed: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> Restricted:
    """Play positions to their ends with restrictions.

    Args:
        options: The options of all games.
        states: Full records of games that run, shape ``(n,)``; they stay as they are.
        agents: Who plays. They must heed the masks they are given, as all do that do not search.
        agent_by_seat: Index of the agent on each seat, shape ``(n, players)`` or ``(players,)``.
        unsought: Which sources each seat does not go after, shape ``(n, players, 6)`` or what
            can be broadcast to it.
        uncounted: Which sources bring each seat nothing, the same.
        seed: Of the agents' chance, as `continuations.play_on` has it.
        numbers: Which generator of that seed's each game's agents have, shape ``(n,)``.

    Raises:
        AgentError: An agent does not play such games.
    """
    games, players = len(states), options.players
    for agent in agents:
        agent.check_players(players)
    by_seat = np.broadcast_to(agent_by_seat, (games, players))
    unsought, uncounted = (
        np.broadcast_to(sources, (games, players, len(SOURCES)))
        for sources in (unsought, uncounted)
    )
    numbers = np.arange(games) if numbers is None else numbers

    def tables_of(part: slice) -> RestrictedRunner:
        streams = streams_of(players, seed, numbers[part])
        begun = agents, options, states[part], by_seat[part], streams
        return RestrictedRunner(*begun, unsought=unsought[part], uncounted=uncounted[part])

    over = [states[:0].copy()]
    withheld: list[NDArray[np.int64]] = [np.zeros((0, players, len(SOURCES)), np.int64)]
    for tables in run_in_parts(games, tables_of):
        over.append(tables.batch.states)
        withheld.append(tables.withheld)
    return Restricted(np.concatenate(over), players, np.concatenate(withheld))


class RestrictedRunner(GameRunner):
    """Games in which points from some sources are unsought by some seats, or uncounted for them.

    Attributes:
        unsought: By table, seat and source, shape ``(tables, players, 6)``.
        uncounted: The same.
        withheld: Points that were not counted, shape ``(tables, players, 6)``.
    """

    def __init__(
        self, *arguments: Any, unsought: NDArray[np.bool_], uncounted: NDArray[np.bool_]
    ) -> None:
        """See `GameRunner` for the other arguments."""
        super().__init__(*arguments)
        self.unsought = unsought
        self.uncounted = uncounted
        self.withheld = np.zeros(uncounted.shape, np.int64)
        self._looked_at = np.zeros(0, np.intp)

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return what an entrant chooses; what goes after unsought points is not offered to it."""
        batch = self.batch
        sources = self.unsought[tables, batch.seats[tables]]
        some = tables[sources.any(axis=1)]
        if not len(some):
            return super().choose_actions(entrant, tables)
        unrestricted = batch.masks[some]
        batch.masks[some] = self._offered(some)
        try:
            return super().choose_actions(entrant, tables)
        finally:
            batch.masks[some] = unrestricted

    def _offered(self, tables: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the masks without what goes after unsought points; whole if nothing is left."""
        batch = self.batch
        seats, masks = batch.seats[tables], batch.masks[tables]
        states = take_games(batch.states, tables)
        left = masks * ~pursuing(states, seats, masks, self.unsought[tables, seats])
        nothing = ~left.any(axis=1)
        left[nothing] = masks[nothing]
        return left

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Remember the games in which points may have to be withheld."""
        is_some = self.uncounted[tables].any(axis=(1, 2))
        tables = tables[is_some]
        self._looked_at = tables
        self._before = take_games(self.batch.states, tables)
        self._seats = self.batch.seats[tables]
        frame = absolute_frame(self.batch.options.players)
        self._actions = frame[self._seats, actions[is_some]]

    def step(self) -> NDArray[np.intp]:
        """Take one decision in every running game, and withhold what does not count."""
        self._looked_at = self._looked_at[:0]
        playing = super().step()
        tables, batch = self._looked_at, self.batch
        if len(tables):
            after = take_games(batch.states, tables)
            uncounted = self.uncounted[tables]
            taken = withhold(self._before, after, self._actions, self._seats, uncounted)
            self.withheld[tables] += taken
            changed = taken.any(axis=(1, 2))
            some = tables[changed]
            put_games(batch.states, some, take_games(after, np.flatnonzero(changed)))
            # What is seen of such a game, and who decides, is told again.
            batch.seats[some] = NOBODY
            step_some(batch, some, np.zeros(len(some), np.int64))
        return playing


class PointTables:
    """Tables of games, a row for each seat that is asked about.

    Rows have ``deal``, ``seat``, ``won``, ``rounds``, ``score``, a column for each of `SOURCES`
    (its points), ``withheld`` (points of all sources that did not count) and ``largest`` (the share
    of the largest source, NaN without a point).

    Args:
        folder: The folder for finished tables; None stores nothing.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder

    def mirrored(
        self,
        agent: str,
        deals: NDArray[np.int64],
        players: int = 2,
        *,
        unsought: Collection[str] = (),
        uncounted: Collection[str] = (),
    ) -> pd.DataFrame:
        """Return games between one agent and itself; whatever is forbidden is so for all seats.

        Args:
            agent: A name for `impulse_agents.make`.
            deals: Their seeds.
            players: 2 to 6.
            unsought: Sources that nobody goes after.
            uncounted: Sources that bring nobody points.

        Returns:
            A row for each seat of each game.

        Raises:
            ValueError: There is no such source, or no such agent, or it does not play such games.
        """

        def play(some: NDArray[np.int64]) -> pd.DataFrame:
            seats, by_seat = np.ones((len(some), players), np.bool_), np.zeros(players, np.int64)
            ended = _played([agent], by_seat, some, seats, unsought, uncounted)
            return pd.concat([_rows(ended, some, np.full(len(some), s)) for s in range(players)])

        return self._table("mirrored", play, [agent], deals, players, unsought, uncounted)

    def against(
        self,
        agent: str,
        others: str,
        deals: NDArray[np.int64],
        players: int = 2,
        *,
        unsought: Collection[str] = (),
        uncounted: Collection[str] = (),
    ) -> pd.DataFrame:
        """Return games of every deal with an agent on each seat once, others on all the rest.

        Args:
            agent: A name for `impulse_agents.make`.
            others: The same, for the rest; what is forbidden is not so for them.
            deals: The seeds.
            players: 2 to 6.
            unsought: Sources that the agent does not go after.
            uncounted: Sources that bring it no points.

        Returns:
            A row for each game, about the agent's seat.

        Raises:
            ValueError: As of `mirrored`.
        """

        def play(some: NDArray[np.int64]) -> pd.DataFrame:
            each = np.repeat(some, players)
            seat = np.tile(np.arange(players), len(some))
            is_own = np.arange(players) == seat[:, None]
            by_seat = np.where(is_own, 0, 1)
            ended = _played([agent, others], by_seat, each, is_own, unsought, uncounted)
            return _rows(ended, each, seat)

        return self._table("against", play, [agent, others], deals, players, unsought, uncounted)

    def _table(
        self,
        name: str,
        play: Callable[[NDArray[np.int64]], pd.DataFrame],
        agents: Sequence[str],
        deals: NDArray[np.int64],
        players: int,
        unsought: Collection[str],
        uncounted: Collection[str],
    ) -> pd.DataFrame:
        """Return a table from its files, one for `PART` deals, which are played if missing."""
        if self.folder is None:
            return play(deals)
        about: dict[str, Any] = {
            "version": VERSION,
            "who": [_digest(agent) for agent in agents],
            "players": players,
            "unsought": sorted(unsought),
            "uncounted": sorted(uncounted),
        }
        played: list[pd.DataFrame] = []

        def part_from(start: int) -> pd.DataFrame:
            # Games side by side cost less than part after part: all that follow are played at once.
            if not played:
                played.append(play(deals[start:]))
            return played[0][played[0].deal.isin(deals[start : start + PART])]

        found: list[pd.DataFrame] = []
        for start in range(0, len(deals), PART):
            about["deals"] = deals[start : start + PART].tolist()
            found.append(cached(name, partial(part_from, start), [], self.folder, **about))
        return pd.concat(found, ignore_index=True)


@cache
def _made(name: str) -> Agent:
    """Return an agent; to load one takes longer than some games."""
    return impulse_agents.make(name)


@cache
def _digest(name: str) -> str:
    """Return the digest of an agent's identity, which reads many sources."""
    return identity_of(_made(name)).digest


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
    agents = [_made(name) for name in names]
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
