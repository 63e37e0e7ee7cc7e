"""Fits an agent's calibration to half of its games, and tests it on the other half."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from impulse_agents.calibration import Calibration
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.registry import RULE_BASED
from impulse_agents.search.agent import TreeSearchAgent
from impulse_env.errors import ImpulseError
from impulse_env.options import Options
from impulse_training.evaluation.calibration.calibration_report import (
    ALL,
    CALIBRATED,
    NOTHING,
    RULES,
    STAGES,
    CalibrationReport,
    Estimate,
    Forecast,
    ReliabilityBin,
)
from impulse_training.evaluation.calibration.positions import (
    Positions,
    options_of,
    sample_positions,
)
from impulse_training.statistics.bootstrap import percentile_interval, resampled_means
from impulse_training.statistics.intervals import wilson

GAMES: Final = 4000
RIDGE: Final = 1e-5
"""Weight of the squared coefficients, which stay finite when a value is uninformative."""
RESAMPLES: Final = 1000
BINS: Final = 10
_SURE: Final = 1e-6
"""Chances are clipped to this distance from 0 and 1 before they are scored."""


class CalibrationError(ImpulseError, ValueError):
    """An agent cannot be calibrated; the message says why."""


def calibrate(
    agent: PolicyAgent,
    games: int = GAMES,
    seed: int = 0,
    opponents: Sequence[str] = RULE_BASED,
    on_progress: Callable[[int], None] = lambda played: None,
) -> CalibrationReport:
    """Play games, fit the calibration of the agent's value, and store it in the agent.

    Args:
        agent: The agent to calibrate, at the table that it was trained for. `write_config` can then
            write its config.
        games: See `sample_positions`; half of them are for the fit, the others for the test.
        seed: Random seed for everything.
        opponents: Names of agents.
        on_progress: Called from time to time with the number of finished games.

    Raises:
        AgentError: An opponent does not exist.
        CalibrationError: There are too few games, or too few games with a winner.
    """
    report = measure(agent, options_of(agent), games, seed, opponents, on_progress)
    agent.config["calibration"] = {"weights": agent.weights_digest(), **report.record}
    agent.calibration = report.calibration
    return report


def measure(
    agent: PolicyAgent | TreeSearchAgent,
    options: Options,
    games: int,
    seed: int,
    opponents: Sequence[str],
    on_progress: Callable[[int], None],
) -> CalibrationReport:
    """Play games, fit a calibration to half of them, and test it on the other half.

    Args:
        agent: A network, or a search.
        options: Options of the games; for a network those that it was trained for.
        games: See `calibrate`.
        seed: See `calibrate`.
        opponents: See `calibrate`.
        on_progress: See `calibrate`.

    Raises:
        AgentError: An opponent does not exist.
        CalibrationError: There are too few games, or too few games with a winner.
    """
    if games < 2 or not opponents:
        raise CalibrationError(
            f"a calibration needs at least 2 games and 1 opponent, not {games} and {len(opponents)}"
        )
    positions = sample_positions(agent, options, opponents, games, seed, on_progress)
    is_fitted = positions.games < games // 2
    fitted, tried = positions.take(is_fitted), positions.take(~is_fitted)
    if not len(fitted) or not len(tried):
        raise CalibrationError(
            f"half of the {games} games have no winner, so the fit has no data; play more games"
        )
    calibration = fit(fitted)
    won = float(np.average(fitted.has_won, weights=fitted.weights))
    bins = reliability(calibration, tried, seed)
    return CalibrationReport(
        replace(calibration, error=mean_distance(bins)),
        seed,
        tuple(opponents),
        games,
        len(np.unique(fitted.games)),
        len(np.unique(tried.games)),
        len(tried),
        won,
        forecasts_of(calibration, won, tried, seed),
        bins,
    )


def mean_distance(bins: Sequence[ReliabilityBin]) -> float:
    """Return the mean distance of chances from the share won, over the positions, 0 to 1."""
    every = [one for one in bins if one.stage == ALL]
    apart = sum(one.positions * abs(one.expected - one.won.mean) for one in every)
    return apart / sum(one.positions for one in every)


def fit(positions: Positions) -> Calibration:
    """Return the maximum-likelihood calibration; every game has equal weight."""
    x = positions.expected.astype(np.float64)
    terms = np.stack([x, x**3, positions.progress, np.ones(len(x))], axis=1)
    won, weights = positions.has_won.astype(np.float64), positions.weights / positions.weights.sum()

    def loss(coefficients: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        odds = terms @ coefficients
        missed = 0.5 + 0.5 * np.tanh(odds / 2) - won
        value = weights @ (np.logaddexp(0, odds) - won * odds) + RIDGE * coefficients @ coefficients
        return float(value), terms.T @ (weights * missed) + 2 * RIDGE * coefficients

    bounds = [(0, None), (0, None), (None, None), (None, None)]
    found = minimize(loss, np.zeros(4), jac=True, method="L-BFGS-B", bounds=bounds)
    return Calibration(*found.x.tolist())


def forecasts_of(
    calibration: Calibration, won: float, positions: Positions, seed: int
) -> tuple[Forecast, ...]:
    """Return the accuracy of the calibrated value, the share won, the rule-based evaluation."""
    chances = {
        CALIBRATED: calibration.win_probabilities(positions.expected, positions.progress),
        NOTHING: np.full(len(positions), won),
        RULES: positions.by_rules,
    }
    losses, misses = [], []
    for name in chances:
        chance = np.clip(chances[name].astype(np.float64), _SURE, 1 - _SURE)
        losses.append(-np.log(np.where(positions.has_won, chance, 1 - chance)))
        misses.append((chance - positions.has_won) ** 2)
    behind = [loss - losses[0] for loss in losses]
    columns = np.stack([*losses, *misses, *behind], axis=1)
    found = _estimates(columns, np.ones(columns.shape), positions, seed)
    size = len(chances)
    parts = (found[:size], found[size : 2 * size], found[2 * size :])
    return tuple(Forecast(*row) for row in zip(chances, *parts, strict=True))


def reliability(
    calibration: Calibration, positions: Positions, seed: int
) -> tuple[ReliabilityBin, ...]:
    """Return the share won by bin of the expected chance, for all stages and for each."""
    chances = calibration.win_probabilities(positions.expected, positions.progress)
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    # Progress is the square root of the best score's share of the target.
    stages = np.minimum((positions.progress**2 * len(STAGES)).astype(np.int64), len(STAGES) - 1)
    cells: list[tuple[int | None, int]] = [(None, k) for k in range(BINS)]
    cells += [(stage, k) for stage in range(len(STAGES)) for k in range(BINS)]
    is_in = np.stack([(bins == k) & ((s is None) | (stages == s)) for s, k in cells], axis=1)
    rows = [row for row in range(len(cells)) if is_in[:, row].any()]
    is_in = is_in[:, rows]
    found = _estimates(is_in * positions.has_won[:, None], is_in, positions, seed)
    weights = positions.weights
    return tuple(
        ReliabilityBin(
            ALL if (stage := cells[row][0]) is None else STAGES[stage],
            cells[row][1] / BINS,
            (cells[row][1] + 1) / BINS,
            int(inside.sum()),
            float(np.average(chances[inside], weights=weights[inside])),
            _share(won, positions.has_won[inside], positions.games[inside]),
        )
        for row, inside, won in zip(rows, is_in.T, found, strict=True)
    )


def _share(found: Estimate, has_won: NDArray[np.bool_], games: NDArray[Any]) -> Estimate:
    """Return a share of positions, with Wilson's interval if it is 0 or 1."""
    if has_won.any() and not has_won.all():
        return found
    count, share = len(np.unique(games)), float(has_won.all())
    return Estimate(share, *wilson(share * count, count))


def _estimates(
    values: NDArray[Any], counted: NDArray[Any], positions: Positions, seed: int
) -> list[Estimate]:
    """Return the mean of each column over the positions that count in it, shapes ``(n, k)``.

    The intervals come from resampling whole games, because positions of a game are correlated.
    A column whose resamples are all equal has no interval.
    """
    names, games = np.unique(positions.games, return_inverse=True)
    weights = positions.weights[:, None]
    sums = np.zeros((2, len(names), values.shape[1]))
    np.add.at(sums[0], games, weights * values)
    np.add.at(sums[1], games, weights * counted)
    means = sums[0].sum(axis=0) / sums[1].sum(axis=0)
    ends = percentile_interval(resampled_means(sums[0], sums[1], RESAMPLES, seed)).T
    return [
        Estimate(mean, *(None if np.isnan(end) else end for end in pair))
        for mean, pair in zip(means.tolist(), ends.tolist(), strict=True)
    ]
