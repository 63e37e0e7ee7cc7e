"""The decisions of recorded games: observation, legal actions, action and returns of each."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.arguments import checked_integer
from impulse_env.batch import take_games
from impulse_env.environments.rewards import returns_of, score_margins, win_rewards
from impulse_env.errors import RecordError
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.observation import observe_all, size
from impulse_env.options import OptionError
from impulse_env.outcomes import END_BY_STATUS
from impulse_env.records.recorded_games import RecordedGame
from impulse_env.records.side_by_side import SideBySide, beginnings

GAMES_AT_ONCE: Final = 256
"""Number of games replayed at once: more take more memory and are hardly faster."""


class Decisions(NamedTuple):
    """Recorded decisions, n in all: game by game, and in order within each game.

    Attributes:
        observations: Observations of the seat that decides, shape
            ``(n, observation.size(players))``, uint8.
        masks: Its legal actions, in its own frame, shape ``(n, N_ACTIONS)``, int8, 1 for legal.
        actions: Its actions, in its own frame, shape ``(n,)``, int64.
        wins: Its reward at the end of the game, shape ``(n,)``, float32: see `win_rewards`.
        score_returns: The change of its lead in points until the end, divided by the target, shape
            ``(n,)``, float32: see `score_margins`.
        games: Number of the game, from 0, in the order of reading, shape ``(n,)``, int64.
        seats: The seat that decides, shape ``(n,)``, int8.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    wins: NDArray[np.float32]
    score_returns: NDArray[np.float32]
    games: NDArray[np.int64]
    seats: NDArray[np.int8]

    def returns(self, reward: str) -> NDArray[np.float32]:
        """Return the return of each decision in an environment with that reward, shape ``(n,)``."""
        return returns_of(self.wins, self.score_returns, reward)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """Return the decisions of some rows, given as a mask or as indices."""
        return type(self)._make([column[rows] for column in self])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the decisions of several parts as one."""
        return cls._make(np.concatenate(column) for column in zip(*parts, strict=True))


class Part(NamedTuple):
    """The decisions and final records of G games.

    Attributes:
        plays: The games, G in all.
        decisions: Their decisions.
        states: Their final records, shape ``(G,)``, dtype `STATE`.
        first: Number of the first game.
    """

    plays: Sequence[RecordedGame]
    decisions: Decisions
    states: np.ndarray
    first: int

    def last_observations(
        self, games: NDArray[np.int64], seats: NDArray[np.int8]
    ) -> NDArray[np.uint8]:
        """Return the observations of seats at the end of games, given the numbers of the games."""
        return observe_all(take_games(self.states, games - self.first), seats)


def decisions(plays: Iterable[RecordedGame], agents: Collection[str] | None = None) -> Decisions:
    """Return the decisions of games, all in memory; use `stream` for more games than fit.

    Args:
        plays: Games with the same number of players, as `records` and `tournament_games` yield
            them. Unfinished games are skipped, because their rewards are unknown.
        agents: The agents whose decisions to return; None: all agents.

    Raises:
        RecordError: A game differs from its record, or has another number of players than the
            first game.
        OptionError: The games contain no decision of these agents.
    """
    parts = list(stream(plays, agents=agents))
    if not sum(len(part.actions) for part in parts):
        whose = "" if agents is None else f" of {', '.join(sorted(agents))}"
        raise OptionError(f"there is no decision{whose} in games that were played to their end")
    return Decisions.joined(parts)


def stream(
    plays: Iterable[RecordedGame],
    games: int = GAMES_AT_ONCE,
    agents: Collection[str] | None = None,
) -> Iterator[Decisions]:
    """Yield the decisions of `games` games at a time; for arguments and errors see `decisions`.

    Raises:
        ArgumentError: `games` is not an integer of 1 or more.
    """
    for part in parts_of(plays, games, agents):
        yield part.decisions


def parts_of(
    plays: Iterable[RecordedGame], games: int, agents: Collection[str] | None
) -> Iterator[Part]:
    """Yield `games` games at a time with their decisions and final records, see `stream`."""
    games = checked_integer("games", games, 1)
    ended = (play for play in plays if play.end in END_BY_STATUS.values())
    players, first = None, 0
    while some := list(islice(ended, games)):
        players = players or some[0].header.options.players
        _check_players(some, players)
        rows, states = _replayed(some, players, first)
        if agents is not None:
            rows = rows.take(_played_by(some, rows, first, agents))
        yield Part(some, rows, states, first)
        first += len(some)


def _check_players(plays: Sequence[RecordedGame], players: int) -> None:
    for play in plays:
        if play.header.options.players != players:
            raise RecordError(
                f"{play.where}: this game has {play.header.options.players} players, earlier games "
                f"have {players}; their observations differ in size"
            )


def _replayed(
    plays: Sequence[RecordedGame], players: int, first: int
) -> tuple[Decisions, np.ndarray]:
    """Return the decisions of games, and the final records."""
    lengths = np.array([len(play.actions) for play in plays])
    begins, count = np.cumsum(lengths) - lengths, int(lengths.sum())
    observations = np.empty((count, size(players)), np.uint8)
    masks = np.empty((count, N_ACTIONS), np.int8)
    actions, seats = np.empty(count, np.int64), np.empty(count, np.int8)
    margins = np.empty(count, np.float32)
    states = beginnings(plays)
    again = SideBySide(
        plays,
        states,
        np.zeros(len(plays), np.bool_),
        (absolute_frame(players), own_frame(players)),
        np.empty((len(plays), size(players)), np.uint8),
    )
    for games in again:
        rows = begins[games] + again.taken[games]
        observations[rows] = again.observations[games]
        masks[rows] = again.masks[games]
        actions[rows] = again.actions[games]
        seats[rows] = deciding = again.seats[games]
        margins[rows] = score_margins(take_games(states, games), deciding.astype(np.int64))
    of_rows = np.repeat(np.arange(len(plays)), lengths)
    ends = np.stack([_paid(states, np.full(len(plays), seat)) for seat in range(players)])
    wins, last = ends[seats, 0, of_rows], ends[seats, 1, of_rows]
    return (
        Decisions(observations, masks, actions, wins, last - margins, first + of_rows, seats),
        states,
    )


def _paid(states: np.ndarray, seats: NDArray[np.int64]) -> NDArray[np.float32]:
    """Return the rewards of the ends and the final leads in points, shape ``(2, G)``."""
    return np.stack([win_rewards(states, seats), score_margins(states, seats)])


def _played_by(
    plays: Sequence[RecordedGame], rows: Decisions, first: int, agents: Collection[str]
) -> NDArray[np.bool_]:
    names = np.array([[agent.name in agents for agent in play.header.agents] for play in plays])
    is_played: NDArray[np.bool_] = names[rows.games - first, rows.seats]
    return is_played
