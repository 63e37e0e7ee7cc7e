"""Continue positions to their ends, many games in parallel.

A position and a changed copy of it can continue with the same seed. They then have the same random
numbers, as long as both draw the same things. So their difference is the effect of the change.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from sys import maxsize
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch, copy_games, turns_played
from impulse_env.information import determinize_all
from impulse_env.options import Options
from impulse_env.outcomes import SOURCES

AT_ONCE: Final = 1000
"""Games in parallel."""
Runner = TypeVar("Runner", bound=GameRunner)


@dataclass(frozen=True)
class Ended:
    """n finished games.

    Attributes:
        states: The final states, shape ``(n,)``.
        players: Players of each game.
    """

    states: np.ndarray
    players: int

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each seat has won, shape ``(n, players)``; nobody wins a truncated game."""
        return (
            np.arange(self.players) % self.states["teams"][:, None]
            == (self.states["winner"][:, None])
        )

    @property
    def points(self) -> NDArray[np.int64]:
        """Points by seat and source, in the order of `SOURCES`, shape ``(n, players, 6)``."""
        return self.states["points"][:, : self.players, : len(SOURCES)].astype(np.int64)

    @property
    def rounds(self) -> NDArray[np.int64]:
        """Number of rounds: turns divided by players, rounded up, shape ``(n,)``."""
        return -(-turns_played(self.states) // self.players)


def dealt(options: Options, deals: Sequence[int] | NDArray[np.int64]) -> np.ndarray:
    """Return a new game for each seed, at its first decision, shape ``(n,)``."""
    return GameBatch(options, deals).states


def play_on(
    options: Options,
    states: np.ndarray,
    agents: Sequence[Agent],
    agent_by_seat: NDArray[np.int64] | None = None,
    *,
    seed: int = 0,
    numbers: NDArray[np.int64] | None = None,
) -> Ended:
    """Play positions to their ends.

    Args:
        options: The options of all games.
        states: Full states of running games, shape ``(n,)``; not changed.
        agents: The agents.
        agent_by_seat: Index of the agent on each seat, shape ``(n, players)`` or ``(players,)``;
            by default the first agent plays all seats.
        seed: Random seed of the agents.
        numbers: The number of each game's random generators, shape ``(n,)``; 0, 1, … if not given.
            Games with the same number have the same random numbers.

    Raises:
        AgentError: An agent does not play such games.
    """
    players = options.players
    for agent in agents:
        agent.check_players(players)
    if agent_by_seat is None:
        agent_by_seat = np.zeros(players, np.int64)
    by_seat = np.broadcast_to(agent_by_seat, (len(states), players))
    if numbers is None:
        numbers = np.arange(len(states))

    def tables_of(part: slice) -> GameRunner:
        streams = streams_of(players, seed, numbers[part])
        return GameRunner(agents, options, states[part], by_seat[part], streams)

    over = [copy_games(np.ascontiguousarray(states[:0]))]
    over += [tables.batch.states for tables in run_in_parts(len(states), tables_of)]
    return Ended(np.concatenate(over), players)


def run_in_parts(games: int, tables_of: Callable[[slice], Runner]) -> Iterator[Runner]:
    """Play games to their ends, `AT_ONCE` in parallel; yield each part when it is over.

    Args:
        games: Number of games.
        tables_of: Returns the runner of a part of them.
    """
    for start in range(0, games, AT_ONCE):
        tables = tables_of(slice(start, start + AT_ONCE))
        tables.play_to_end()
        yield tables


def played_until(
    options: Options,
    states: np.ndarray,
    agents: Sequence[Agent],
    turn: int,
    *,
    seed: int = 0,
) -> tuple[np.ndarray, NDArray[np.intp]]:
    """Continue games until a turn begins.

    Args:
        options: The options of all games.
        states: Full states of running games, shape ``(n,)``; not changed.
        agents: One agent for each seat, or else the first plays all seats.
        turn: Number of completed player turns at which to stop.
        seed: Random seed of the agents.

    Returns:
        The positions at the first decision afterwards, without games that ended before, and the
        row of each position's game in `states`.
    """
    stopped, is_running = stopped_at(options, states, agents, turn, seed=seed)
    return stopped[is_running], np.flatnonzero(is_running)


def stopped_at(
    options: Options,
    states: np.ndarray,
    agents: Sequence[Agent],
    turn: int,
    *,
    seed: int = 0,
) -> tuple[np.ndarray, NDArray[np.bool_]]:
    """Continue games until a turn begins, and return all of them, including finished ones.

    Args:
        options: See `played_until`, also for the other arguments.
        states: Full states of games, shape ``(n,)``; not changed.
        agents: The agents.
        turn: Number of completed player turns at which to stop.
        seed: Random seed of the agents.

    Returns:
        The states, at the first decision afterwards or at the end, and whether each still runs;
        shapes ``(n,)``.
    """
    players = options.players
    seats = np.arange(players) if len(agents) == players else np.zeros(players, np.int64)
    stopped = copy_games(np.ascontiguousarray(states))
    is_running = np.zeros(len(states), np.bool_)
    for start in range(0, len(states), AT_ONCE):
        part = np.arange(start, min(start + AT_ONCE, len(states)))
        by_seat = np.broadcast_to(seats, (len(part), players))
        streams = streams_of(players, seed, part)
        tables = GameRunner(agents, options, states[part], by_seat, streams)
        is_running[part] = step_until(tables, lambda batch: batch.states["turn"] >= turn)
        stopped[part] = tables.batch.states
    return stopped, is_running


def step_until(
    tables: GameRunner, has_arrived: Callable[[GameBatch], NDArray[np.bool_]], most: int = maxsize
) -> NDArray[np.bool_]:
    """Continue games until a condition holds or they end.

    Args:
        tables: The games. For games that have stopped, `GameBatch.seats` becomes `NOBODY`.
        has_arrived: Returns whether the condition holds in each game; called before each decision.
        most: Largest number of decisions of each game.

    Returns:
        Whether the condition stopped each game, shape ``(tables,)``.
    """
    batch = tables.batch
    arrived = np.zeros(len(batch.seats), np.bool_)
    for _ in range(most):
        now = (batch.seats != NOBODY) & has_arrived(batch)
        arrived |= now
        batch.seats[now] = NOBODY
        if not len(tables.step()):
            break
    return arrived


def worlds_of(
    states: np.ndarray,
    seats: NDArray[np.int64],
    chance: NDArray[np.uint64] | np.random.Generator,
) -> np.ndarray:
    """Return full states in which all that is hidden from a seat is resampled, shape ``(n,)``.

    Args:
        states: Full states, shape ``(n,)``; not changed.
        seats: The seat of each, shape ``(n,)``.
        chance: The seeds of the worlds, not 0, shape ``(n,)``; or a generator that draws them.
            Equal seeds and equal views give equal worlds.
    """
    if isinstance(chance, np.random.Generator):
        chance = seeds_by(chance, len(states))
    worlds = copy_games(np.ascontiguousarray(states))
    determinize_all(worlds, seats, chance)
    return worlds


def seeds_by(rng: np.random.Generator, count: int) -> NDArray[np.uint64]:
    """Return random seeds of worlds, not 0, shape ``(count,)``."""
    return rng.integers(1, 1 << 64, size=count, dtype=np.uint64)


def streams_of(players: int, seed: int, numbers: NDArray[np.int64] | Sequence[int]) -> RngStreams:
    """Return the agents' generators of some games, in the order of rows of a `GameRunner`.

    Args:
        players: Players of each game.
        seed: Random seed of all games.
        numbers: Number of each game, shape ``(n,)``; equal numbers give equal generators.
    """
    words = [np.random.SeedSequence([seed, number]) for number in map(int, numbers)]
    drawn = [word.generate_state(players, np.uint64) for word in words]
    return RngStreams(np.maximum(np.concatenate(drawn), 1))
