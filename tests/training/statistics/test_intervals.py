"""Intervals of shares end at 0 and 1 exactly, and nowhere beyond."""

import numpy as np
import pytest
from scipy.stats import binomtest

from impulse_training.statistics.intervals import median_interval, newcombe, wilson


@pytest.mark.parametrize("games", [1, 2, 3, 7, 10, 24, 60, 200, 1234])
def test_wilsons_interval_of_all_or_no_games_ends_exactly(games):
    (none, some), (most, every) = wilson(0, games), wilson(games, games)
    assert (none, every) == (0.0, 1.0)
    assert some == pytest.approx(1 - most)
    assert 0 < some < 1


def test_wilsons_interval_holds_the_share_and_mirrors_that_of_the_others():
    for games in range(1, 40):
        for wins in range(games + 1):
            low, high = wilson(wins, games)
            assert 0 <= low <= wins / games <= high <= 1
            assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low))
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(("wins", "games"), [(0, 12), (1, 30), (13, 40), (199, 200), (25, 25)])
def test_wilsons_interval_is_that_of_scipy(wins, games):
    theirs = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson(wins, games) == pytest.approx((theirs.low, theirs.high), abs=1e-6)


def test_the_interval_of_a_difference_is_newcombes():
    """R. G. Newcombe, Statistics in Medicine 17 (1998), table II: 56 of 70 minus 48 of 80."""
    first, second = (56 / 70, wilson(56, 70)), (48 / 80, wilson(48, 80))
    assert newcombe(*first, *second) == pytest.approx((0.0524, 0.3339), abs=1e-4)
    assert newcombe(*second, *first) == pytest.approx((-0.3339, -0.0524), abs=1e-4)


def test_the_interval_of_a_median_holds_it_in_95_of_100_samples_or_more():
    rng = np.random.default_rng(0)
    for count in (6, 9, 20):
        samples = rng.exponential(size=(2000, count))
        held = [low <= np.log(2) <= high for low, high in map(median_interval, samples.tolist())]
        assert 0.94 < np.mean(held) < 0.99
    assert median_interval([3.0, 1, 2, 6, 5, 4]) == (1, 6)
    assert median_interval([1.0] * 5) is None
