"""Cycles among agents, and the Nash mixture, which no agent beats.

A rating assumes that strength is transitive. If a beats b, b beats c and c beats a, it is not, and
each rating depends on how often the agents meet. Nash averaging (Balduzzi and others, 2018) finds
the mixture of agents that no agent beats on average. Dominated agents have no part in it, however
many copies of their victims play in the tournament.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from impulse_training.statistics.bootstrap import draws
from impulse_training.statistics.elo import SEED
from impulse_training.statistics.game_results import GameResult, Tally, tally
from impulse_training.statistics.intervals import FEW

RESAMPLES: Final = 200
"""Number of resampled tournaments."""
_SIDES: Final = 2
_FEWEST: Final = 3
"""Agents in a cycle."""
_SLACK: Final = 1e-7
PRIOR: Final = 0.5
"""Games added to the wins of each side, so that odds stay finite."""


@dataclass(frozen=True)
class Cycle:
    """Three agents of which each beats the next, and the last the first.

    Attributes:
        names: The agents.
        shares: The win rate of each against the next.
        certainty: The share of resampled tournaments in which all three win more than half.
    """

    names: tuple[str, str, str]
    shares: tuple[float, float, float]
    certainty: float


@dataclass(frozen=True)
class Mixture:
    """The mixture of agents that no agent beats, and the cycles among them.

    Attributes:
        weights: Each agent's part of the mixture, with its 95 % interval, in the order of `names`.
            If an agent won or lost fewer than ten games against another, their share is sampled
            from its posterior (beta, Jeffreys' prior) instead of by resampling deals.
        against: Each agent's odds against the mixture, as a share of games: at most one half.
        cycles: The cycles, the most certain first.
        resamples: Number of resampled tournaments.
    """

    weights: tuple[tuple[float, float, float], ...]
    against: tuple[float, ...]
    cycles: tuple[Cycle, ...]
    resamples: int


def mixture(
    names: Sequence[str],
    results: Sequence[GameResult],
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Mixture | None:
    """Return the mixture and the cycles of a tournament of three agents or more, of two sides.

    Args:
        names: The agents, in the order in which their parts are returned.
        results: The games.
        resamples: Number of resampled tournaments.
        seed: Random seed of the resampling.

    Returns:
        None for fewer agents, for games with more sides, for a single deal, or if two agents never
        met.
    """
    played = tally(results)
    if len(names) < _FEWEST or (played.sides != _SIDES).any():
        return None
    order = [played.names.index(name) for name in names]
    wins = _wins_by_deal(played)[:, order][:, :, order]
    whole = wins.sum(axis=0)
    games = whole + whole.T
    deals = len(wins)
    if deals < 2 or (games + np.eye(len(names)) == 0).any():
        return None
    payoffs = _payoffs(whole)
    found = nash(payoffs)
    rng = np.random.default_rng(seed)
    rare = np.argwhere(np.triu(np.minimum(whole, whole.T) < FEW, 1)).T
    drawn, shares = [], []
    for counts in draws(deals, resamples, rng, at_once=1):
        again = np.tensordot(counts[0], wins, axes=1)
        first, second = whole[*rare], whole[*rare[::-1]]
        again[*rare] = (first + second) * rng.beta(first + PRIOR, second + PRIOR)
        again[*rare[::-1]] = first + second - again[*rare]
        drawn.append(nash(_payoffs(again)))
        shares.append(shares_of(again))
    low, high = np.quantile(drawn, (0.025, 0.975), axis=0)
    odds = payoffs @ found
    return Mixture(
        tuple(zip(found.tolist(), low.tolist(), high.tolist(), strict=True)),
        tuple((1 / (1 + np.exp(-odds))).tolist()),
        _cycles(names, shares_of(whole), np.array(shares)),
        resamples,
    )


def nash(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mixture of largest entropy that no pure choice beats, shape ``(k,)``.

    Args:
        payoffs: The payoff of the row against the column, shape ``(k, k)``, antisymmetric.
    """
    k = len(payoffs)
    # The best worst case: for some v, sum_i p_i payoffs_ij >= v for every j. v is 0 in theory.
    program = linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.column_stack([-payoffs.T, np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(k), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, 1)] * k + [(None, None)],
    )
    first, value = program.x[:k], program.x[k]

    def minus_entropy(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logs = np.log(np.maximum(weights, 1e-12))
        return float(weights @ logs), logs + 1

    spread = minimize(
        minus_entropy,
        0.9 * first + 0.1 / k,
        jac=True,
        bounds=[(0, 1)] * k,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: p @ payoffs - value + _SLACK},
        ],
        method="SLSQP",
    )
    weights = np.maximum(spread.x if spread.success else first, 0)
    return np.asarray(weights / weights.sum(), np.float64)


def _wins_by_deal(played: Tally) -> NDArray[np.float64]:
    """Return the wins of the row against the column in each deal, shape ``(deals, k, k)``."""
    k = len(played.names)
    wins = np.zeros((int(played.deals.max()) + 1, k, k))
    sat = played.held > 0
    pairs = np.flatnonzero(sat.sum(axis=1) == _SIDES)
    both = np.argsort(~sat[pairs], axis=1, kind="stable")[:, :_SIDES]
    for one, other in (both.T, both.T[::-1]):
        np.add.at(wins, (played.deals[pairs], one, other), played.won[pairs, one])
    return wins


def shares_of(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shares that the row won, with half a win added to each side, ``(k, k)``."""
    shares: NDArray[np.float64] = (wins + PRIOR) / (wins + wins.T + 2 * PRIOR)
    return shares


def _payoffs(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithms of the odds, 0 on the diagonal."""
    shares = shares_of(wins)
    payoffs: NDArray[np.float64] = np.log(shares / (1 - shares))
    np.fill_diagonal(payoffs, 0)
    return payoffs


def _cycles(
    names: Sequence[str], shares: NDArray[np.float64], drawn: NDArray[np.float64]
) -> tuple[Cycle, ...]:
    """Return the cycles of three, the most certain first; `drawn` has resampled tournaments."""
    found = []
    for a, b, c in combinations(range(len(names)), 3):
        for one in ((a, b, c), (a, c, b)):
            edges = list(zip(one, (*one[1:], one[0]), strict=True))
            each = [float(shares[i, j]) for i, j in edges]
            if min(each) <= 1 / 2:
                continue
            holds = np.all([drawn[:, i, j] > 1 / 2 for i, j in edges], axis=0)
            first, second, third = (names[i] for i in one)
            won = (each[0], each[1], each[2])
            found.append(Cycle((first, second, third), won, float(holds.mean())))
    return tuple(sorted(found, key=lambda cycle: -cycle.certainty))
