"""A fixed panel of opponents by which a training is measured again and again."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from impulse_agents import registry
from impulse_agents.base import Agent
from impulse_env.options import Options
from impulse_training.rollout import match

SEED: Final = 1
"""The deals of every evaluation; the same, so that their differences are not luck of the deal."""
PRIOR_ELO: Final = 1000.0
"""Standard deviation of the ratings before any game; it keeps those of agents that always win."""
ELO: Final = 400 / np.log(10)
"""Elo points of one natural logarithm of the odds."""


@dataclass(frozen=True)
class EvaluationResult:
    """What an evaluation found.

    Attributes:
        wins: Share of the games won against each of the panel; at more than two sides, at a table
            where it has all other sides.
        rating: Elo points; those of the panel have mean 0.
    """

    wins: dict[str, float]
    rating: float


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
        rates = [self._wins(agent, member) for member in self._members]
        return EvaluationResult(
            dict(zip(self.names, rates, strict=True)), self._rate(np.array(rates))
        )

    def _wins(self, agent: Agent, member: Agent) -> float:
        return match.play([agent, member], self.options, self.games, SEED).rate()

    def _rate(self, rates: NDArray[np.float64]) -> float:
        """Return the rating that makes the results likeliest."""
        if self._strengths is None:
            self._strengths = self._among_themselves()
        found = minimize(
            lambda own: self._unlikely(own - self._strengths, rates) + _prior(own), np.zeros(1)
        )
        return float(found.x[0]) * ELO

    def _among_themselves(self) -> NDArray[np.float64]:
        """Return the members' strengths, mean 0, in natural logarithms."""
        size = len(self._members)
        pairs = [(i, j) for i in range(size) for j in range(size) if i < j]
        rates = np.array([self._wins(self._members[i], self._members[j]) for i, j in pairs])
        first, second = (np.array([pair[k] for pair in pairs], int) for k in (0, 1))
        found = minimize(
            lambda own: self._unlikely(own[first] - own[second], rates) + _prior(own),
            np.zeros(size),
        ).x
        return found - found.mean()

    def _unlikely(self, leads: NDArray[np.float64], rates: NDArray[np.float64]) -> float:
        """Return minus the logarithm of the likelihood of the results, one side against all."""
        others = self.options.team_count - 1
        wins = -np.logaddexp(0, np.log(others) - leads)
        losses = -np.logaddexp(0, leads - np.log(others))
        return float(-self.games * (rates * wins + (1 - rates) * losses).sum())


def _prior(strengths: NDArray[np.float64]) -> float:
    return float((strengths**2).sum() / (2 * (PRIOR_ELO / ELO) ** 2))
