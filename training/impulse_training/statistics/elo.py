"""Ratings by maximum likelihood, with intervals from resampled deals.

The model is Plackett and Luce's, of which Bradley and Terry's is the case of two sides: side ``i``
wins with chance ``exp(t_i) / sum_j exp(t_j)`` over all sides of the game. An agent has one strength
t however many sides it holds. Ratings are strengths on the Elo scale: of two agents 400 apart, one
wins ten times as often as the other.

What counts: A truncated game has no winner, so the likelihood of the winner says nothing about it
and it is left out. A failed game is lost by the side that failed; where there are several others,
each gets an equal part of the win.

The prior: An agent that never lost has no finite estimate of maximum likelihood. So strengths are
taken to be drawn from a normal distribution around the mean of the pool with a standard deviation
of `PRIOR_SD` = 1000 Elo. It moves a difference of 400 Elo between two agents by less
than one point once they have played a hundred games.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, log, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from impulse_env.errors import ImpulseError
from impulse_training.statistics.game_results import GameResult, Tally, tally
from impulse_training.statistics.intervals import FEW, Z_95
from impulse_training.statistics.likelihood import Games, Matrix

ELO: Final = 400 / log(10)
"""Elo points of one unit of strength."""

PRIOR_SD: Final = 1000.0
"""Standard deviation of the prior, in Elo points."""

PRECISION: Final = (ELO / PRIOR_SD) ** 2
"""1 / variance of the prior, in units of strength."""

RESAMPLES: Final = 1000
SEED: Final = 0
"""Random seed of the resampling, fixed so that the same results give the same intervals."""

_ALIKE: Final = 1e-6
"""Groups whose information differs by less than this part are tied."""


@dataclass(frozen=True)
class Rating:
    """An agent's rating and its 95 % interval, in Elo points.

    Attributes:
        name: The agent.
        rating: The estimate.
        low: Lower end; ``-inf`` if the results set no limit, as for an agent that never won.
        high: Upper end; ``inf`` if the results set none.
    """

    name: str
    rating: float
    low: float
    high: float


class AnchorError(ImpulseError, ValueError):
    """The anchor, the agent with rating 0, plays in no game."""


def fit(results: Sequence[GameResult], anchor: str | None = None) -> dict[str, float]:
    """Return the rating of every agent, the best first. This takes milliseconds.

    Args:
        results: Games in any order.
        anchor: The agent with rating 0; by default the mean of all agents is 0.
    """
    played = tally(results)
    strengths = Games(played, PRECISION).fit()
    ratings = ELO * (strengths - _origin(played, strengths, anchor))
    return {played.names[index]: float(ratings[index]) for index in _best_first(ratings)}


def rate(
    results: Sequence[GameResult],
    anchor: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> list[Rating]:
    """Return the ratings with intervals, the best first; equal arguments give equal ratings.

    The intervals span the middle 95 % of the ratings of resampled tournaments. The resampling draws
    whole deals with replacement, because games of one deal share their cards and are not
    independent. A resampling of few deals varies too little. So both ends move outwards by the
    ratio of Student's quantile to the normal one and by ``sqrt(deals / (deals - 1))``, as for a
    mean. A single deal gives no interval.

    With an anchor the intervals are those of the difference from it, and its own is empty. Without
    an anchor they are relative to a mean weighted by each agent's Fisher information. With equal
    weights, a single agent that hardly ever wins has a vague rating and would widen the intervals
    of all others. A single agent has no interval.

    Agents form a group if each has beaten the others, directly or by a chain of agents of whom each
    has beaten the next. If there are several groups, the results set no limit to the distance
    between them. Then the mean is that of the group of at least two agents with the most
    information. It is that of all agents if there is no such group, or if two are tied. An end of
    an interval is infinite if the agent can be at any distance from one that is part of the mean,
    or from the anchor. So an agent that won every game has no upper end, and one that lost every
    game has no lower end.

    Resampling cannot estimate the error of an agent outside that group. It underestimates the error
    with fewer than ten wins or ten losses of an agent, or of those that make up half of the mean.
    In these cases a finite end is the rating at which the results are still 2.5 % as likely.

    Args:
        results: Games in any order.
        anchor: The agent with rating 0; by default the mean of all agents is 0.
        resamples: Number of resampled tournaments.
        seed: Random seed of the resampling.
    """
    played = tally(results)
    if not played.names:
        return []
    games = Games(played, PRECISION)
    strengths = games.fit()
    origin = _origin(played, strengths, anchor)
    mean = _mean(games, strengths, None if anchor is None else played.names.index(anchor))
    drawn = games.resampled(strengths, resamples, seed)
    drawn -= ((drawn - strengths) @ mean)[:, None]
    middle = _middle_95(drawn, strengths, games.deal_count)
    from_mean = np.eye(len(mean)) - mean
    low, high = _widened(middle, games, strengths, from_mean, *_limits(games, mean))
    is_anchor = np.array([name == anchor for name in played.names])
    if games.deal_count < 2 or len(played.names) == 1:
        low[:], high[:] = -inf, inf
    low[is_anchor] = high[is_anchor] = strengths[is_anchor]
    table = ELO * (np.stack([strengths, low, high], axis=1) - origin) + 0.0
    return [Rating(played.names[row], *map(float, table[row])) for row in _best_first(table[:, 0])]


def rate_newcomer(
    results: Sequence[GameResult],
    newcomer: str,
    known: Mapping[str, float],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Rating:
    """Return the rating of an agent among others with fixed, known ratings.

    The interval is that of `rate`; an end is infinite if the agent won every game or none. It does
    not include the uncertainty of the others' ratings.

    Args:
        results: Games in any order, each with the newcomer.
        newcomer: The agent.
        known: The ratings of all others.
        resamples: Number of resampled tournaments.
        seed: Random seed of the resampling.
    """
    played = tally(results)
    order = [played.names.index(name) for name in (*known, newcomer)]
    ordered = replace(
        played,
        names=(*known, newcomer),
        held=played.held[:, order],
        won=played.won[:, order],
    )
    games = Games(ordered, PRECISION)
    strengths = games.fit(np.array(list(known.values())) / ELO)
    drawn = games.resampled(strengths, resamples, seed, len(known))
    middle = _middle_95(drawn[:, -1:], strengths[-1:], games.deal_count)
    wins, losses = (float(count[-1]) for count in games.wins_and_losses())
    has_limit = np.array([[wins > 0], [losses > 0]]) & (games.deal_count > 1)
    is_few, own = np.array([min(wins, losses) < FEW]), np.eye(len(order))[-1:]
    ends = _widened(middle, games, strengths, own, has_limit, is_few, len(known))
    low, high = ends[:, 0]
    return Rating(newcomer, *(float(ELO * end) + 0.0 for end in (strengths[-1], low, high)))


def _middle_95(drawn: Matrix, strengths: Matrix, deals: int) -> Matrix:
    """Return the ends of the middle 95 % for each column, shape ``(2, n)``, as of many deals."""
    ends = np.quantile(drawn, (0.025, 0.975), axis=0)
    if deals < 2:
        return np.asarray(ends)
    expansion = float(stdtrit(deals - 1, 0.975)) / Z_95 * sqrt(deals / (deals - 1))
    return np.asarray(strengths + expansion * (ends - strengths))


def _mean(games: Games, strengths: Matrix, anchor: int | None) -> Matrix:
    """Return the weights of the agents in the mean that the intervals are relative to."""
    if anchor is not None:
        return np.eye(len(strengths))[anchor]
    known = games.information(strengths)
    chains = games.chains()
    groups = chains & chains.T
    in_groups = np.where(groups.sum(axis=1) > 1, groups @ known, 0.0)
    most = in_groups > (1 - _ALIKE) * in_groups.max()
    # Two groups are tied, or no agent has lost to one that it beat.
    weights = known * most if (most == groups[most.argmax()]).all() else known
    return np.asarray(weights / weights.sum())


def _limits(games: Games, mean: Matrix) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return the ends with a limit, shape ``(2, k)``, and the intervals that need widening."""
    chains, parts = games.chains(), mean > 0
    has_limit = np.stack([chains[:, parts].all(axis=1), chains[parts].all(axis=0)])
    is_few = np.minimum(*games.wins_and_losses()) < FEW
    return has_limit, is_few | (mean @ is_few >= 1 / 2) | ~has_limit.all(axis=0)


