"""Games in which some seats may not have points from some sources, to see what a source is worth.

Two things can be forbidden, each by itself. *Unsought*: the seat leaves out what goes after such
points (see `pursuing`), as long as anything else is legal. *Uncounted*: such points are not given;
the game is what it would be if the rules did not know them for this seat.

The agents do not know of it, and were not trained under it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_env.batch import NOBODY, put_games, step_some, take_games
from impulse_env.engine.constants import WON_BY_SCORE
from impulse_env.frame import absolute_frame
from impulse_env.options import Options
from impulse_env.outcomes import SOURCE_NAMES, SOURCES
from impulse_training.rollout.runner import GameRunner
from impulse_training.rollout.continuations import Ended, run_in_parts, streams_of
from lab.point_seeking import pursuing, take_actions

_COUNT: Final = len(SOURCES)


@dataclass(frozen=True)
class Restricted(Ended):
    """Games that are over, in which points were withheld.

    Attributes:
        withheld: Those that were not counted, by seat and source, shape ``(n, players, 6)``; they
            are not among `points`.
    """

    withheld: NDArray[np.int64]


def sources_of(names: Iterable[str]) -> NDArray[np.bool_]:
    """Return which sources are named, shape ``(6,)``.

    Args:
        names: Of `SOURCE_NAMES`.

    Raises:
        ValueError: There is no such source.
    """
    found = np.zeros(_COUNT, np.bool_)
    for name in names:
        if name not in SOURCE_NAMES:
            raise ValueError(f"points come from {', '.join(SOURCE_NAMES)}; not from {name!r}")
        found[SOURCE_NAMES.index(name)] = True
    return found


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
        seed: Of the agents' chance, as `played_on.play_on` has it.
        numbers: Which generator of that seed's each game's agents have, shape ``(n,)``.

    Raises:
        AgentError: An agent does not play such games.
    """
    games, players = len(states), options.players
    for agent in agents:
        agent.check_players(players)
    by_seat = np.broadcast_to(agent_by_seat, (games, players))
    unsought, uncounted = (
        np.broadcast_to(sources, (games, players, _COUNT)) for sources in (unsought, uncounted)
    )
    numbers = np.arange(games) if numbers is None else numbers

    def tables_of(part: slice) -> RestrictedRunner:
        tables = RestrictedRunner(
            agents,
            options,
            np.zeros(len(states[part]), np.int64),
            by_seat[part],
            streams_of(players, seed, numbers[part]),
            unsought=unsought[part],
            uncounted=uncounted[part],
        )
        tables.go_on_from(states[part])
        return tables

    over = [states[:0].copy()]
    withheld: list[NDArray[np.int64]] = [np.zeros((0, players, _COUNT), np.int64)]
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
        kept = batch.masks[some]
        batch.masks[some] = self._offered(some)
        try:
            return super().choose_actions(entrant, tables)
        finally:
            batch.masks[some] = kept

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


def withhold(
    before: np.ndarray,
    after: np.ndarray,
    actions: NDArray[np.int64],
    seats: NDArray[np.int8],
    uncounted: NDArray[np.bool_],
) -> NDArray[np.int64]:
    """Put steps right in which points came that do not count.

    The games are then where they would be if the rules did not give these points: the same
    decisions and draws, and a win by such points has not happened.

    Args:
        before: Full records before the step, shape ``(n,)``.
        after: After it, shape ``(n,)``; changed.
        actions: What was done, in the absolute frame, shape ``(n,)``.
        seats: By whom, shape ``(n,)``.
        uncounted: What does not count, shape ``(n, players, 6)``.

    Returns:
        The points that were withheld, shape ``(n, players, 6)``.
    """
    players = uncounted.shape[1]
    gained = _gained(before, after, players)
    # Only a win makes a score matter within a step. Where it is none, the step is taken again from
    # scores that are lower by what came too much until then: it goes on past that moment.
    while len(rows := np.flatnonzero(_is_undue(before, after, gained, uncounted))):
        again = take_games(before, rows)
        again["score"][:, :players] -= (gained * uncounted)[rows].sum(axis=2).astype(np.int16)
        take_actions(again, actions[rows], seats[rows])
        put_games(after, rows, again)
        gained[rows] = _gained(take_games(before, rows), again, players)
    taken = gained * uncounted
    after["score"][:, :players] = _due_scores(before, gained, uncounted)
    after["points"][:, :players, :_COUNT] -= taken.astype(np.int16)
    return taken


def _gained(before: np.ndarray, after: np.ndarray, players: int) -> NDArray[np.int64]:
    """Return the points that a step brought, shape ``(n, players, 6)``."""
    points = [states["points"][:, :players, :_COUNT].astype(np.int64) for states in (before, after)]
    return points[1] - points[0]


def _due_scores(
    before: np.ndarray, gained: NDArray[np.int64], uncounted: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return the scores without what does not count, shape ``(n, players)``."""
    return before["score"][:, : gained.shape[1]] + (gained * ~uncounted).sum(axis=2)


def _is_undue(
    before: np.ndarray,
    after: np.ndarray,
    gained: NDArray[np.int64],
    uncounted: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether a game was won by points of which some do not count, shape ``(n,)``."""
    scores = _due_scores(before, gained, uncounted)
    is_enough = (scores >= before["target_score"][:, None]).any(axis=1)
    return (after["status"] == WON_BY_SCORE) & ~is_enough
