"""The luck of games, event by event.

After a draw, the same decision is taken again in a few worlds, in which everything that no seat had
seen is resampled. The luck of the event is the sides' chances after the actual outcome, minus the
mean over these worlds. If an agent sampled its choice, that choice has luck, too: the mean after
it, minus the mean over all choices, weighted by the agent's probabilities.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask_for_shares
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.luck.chance import KINDS, Kind, drew, kinds_of, redrawn, stepped
from impulse_agents.luck.coefficients import Coefficients
from impulse_agents.luck.game_log import Played
from impulse_agents.luck.values import Values, shares_or_results
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch, take_games
from impulse_env.frame import own_frame
from impulse_env.options import Options

WORLDS: Final = 8
"""Number of resampled worlds; their own noise adds an eighth to that of the luck."""
DEALS: Final = 4096
"""Number of deals whose mean is a side's chance before the deal."""
_AT_ONCE: Final = 256
"""Games that are replayed in parallel."""
_DEAL_SEED: Final = 1_618_033
_NO_DECISION: Final = -1
_SEEDS: Final = 1 << 64


@dataclass(frozen=True)
class Luck:
    """Each side's luck in m events of n games.

    Attributes:
        games: The number of games, n.
        game: The game of each event, shape ``(m,)``.
        decision: The number of the decision before it, from 0, -1 for the deal; shape ``(m,)``.
        kind: See `Kind`, shape ``(m,)``, int8.
        change: The gain of each side's chance to win, shape ``(m, sides)``; the sum is 0, except in
            truncated games.
    """

    games: int
    game: NDArray[np.int64]
    decision: NDArray[np.int64]
    kind: NDArray[np.int8]
    change: NDArray[np.float64]

    @property
    def by_kind(self) -> NDArray[np.float64]:
        """The sums of each game, shape ``(n, len(KINDS), sides)``."""
        sums = np.zeros((self.games, len(KINDS), self.change.shape[1]))
        np.add.at(sums, (self.game, self.kind.astype(np.int64)), self.change)
        return sums

    def total(self, coefficients: Coefficients) -> NDArray[np.float64]:
        """Return what to take out of each side's result, shape ``(n, sides)``."""
        return np.einsum("nks,k->ns", self.by_kind, coefficients.by_kind)


def luck_of(
    played: Played,
    values: Values,
    *,
    worlds: int = WORLDS,
    choosers: Mapping[tuple[int, int], Agent] | None = None,
) -> Luck:
    """Return the luck of games; that of a game does not depend on the other games.

    Args:
        played: The games.
        values: The value function, fixed before the games.
        worlds: Number of resampled worlds, 1 or more; their seeds follow from the deal.
        choosers: Agents that sample their choices (`is_stochastic`), by number of the game, from 0,
            and seat. The result includes the luck of these choices.

    Raises:
        AgentError: The value function or an agent does not play such games.
        IllegalActionError: A recorded action is not legal.
    """
    drawing = {} if choosers is None else choosers
    parts = []
    for start in range(0, len(played), _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, len(played)))
        parts.append(_Replay(played, numbers, values, worlds, drawing).luck())
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Luck(len(played), *columns)


def luck_to_take_out(
    played: Played,
    values: Values,
    agents: Sequence[Agent],
    agent_by_seat: NDArray[np.integer[Any]],
) -> NDArray[np.float64]:
    """Return the luck to take out of each side's result, shape ``(n, sides)``.

    Args:
        played: The games.
        values: The value function, with its coefficients.
        agents: The agents that played.
        agent_by_seat: Index of the agent on each seat, shape ``(n, players)``.
    """
    factors = values.coefficients(played.options.players, played.options.team_count)
    choosers = drawing_seats(agents, agent_by_seat) if factors.by_kind[Kind.CHOICE] else {}
    return luck_of(played, values, choosers=choosers).total(factors)


