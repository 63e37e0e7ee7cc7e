"""Decisions of fresh games with all that is known of them afterwards: positions for studies.

Every study that looks at positions takes them from here, so that all look at the same ones.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, take_games, turns_played
from impulse_env.engine.state import STATE
from impulse_env.information import determinize_all
from impulse_env.observation import size as observation_size
from impulse_env.options import Options
from impulse_training.rollout.runner import GameRunner

PER_GAME: Final = 6
"""Decisions kept of a game: they hang together, so more of them tell little more."""
AT_ONCE: Final = 500
"""Games side by side."""


@dataclass(frozen=True)
class Sampled:
    """Decisions of finished games, n in all, each with at least two legal actions.

    Attributes:
        games: The game of each, counted from 0, shape ``(n,)``.
        states: The full records, shape ``(n,)``, dtype `STATE`.
        observations: What the seat that decides sees, shape ``(n, features)``, uint8.
        masks: Its legal actions in its own frame, shape ``(n, N_ACTIONS)``, int8.
        seats: Which seat it is, shape ``(n,)``, int64.
        entrants: Who sits there, an index of the agents that played, shape ``(n,)``.
        has_won: Whether that seat won in the end, shape ``(n,)``, bool.
        turns_to_come: Player turns until the end, the one under way included, shape ``(n,)``.
    """

    games: NDArray[np.int64]
    states: np.ndarray
    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int64]
    entrants: NDArray[np.int64]
    has_won: NDArray[np.bool_]
    turns_to_come: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def take(self, rows: NDArray[Any]) -> Self:
        """Return some of them, by index or by a mask."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return all of several."""
        columns = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls))
        return cls(*columns)

    @property
    def lead(self) -> NDArray[np.int64]:
        """Own points less those of the best other seat, shape ``(n,)``."""
        players = int(self.states["players"][0])
        scores = self.states["score"][:, :players].astype(np.int64)
        rows = np.arange(len(self))
        own = scores[rows, self.seats]
        scores[rows, self.seats] = -1
        found: NDArray[np.int64] = own - scores.max(axis=1)
        return found


class _Sampler(GameRunner):
    """Games of which some decisions are kept, each decision of a game being as likely."""

    def __init__(self, rng: np.random.Generator, per_game: int, *arguments: Any) -> None:
        super().__init__(*arguments)
        tables = len(self.batch.seats)
        self._rng, self._kept = rng, per_game
        self._seen = np.zeros(tables, np.int64)
        self.states = np.zeros((tables, per_game), STATE)
        width = observation_size(self.batch.options.players)
        self.observations = np.zeros((tables, per_game, width), np.uint8)
        self.masks = np.zeros((tables, per_game, N_ACTIONS), np.int8)
        self.seats = np.full((tables, per_game), NOBODY, np.int8)

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Keep a decision in the place of an earlier one, or not (reservoir sampling)."""
        batch = self.batch
        tables = tables[batch.masks[tables].sum(axis=1) > 1]
        seen = self._seen[tables]
        drawn = self._rng.integers(0, seen + 1)
        places = np.where(seen < self._kept, seen, drawn)
        self._seen[tables] += 1
        tables, places = tables[places < self._kept], places[places < self._kept]
        self.states[tables, places] = take_games(batch.states, tables)
        self.observations[tables, places] = batch.observations[tables]
        self.masks[tables, places] = batch.masks[tables]
        self.seats[tables, places] = batch.seats[tables]


def sample_games(
    agents: Sequence[Agent],
    options: Options,
    seating: NDArray[np.int64],
    seed: int,
    *,
    per_game: int = PER_GAME,
    told: Callable[[int, int], None] = lambda done, games: None,
) -> Sampled:
    """Play games, each a deal of its own, and return decisions of those that somebody won.

    Args:
        agents: Who plays.
        options: What is played.
        seating: Which agent sits on each seat of each game, shape ``(games, players)``.
        seed: Of the deals, of the agents, and of which decisions are kept.
        per_game: How many decisions of a game at most.
        told: Told how far it is.

    Raises:
        AgentError: An agent does not play such games.
    """
    for agent in agents:
        agent.check_players(options.players)
    rng = np.random.default_rng([seed, options.players])
    deals = rng.integers(2**63, size=len(seating))
    parts = []
    for start in range(0, len(seating), AT_ONCE):
        part = slice(start, start + AT_ONCE)
        streams = RngStreams.from_generator(rng, len(deals[part]) * options.players)
        given = agents, options, deals[part], seating[part], streams
        tables = _Sampler(rng, per_game, *given)
        while len(tables.step()):
            pass
        parts.append(_kept(tables, start))
        told(start + len(deals[part]), len(seating))
    return Sampled.joined(parts)


def _kept(tables: _Sampler, first: int) -> Sampled:
    """Return the decisions kept of finished games, the first of which has that number."""
    ended = tables.batch.states
    rows, places = np.nonzero((tables.seats != NOBODY) & (ended["winner"] >= 0)[:, None])
    states = tables.states[rows, places]
    seats = tables.seats[rows, places].astype(np.int64)
    return Sampled(
        first + rows,
        states,
        tables.observations[rows, places],
        tables.masks[rows, places],
        seats,
        tables.agent_by_seat[rows, seats],
        ended["winner"][rows] == seats % tables.batch.options.team_count,
        turns_played(ended)[rows] - states["turn"].astype(np.int64),
    )


def gains_of_turn(
    sampled: Sampled, agent: Agent, options: Options, tries: int, seed: int
) -> NDArray[np.int64]:
    """Return what the deciding seat scores in the rest of the turn, tried out some times.

    Each try is a world of its own, drawn from what the seat knows, in which the agent plays
    everybody on to the end of the turn.

    Args:
        sampled: The positions.
        agent: Who tries; one that draws its actions tries more than one that does not.
        options: Of all games.
        tries: How many times each.
        seed: Of the worlds and of the agent's chance.

    Returns:
        Points, shape ``(n, tries)``.
    """
    rows = np.repeat(np.arange(len(sampled)), tries)
    gains = np.zeros(len(rows), np.int64)
    rng = np.random.default_rng([seed, tries])
    for start in range(0, len(rows), 8 * AT_ONCE):
        some = rows[start : start + 8 * AT_ONCE]
        seats = sampled.seats[some]
        states = worlds_of(sampled.states[some], seats, rng)
        ended = _end_of_turn(states, agent, options, rng)
        at = np.arange(len(some))
        gained = ended["score"][at, seats] - states["score"][at, seats]
        gains[start : start + 8 * AT_ONCE] = gained
    return gains.reshape(len(sampled), tries)


def worlds_of(states: np.ndarray, seats: NDArray[np.int64], rng: np.random.Generator) -> np.ndarray:
    """Return full records drawn from what a seat of each knows, shape ``(n,)``."""
    worlds = take_games(states, np.arange(len(states)))
    determinize_all(worlds, seats, rng.integers(1, 1 << 64, size=len(states), dtype=np.uint64))
    return worlds


def _end_of_turn(
    states: np.ndarray, agent: Agent, options: Options, rng: np.random.Generator
) -> np.ndarray:
    """Play every position on until its turn or the game is over, and return where it stopped."""
    count = len(states)
    streams = RngStreams.from_generator(rng, count * options.players)
    by_seat = np.zeros((count, options.players), np.int64)
    tables = GameRunner([agent], options, np.zeros(count, np.int64), by_seat, streams)
    tables.go_on_from(states)
    batch, turns = tables.batch, states["turn"].copy()
    while len(tables.step()):
        batch.seats[batch.states["turn"] > turns] = NOBODY
    return batch.states
