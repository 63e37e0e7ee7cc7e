"""Decisions of finished games, with the agent's expectation and the winner."""

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
"""Decisions sampled from a game. They are correlated, so more of them add little information."""
AT_ONCE: Final = 500
"""Games of a network played at the same time."""
SEARCHES_AT_ONCE: Final = 50
"""Games of a search played at the same time: more gain little speed and delay progress reports."""


@dataclass(frozen=True)
class Decisions:
    """Decisions of finished games, n in all; subclasses add the data of each.

    Attributes:
        games: The game of each, counted from 0, shape ``(n,)``, int64.
    """

    games: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.games)

    def take(self, rows: NDArray[Any]) -> Self:
        """Return the decisions selected by index or by a mask."""
        return type(self)(*(getattr(self, field.name)[rows] for field in fields(self)))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the decisions of all parts as one."""
        columns = (np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls))
        return cls(*columns)


@dataclass(frozen=True)
class Positions(Decisions):
    """Decisions of finished games, n in all, each seen by the seat that decides.

    Attributes:
        games: See `Decisions`.
        expected: The agent's value for that seat, the input of
            `impulse_agents.calibration.Calibration`, shape ``(n,)``, float32.
        progress: Progress of the game, 0 to 1, shape ``(n,)``, float32.
        by_rules: The chance to win of that seat's side by the rule-based evaluation, which also
            sees the hidden cards, shape ``(n,)``, float64.
        has_won: Whether the side won in the end, shape ``(n,)``, bool.
    """

    expected: NDArray[np.float32]
    progress: NDArray[np.float32]
    by_rules: NDArray[np.float64]
    has_won: NDArray[np.bool_]

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each decision; the weights of a game sum to 1."""
        counts = np.bincount(self.games)
        return 1 / counts[self.games]


class PositionSampler(GameRunner):
    """Games that sample some of their decisions, each decision of a game with equal chance.

    Attributes:
        states: The games at the sampled decisions, shape ``(tables, per_game)``.
        observations: Observations of the deciding seat, ``(tables, per_game, features)``, uint8.
        masks: Its legal actions, shape ``(tables, per_game, N_ACTIONS)``, int8.
        seats: The deciding seat, shape ``(tables, per_game)``; `NOBODY` in unused places.
    """

    def __init__(
        self, rng: np.random.Generator, per_game: int, least_legal: int, *arguments: Any
    ) -> None:
        """Deal the games.

        Args:
            rng: Draws the sampled decisions.
            per_game: The most decisions sampled from a game.
            least_legal: The least number of legal actions of a sampled decision.
            arguments: Arguments of `GameRunner`.
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
        """Store the decision, possibly over an earlier one (reservoir sampling)."""
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
        """Play all games; return table and place of the decisions in games with a winner."""
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
    """Play games of an agent, and return decisions of all seats in the games with a winner.

    In every second game the agent plays all sides. In the others it plays one side and one of the
    opponents plays all other sides; side and opponent rotate. Each game has its own deal.

    Args:
        agent: The agent.
        options: Options of the games.
        opponents: Names of agents.
        games: Number of games.
        seed: Random seed for the deals, the agents and the sampled decisions.
        on_progress: Called from time to time with the number of finished games.

    Raises:
        AgentError: An opponent does not exist.
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
    trained = agent.config.get("trained") or {}  # a checkpoint may lack it
    return Options(agent.config["players"], trained.get("team_size"))


def _seating(games: int, opponents: int, options: Options) -> NDArray[np.int64]:
    """Return the entrant on each seat, ``(games, players)``: 0 for the agent, then opponents."""
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
    """Play games, numbered from `first`, and return the decisions sampled from them."""
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
    """Return the search's log-odds for the seat to move, shape ``(n,)``."""
    chances = np.zeros(len(states))
    for row in range(len(states)):
        seen = ObservationBatch.from_game(Game.from_state(states[row]))
        forest = agent.search_tree(seen, RngStreams.from_generator(rng, 1))
        chances[row] = principal_variations(forest, 1, 1)[0].value
    return log_odds(chances).astype(np.float32)
