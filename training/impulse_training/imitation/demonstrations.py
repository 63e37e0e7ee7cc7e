"""The observations and decisions of a teacher in its games, as shards for imitation learning.

A shard is one file with the decisions of several games. Its content depends only on the settings
and its number, so that a stopped recording can continue.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.asking.ask import ask_for_shares
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.environments.rewards import returns_of, score_margins, win_rewards
from impulse_training.imitation.imitation_options import DemonstrationConfig

GAMES_OF_SHARD: Final = 64
TOP_ACTIONS: Final = 12
"""Number of actions of a decision whose probabilities are stored."""


class Demonstrations(NamedTuple):
    """Decisions of the teacher, n in all.

    Attributes:
        observations: Shape ``(n, size(players))``, uint8.
        masks: Legal actions, packed, shape ``(n, ceil(N_ACTIONS / 8))``, uint8.
        actions: The teacher's most probable action, which it chose unless it samples, in the frame
            of its seat, shape ``(n,)``, uint8.
        top_actions: Its most probable actions, in descending order, shape ``(n, TOP_ACTIONS)``,
            uint8.
        shares: Their probabilities, see `Agent.action_probabilities`, shape ``(n, TOP_ACTIONS)``,
            float16.
        wins: The final reward of the teacher's seat for the result, shape ``(n,)``, float32.
        score_returns: The change of its lead in points until the end of the game, divided by the
            target, shape ``(n,)``, float32.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.uint8]
    actions: NDArray[np.uint8]
    top_actions: NDArray[np.uint8]
    shares: NDArray[np.float16]
    wins: NDArray[np.float32]
    score_returns: NDArray[np.float32]

    def legal(self, rows: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Return the legal actions of some rows, 1 for legal, shape ``(k, N_ACTIONS)``."""
        return np.unpackbits(self.masks[rows], axis=1, count=N_ACTIONS)

    def targets(self, rows: NDArray[np.intp]) -> NDArray[np.float32]:
        """Return the teacher's action probabilities, shape ``(k, N_ACTIONS)``; rows sum to 1."""
        found = np.zeros((len(rows), N_ACTIONS), np.float32)
        np.put_along_axis(found, self.top_actions[rows].astype(np.int64), self.shares[rows], 1)
        return found / found.sum(1, keepdims=True)

    def paid(self, reward: str) -> NDArray[np.float32]:
        """Return the return from each decision under the given reward."""
        return returns_of(self.wins, self.score_returns, reward)

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the decisions of several shards as one."""
        return cls(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class DemonstrationRunner(GameRunner):
    """Games that record the teacher's answers at the decisions of the first entrant.

    Args:
        teacher: The teacher.
        plays: Whether the teacher is the first entrant.
        arguments: Arguments of `GameRunner`.
    """

    def __init__(self, teacher: Agent, plays: bool, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.teacher, self.plays = teacher, plays
        self.seen: list[tuple[NDArray[Any], ...]] = []

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Ask the teacher for its action, and store it."""
        if entrant != 0:
            return super().choose_actions(entrant, tables)
        batch, rows = self.batch, self.rows(tables)
        seats = batch.seats[tables].astype(np.int64)
        own = self.streams.take(rows)
        seen = ObservationBatch.from_batch(batch, tables, self.teacher.needs_views)
        shares = ask_for_shares(self.teacher, seen, own)
        self.streams.put(rows, own)
        chosen = shares.argmax(1)
        top_actions = np.argsort(-shares, axis=1, kind="stable")[:, :TOP_ACTIONS]
        self.seen.append(
            (
                batch.observations[tables],
                np.packbits(batch.masks[tables], axis=1),
                chosen.astype(np.uint8),
                top_actions.astype(np.uint8),
                np.take_along_axis(shares, top_actions, 1).astype(np.float16),
                tables,
                seats,
                score_margins(batch.states[tables], seats),
            )
        )
        is_known = self.plays and not self.teacher.is_stochastic
        return chosen if is_known else super().choose_actions(entrant, tables)


def deal_and_seat(
    rng: np.random.Generator, games: int, players: int, entrants: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw the seeds of games, and the entrant on each seat.

    The first entrant gets half of the seats and at least one in every game. The other entrants are
    drawn for the other seats.

    Returns:
        Seeds, shape ``(games,)``, and the entrant on each seat, shape ``(games, players)``.
    """
    deals = rng.integers(2**63, size=games)
    others = rng.integers(1, entrants, (games, players)) if entrants > 1 else 0
    agent_by_seat = np.where(rng.random((games, players)) < 0.5, 0, others)
    agent_by_seat[np.arange(games), rng.integers(players, size=games)] = 0
    return deals, agent_by_seat


def record(source: DemonstrationConfig, shard: int) -> Demonstrations:
    """Play the games of a shard; return the teacher's actual or hypothetical decisions."""
    teacher = registry.make(source.teacher)
    player = teacher if source.rollout_policy is None else registry.make(source.rollout_policy)
    entrants = [player, *map(registry.make, source.opponents)]
    players = source.players
    rng = np.random.default_rng([source.seed, shard])
    deals, agent_by_seat = deal_and_seat(rng, GAMES_OF_SHARD, players, len(entrants))
    streams = RngStreams.from_generator(rng, GAMES_OF_SHARD * players)
    plays = source.rollout_policy is None
    watched = DemonstrationRunner(
        teacher, plays, entrants, source.options, deals, agent_by_seat, streams
    )
    watched.play_to_end()
    *columns, tables, seats, margins = (
        np.concatenate(column) for column in zip(*watched.seen, strict=True)
    )
    ended = watched.batch.states[tables]
    score_returns = score_margins(ended, seats) - margins
    return Demonstrations._make([*columns, win_rewards(ended, seats), score_returns])
