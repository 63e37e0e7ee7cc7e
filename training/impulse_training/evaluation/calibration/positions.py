"""Decisions of finished games: what an agent expected there, and who won."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.calibration import log_odds, progress_of
from impulse_agents.luck.values import RuleValues
from impulse_agents.network.agent import PolicyAgent, expected_outcomes
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import TreeSearchAgent
from impulse_agents.search.variations import principal_variations
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, take_games
from impulse_env.engine.state import STATE
from impulse_env.game import Game
from impulse_env.observation import size as observation_size
from impulse_env.options import Options

PER_GAME: Final = 8
"""Decisions kept of a game: they hang together, so more of them tell little more."""
AT_ONCE: Final = 500
"""Games of a network side by side."""
SEARCHES_AT_ONCE: Final = 50
"""Games of a search side by side: it gains little from more, and progress can be seen."""


@dataclass(frozen=True)
class Decisions:
    """Decisions of finished games, n in all; subclasses say what is known of each.

    Attributes:
        games: The game of each, counted from 0, shape ``(n,)``, int64.
    """

    games: NDArray[np.int64]

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


@dataclass(frozen=True)
class Positions(Decisions):
    """Decisions of finished games, n in all, each as the seat that decides sees it.

    Attributes:
        games: See `Decisions`.
        expected: What the agent expects for its seat, see
            `impulse_agents.calibration.Calibration`, shape ``(n,)``, float32.
        progress: How far the game is, 0 to 1, shape ``(n,)``, float32.
        by_rules: The chance to win that the rule-based evaluation gives to that seat's side; it is
            shown the hidden cards too. Shape ``(n,)``, float64.
        has_won: Whether the side won in the end, shape ``(n,)``, bool.
    """

    expected: NDArray[np.float32]
    progress: NDArray[np.float32]
    by_rules: NDArray[np.float64]
    has_won: NDArray[np.bool_]

    @property
    def weights(self) -> NDArray[np.float64]:
        """How much each counts: 1 in all for every game."""
        counts = np.bincount(self.games)
        return 1 / counts[self.games]


class PositionSampler(GameRunner):
    """Games of which some decisions are kept, each decision of a game being as likely.

    Attributes:
        states: The games at the decisions that were kept, shape ``(tables, per_game)``.
        observations: What the seat that decided saw, shape ``(tables, per_game, features)``, uint8.
        masks: What was legal for it, shape ``(tables, per_game, N_ACTIONS)``, int8.
        seats: Which seat that was, shape ``(tables, per_game)``, `NOBODY` where no decision is.
    """

    def __init__(
        self, rng: np.random.Generator, per_game: int, least_legal: int, *arguments: Any
    ) -> None:
        """Deal the games.

        Args:
            rng: Draws the decisions that are kept.
            per_game: How many of a game are kept at most.
            least_legal: How many legal actions such a decision has at least.
            arguments: Those of `GameRunner`.
        """
        super().__init__(*arguments)
        shape = (len(self.batch.seats), per_game)
        self._rng, self._least_legal = rng, least_legal
        self._seen = np.zeros(shape[0], np.int64)
        self.states = np.zeros(shape, STATE)
        width = observation_size(self.batch.options.players)
        self.observations = np.zeros((*shape, width), np.uint8)
        self.masks = np.zeros((*shape, N_ACTIONS), np.int8)
        self.seats = np.full(shape, NOBODY, np.int8)

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Keep a decision in the place of an earlier one, or not (reservoir sampling)."""
        batch, per_game = self.batch, self.seats.shape[1]
        tables = tables[batch.masks[tables].sum(axis=1, dtype=np.int64) >= self._least_legal]
        seen = self._seen[tables]
        drawn = self._rng.integers(0, seen + 1)
        places = np.where(seen < per_game, seen, drawn)
        self._seen[tables] += 1
        tables, places = tables[places < per_game], places[places < per_game]
        self.states[tables, places] = take_games(batch.states, tables)
        self.observations[tables, places] = batch.observations[tables]
        self.masks[tables, places] = batch.masks[tables]
        self.seats[tables, places] = batch.seats[tables]

    def play_and_sample(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Play all games; return table and place of the decisions of those that somebody won."""
        self.play_to_end()
        is_won = self.batch.states["winner"] >= 0
        rows, places = np.nonzero((self.seats != NOBODY) & is_won[:, None])
        return rows, places


def sample_positions(
    agent: PolicyAgent | TreeSearchAgent,
    options: Options,
    opponents: Sequence[str],
    games: int,
    seed: int,
    on_progress: Callable[[int], None] = lambda played: None,
) -> Positions:
    """Play games of an agent, and return decisions of all seats in those that somebody won.

    In every other game it plays all sides; in those between it has one side, by turns, and one of
    the opponents, by turns, has all others. Each game is a deal of its own.

    Args:
        agent: The agent.
        options: What is played.
        opponents: Agents.
        games: How many games.
        seed: Of the deals, of the agents, and of which decisions are taken.
        on_progress: Called now and then with the number of games that are finished.

    Raises:
        AgentError: There is no such opponent.
    """
    entrants: list[Agent] = [agent, *map(registry.make, opponents)]
    rng = np.random.default_rng([seed, options.players])
    deals = rng.integers(2**63, size=games)
    seating = _seating(games, len(opponents), options)
    parts = []
    at_once = SEARCHES_AT_ONCE if isinstance(agent, TreeSearchAgent) else AT_ONCE
    for start in range(0, games, at_once):
        part = slice(start, start + at_once)
        streams = RngStreams.from_generator(rng, len(deals[part]) * options.players)
        given = entrants, options, deals[part], seating[part], streams
        tables = PositionSampler(rng, PER_GAME, 1, *given)
        parts.append(_measured(agent, tables, start, rng))
        on_progress(start + len(deals[part]))
    return Positions.joined(parts)


def options_of(agent: PolicyAgent) -> Options:
    """Return the options of the table that an agent was trained for."""
    trained = agent.config.get("trained") or {}  # a checkpoint need not tell
    return Options(agent.config["players"], trained.get("team_size"))


def _seating(games: int, opponents: int, options: Options) -> NDArray[np.int64]:
    """Return who sits where, shape ``(games, players)``: 0 for the agent, then the opponents."""
    sides = np.arange(options.players) % options.team_count
    number = np.arange(games) // 2
    others = 1 + number % opponents
    own_side = number // opponents % options.team_count
    is_alone = (np.arange(games) % 2 == 1)[:, None]
    return np.where(is_alone & (sides != own_side[:, None]), others[:, None], 0)


def _measured(
    agent: PolicyAgent | TreeSearchAgent,
    tables: PositionSampler,
    first: int,
    rng: np.random.Generator,
) -> Positions:
    """Play games, the first of which has that number, and return the decisions kept of them."""
    sides = tables.batch.options.team_count
    rows, places = tables.play_and_sample()
    states = tables.states[rows, places]
    seats = tables.seats[rows, places].astype(np.int64)
    if isinstance(agent, TreeSearchAgent):
        expected = _found_by_search(agent, states, rng)
    else:
        seen = np.array_split(tables.observations[rows, places], max(1, len(rows) // 1024))
        values = np.concatenate([agent.evaluate(some)[1] for some in seen])
        expected = expected_outcomes(values, states, seats, agent.has_score_reward)
    return Positions(
        first + rows,
        expected,
        progress_of(states),
        RuleValues().shares(states, sides)[np.arange(len(rows)), seats % sides],
        tables.batch.states["winner"][rows] == seats % sides,
    )


def _found_by_search(
    agent: TreeSearchAgent, states: np.ndarray, rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return the odds of whoever decides that a search finds, as logarithms, shape ``(n,)``."""
    chances = np.zeros(len(states))
    for row in range(len(states)):
        seen = ObservationBatch.from_game(Game.from_state(states[row]))
        forest = agent.search_tree(seen, RngStreams.from_generator(rng, 1))
        chances[row] = principal_variations(forest, 1, 1)[0].value
    return log_odds(chances).astype(np.float32)
