"""What an agent expects means: fitted to half of some games, and tried on the others."""

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
"""Weight of the squared coefficients: they stay finite where a value tells nothing."""
RESAMPLES: Final = 1000
BINS: Final = 10
_SURE: Final = 1e-6
"""Chances are at least so far from 0 and 1 when they are rated."""


class CalibrationError(ImpulseError, ValueError):
    """An agent cannot be calibrated; the message says why."""


def calibrate(
    agent: PolicyAgent,
    games: int = GAMES,
    seed: int = 0,
    opponents: Sequence[str] = RULE_BASED,
    on_progress: Callable[[int], None] = lambda played: None,
) -> CalibrationReport:
    """Play games, fit what the agent's value means, and let the agent say it from then on.

    Args:
        agent: It is calibrated; its config is what `write_config` then writes. The games are those
            of the table that it was trained for.
        games: See `sample_positions`; half of them are fitted to, the others tried.
        seed: Of all chance.
        opponents: Agents.
        on_progress: Called now and then with the number of games that are finished.

    Raises:
        AgentError: There is no such opponent.
        CalibrationError: There are too few games, or too few that somebody won.
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
    """Play games, fit to half of them, and try that on the others.

    Args:
        agent: A network, or a search.
        options: Who plays; with a network what it was trained for.
        games: See `calibrate`, for this and the others.
        seed: See there.
        opponents: See there.
        on_progress: See there.

    Raises:
        AgentError: There is no such opponent.
        CalibrationError: There are too few games, or too few that somebody won.
    """
    if games < 2 or not opponents:
        raise CalibrationError(
            "a calibration takes 2 games or more and an opponent or more, not "
            f"{games} and {len(opponents)}"
        )
    positions = sample_positions(agent, options, opponents, games, seed, on_progress)
    is_fitted = positions.games < games // 2
    fitted, tried = positions.take(is_fitted), positions.take(~is_fitted)
    if not len(fitted) or not len(tried):
        raise CalibrationError(
            f"nobody won in half of the {games} games: there is nothing to learn from; play more"
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
    """Return how far chances are from the share won, on average over the positions, 0 to 1."""
    every = [one for one in bins if one.stage == ALL]
    apart = sum(one.positions * abs(one.expected - one.won.mean) for one in every)
    return apart / sum(one.positions for one in every)


def fit(positions: Positions) -> Calibration:
    """Return the likeliest calibration; every game counts the same."""
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
    """Return how good the calibrated value, the share won and the rule-based evaluation are."""
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
    """Return how often sides won that had about the same chance, of all stages and of each."""
    chances = calibration.win_probabilities(positions.expected, positions.progress)
    bins = np.minimum((chances * BINS).astype(np.int64), BINS - 1)
    # Progress is the root of the best score's share.
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

    The intervals are from whole games drawn again, because the positions of one hang together.
    Where all draws are alike there is none.
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
