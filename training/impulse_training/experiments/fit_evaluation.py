"""Where the coefficients of `impulse_agents.heuristics.evaluation` come from.

`impulse fit-evaluation` plays games between the rule-based agents, measures every seat at
the start of every turn, and fits the chance to win, a conditional logit over the seats, by maximum
likelihood. It prints the coefficients and how well they foretell the winner of games not fitted.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.heuristics.evaluation import all_position_features
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch, step_some, take_games
from impulse_env.engine.constants import Op
from impulse_env.options import Options
from impulse_training.experiments.config import FitEvaluationArgs


def sample(args: FitEvaluationArgs, players: int) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Play games; return the features of every seat at the start of turns, and who won.

    Returns:
        Features, shape ``(n, players, len(FEATURES))``, and the winning seats, shape ``(n,)``.
    """
    rng = np.random.default_rng([args.seed, players])
    batch = GameBatch(Options(players=players), rng.integers(2**63, size=args.games))
    strategies = [registry.make(name) for name in args.agents]
    sitting = rng.integers(len(strategies), size=(args.games, players))
    streams = RngStreams.from_generator(rng, args.games)
    measured, of_game = [], []
    while True:
        playing = np.flatnonzero(batch.seats != NOBODY)
        if len(playing) == 0:
            break
        fresh = batch.states["phase"][playing] == Op.ADD_IMPULSE
        starting = playing[fresh & (batch.states["stack_count"][playing] == 0)]
        if len(starting):
            measured.append(all_position_features(take_games(batch.states, starting), players))
            of_game.append(starting)
        asked = sitting[playing, batch.seats[playing]]
        actions = np.empty(len(playing), np.int64)
        for index in np.unique(asked):
            rows = playing[asked == index]
            actions[asked == index] = strategies[index].act_in_batch(batch, rows, streams, rows)
        step_some(batch, playing, actions)
    order = np.argsort(np.concatenate(of_game), kind="stable")  # so that halves share no game
    features = np.concatenate(measured)[order]
    winners = batch.states["winner"][np.concatenate(of_game)[order]].astype(np.int64)
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
