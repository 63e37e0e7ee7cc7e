"""Evaluates an agent in training against fixed opponents."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_env.options import Options
from impulse_training.rollout import match
from impulse_training.run.budget import Budget
from impulse_training.run.learning_curve import Point
from impulse_training.run.storage.result import seconds_left_text
from impulse_training.statistics.elo import ELO, PRECISION
from impulse_training.statistics.likelihood import LineUps

SEED: Final = 1
"""Random seed of every evaluation: equal deals make evaluations comparable."""
RESAMPLES: Final = 1000
"""Samples of the win rates for the interval of a rating."""

Interval = tuple[float, float]
"""The ends of a 95 % interval."""


@dataclass(frozen=True)
class EvaluationResult:
    """The result of an evaluation.

    Attributes:
        wins: Win rate against each opponent, which plays all other sides. For a coalition: the
            share of the games that the opponent did not win on its side.
        rating: Elo rating; the opponents' ratings have mean 0.
        win_intervals: 95 % Wilson interval of each win rate.
        rating_interval: 95 % interval of the rating, with the opponents' ratings as known.
    """

    wins: dict[str, float]
    rating: float
    win_intervals: dict[str, Interval]
    rating_interval: Interval

    def point(self, budget: Budget) -> Point:
        """Return a point of the learning curve at the current budget."""
        return {
            "seconds": round(budget.seconds, 1),
            "steps": budget.steps,
            "rating": round(self.rating, 1),
            "rating_low": round(self.rating_interval[0], 1),
            "rating_high": round(self.rating_interval[1], 1),
            **{
                f"{what}/{name}": value
                for name, rate in self.wins.items()
                for what, value in zip(
                    ("win", "low", "high"), (rate, *self.win_intervals[name]), strict=True
                )
            },
        }

    def line(self, budget: Budget) -> str:
        """Return a line for the terminal with the progress and the result."""
        wins = ", ".join(f"{name} {rate:.0%}" for name, rate in self.wins.items())
        return (
            f"{budget.seconds:5.0f} s {budget.steps:>10,} steps  rating {self.rating:+z5.0f}"
            f"  wins against {wins}; {seconds_left_text(budget.seconds_left)}"
        )


class Evaluator:
    """Fixed opponents with their ratings against each other.

    Args:
        names: The opponents, as names for `impulse_agents.make`.
        options: The options of all games.
        games: Games against each opponent, and between each pair of opponents.
        is_coalition: Whether the agent plays all sides but one, and each opponent that one.
    """

    def __init__(
        self, names: tuple[str, ...], options: Options, games: int, is_coalition: bool = False
    ) -> None:
        self.names, self.options, self.games = names, options, games
        self.is_coalition = is_coalition
        self._members = [registry.make(name) for name in names]
        self._strengths: NDArray[np.float64] | None = None

    def evaluate(self, agent: Agent) -> EvaluationResult:
        """Play against every opponent, and rate the agent by the results."""
        measured = [self._measure(agent, member) for member in self._members]
        rates = np.array([rate for rate, _ in measured])
        return EvaluationResult(
            dict(zip(self.names, rates.tolist(), strict=True)),
            self._rate(rates),
            dict(zip(self.names, (interval for _, interval in measured), strict=True)),
            self._rating_interval(rates),
        )

    def _measure(self, agent: Agent, member: Agent) -> tuple[float, Interval]:
        """Return an agent's win rate against an opponent, with its interval."""
        if not self.is_coalition:
            result = self._play(agent, member)
            return result.rate(), result.interval()
        result = self._play(member, agent)
        low, high = result.interval()
        return 1 - result.rate(), (1 - high, 1 - low)

    def _play(self, agent: Agent, member: Agent) -> match.MatchResult:
        return match.play([agent, member], self.options, self.games, SEED)

    def _rate(self, rates: NDArray[np.float64]) -> float:
        """Return the maximum-likelihood rating, with the opponents' ratings as known."""
        if self._strengths is None:
            self._strengths = self._among_themselves()
        return float(self._ratings(rates[None])[0])

    def _rating_interval(self, rates: NDArray[np.float64]) -> Interval:
        """Return the 95 % credible interval of the rating.

        Win rates are sampled from their posterior distributions (beta, Jeffreys' prior). Unlike a
        bootstrap, this interval has a width even if the agent won all games.
        """
        won = self.games * rates
        drawn = np.random.default_rng(SEED).beta(
            won + 0.5, self.games - won + 0.5, (RESAMPLES, len(rates))
        )
        low, high = np.quantile(self._ratings(drawn), (0.025, 0.975))
        return float(low), float(high)

    def _ratings(self, rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rating for each row of win rates against the opponents, shape ``(n,)``."""
        if self._strengths is None:
            self._strengths = self._among_themselves()
        size = rates.shape[1]
        pairs = [(size, member) for member in range(size)]
        if self.is_coalition:
            pairs, rates = [(member, size) for member in range(size)], 1 - rates
        start = np.append(self._strengths, 0.0)
        return self._fit(pairs, rates, start, known=size)[:, -1] * ELO

    def _among_themselves(self) -> NDArray[np.float64]:
        """Return the opponents' strengths, with mean 0."""
        size = len(self._members)
        pairs = [(i, j) for i in range(size) for j in range(size) if i < j]
        rates = [self._play(self._members[i], self._members[j]).rate() for i, j in pairs]
        strengths = self._fit(pairs, np.array([rates]), np.zeros(size))[0]
        return strengths - strengths.mean()

    def _fit(
        self,
        pairs: list[tuple[int, int]],
        rates: NDArray[np.float64],
        start: NDArray[np.float64],
        known: int = 0,
    ) -> NDArray[np.float64]:
        """Return maximum-likelihood strengths from the win rates of the first of each pair.

        The first plays one side and the second all others, which win the remaining games. Each row
        of rates, shape ``(n, pairs)``, gives a row of strengths.
        """
        rows, (first, second) = np.arange(len(pairs)), np.array(pairs, int).reshape(-1, 2).T
        lineups = np.zeros((len(pairs), len(start)))
        lineups[rows, first], lineups[rows, second] = 1, self.options.team_count - 1
        won = np.zeros((len(rates), *lineups.shape))
        won[:, rows, first], won[:, rows, second] = self.games * rates, self.games * (1 - rates)
        counts = np.full(rates.shape, float(self.games))
        starts = np.tile(start, (len(rates), 1))
        return LineUps(lineups, PRECISION).climb(starts, won.sum(axis=1), counts, known)
