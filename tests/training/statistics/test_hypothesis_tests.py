"""Tests err no more often than they say, and the sequential one ends."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

from impulse_training.statistics.hypothesis_tests import (
    LEAST_SCORES,
    SequentialTest,
    equivalence,
)

RUNS = 200


def pairs(rng, rate, luck):
    """Scores of pairs of games: `luck` of the deals are won by whoever has the better seat."""
    while True:
        decided = rng.random() < luck
        yield 0.5 if decided else rng.binomial(2, rate) / 2


def decided(rate, luck, seed):
    """What each of many tests accepts, and after how many pairs."""
    rng, found, lengths = np.random.default_rng(seed), [], []
    for _ in range(RUNS):
        test = SequentialTest(0.5, 0.56)
        for score in pairs(rng, rate, luck):
            test.add(score)
            if test.accepted is not None:
                break
        found.append(test.accepted)
        lengths.append(test.count)
    return np.array(found), np.array(lengths)


@pytest.mark.parametrize("luck", [0.0, 0.5])
def test_it_errs_no_more_often_than_it_says(luck):
    """With luck the mean lies between: half of the deals teach nothing, and do not blur it."""
    low, _ = decided(0.5, luck, seed=1)
    high, _ = decided(0.5 + 0.06 / (1 - luck), luck, seed=2)
    allowed = 0.05 + 3 * np.sqrt(0.05 * 0.95 / RUNS)
    assert (low == 0.56).mean() <= allowed
    assert (high == 0.5).mean() <= allowed


def test_a_large_difference_is_found_sooner():
    _, short = decided(0.7, 0, seed=3)
    _, long = decided(0.56, 0, seed=4)
    assert LEAST_SCORES <= short.mean() < long.mean() / 2


def test_nothing_is_decided_by_a_few_scores():
    up, down = SequentialTest(0.5, 0.55), SequentialTest(0.5, 0.55)
    for _ in range(LEAST_SCORES):
        assert up.accepted is down.accepted is None
        up.add(1.0)
        down.add(0.0)
    assert (up.accepted, down.accepted) == (0.55, 0.5)


def test_scores_that_are_all_alike_err_no_more_often_than_it_says():
    """One deal in 25 is won from both seats, the others by the seat: at first all look alike."""
    rng = np.random.default_rng(5)
    wrong = 0
    for _ in range(RUNS):
        test = SequentialTest(0.5, 0.52)
        while test.accepted is None:
            test.add(1.0 if rng.random() < 0.04 else 0.5)
        wrong += test.accepted == 0.5
    assert wrong / RUNS <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / RUNS)


def test_mean_and_variance_are_those_of_the_scores():
    scores, test = [0.0, 0.5, 1.0, 1.0, 0.5] * 5, SequentialTest(0.5, 0.55)
    for score in scores:
        test.add(score)
    assert test.mean == pytest.approx(np.mean(scores))
    assert test.variance == pytest.approx(np.var(scores, ddof=1))


def test_likeness_is_rarely_found_at_the_bound():
    """Who is just as far from the value as the bound is called alike no more often than stated."""
    rng = np.random.default_rng(3)
    verdicts = [
        equivalence(rng.binomial(2, 0.55, 400) / 2, 0.5, 0.05, 0.05).verdict for _ in range(400)
    ]
    assert verdicts.count("equivalent") <= 0.08 * 400


@pytest.mark.parametrize("share", [0.47, 0.5, 0.52, 0.53, 0.56])
def test_likeness_is_what_two_one_sided_tests_of_scipy_find(share):
    scores = np.random.default_rng(4).binomial(2, share, 3000) / 2
    sides = ((0.47, "greater"), (0.53, "less"))
    theirs = [ttest_1samp(scores, bound, alternative=side).pvalue for bound, side in sides]
    found = equivalence(scores, 0.5, 0.03, 0.05)
    assert (found.verdict == "equivalent") == (max(theirs) < 0.05)
    interval = ttest_1samp(scores, 0.5).confidence_interval(0.9)
    ends = (interval.low - 0.5, interval.high - 0.5)
    assert (found.low, found.high) == pytest.approx(ends, abs=1e-4)
