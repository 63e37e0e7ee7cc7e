"""Plays games, or positions from the midst of games, to their ends, all side by side.

A position that is played on twice with the same seed, once as it is and once changed, has the same
chance in both, as long as the same things are drawn: what differs is what the change did.
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
"""Games side by side."""
Runner = TypeVar("Runner", bound=GameRunner)


@dataclass(frozen=True)
class Ended:
    """Games that are over, n of them.

    Attributes:
        states: The final records, shape ``(n,)``.
        players: Of each game.
    """

    states: np.ndarray
    players: int

    @property
    def won(self) -> NDArray[np.bool_]:
        """Whether each seat has won, shape ``(n, players)``; nobody has where it was truncated."""
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
        """Turns divided by players, rounded up, shape ``(n,)``."""
        return -(-turns_played(self.states) // self.players)


def dealt(options: Options, deals: Sequence[int] | NDArray[np.int64]) -> np.ndarray:
    """Return a game for each seed at its first decision, shape ``(n,)``."""
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
        states: Full records of games that run, shape ``(n,)``; they stay as they are.
        agents: Who plays.
        agent_by_seat: Index of the agent on each seat, shape ``(n, players)`` or ``(players,)``;
            the first plays all if not given.
        seed: Of the agents' chance.
        numbers: Which generator of that seed's each game's agents have, shape ``(n,)``; 0, 1, …
            if not given. Two games of one number have the same chance.

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
    """Play games to their ends, `AT_ONCE` side by side; yield each part when it is over.

    Args:
        games: How many.
        tables_of: Lays out a part of them.
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
    """Play games on until a turn begins.

    Args:
        options: The options of all games.
        states: Full records of games that run, shape ``(n,)``; they stay as they are.
        agents: Who plays, the first on all seats, or one for each seat.
        turn: How many player turns are to be completed.
        seed: Of the agents' chance.

    Returns:
        The positions at the first decision afterwards, and which of the games they are of: those
        that were over by then are left out.
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
    """Play games on until a turn begins, and return all of them, those that are over too.

    Args:
        options: See `played_until`, also what follows.
        states: Full records of games, shape ``(n,)``; they stay as they are.
        agents: Who plays.
        turn: How many player turns are to be completed.
        seed: Of the agents' chance.

    Returns:
        The records, at the first decision afterwards or at the end, and which of them still run;
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
    """Play games on until they arrive somewhere or end; return which have arrived, ``(tables,)``.

    Args:
        tables: The games. Where one has arrived, `GameBatch.seats` says that nobody decides.
        has_arrived: Says of all games whether they are there; asked before each decision.
        most: How many decisions of each game at most.
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
    """Return full records drawn from what a seat of each knows, shape ``(n,)``.

    Args:
        states: Full records, shape ``(n,)``; they stay as they are.
        seats: Whose knowledge, shape ``(n,)``.
        chance: The seeds of the worlds, not 0, shape ``(n,)``; or draws them. Equal seeds and
            equal views give equal worlds.
    """
    if isinstance(chance, np.random.Generator):
        chance = chance.integers(1, 1 << 64, size=len(states), dtype=np.uint64)
    worlds = copy_games(np.ascontiguousarray(states))
    determinize_all(worlds, seats, chance)
    return worlds


def streams_of(players: int, seed: int, numbers: NDArray[np.int64] | Sequence[int]) -> RngStreams:
    """Return the agents' generators of some games, in rows as a `GameRunner` wants them.

    Args:
        players: Of each game.
        seed: Of all.
        numbers: Of each game, shape ``(n,)``: those of one number are alike.
    """
    words = [np.random.SeedSequence([seed, number]) for number in map(int, numbers)]
    drawn = [word.generate_state(players, np.uint64) for word in words]
    return RngStreams(np.maximum(np.concatenate(drawn), 1))