def drawing_seats(
    agents: Sequence[Agent], agent_by_seat: NDArray[np.integer[Any]]
) -> dict[tuple[int, int], Agent]:
    """Return the agents that sample their choices, in the form of `luck_of`'s `choosers`.

    Args:
        agents: The agents.
        agent_by_seat: Index of the agent on each seat, shape ``(games, players)``.
    """
    return {
        (int(game), int(seat)): agent
        for number, agent in enumerate(agents)
        if agent.is_stochastic
        for game, seat in np.argwhere(agent_by_seat == number)
    }


Events = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int8], NDArray[np.float64]]
"""Game, decision, kind and change of events."""


class _Replay(GameRunner):
    """Some of the games, replayed in parallel with the recorded actions."""

    def __init__(
        self,
        played: Played,
        numbers: range,
        values: Values,
        worlds: int,
        choosers: Mapping[tuple[int, int], Agent],
    ) -> None:
        rows = np.arange(numbers.start, numbers.stop)
        starts = take_games(played.starts, rows)
        by_seat = np.zeros((len(rows), played.options.players), np.int64)
        super().__init__((), played.options, starts, by_seat, RngStreams.from_seeds(()))
        self.numbers = rows
        self.values = values
        self.worlds = worlds
        self.sides = played.options.team_count
        self.choosers = choosers
        self.deal_seeds = [played.deals[row] for row in rows.tolist()]
        self.chosen = [played.actions[row] for row in rows.tolist()]
        self.decision = _NO_DECISION
        self.recorded = np.zeros(len(rows), np.int64)
        self.events: list[Events] = []

    def luck(self) -> Events:
        """Play the games to their recorded ends; return the random events."""
        self._note_deals()
        lengths = np.array([len(actions) for actions in self.chosen])
        for self.decision in range(lengths.max(initial=0)):
            self.batch.seats[lengths <= self.decision] = NOBODY
            self.step()
        columns = [np.concatenate(column) for column in zip(*self.events, strict=True)]
        return columns[0], columns[1], columns[2], columns[3]

    def step(self) -> NDArray[np.intp]:
        """Take one decision in every running game, and note its luck."""
        batch = self.batch
        rows = np.flatnonzero(batch.seats != NOBODY)
        before, seats = take_games(batch.states, rows), batch.seats[rows]
        choosing = self._choosing(rows, seats)
        self.recorded[rows] = [self.chosen[row][self.decision] for row in rows]
        super().step()
        after = take_games(batch.states, rows)
        actions = self.recorded[rows]

        drawn = np.flatnonzero(drew(before, after))
        came, were = take_games(after, drawn), take_games(before, drawn)
        means = self._means(were, seats[drawn], actions[drawn], rows[drawn])
        change = self._stand(came, batch.seats[rows[drawn]]) - means
        self._note(rows[drawn], kinds_of(were, came), change)
        for at, agent, seen in choosing:
            one = slice(at, at + 1)
            change = self._choice(agent, seen, before[one], int(actions[at]), int(rows[at]))
            self._note(rows[one], np.array([Kind.CHOICE], np.int8), change[None])
        return rows

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return the recorded actions, in the own frame; invalid numbers stay unchanged."""
        actions = self.recorded[tables]
        is_action = (actions >= 0) & (actions < N_ACTIONS)
        own = own_frame(self.batch.options.players)
        return np.where(is_action, own[self.batch.seats[tables], actions * is_action], actions)

    def _note_deals(self) -> None:
        dealt = np.array(
            [row for row, deal in enumerate(self.deal_seeds) if deal is not None], np.intp
        )
        before = mean_of_deals(self.values, self.batch.options)
        stand = self._stand(take_games(self.batch.states, dealt), self.batch.seats[dealt])
        self._note(dealt, np.full(len(dealt), Kind.DEAL, np.int8), stand - before)

    def _choosing(
        self, rows: NDArray[np.intp], seats: NDArray[np.int8]
    ) -> list[tuple[int, Agent, ObservationBatch]]:
        """Return index, agent and observation for each game where an agent samples its choice."""
        if not self.choosers:
            return []
        sitting = [
            self.choosers.get((int(self.numbers[row]), int(seat)))
            for row, seat in zip(rows, seats, strict=True)
        ]
        return [
            (at, agent, ObservationBatch.from_batch(self.batch, rows[at : at + 1], with_views=True))
            for at, agent in enumerate(sitting)
            if agent is not None and self.batch.masks[rows[at]].sum() > 1
        ]

    def _choice(
        self, agent: Agent, seen: ObservationBatch, state: np.ndarray, action: int, row: int
    ) -> NDArray[np.float64]:
        """Return each side's luck from an agent's sampled choice, shape ``(sides,)``.

        Args:
            agent: The agent.
            seen: Its observation, as a single row.
            state: The game at the decision, shape ``(1,)``.
            action: The chosen action, absolute.
            row: The number of the game in this part.
        """
        own = own_frame(self.batch.options.players)[seen.seats[0]]
        legal = np.flatnonzero(seen.masks[0, own])
        by_action = ask_for_shares(agent, seen, RngStreams.from_seeds([self.decision]))
        shares = by_action[0, own[legal]].astype(np.float64)
        means = self._means(
            take_games(state, np.zeros(len(legal), np.intp)),
            np.repeat(seen.seats, len(legal)),
            legal,
            np.full(len(legal), row),
        )
        return means[np.searchsorted(legal, action)] - shares @ means / shares.sum()

    def _means(
        self,
        states: np.ndarray,
        seats: NDArray[np.int8],
        actions: NDArray[np.int64],
        rows: NDArray[np.intp],
    ) -> NDArray[np.float64]:
        """Return the sides' mean chances after decisions, shape ``(n, sides)``.

        All choices of a decision are tried in the same worlds. A choice that draws nothing needs
        only one world.
        """
        means = np.zeros((len(states), self.sides))
        after = states.copy()
        deciding = stepped(after, seats, actions)
        is_drawing = drew(states, after)
        sure, some = np.flatnonzero(~is_drawing), np.flatnonzero(is_drawing)
        means[sure] = self._stand(take_games(after, sure), deciding[sure])
        seeds = np.array([self._seeds(int(row)) for row in rows[some]], np.uint64)
        there, next_to = redrawn(
            take_games(states, some),
            seats[some],
            actions[some],
            seeds.reshape(len(some), self.worlds),
        )
        means[some] = (
            self._stand(there, next_to).reshape(len(some), self.worlds, self.sides).mean(axis=1)
        )
        return means

    def _seeds(self, row: int) -> NDArray[np.uint64]:
        """Return the seeds of the decision's worlds, shape ``(worlds,)``."""
        deal = self.deal_seeds[row] or 0
        key = (deal % _SEEDS, self.decision)  # independent of the game's own random numbers
        return np.random.default_rng(key).integers(1, 1 << 64, size=self.worlds, dtype=np.uint64)

    def _stand(self, states: np.ndarray, deciding: NDArray[np.int8]) -> NDArray[np.float64]:
        return shares_or_results(self.values, states, deciding, self.sides)

    def _note(
        self, rows: NDArray[np.intp], kinds: NDArray[np.int8], change: NDArray[np.float64]
    ) -> None:
        games = self.numbers[rows].astype(np.int64)
        self.events.append((games, np.full(len(rows), self.decision, np.int64), kinds, change))


@lru_cache(maxsize=32)
def mean_of_deals(values: Values, options: Options) -> NDArray[np.float64]:
    """Return each side's mean chance before the deal, shape ``(sides,)``.

    Args:
        values: The value function.
        options: Options of the game. The deals differ from those of any match.
    """
    deals = np.random.default_rng(_DEAL_SEED).integers(2**63, size=DEALS)
    fresh = GameBatch(options, deals)
    return values.shares(fresh.states, options.team_count).mean(axis=0)
