"""Decisions sampled from new games, with the results of the games.

All analyses of positions use this module, so that they share the same positions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.playing.continuations import step_until, worlds_of
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import turns_played
from impulse_env.options import Options
from impulse_training.evaluation.calibration.positions import Decisions, PositionSampler

PER_GAME: Final = 6
"""Decisions sampled from a game. They are correlated, so more of them add little information."""
AT_ONCE: Final = 500
"""Games played at the same time."""


@dataclass(frozen=True)
class Sampled(Decisions):
    """Decisions of finished games, n in all, each with at least two legal actions.

    Attributes:
        games: See `Decisions`.
        states: The full records, shape ``(n,)``, dtype `STATE`.
        observations: Observations of the deciding seat, shape ``(n, features)``, uint8.
        masks: Its legal actions in its own frame, shape ``(n, N_ACTIONS)``, int8.
        seats: The deciding seat, shape ``(n,)``, int64.
        entrants: The agent on that seat, an index of `agents`, shape ``(n,)``.
        has_won: Whether that seat won in the end, shape ``(n,)``, bool.
        turns_to_come: Player turns until the end, the one under way included, shape ``(n,)``.
    """

    states: np.ndarray
    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    seats: NDArray[np.int64]
    entrants: NDArray[np.int64]
    has_won: NDArray[np.bool_]
    turns_to_come: NDArray[np.int64]

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


def sample_games(
    agents: Sequence[Agent],
    options: Options,
    seating: NDArray[np.int64],
    seed: int,
    *,
    per_game: int = PER_GAME,
    report: Callable[[int, int], None] = lambda done, games: None,
) -> Sampled:
    """Play games, each with its own deal, and return decisions of those with a winner.

    Args:
        agents: The agents.
        options: Options of the games.
        seating: The agent on each seat of each game, shape ``(games, players)``.
        seed: Random seed for the deals, the agents and the sampled decisions.
        per_game: The most decisions of a game.
        report: Called with the progress.

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
        parts.append(_sampled(PositionSampler(rng, per_game, 2, *given), start))
        report(start + len(deals[part]), len(seating))
    return Sampled.joined(parts)


def _sampled(tables: PositionSampler, first: int) -> Sampled:
    """Play games, numbered from `first`, and return the decisions sampled from them."""
    rows, places = tables.play_and_sample()
    ended = tables.batch.states
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
    """Return the points of the deciding seat in the rest of the turn, in several tries.

    Each try is a world sampled from the seat's knowledge, in which the agent plays all seats to the
    end of the turn.

    Args:
        sampled: The positions.
        agent: The agent; one that samples its actions tries more variants.
        options: Options of all games.
        tries: Number of tries for each position.
        seed: Random seed for the worlds and the agent.

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


def _end_of_turn(
    states: np.ndarray, agent: Agent, options: Options, rng: np.random.Generator
) -> np.ndarray:
    """Play every position until its turn or the game is over, and return the final states."""
    count = len(states)
    streams = RngStreams.from_generator(rng, count * options.players)
    by_seat = np.zeros((count, options.players), np.int64)
    tables = GameRunner([agent], options, states, by_seat, streams)
    turns = states["turn"].copy()
    step_until(tables, lambda batch: batch.states["turn"] > turns)
    return tables.batch.states
