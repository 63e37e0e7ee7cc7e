"""Plays scheduled games simultaneously; an agent that fails loses its game, the others continue.

The result of a game does not depend on the other games.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_agents.playing.game_runner import LenientRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, turns_played
from impulse_env.outcomes import END_BY_STATUS, FAILED, SOURCES
from impulse_training.statistics.game_results import GameResult
from impulse_training.tournament.schedule import Schedule, ScheduledGame

TABLES: Final = 256
"""Maximum number of simultaneous games; more are hardly faster."""

_QUICK: Final = 0.02
"""Seconds: if a step of all games takes less, the number of simultaneous games doubles."""
_AT_FIRST: Final = 8
"""Simultaneous games at the start."""
_IN_STEP: Final = 64
"""Simultaneous games at the start with a batched agent: a search with a network then takes a
seventh of the time per game."""

More = Callable[[int], Sequence[ScheduledGame]]
"""A function that returns at most this many games to play next; an empty list at the end."""


def make_agents(names: Sequence[str]) -> list[Agent]:
    """Return the agents; raises `AgentError`, which lists all names."""
    made = [registry.make(name) for name in names]
    if "torch" in sys.modules:
        # The other cores play other games.
        sys.modules["torch"].set_num_threads(1)
    return made


def several(games: Sequence[ScheduledGame]) -> More:
    """Return a source of these games."""
    left = iter(games)
    return lambda count: list(islice(left, count))


def play(
    schedule: Schedule, entrants: Sequence[Agent], more: More, tables: int = TABLES
) -> Iterator[GameResult]:
    """Play games and yield each when it is over, in the order of their ends.

    Args:
        schedule: The schedule.
        entrants: The agents of the settings, in the same order.
        more: Provides games whenever tables are free.
        tables: Maximum number of simultaneous games. Slow agents play fewer, so that a game ends
            sooner, and more workers share the rest.
    """
    room = TournamentRunner(schedule, entrants, tables)
    at_first = _IN_STEP if any(agent.is_batched for agent in entrants) else _AT_FIRST
    target = min(at_first, tables)
    has_more = True
    while True:
        free = np.flatnonzero(room.batch.seats == NOBODY)
        missing = target - (tables - len(free))
        # Several at once: dealing one game takes almost as long.
        if has_more and missing > target // 8:
            games = more(missing)
            has_more = len(games) > 0
            room.begin(free[: len(games)], games)
        start = perf_counter()
        playing = room.step()
        if len(playing) == 0 and not has_more:
            return
        if perf_counter() - start < _QUICK:
            target = min(2 * target, tables)
        for table in playing[room.batch.seats[playing] == NOBODY].tolist():
            yield room.result(table)


class TournamentRunner(LenientRunner):
    """Tables where games begin and end at any time, with all results recorded."""

    def __init__(self, schedule: Schedule, entrants: Sequence[Agent], tables: int) -> None:
        players = schedule.settings.players
        options = schedule.settings.options
        agent_by_seat = np.zeros((tables, players), np.int64)
        streams = RngStreams.from_seeds([0] * (tables * players))
        super().__init__(entrants, options, [0] * tables, agent_by_seat, streams, is_warm=True)
        self.batch.seats[:] = NOBODY
        self.schedule = schedule
        self.games: list[ScheduledGame | None] = [None] * tables
        self.decisions = np.zeros((tables, players), np.int64)

    def begin(self, tables: NDArray[np.intp], games: Sequence[ScheduledGame]) -> None:
        """Deal games at free tables."""
        if len(games) == 0:
            return
        players = self.batch.options.players
        self.batch.restart(tables, [game.deal for game in games])
        assert self.deals is not None, "tournaments do not start from positions"
        self.deals[tables] = [game.deal for game in games]
        self.agent_by_seat[tables] = [game.seating for game in games]
        fresh = RngStreams.from_seeds(chance for game in games for chance in game.chances)
        self.streams.put((tables[:, None] * players + np.arange(players)).ravel(), fresh)
        self.decisions[tables] = 0
        self.seconds[tables] = 0
        for table, game in zip(tables.tolist(), games, strict=True):
            self.games[table], self.actions[table] = game, []

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Record and count the actions."""
        self.decisions[tables, self.batch.seats[tables]] += 1
        super().before_step(tables, actions)

    def result(self, table: int) -> GameResult:
        """Return the result of the finished game at a table."""
        game, players = self.games[table], self.batch.options.players
        assert game is not None
        state, sides = self.batch.states[table], self.batch.options.team_count
        fault = self.faults.pop(table, None)
        failed = None if fault is None else fault.seat
        if failed is None:
            winners = [s for s in range(players) if s % sides == state["winner"]]
        else:
            winners = [s for s in range(players) if s % sides != failed % sides]
        return GameResult(
            game=game.number,
            deal=game.deal,
            agents=self.schedule.names(game),
            winners=winners,
            ended=FAILED if failed is not None else END_BY_STATUS[int(state["status"])],
            scores=state["score"][:players].tolist(),
            points=state["points"][:players, : len(SOURCES)].tolist(),
            turns=int(turns_played(self.batch.states[table : table + 1])[0]),
            decisions=self.decisions[table].tolist(),
            seconds=[round(seconds, 6) for seconds in self.seconds[table].tolist()],
            actions=self.actions[table],
            failed=failed,
            fault=None if fault is None else fault.kind,
            error=None if fault is None else fault.traceback or fault.detail,
        )
