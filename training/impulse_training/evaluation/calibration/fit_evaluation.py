"""Fits the coefficients of `impulse_agents.heuristics.evaluation`.

Rule-based agents play games. At the start of every turn, the features of every seat are recorded. A
conditional logit over the seats models the chance to win and is fitted by maximum likelihood.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from impulse_agents import registry
from impulse_agents.heuristics.evaluation import COEFFICIENTS, FEATURES, all_position_features
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import take_games
from impulse_env.engine.constants import Op
from impulse_env.options import Options


class Likelihood(NamedTuple):
    """How well the chances predict the winners of held-out games.

    Attributes:
        players: Players of a game.
        turns: Number of positions, including the fitted half.
        fitted: Mean log-likelihood of the winner in nats, with the fitted coefficients.
        present: The same with the coefficients of `impulse_agents.heuristics.evaluation`.
    """

    players: int
    turns: int
    fitted: float
    present: float


class Fit(NamedTuple):
    """The fitted coefficients and their likelihoods.

    Attributes:
        coefficients: By feature, in the order of `FEATURES`.
        likelihoods: One for each number of players.
    """

    coefficients: dict[str, float]
    likelihoods: tuple[Likelihood, ...]


class PositionRunner(GameRunner):
    """Games that record the features of the position at the start of every turn.

    Attributes:
        features: The features of every seat; one array per step, shape
            ``(k, players, len(FEATURES))``, float32.
        games: The games that they belong to; one array per step, shape ``(k,)``.
    """

    def __init__(self, *arguments: Any) -> None:
        """See `GameRunner`."""
        super().__init__(*arguments)
        self.features: list[NDArray[np.float32]] = []
        self.games: list[NDArray[np.intp]] = []

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Record the features where a turn begins."""
        states, players = self.batch.states, self.batch.options.players
        is_first = states["phase"][tables] == Op.ADD_IMPULSE
        starting = tables[is_first & (states["stack_count"][tables] == 0)]
        if len(starting):
            self.features.append(all_position_features(take_games(states, starting), players))
            self.games.append(starting)


def sample(
    agents: Sequence[str], players: int, games: int, seed: int
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Play games; return the features of every seat at the start of turns, and the winners.

    Returns:
        Features, shape ``(n, players, len(FEATURES))``, and the winning seats, shape ``(n,)``.
    """
    rng = np.random.default_rng([seed, players])
    deals = rng.integers(2**63, size=games)
    entrants = [registry.make(name) for name in agents]
    by_seat = rng.integers(len(entrants), size=(games, players))
    streams = RngStreams.from_generator(rng, games)
    runner = PositionRunner(entrants, Options(players=players), deals, by_seat, streams)
    runner.play_to_end()
    played = np.concatenate(runner.games)
    order = np.argsort(played, kind="stable")  # so that halves share no game
    features = np.concatenate(runner.features)[order]
    winners = runner.batch.states["winner"][played[order]].astype(np.int64)
    return features[winners >= 0], winners[winners >= 0]


def log_likelihood(
    coefficients: NDArray[np.float64], features: NDArray[np.float32], winners: NDArray[np.int64]
) -> tuple[float, NDArray[np.float64]]:
    """Return the mean log-likelihood of the winners, and its gradient."""
    odds = features.astype(np.float64) @ coefficients
    odds -= odds.max(axis=1, keepdims=True)
    chance = np.exp(odds)
    chance /= chance.sum(axis=1, keepdims=True)
    rows = np.arange(len(winners))
    value = float(np.log(chance[rows, winners]).mean())
    surprise = -chance
    surprise[rows, winners] += 1
    return value, np.einsum("ns,nsf->f", surprise, features) / len(winners)


def fit(data: Sequence[tuple[NDArray[np.float32], NDArray[np.int64]]], ridge: float) -> Fit:
    """Fit the coefficients to the first half of the positions, and test them on the second half.

    Args:
        data: Results of `sample`, one for each number of players.
        ridge: Weight of the squared coefficients.
    """

    def loss(coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total = float(ridge * coefficients @ coefficients)
        gradient = 2 * ridge * coefficients
        for features, winners in data:
            half = len(winners) // 2
            value, slope = log_likelihood(coefficients, features[:half], winners[:half])
            total, gradient = total - value, gradient - slope
        return total, gradient

    fitted_to = minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x
    present = COEFFICIENTS.astype(np.float64)
    likelihoods = []
    for features, winners in data:
        half = len(winners) // 2
        unseen = features[half:], winners[half:]
        fitted, now = (log_likelihood(one, *unseen)[0] for one in (fitted_to, present))
        likelihoods.append(Likelihood(features.shape[1], len(winners), fitted, now))
    return Fit(dict(zip(FEATURES, fitted_to.tolist(), strict=True)), tuple(likelihoods))
