"""The likelihood of the winners, its maximum, and its maxima in resampled tournaments.

`impulse_training.statistics.elo` describes the model and computes the ratings. Strengths here are
natural logarithms, not Elo points.
"""

from math import log
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_training.statistics.bootstrap import draws
from impulse_training.statistics.game_results import Tally

_TOLERANCE: Final = 1e-9
_MAX_STEPS: Final = 200
_UNLIKELY: Final = log(0.025)
_DOUBLINGS: Final = 7
_HALVINGS: Final = 30

Matrix = NDArray[np.float64]


class LineUps:
    """The likelihood of winners among k agents.

    It depends on two statistics: how often each agent won, and how often each line-up (the number
    of sides of each agent) played. Methods take several tournaments at once, a row for each.

    Attributes:
        lineups: The line-ups, shape ``(m, k)``.
        precision: 1 / variance of the prior.
    """

    def __init__(self, lineups: Matrix, precision: float) -> None:
        self.lineups, self.precision = lineups, precision
        m, k = lineups.shape
        self._pairs = (lineups[:, :, None] * lineups[:, None, :]).reshape(m, k * k)

    def slopes(self, strengths: Matrix, counts: Matrix) -> tuple[Matrix, Matrix]:
        """Return the expected wins and the negative curvature of the log-likelihood.

        Args:
            strengths: Shape ``(rows, k)``.
            counts: How often each line-up played, shape ``(rows, m)``.

        Returns:
            Shapes ``(rows, k)`` and ``(rows, k, k)``.
        """
        rows, k = strengths.shape
        weight = np.exp(strengths - strengths.max(axis=1, keepdims=True))
        total = weight @ self.lineups.T
        expected = weight * (counts / total @ self.lineups)
        shared = (counts / total**2 @ self._pairs).reshape(rows, k, k)
        curvature = -shared * weight[:, :, None] * weight[:, None, :]
        curvature[:, np.arange(k), np.arange(k)] += expected
        return expected, curvature

    def climb(
        self,
        start: Matrix,
        wins: Matrix,
        counts: Matrix,
        known: int = 0,
        fixed: Matrix | None = None,
    ) -> Matrix:
        """Maximise the likelihood times the prior by Newton's method.

        A step moves no two agents apart by more than 1. Within such a step the curvature changes by
        at most a factor of e, so every step increases the objective.

        Args:
            start: Strengths to begin with, shape ``(rows, k)``.
            wins: How often each agent won, shape ``(rows, k)``.
            counts: How often each line-up played, shape ``(rows, m)``.
            known: Number of agents, the first ones, that keep the strengths of `start`.
            fixed: The factors of a weighted sum of the strengths that stays constant, shape
                ``(rows, k)``; 0 for known agents.

        Returns:
            The strengths, shape ``(rows, k)``.
        """
        strengths, k = start.copy(), start.shape[1]
        if k == known:
            return strengths
        for _ in range(_MAX_STEPS):
            expected, curvature = self.slopes(strengths, counts)
            slope = wins - expected - self.precision * strengths
            curvature[:, np.arange(k), np.arange(k)] += self.precision
            step = np.zeros_like(strengths)
            unknown = curvature[:, known:, known:]
            step[:, known:] = np.linalg.solve(unknown, slope[:, known:, None])[:, :, 0]
            if fixed is not None:
                back = np.zeros_like(strengths)
                back[:, known:] = np.linalg.solve(unknown, fixed[:, known:, None])[:, :, 0]
                off = (fixed * step).sum(axis=1) / (fixed * back).sum(axis=1)
                step -= off[:, None] * back
            strengths += step / np.maximum(1, np.ptp(step, axis=1, keepdims=True))
            if np.abs(step).max() < _TOLERANCE:
                return strengths
        raise AssertionError("the ratings do not converge")


