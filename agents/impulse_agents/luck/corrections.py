"""The luck of games, event by event.

After a draw, the same decision is taken again in a few worlds, in which everything that no seat had
seen is resampled. The luck of the event is the sides' chances after the actual outcome, minus the
mean over these worlds. If an agent sampled its choice, that choice has luck, too: the mean after
it, minus the mean over all choices, weighted by the agent's probabilities.
"""

from collections.abc import Callable, Mapping, Sequence
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
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch, put_games, step_games, take_games
from impulse_env.frame import own_frame
from impulse_env.information import decider, redact_all
from impulse_env.observation import observe_all
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

ProgressCallback = Callable[[int, int], None]
"""Takes the number of finished games, and the number of all games."""


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
    tell: ProgressCallback = lambda done, of: None,
) -> Luck:
    """Return the luck of games; that of a game does not depend on the other games.

    Args:
        played: The games.
        values: The value function, fixed before the games.
        worlds: Number of resampled worlds, 1 or more; their seeds follow from the deal.
        choosers: Agents that sample their choices (`is_stochastic`), by number of the game, from 0,
            and seat. The result includes the luck of these choices.
        tell: Called with the progress.

    Raises:
        AgentError: The value function or an agent does not play such games.
        IllegalActionError: A recorded action is not legal.
    """
    drawing = {} if choosers is None else choosers
    parts = []
    for start in range(0, len(played), _AT_ONCE):
        numbers = range(start, min(start + _AT_ONCE, len(played)))
        parts.append(_Replay(played, numbers, values, worlds, drawing).luck())
        tell(numbers.stop, len(played))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Luck(len(played), *columns)


def luck_to_take_out(
    played: Played,
    values: Values,
    agents: Sequence[Agent],
    agent_by_seat: NDArray[np.integer[Any]],
    tell: ProgressCallback = lambda done, of: None,
) -> NDArray[np.float64]:
    """Return the luck to take out of each side's result, shape ``(n, sides)``.

    Args:
        played: The games.
        values: The value function, with its coefficients.
        agents: The agents that played.
        agent_by_seat: Index of the agent on each seat, shape ``(n, players)``.
        tell: Called with the progress.
    """
    factors = values.coefficients(played.options.players, played.options.team_count)
    choosers = drawing_seats(agents, agent_by_seat) if factors.by_kind[Kind.CHOICE] else {}
    return luck_of(played, values, choosers=choosers, tell=tell).total(factors)


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


