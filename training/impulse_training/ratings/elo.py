"""Ratings by maximum likelihood, with intervals from resampled deals.

The model is Plackett and Luce's, of which Bradley and Terry's is the case of two sides: side i wins
with chance ``exp(t_i) / sum_j exp(t_j)`` over all sides of the game. An agent has one strength t
however many sides it holds. Ratings are strengths on the Elo scale: of two agents 400 apart, one
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
from impulse_training.ratings.likelihood import Games, Matrix
from impulse_training.ratings.tally import Tally, tally
from impulse_training.rollout.game_result import GameResult
from impulse_training.rollout.intervals import Z_95

ELO: Final = 400 / log(10)
"""Elo points of one unit of strength."""

PRIOR_SD: Final = 1000.0
"""Standard deviation of the prior, in Elo points."""

PRECISION: Final = (ELO / PRIOR_SD) ** 2
"""One by the variance of the prior, in units of strength."""

RESAMPLES: Final = 1000
SEED: Final = 0
"""Of the resampling: the same results always have the same intervals."""


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
    """The agent that is to have rating 0 plays in no game."""


def fit(results: Sequence[GameResult], anchor: str | None = None) -> dict[str, float]:
    """Return the rating of every agent, the best first; takes milliseconds.

    Args:
        results: Games in any order.
        anchor: The agent that has rating 0; if not given, the mean of all agents is 0.
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

    The intervals span the middle 95 % of the ratings of resampled tournaments. Whole deals are
    drawn, with replacement: games of one deal are alike in what was dealt, so they are no
    independent evidence. A resampling of few deals varies too little; both ends are moved outwards
    by the ratio of Student's quantile to the normal one and by ``sqrt(deals / (deals - 1))``, as
    they would be for a mean. A single deal gives no interval.

    With an anchor the intervals are those of the difference from it, and its own is empty. Without,
    they are relative to a mean in which an agent weighs as much as the results tell about it (its
    Fisher information); otherwise a single agent that hardly ever wins, and whose rating is
    therefore vague, would widen the intervals of all others.

    Where some agents never won against others, not even by a chain of agents of whom each has
    beaten the next, the results set no limit to the distance, and resampling would not show it.
    Agents that did so beat each other form a group; the intervals are relative to the group of the
    anchor or, without one, to the group of which most is known. The interval of another group has
    no end on the side away from it, and on the near side reaches as far as the group can be shifted
    while the results stay 2.5 % as likely. An agent with a handful of wins, or of losses, has none
    in some resamples: its interval is rough, and its far end depends on the prior.

    Args:
        results: Games in any order.
        anchor: The agent that has rating 0; if not given, the mean of all agents is 0.
        resamples: How many tournaments are resampled.
        seed: Of the resampling.
    """
    played = tally(results)
    if not played.names:
        return []
    games = Games(played, PRECISION)
    strengths = games.fit()
    origin = _origin(played, strengths, anchor)
    chains = games.chains()
    known = games.information(strengths)
    if anchor is not None:
        known = np.eye(len(known))[played.names.index(anchor)]
    group = _reference(chains, known)
    drawn = games.resampled(strengths, resamples, seed)
    away = (drawn - strengths) @ (known * group / known[group].sum())
    middle_95 = np.quantile(drawn - away[:, None], (0.025, 0.975), axis=0)
    low, high = strengths + _expansion(games.deal_count) * (middle_95 - strengths)
    _widen(low, high, games, strengths, group)
    if games.deal_count < 2:
        others = np.array([name != anchor for name in played.names])
        low[others], high[others] = -inf, inf
    table = ELO * (np.stack([strengths, low, high], axis=1) - origin)
    return [Rating(played.names[row], *map(float, table[row])) for row in _best_first(table[:, 0])]


def rate_newcomer(
    results: Sequence[GameResult],
    newcomer: str,
    known: Mapping[str, float],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Rating:
    """Return the rating of an agent among others whose ratings are known, and stay.

    Its interval is that of `rate`, with an end that is infinite if it won every game or none. What
    is not known exactly of the others is not part of it.

    Args:
        results: Games in any order, each with the newcomer.
        newcomer: The agent.
        known: The ratings of all others.
        resamples: How many tournaments are resampled.
        seed: Of the resampling.
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
    drawn = games.resampled(strengths, resamples, seed, len(known))[:, -1]
    middle_95 = np.quantile(drawn, (0.025, 0.975))
    low, high = strengths[-1] + _expansion(games.deal_count) * (middle_95 - strengths[-1])
    wins = games.won[:, -1].sum()
    if not 0 < wins < len(games.won):
        down, up = games.shifts(strengths, np.arange(len(order)) == len(known))
        low, high = strengths[-1] + down, strengths[-1] + up
    if games.deal_count < 2:
        low, high = -inf, inf
    return Rating(newcomer, *(float(ELO * end) for end in (strengths[-1], low, high)))


def _expansion(deals: int) -> float:
    """Return what the distance of an interval's ends from the estimate is multiplied by."""
    if deals < 2:
        return 1.0
    return float(stdtrit(deals - 1, 0.975)) / Z_95 * sqrt(deals / (deals - 1))


def _reference(chains: NDArray[np.bool_], known: Matrix) -> NDArray[np.bool_]:
    """Return the group of agents of which most is known, as a mask."""
    groups = chains & chains.T
    return groups[np.argmax((groups @ known).round(6))]


def _widen(
    low: Matrix, high: Matrix, games: Games, strengths: Matrix, reference: NDArray[np.bool_]
) -> None:
    """Widen the intervals of groups to which the results set a limit on one side at most."""
    chains = games.chains()
    for group in np.unique(chains & chains.T, axis=0):
        if (group == reference).all():
            continue
        down, up = games.shifts(strengths, group)
        has_beaten = chains[np.ix_(group, reference)].any()
        was_beaten = chains[np.ix_(reference, group)].any()
        low[group] = np.minimum(low[group], strengths[group] + down) if has_beaten else -inf
        high[group] = np.maximum(high[group], strengths[group] + up) if was_beaten else inf


def _origin(played: Tally, strengths: Matrix, anchor: str | None) -> float:
    """Return the strength that has rating 0."""
    if anchor is None:
        return float(strengths.mean()) if len(strengths) else 0.0
    if anchor not in played.names:
        raise AnchorError(
            f"the anchor {anchor!r} plays in no game; those who do: {', '.join(played.names)}"
        )
    return float(strengths[played.names.index(anchor)])


def _best_first(ratings: Matrix) -> list[int]:
    """Return the order; agents are sorted by name, so equal ratings stay in that order."""
    return [int(index) for index in np.argsort(-ratings.round(6), kind="stable")]
