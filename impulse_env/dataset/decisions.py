"""What who decides sees, may do and does in recorded games, and what came of it."""

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
"""Games replayed side by side: more take more memory and are hardly faster."""


class Decisions(NamedTuple):
    """Recorded decisions, n in all: game by game, in each in the order in which they were taken.

    Attributes:
        observations: What the seat that decides sees, shape ``(n, observation.size(players))``,
            uint8.
        masks: Its legal actions, in its own frame, shape ``(n, N_ACTIONS)``, int8, 1 for legal.
        actions: What it chose, in its own frame, shape ``(n,)``, int64.
        wins: What the end of the game pays to it, shape ``(n,)``, float32: see `win_rewards`.
        score_returns: How its lead in points changes until then, over the target, shape ``(n,)``,
            float32: see `score_margins`.
        games: Number of the game, from 0, in the order of reading, shape ``(n,)``, int64.
        seats: Who decides, shape ``(n,)``, int8.
    """

    observations: NDArray[np.uint8]
    masks: NDArray[np.int8]
    actions: NDArray[np.int64]
    wins: NDArray[np.float32]
    score_returns: NDArray[np.float32]
    games: NDArray[np.int64]
    seats: NDArray[np.int8]

    def returns(self, reward: str) -> NDArray[np.float32]:
        """Return what an environment with that reward pays from the decision on, shape ``(n,)``."""
        return returns_of(self.wins, self.score_returns, reward)

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Self:
        """Return some of the decisions."""
        return type(self)._make([column[rows] for column in self])

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the decisions of several parts as one."""
        return cls._make(np.concatenate(column) for column in zip(*parts, strict=True))


class Part(NamedTuple):
    """The decisions of some games, and how these ended; G games.

    Attributes:
        plays: The games, G in all.
        found: Their decisions.
        states: How they ended, shape ``(G,)``, dtype `STATE`.
        first: Number of the first of them.
    """

    plays: Sequence[RecordedGame]
    found: Decisions
    states: np.ndarray
    first: int

    def last_observations(
        self, games: NDArray[np.int64], seats: NDArray[np.int8]
    ) -> NDArray[np.uint8]:
        """Return what seats see at the end of games, by their numbers."""
        return observe_all(take_games(self.states, games - self.first), seats)


def decisions(plays: Iterable[RecordedGame], agents: Collection[str] | None = None) -> Decisions:
    """Return the decisions of games, all of them in memory; `stream` is for more than fit.

    Args:
        plays: Games of the same number of players, as `records` and `tournament_games` yield them.
            Those that were left before they were over are passed over: nobody knows what they pay.
        agents: Whose decisions are kept; all if not given.

    Raises:
        RecordError: A game does not go, or does not end, as recorded, or has another number of
            players than the first.
        OptionError: There is no decision of these agents.
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
    """Yield the decisions of so many games at a time; for arguments and errors see `decisions`.

    Raises:
        ArgumentError: `games` is no integer of 1 or more.
    """
    for part in parts_of(plays, games, agents):
        yield part.found


def parts_of(
    plays: Iterable[RecordedGame], games: int, agents: Collection[str] | None
) -> Iterator[Part]:
    """Yield so many games at a time with their decisions and ends, see `stream`."""
    games = checked_integer("games", games, 1)
    ended = (play for play in plays if play.end in END_BY_STATUS.values())
    players, first = None, 0
    while some := list(islice(ended, games)):
        players = players or some[0].header.options.players
        _check_players(some, players)
        found, states = _replayed(some, players, first)
        if agents is not None:
            found = found.take(_played_by(some, found, first, agents))
        yield Part(some, found, states, first)
        first += len(some)


def _check_players(plays: Sequence[RecordedGame], players: int) -> None:
    for play in plays:
        if play.header.options.players != players:
            raise RecordError(
                f"{play.where}: a game of {play.header.options.players} players among those of "
                f"{players}; their observations differ in size"
            )


def _replayed(
    plays: Sequence[RecordedGame], players: int, first: int
) -> tuple[Decisions, np.ndarray]:
    """Return the decisions of games, and how these ended."""
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
    """Return what the end pays and the lead in points then, shape ``(2, G)``."""
    return np.stack([win_rewards(states, seats), score_margins(states, seats)])


def _played_by(
    plays: Sequence[RecordedGame], found: Decisions, first: int, agents: Collection[str]
) -> NDArray[np.bool_]:
    names = np.array([[agent.name in agents for agent in play.header.agents] for play in plays])
    kept: NDArray[np.bool_] = names[found.games - first, found.seats]
    return kept