class _Replay:
    """Some of the games, played again side by side."""

    def __init__(
        self,
        played: Played,
        numbers: range,
        values: Values,
        worlds: int,
        choosers: Mapping[tuple[int, int], Agent],
    ) -> None:
        rows = np.arange(numbers.start, numbers.stop)
        self.played = played
        self.numbers = rows
        self.values = values
        self.worlds = worlds
        self.sides = played.options.team_count
        self.choosers = choosers
        self.states = take_games(played.starts, rows)
        self.seats = played.seats[rows]
        self.masks = np.zeros((len(rows), N_ACTIONS), np.int8)
        self._see_masks()
        self.events: list[Events] = []

    def luck(self) -> Events:
        """Play the games to where they ended; return what chance did."""
        self._deals()
        lengths = np.array([len(self.played.actions[row]) for row in self.numbers.tolist()])
        for decision in range(lengths.max(initial=0)):
            going = np.flatnonzero(lengths > decision)
            chosen = [self.played.actions[int(self.numbers[row])][decision] for row in going]
            self._decide(going, decision, np.array(chosen, np.int64))
        columns = [np.concatenate(column) for column in zip(*self.events, strict=True)]
        return columns[0], columns[1], columns[2], columns[3]

    def _see_masks(self) -> None:
        """Fill in the legal actions of the first decisions."""
        undecided = np.full(len(self.seats), NOBODY, np.int8)
        if len(undecided):
            step_games(self.states, np.zeros(len(undecided), np.int64), self.masks, undecided)

    def _deals(self) -> None:
        deals = [self.played.deals[row] for row in self.numbers.tolist()]
        dealt = np.array([row for row, deal in enumerate(deals) if deal is not None], np.intp)
        before = mean_of_deals(self.values, self.played.options)
        stand = self._stand(take_games(self.states, dealt), self.seats[dealt])
        self._note(dealt, _NO_DECISION, np.full(len(dealt), Kind.DEAL, np.int8), stand - before)

    def _decide(self, rows: NDArray[np.intp], decision: int, actions: NDArray[np.int64]) -> None:
        """Take a decision in some of the games, and note the luck of it."""
        before, seats = take_games(self.states, rows), self.seats[rows]
        after, deciding, masks = before.copy(), seats.copy(), self.masks[rows]
        open_to = masks.copy()
        step_games(after, actions, masks, deciding)
        put_games(self.states, rows, after)
        self.seats[rows], self.masks[rows] = deciding, masks

        drawn = np.flatnonzero(drew(before, after))
        came, were = take_games(after, drawn), take_games(before, drawn)
        means = self._means(were, seats[drawn], actions[drawn], rows[drawn], decision)
        change = self._stand(came, deciding[drawn]) - means
        self._note(rows[drawn], decision, kinds_of(were, came), change)
        for at, agent in self._choosing(rows, seats, open_to):
            one = slice(at, at + 1)
            change = self._choice(
                agent, before[one], open_to[at], int(actions[at]), rows[at], decision
            )
            self._note(rows[one], decision, np.array([Kind.CHOICE], np.int8), change[None])

    def _choosing(
        self, rows: NDArray[np.intp], seats: NDArray[np.int8], masks: NDArray[np.int8]
    ) -> list[tuple[int, Agent]]:
        """Return where an agent drew its choice, and which agent."""
        if not self.choosers:
            return []
        sitting = [
            self.choosers.get((int(self.numbers[row]), int(seat)))
            for row, seat in zip(rows, seats, strict=True)
        ]
        return [
            (at, agent)
            for at, agent in enumerate(sitting)
            if agent is not None and masks[at].sum() > 1
        ]

    def _choice(
        self,
        agent: Agent,
        state: np.ndarray,
        mask: NDArray[np.int8],
        action: int,
        row: int,
        decision: int,
    ) -> NDArray[np.float64]:
        """Return what each side gained by what an agent drew among its choices, shape ``(sides,)``.

        Args:
            agent: The agent.
            state: The game at the decision, shape ``(1,)``.
            mask: The legal actions, absolute, shape ``(N_ACTIONS,)``.
            action: What was chosen.
            row: Which game.
            decision: Which decision of it.
        """
        players, seat = int(state["players"][0]), decider(state[0])
        legal = np.flatnonzero(mask)
        own = own_frame(players)[seat]
        own_mask = np.zeros((1, N_ACTIONS), np.int8)
        own_mask[0, own[legal]] = 1
        seats = np.full(1, seat, np.int8)
        view = state.copy()
        redact_all(view, seats.astype(np.int64))
        seen = ObservationBatch(observe_all(state, seats), own_mask, seats, view)
        streams = RngStreams.from_seeds([decision])
        told = ask_for_shares(agent, seen, streams)
        shares = told[0, own[legal]].astype(np.float64)
        means = self._means(
            take_games(state, np.zeros(len(legal), np.intp)),
            np.full(len(legal), seat, np.int8),
            legal,
            np.full(len(legal), row),
            decision,
        )
        return means[np.searchsorted(legal, action)] - shares @ means / shares.sum()

    def _means(
        self,
        states: np.ndarray,
        seats: NDArray[np.int8],
        actions: NDArray[np.int64],
        rows: NDArray[np.intp],
        decision: int,
    ) -> NDArray[np.float64]:
        """Return how the sides stand on average after decisions, shape ``(n, sides)``.

        The choices of a decision are tried in the same worlds; where one draws nothing all worlds
        are alike, and one will do.
        """
        means = np.zeros((len(states), self.sides))
        after = states.copy()
        deciding = stepped(after, seats, actions)
        is_drawing = drew(states, after)
        sure, some = np.flatnonzero(~is_drawing), np.flatnonzero(is_drawing)
        means[sure] = self._stand(take_games(after, sure), deciding[sure])
        seeds = np.array([self._seeds(int(row), decision) for row in rows[some]], np.uint64)
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

    def _seeds(self, row: int, decision: int) -> NDArray[np.uint64]:
        """Return the seeds of a decision's worlds, shape ``(worlds,)``."""
        deal = self.played.deals[int(self.numbers[row])] or 0
        key = (deal % _SEEDS, decision)  # of another kind than the game's own randomness
        return np.random.default_rng(key).integers(1, 1 << 64, size=self.worlds, dtype=np.uint64)

    def _stand(self, states: np.ndarray, deciding: NDArray[np.int8]) -> NDArray[np.float64]:
        return shares_or_results(self.values, states, deciding, self.sides)

    def _note(
        self,
        rows: NDArray[np.intp],
        decision: int,
        kinds: NDArray[np.int8],
        change: NDArray[np.float64],
    ) -> None:
        games = self.numbers[rows].astype(np.int64)
        self.events.append((games, np.full(len(rows), decision, np.int64), kinds, change))


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