class Games(LineUps):
    """The decided games, reduced to the data of the likelihood; k agents.

    Attributes:
        lineup: The line-up of each game, shape ``(g,)``.
        won: Each agent's share of the win, shape ``(g, k)``.
        deals: Index of the deal, shape ``(g,)``.
        deal_count: Number of different deals.
    """

    def __init__(self, played: Tally, precision: float) -> None:
        is_decided = played.is_decided
        held = played.held[is_decided].astype(float)
        lineups, self.lineup = np.unique(held, axis=0, return_inverse=True)
        super().__init__(lineups, precision)
        self.won = played.won[is_decided]
        _, self.deals = np.unique(played.deals[is_decided], return_inverse=True)
        self.deal_count = len(np.unique(self.deals))

    def fit(self, known: Matrix | None = None) -> Matrix:
        """Return the strengths, shape ``(k,)``; their mean is 0.

        Args:
            known: Fixed strengths of the first agents, which then define the origin.
        """
        wins, counts = self._counted(np.ones((1, len(self.won))))
        start, count = np.zeros_like(wins), 0 if known is None else len(known)
        start[0, :count] = known if count else 0
        return self.climb(start, wins, counts, count)[0]

    def resampled(self, start: Matrix, resamples: int, seed: int, known: int = 0) -> Matrix:
        """Return the strengths of resampled tournaments, shape ``(resamples, k)``.

        The first `known` agents keep their strengths of `start`.
        """
        if self.deal_count == 0:
            return np.tile(start, (resamples, 1))
        parts = []
        at_once = max(1, 10_000_000 // (len(self.won) + len(self.lineups)))
        for times in draws(self.deal_count, resamples, seed, at_once):
            wins, counts = self._counted(times[:, self.deals].astype(float))
            parts.append(self.climb(np.tile(start, (len(times), 1)), wins, counts, known))
        return np.concatenate(parts)

    def information(self, strengths: Matrix) -> Matrix:
        """Return the Fisher information of each strength (negative curvature), shape ``(k,)``."""
        _, counts = self._counted(np.ones((1, len(self.won))))
        _, curvature = self.slopes(strengths[None], counts)
        return np.diagonal(curvature[0]) + self.precision

    def wins_and_losses(self) -> tuple[Matrix, Matrix]:
        """Return how many games each agent won and did not win, shapes ``(k,)``."""
        wins = self.won.sum(axis=0)
        return wins, (self.lineups[self.lineup] > 0).sum(axis=0) - wins

    def chains(self) -> NDArray[np.bool_]:
        """Return which agents have beaten which, directly or by a chain, shape ``(k, k)``.

        In a chain, each agent has beaten the next. The likelihood has its maximum at finite
        strengths if all entries are true. The diagonal is true.
        """
        k = self.lineups.shape[1]
        has_beaten = (self.won.T @ self.lineups[self.lineup] > 0) | np.eye(k, dtype=bool)
        for _ in range(k):
            has_beaten = has_beaten @ has_beaten
        return has_beaten

    def reach(self, strengths: Matrix, sums: Matrix, known: int = 0) -> Matrix:
        """Return the largest plausible growth of weighted sums of strengths, shape ``(n,)``.

        At that growth the best other strengths make the results 2.5 % as likely as the maximum.
        Games of one deal count as independent here.

        Args:
            strengths: The maximum-likelihood strengths, shape ``(k,)``.
            sums: The factors of each sum, not all 0, shape ``(n, k)``. The results must limit each
                sum.
            known: Number of agents, the first ones, with fixed strengths; their factors are 0.
        """
        wins, counts = self._counted(np.ones((1, len(self.won))))
        least = self._log_likelihood(strengths[None], wins, counts) + _UNLIKELY
        wins, counts = np.tile(wins, (len(sums), 1)), np.tile(counts, (len(sums), 1))
        along = sums / (sums**2).sum(axis=1, keepdims=True)

        def is_likely(growth: Matrix) -> NDArray[np.bool_]:
            start = strengths + growth[:, None] * along
            found = self.climb(start, wins, counts, known, sums)
            return self._log_likelihood(found, wins, counts) >= least

        near, far = np.zeros(len(sums)), np.ones(len(sums))
        for _ in range(_DOUBLINGS):
            far = np.where(is_likely(far), 2 * far, far)
        for _ in range(_HALVINGS):
            middle = (near + far) / 2
            is_near = is_likely(middle)
            near, far = np.where(is_near, middle, near), np.where(is_near, far, middle)
        return near

    def _log_likelihood(self, strengths: Matrix, wins: Matrix, counts: Matrix) -> Matrix:
        """Return the log-likelihood of each row up to a constant, shape ``(rows,)``."""
        sides = np.log(np.exp(strengths) @ self.lineups.T)
        return np.asarray((wins * strengths).sum(axis=1) - (counts * sides).sum(axis=1))

    def _counted(self, times: Matrix) -> tuple[Matrix, Matrix]:
        """Count wins by agent and games by line-up, each game as often as a row of `times` says."""
        m = len(self.lineups)
        counts = [np.bincount(self.lineup, weights=row, minlength=m) for row in times]
        return times @ self.won, np.array(counts, np.float64).reshape(len(times), m)
