"""Tests whether the strength of agents is transitive or has cycles.

Three agents form a cycle if each wins more than half against the next. A few games show cycles
everywhere, so the bounds hold for all pairs at once. A cycle is proved if the lower ends of its
three edges are above one half. Cycles stronger than the upper ends allow are excluded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from impulse_training.statistics.bootstrap import percentile_interval, resampled
from impulse_training.statistics.likelihood import LineUps
from impulse_training.statistics.nash import PRIOR, shares_of


@dataclass(frozen=True)
class Payoffs:
    """The win rates of rows against columns, for k agents.

    Attributes:
        agents: Their names.
        shares: Shape ``(k, k)``, a half on the diagonal.
        low: Lower ends of intervals that hold for all pairs at once, 95 %.
        high: Upper ends.
    """

    agents: tuple[str, ...]
    shares: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]


@dataclass(frozen=True)
class Circle:
    """Three agents, each compared with the next, and the last with the first.

    Attributes:
        agents: Their names.
        shares: The win rate of each against the next.
        weakest: The least possible, or least certain, win rate of one of them against the next.
    """

    agents: tuple[str, str, str]
    shares: tuple[float, float, float]
    weakest: float


def wins_by_deal(seats: pd.DataFrame, agents: Sequence[str]) -> NDArray[np.float64]:
    """Return the wins of the row against the column in each deal, shape ``(deals, k, k)``.

    Args:
        seats: A table of seats of games of two, with ``game``, ``deal``, ``agent`` and ``won``.
        agents: The agents to count, in this order.
    """
    place = {name: number for number, name in enumerate(agents)}
    rows = seats[seats.agent.isin(place)].sort_values(["game", "seat"])
    number = rows.agent.map(place).to_numpy(np.int64)
    pairs = rows.merge(rows[["game", "seat", "agent"]], on="game", suffixes=("", "_other"))
    pairs = pairs[pairs.seat != pairs.seat_other]
    _, deal = np.unique(pairs.deal, return_inverse=True)
    wins = np.zeros((int(deal.max()) + 1, len(agents), len(agents)))
    number = pairs.agent.map(place).to_numpy(np.int64)
    other = pairs.agent_other.map(place).to_numpy(np.int64)
    np.add.at(wins, (deal, number, other), pairs.won.to_numpy(np.float64))
    return wins


def payoffs(
    agents: Sequence[str], wins: NDArray[np.float64], resamples: int, seed: int = 0
) -> Payoffs:
    """Return shares with intervals that hold for all pairs at once.

    Args:
        agents: Their names.
        wins: See `wins_by_deal`.
        resamples: Number of resamples of the deals.
        seed: Random seed of the resampling.
    """
    shares = shares_of(wins.sum(axis=0))
    drawn = np.array([shares_of(again) for again in resampled(wins, resamples, seed)])
    games = wins.sum(axis=0) + wins.sum(axis=0).T
    # If one side won all games, resampling cannot estimate the error.
    error = np.maximum(drawn.std(axis=0), np.sqrt(shares * (1 - shares) / (games + 2 * PRIOR)))
    furthest = (np.abs(drawn - shares) / error).reshape(resamples, -1).max(axis=1)
    width = np.quantile(furthest, 0.95) * error
    np.fill_diagonal(width, 0)
    return Payoffs(tuple(agents), shares, shares - width, shares + width)


def sure_cycles(found: Payoffs) -> list[Circle]:
    """Return the cycles that the intervals prove, the clearest first."""
    every = [_circle(found, order, found.low) for order in _orders(len(found.agents))]
    return sorted((one for one in every if one.weakest > 0.5), key=lambda one: -one.weakest)


def largest_left(found: Payoffs) -> Circle:
    """Return the cycle that would be largest if every share were what its interval allows.

    Its `weakest` is the bound: no cycle in which each wins more against the next fits the games.
    """
    every = [_circle(found, order, found.high) for order in _orders(len(found.agents))]
    return max(every, key=lambda one: one.weakest)


def _orders(count: int) -> list[tuple[int, int, int]]:
    """Return all circles of three, each once in either direction."""
    return [one for one in permutations(range(count), 3) if one[0] == min(one)]


def _circle(found: Payoffs, order: tuple[int, int, int], ends: NDArray[np.float64]) -> Circle:
    a, b, c = order
    edges = (a, b), (b, c), (c, a)
    names = found.agents[a], found.agents[b], found.agents[c]
    first, second, third = (float(found.shares[edge]) for edge in edges)
    return Circle(names, (first, second, third), min(float(ends[edge]) for edge in edges))


def off_the_ladder(
    wins: NDArray[np.float64], resamples: int, seed: int = 0
) -> tuple[float, float, float]:
    """Return how far shares lie off those of one rating for each agent, with a 95 % interval.

    The ratings are fitted to each half of the deals by itself. What is left over in both halves
    alike is no noise: the mean product of the two remainders is the mean square of the deviation,
    without what few games add to it. The root of it is returned, negative where it is.

    Args:
        wins: See `wins_by_deal`.
        resamples: How often the deals of each half are drawn again.
        seed: Of the halves and of the drawing.
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(wins))
    halves = wins[order[::2]], wins[order[1::2]]
    value = _product(*(half.sum(axis=0) for half in halves))
    drawn = [
        _product(first, second)
        for first, second in zip(
            resampled(halves[0], resamples, seed + 1),
            resampled(halves[1], resamples, seed + 2),
            strict=True,
        )
    ]
    # A half that is drawn again is further off itself by its own noise, but not both alike.
    low, high = percentile_interval(np.array(drawn))
    return _root(value), _root(float(low)), _root(float(high))


def _root(value: float) -> float:
    return float(np.sign(value) * np.sqrt(abs(value)))


def _product(first: NDArray[np.float64], second: NDArray[np.float64]) -> float:
    upper = np.triu_indices(len(first), 1)
    left = [shares_of(wins) - ladder_shares(wins) for wins in (first, second)]
    return float((left[0] * left[1])[upper].mean())


def ladder_shares(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares that one rating for each agent fits best, shape ``(k, k)``.

    Args:
        wins: How often the row beat the column, shape ``(k, k)``; half a win is added to each.
    """
    games = wins + wins.T + 2 * PRIOR
    np.fill_diagonal(games, 0)
    won = (games * shares_of(wins)).sum(axis=1)
    first, second = np.array([*combinations(range(len(wins)), 2)]).T
    lineups = np.eye(len(wins))[first] + np.eye(len(wins))[second]
    start = np.zeros((1, len(wins)))
    # Ratings are known but for a constant: the first agent stays where it begins.
    ratings = LineUps(lineups, 0.0).climb(start, won[None], games[None, first, second], known=1)[0]
    found: NDArray[np.float64] = 1 / (1 + np.exp(ratings[None] - ratings[:, None]))
    return found
