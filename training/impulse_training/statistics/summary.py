"""The statistics of a tournament as plain records, deterministic for the same games.

Only the thinking time is measured and differs from run to run; it is only in `Statistics.thinking`.
Everything else depends on the games alone, not on their order.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from impulse_training.statistics.elo import RESAMPLES, Rating, rate
from impulse_training.statistics.game_results import ENDS, GameResult, Tally, in_order, tally
from impulse_training.statistics.intervals import Share
from impulse_training.statistics.luck_adjusted import Adjusted, JudgedLuck, adjusted_shares
from impulse_training.statistics.nash import Mixture, mixture


@dataclass(frozen=True)
class Spread:
    """Mean, median and the range in which 90 % of the games lie."""

    mean: float
    median: float
    low: float
    high: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Spread":
        """Return the spread of the values, at least one."""
        low, median, high = np.percentile(values, (5, 50, 95))
        return cls(float(np.mean(values)), float(median), float(low), float(high))


@dataclass(frozen=True)
class AgentRow:
    """The results of an agent.

    Attributes:
        rating: Its rating and interval.
        won: Its share of its games, including truncated and failed ones. An agent on several sides
            of a game wins if one of them does.
        failures: Games that it ended by a fault.
        faults: Number of these games by kind of fault, in the order of `FAULT_KINDS`.
        decisions: Its choices with more than one legal answer.
        points: Mean points per seat and game by source, in the order of `SOURCES`, without failed
            games; None if all games failed.
    """

    rating: Rating
    won: Share
    failures: int
    faults: dict[str, int]
    decisions: int
    points: tuple[float, ...] | None

    @property
    def name(self) -> str:
        """Its name."""
        return self.rating.name


@dataclass(frozen=True)
class Thinking:
    """Milliseconds per decision; measured, so it differs from run to run.

    Attributes:
        name: The agent.
        mean: Its time spent divided by its decisions, None without decisions.
        per_game: The spread of the same ratio from game to game.
    """

    name: str
    mean: float | None
    per_game: Spread | None


@dataclass(frozen=True)
class Statistics:
    """The tables of a tournament. Agents are always in the order of `agents`: best rating first.

    Attributes:
        games: Games played.
        deals: Different deals among them.
        anchor: The agent with rating 0, None if the mean of all is 0.
        resamples: Number of resampled tournaments for the intervals of the ratings.
        ended: Number of games by their end, in the order of `ENDS`.
        agents: A row for each agent.
        matrix: The row agent's share of the games that it played with the column agent; no games on
            the diagonal.
        seats: Share of the games won by each seat, without failed games.
        rounds: Length of the games in rounds, without failed games; None if all games failed.
        decisions: Decisions of all seats together, likewise.
        games_by_rounds: Number of those games by length, ascending.
        thinking: A row for each agent.
        judge: The judge of the luck in `adjusted`; None without luck.
        adjusted: Luck-adjusted shares of each agent; empty without luck.
        mixture: The Nash mixture and the cycles; None with fewer than three agents or more than two
            sides.
    """

    games: int
    deals: int
    anchor: str | None
    resamples: int
    ended: dict[str, int]
    agents: tuple[AgentRow, ...]
    matrix: tuple[tuple[Share, ...], ...]
    seats: tuple[Share, ...]
    rounds: Spread | None
    decisions: Spread | None
    games_by_rounds: dict[int, int]
    thinking: tuple[Thinking, ...]
    judge: str | None = None
    adjusted: tuple[Adjusted, ...] = ()
    mixture: Mixture | None = None


def summarise(
    results: Sequence[GameResult],
    anchor: str | None = None,
    resamples: int = RESAMPLES,
    luck: JudgedLuck | None = None,
) -> Statistics:
    """Return the statistics of a tournament.

    Args:
        results: Its games, in any order.
        anchor: The agent with rating 0; by default the mean of all agents is 0.
        resamples: Number of resampled tournaments for the intervals of the ratings.
        luck: The luck of each side, or None.
    """
    results = in_order(results)
    played = tally(results)
    finished = [result for result in results if result.ended != "failed"]
    table = rate(results, anchor, resamples)
    ended = Counter(result.ended for result in results)
    rounds = [result.rounds for result in finished]
    decisions = [sum(result.decisions) for result in finished]
    return Statistics(
        games=len(results),
        deals=len(set(played.deals.tolist())),
        anchor=anchor,
        resamples=resamples,
        ended={how: ended[how] for how in ENDS},
        agents=tuple(_agent_row(rating, results, played) for rating in table),
        matrix=_matrix(played, [played.names.index(rating.name) for rating in table]),
        seats=_seats(finished),
        rounds=Spread.of(rounds) if rounds else None,
        decisions=Spread.of(decisions) if decisions else None,
        games_by_rounds=dict(sorted(Counter(rounds).items())),
        thinking=tuple(_thinking(rating.name, results) for rating in table),
        judge=None if luck is None else luck.judge,
        adjusted=()
        if luck is None
        else adjusted_shares([rating.name for rating in table], results, luck),
        mixture=mixture([rating.name for rating in table], results),
    )


def _seats_of(name: str, results: Iterable[GameResult]) -> Iterable[tuple[GameResult, int]]:
    """Return the games and seats of an agent."""
    return (
        (result, seat)
        for result in results
        for seat, agent in enumerate(result.agents)
        if agent == name
    )


def _agent_row(rating: Rating, results: Sequence[GameResult], played: Tally) -> AgentRow:
    sat = _seats_of(rating.name, results)
    points = [result.points[seat] for result, seat in sat if result.ended != "failed"]
    failed = [
        result
        for result in results
        if result.failed is not None and result.agents[result.failed] == rating.name
    ]
    return AgentRow(
        rating,
        played.share(rating.name),
        len(failed),
        dict(Counter(str(result.fault) for result in failed)),
        sum(result.decisions[seat] for result, seat in _seats_of(rating.name, results)),
        tuple(np.mean(points, axis=0).tolist()) if points else None,
    )


def _matrix(played: Tally, order: Sequence[int]) -> tuple[tuple[Share, ...], ...]:
    """Return the shares of each agent against each other, in the order of the columns given."""
    sat = (played.held > 0).astype(float)
    games: NDArray[np.float64] = sat.T @ sat
    np.fill_diagonal(games, 0)
    wins, pars = played.won.T @ sat, played.par.T @ sat
    return tuple(
        tuple(Share.of(int(games[i, j]), float(wins[i, j]), float(pars[i, j])) for j in order)
        for i in order
    )


def _seats(finished: Sequence[GameResult]) -> tuple[Share, ...]:
    sides = tally(finished).sides
    shares = []
    for seat in range(max((len(result.agents) for result in finished), default=0)):
        sat = [row for row, result in enumerate(finished) if seat < len(result.agents)]
        wins = sum(seat in finished[row].winners for row in sat)
        shares.append(Share.of(len(sat), float(wins), sum(1 / int(sides[row]) for row in sat)))
    return tuple(shares)


def _thinking(name: str, results: Sequence[GameResult]) -> Thinking:
    asked = [(r.seconds[s], r.decisions[s]) for r, s in _seats_of(name, results) if r.decisions[s]]
    if not asked:
        return Thinking(name, None, None)
    seconds, decisions = np.array(asked).T
    per_game = Spread.of((1000 * seconds / decisions).tolist())
    return Thinking(name, float(1000 * seconds.sum() / decisions.sum()), per_game)
