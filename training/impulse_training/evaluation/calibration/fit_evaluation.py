"""Where the coefficients of `impulse_agents.heuristics.evaluation` come from.

`impulse train fit-evaluation` plays games between the rule-based agents, measures every seat at the
start of every turn, and fits the chance to win, a conditional logit over the seats, by maximum
likelihood. It prints the coefficients and how well they foretell the winner of games not fitted.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from impulse_agents import registry
from impulse_agents.heuristics.evaluation import COEFFICIENTS, FEATURES, all_position_features
from impulse_agents.playing.game_runner import GameRunner
from impulse_agents.rng import RngStreams
from impulse_env.batch import take_games
from impulse_env.engine.constants import Op
from impulse_env.options import Options, check_least, check_once
from impulse_training.evaluation.evaluation_options import FitEvaluationArgs
from impulse_training.run.common_options import ConfigError


class PositionRunner(GameRunner):
    """Games whose positions are measured at the start of every turn.

    Attributes:
        features: Of every seat, for each step, shape ``(k, players, len(FEATURES))``.
        games: The games that they belong to, for each step, shape ``(k,)``.
    """

    def __init__(self, *arguments: Any) -> None:
        """See `GameRunner`."""
        super().__init__(*arguments)
        self.features: list[NDArray[np.float32]] = []
        self.games: list[NDArray[np.intp]] = []

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Measure where a turn begins."""
        states, players = self.batch.states, self.batch.options.players
        is_first = states["phase"][tables] == Op.ADD_IMPULSE
        starting = tables[is_first & (states["stack_count"][tables] == 0)]
        if len(starting):
            self.features.append(all_position_features(take_games(states, starting), players))
            self.games.append(starting)


def sample(args: FitEvaluationArgs, players: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Play games; return the features of every seat at the start of turns, and who won.

    Returns:
        Features, shape ``(n, players, len(FEATURES))``, and the winning seats, shape ``(n,)``.
    """
    rng = np.random.default_rng([args.seed, players])
    deals = rng.integers(2**63, size=args.games)
    agents = [registry.make(name) for name in args.agents]
    by_seat = rng.integers(len(agents), size=(args.games, players))
    streams = RngStreams.from_generator(rng, args.games)
    runner = PositionRunner(agents, Options(players=players), deals, by_seat, streams)
    runner.play_to_end()
    games = np.concatenate(runner.games)
    order = np.argsort(games, kind="stable")  # so that halves share no game
    features = np.concatenate(runner.features)[order]
    winners = runner.batch.states["winner"][games[order]].astype(np.int64)
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


def main(args: FitEvaluationArgs) -> dict[str, Any]:
    """Fit and print; return the coefficients, and the log-likelihoods for games not fitted."""
    check_once(args, "players")
    check_least(args, 10, "games")  # half of them are not fitted
    check_least(args, 0, "seed", "ridge")
    if not (args.players and args.agents):
        raise ConfigError("a fit takes one number of players and one agent, or more")
    data = [sample(args, players) for players in args.players]

    def loss(coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total = float(args.ridge * coefficients @ coefficients)
        gradient = 2 * args.ridge * coefficients
        for features, winners in data:
            half = len(winners) // 2
            value, slope = log_likelihood(coefficients, features[:half], winners[:half])
            total, gradient = total - value, gradient - slope
        return total, gradient

    found = minimize(loss, np.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x
    likelihoods = []
    for (features, winners), players in zip(data, args.players, strict=True):
        half = len(winners) // 2
        unseen = features[half:], winners[half:]
        now = log_likelihood(COEFFICIENTS.astype(np.float64), *unseen)[0]
        fitted = log_likelihood(found, *unseen)[0]
        print(
            f"{players} players, {len(winners):,} turns: log-likelihood of the winner "
            f"{fitted:.4f}, with the present coefficients {now:.4f}, knowing nothing "
            f"{-np.log(players):.4f}"
        )
        likelihoods.append({"players": players, "fitted": fitted, "present": now})
    for name, value in zip(FEATURES, found, strict=True):
        print(f"    {value:.3f},  # {name}")
    return {
        "coefficients": dict(zip(FEATURES, found.tolist(), strict=True)),
        "log_likelihoods": likelihoods,
    }
