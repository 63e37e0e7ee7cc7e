"""Clusters are drawn alike however many at a time, and their intervals are those of scipy."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from impulse_training.statistics.bootstrap import (
    draws,
    percentile_interval,
    resampled,
    resampled_means,
)


def test_as_many_clusters_are_drawn_as_there_are():
    counts = np.concatenate([*draws(7, 250, seed=1)])
    assert counts.shape == (250, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert counts.mean(axis=0) == pytest.approx(1, abs=0.2)


@pytest.mark.parametrize("at_once", [1, 3, 100, 1000])
def test_draws_do_not_depend_on_how_many_come_together(at_once):
    whole = np.concatenate([*draws(5, 250, seed=[2, 3])])
    assert (np.concatenate([*draws(5, 250, [2, 3], at_once)]) == whole).all()


def test_a_generator_continues_from_where_it_is():
    rng = np.random.default_rng(4)
    first, second = (np.concatenate([*draws(5, 100, rng)]) for _ in range(2))
    assert (np.concatenate([first, second]) == np.concatenate([*draws(5, 200, 4)])).all()


def test_sums_are_of_the_clusters_drawn():
    sums = np.random.default_rng(5).normal(size=(6, 2, 3))
    found = resampled(sums, 130, seed=6)
    by_hand = np.tensordot(np.concatenate([*draws(6, 130, 6)]), sums, axes=1)
    assert found.shape == (130, 2, 3)
    assert found == pytest.approx(by_hand)


def test_the_interval_of_a_mean_is_that_of_scipy():
    values = np.random.default_rng(7).exponential(size=80)
    drawn = resampled_means(values[:, None], np.ones((80, 1)), 20_000, seed=8)
    theirs = bootstrap(
        (values,), np.mean, n_resamples=20_000, method="percentile", rng=9
    ).confidence_interval
    width = theirs.high - theirs.low
    assert percentile_interval(drawn)[:, 0] == pytest.approx(theirs, abs=0.03 * width)


def test_the_interval_of_a_ratio_is_that_of_scipy():
    """Clusters of several sizes: their games are drawn together."""
    rng = np.random.default_rng(10)
    counts = rng.integers(1, 6, 60).astype(float)
    totals = rng.normal(1, 0.5, 60) * counts
    drawn = resampled_means(totals[:, None], counts[:, None], 20_000, seed=11)

    def ratio(over, under, axis):
        return over.sum(axis=axis) / under.sum(axis=axis)

    theirs = bootstrap(
        (totals, counts), ratio, paired=True, n_resamples=20_000, method="percentile", rng=12
    ).confidence_interval
    width = theirs.high - theirs.low
    assert percentile_interval(drawn)[:, 0] == pytest.approx(theirs, abs=0.03 * width)


def test_one_cluster_has_no_other_means():
    drawn = resampled_means(np.ones((1, 2)), np.ones((1, 2)), 10, seed=0)
    assert drawn.shape == (10, 2)
    assert np.isnan(drawn).all()


def test_draws_that_are_alike_have_no_interval_and_missing_ones_do_not_count():
    alike, some = np.full(100, 0.3), np.append(np.arange(101.0), np.nan)
    assert np.isnan(percentile_interval(alike)).all()
    assert np.isnan(percentile_interval(np.full(10, np.nan))).all()
    assert percentile_interval(some, 0.9) == pytest.approx([5, 95])