def _widened(
    middle: Matrix,
    games: Games,
    strengths: Matrix,
    sums: Matrix,
    has_limit: NDArray[np.bool_],
    is_rough: NDArray[np.bool_],
    known: int = 0,
) -> Matrix:
    """Return intervals, with the ends that resampling cannot estimate, shape ``(2, n)``.

    Args:
        middle: The resampled ones, shape ``(2, n)``.
        games: The games.
        strengths: The likeliest ones, shape ``(k,)``.
        sums: The weighted sum of strengths that each interval is of, shape ``(n, k)``. It differs
            from the strength of the agent itself by a constant.
        has_limit: Whether the results set a limit to each end, shape ``(2, n)``.
        is_rough: Whether resampling shows too little of the error, shape ``(n,)``.
        known: Number of agents, the first ones, with known strengths.
    """
    ends = middle.copy()
    for row, sign in enumerate((-1, 1)):
        wide = np.flatnonzero(has_limit[row] & is_rough & sums.any(axis=1))
        if len(wide):
            reach = games.reach(strengths, sign * sums[wide], known)
            at = strengths[known:][wide]
            ends[row, wide] = at + sign * np.maximum(sign * (middle[row, wide] - at), reach)
        ends[row, ~has_limit[row]] = sign * inf
    return ends


def _origin(played: Tally, strengths: Matrix, anchor: str | None) -> float:
    """Return the strength that has rating 0."""
    if anchor is None:
        return float(strengths.mean()) if len(strengths) else 0.0
    if anchor not in played.names:
        raise AnchorError(
            f"the anchor {anchor!r} plays in no game; the agents are {', '.join(played.names)}"
        )
    return float(strengths[played.names.index(anchor)])


def _best_first(ratings: Matrix) -> list[int]:
    """Return the order; agents are sorted by name, so equal ratings stay in that order."""
    return [int(index) for index in np.argsort(-ratings.round(6), kind="stable")]
