"""A fixed panel of opponents by which a training is measured again and again."""

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
"""The deals of every evaluation; the same, so that their differences are not luck of the deal."""
RESAMPLES: Final = 1000
"""Of the win rates, for the interval of a rating."""

Interval = tuple[float, float]
"""The ends of a 95 % interval."""


@dataclass(frozen=True)
class EvaluationResult:
    """What an evaluation found.

    Attributes:
        wins: Share of the games won against each of the panel; at more than two sides, at a table
            where it has all other sides.
        rating: Elo points; those of the panel have mean 0.
        win_intervals: The 95 % interval of each of these shares, Wilson's.
        rating_interval: That of the rating, the ratings of the panel being taken as known.
    """

    wins: dict[str, float]
    rating: float
    win_intervals: dict[str, Interval]
    rating_interval: Interval

    def point(self, budget: Budget) -> Point:
        """Return a point of the learning curve of the training that has got so far."""
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
        """Return a line for the terminal: how far the training is, and what was found."""
        wins = ", ".join(f"{name} {rate:.0%}" for name, rate in self.wins.items())
        return (
            f"{budget.seconds:5.0f} s {budget.steps:>10,} steps  rating {self.rating:+z5.0f}"
            f"  wins against {wins}; {seconds_left_text(budget.seconds_left)}"
        )


class Evaluator:
    """A panel, with the ratings that its members have among themselves.

    Args:
        names: The members, as `impulse_agents.make` knows them.
        options: The options of all games.
        games: Played against each member, and by each pair of them.
    """

    def __init__(self, names: tuple[str, ...], options: Options, games: int) -> None:
        self.names, self.options, self.games = names, options, games
        self._members = [registry.make(name) for name in names]
        self._strengths: NDArray[np.float64] | None = None

    def evaluate(self, agent: Agent) -> EvaluationResult:
        """Play against every member, and rate the agent by the results."""
        results = [self._play(agent, member) for member in self._members]
        rates = np.array([result.rate() for result in results])
        return EvaluationResult(
            dict(zip(self.names, rates.tolist(), strict=True)),
            self._rate(rates),
            dict(zip(self.names, (result.interval() for result in results), strict=True)),
            self._rating_interval(rates),
        )

    def _play(self, agent: Agent, member: Agent) -> match.MatchResult:
        return match.play([agent, member], self.options, self.games, SEED)

    def _rate(self, rates: NDArray[np.float64]) -> float:
        """Return the rating that makes the results likeliest, those of the members being known."""
        if self._strengths is None:
            self._strengths = self._among_themselves()
        return float(self._ratings(rates[None])[0])

    def _rating_interval(self, rates: NDArray[np.float64]) -> Interval:
        """Return the 95 % interval of the rating: of those by win rates that are as credible.

        They are drawn from what the results say of each rate (beta, Jeffreys' prior): unlike games
        drawn anew, that has a width after wins alone, too.
        """
        won = self.games * rates
        drawn = np.random.default_rng(SEED).beta(
            won + 0.5, self.games - won + 0.5, (RESAMPLES, len(rates))
        )
        low, high = np.quantile(self._ratings(drawn), (0.025, 0.975))
        return float(low), float(high)

    def _ratings(self, rates: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rating for each row of win rates against the members, shape ``(n,)``."""
        if self._strengths is None:
            self._strengths = self._among_themselves()
        size = rates.shape[1]
        pairs = [(size, member) for member in range(size)]
        start = np.append(self._strengths, 0.0)
        return self._fit(pairs, rates, start, known=size)[:, -1] * ELO

    def _among_themselves(self) -> NDArray[np.float64]:
        """Return the members' strengths, mean 0."""
        size = len(self._members)
        pairs = [(i, j) for i in range(size) for j in range(size) if i < j]
        rates = [self._play(self._members[i], self._members[j]).rate() for i, j in pairs]
        found = self._fit(pairs, np.array([rates]), np.zeros(size))[0]
        return found - found.mean()

    def _fit(
        self,
        pairs: list[tuple[int, int]],
        rates: NDArray[np.float64],
        start: NDArray[np.float64],
        known: int = 0,
    ) -> NDArray[np.float64]:
        """Return the likeliest strengths, given how often the first of each pair won.

        It held one side and the second all others. What it did not win counts as theirs. A row of
        rates, shape ``(n, pairs)``, makes a row of strengths.
        """
        rows, (first, second) = np.arange(len(pairs)), np.array(pairs, int).reshape(-1, 2).T
        lineups = np.zeros((len(pairs), len(start)))
        lineups[rows, first], lineups[rows, second] = 1, self.options.team_count - 1
        won = np.zeros((len(rates), *lineups.shape))
        won[:, rows, first], won[:, rows, second] = self.games * rates, self.games * (1 - rates)
        counts = np.full(rates.shape, float(self.games))
        starts = np.tile(start, (len(rates), 1))
        return LineUps(lineups, PRECISION).climb(starts, won.sum(axis=1), counts, known)
