"""Styles are shares of what was done, and groups are told from none."""

import numpy as np
import pytest

import impulse_agents
from impulse_env.options import Options
from lab.experiments.first_choices import mirror_games
from lab.experiments.playing_styles import (
    agreement,
    best_cut,
    groups,
    on_a_map,
    silhouette,
    styles_of,
    without_structure,
)

CUTS = range(2, 5)


@pytest.fixture(scope="module")
def styles():
    agents = [impulse_agents.make(name) for name in ("greedy", "warrior", "trader")]
    plays = [game for agent in agents for game in mirror_games(agent, Options(), range(20))]
    return styles_of(plays, ["greedy", "warrior", "trader"])


@pytest.fixture(scope="module")
def clumps():
    rng = np.random.default_rng(0)
    middles = np.repeat([[0.0] * 6, [9.0] * 6], 4, axis=0)
    return middles + rng.normal(size=middles.shape)


def test_shares_are_shares(styles):
    raw = styles.raw()
    assert raw.shape == (3, len(styles.features))
    uses = [name.startswith("uses ") for name in styles.features]
    assert np.allclose(raw[:, uses].sum(axis=1), 1)
    points = [name.startswith("points: ") for name in styles.features]
    assert np.allclose(raw[:, points].sum(axis=1), 1)


def test_vectors_are_standardised_and_deals_drawn_again(styles):
    assert np.allclose(styles.vectors().mean(axis=0), 0)
    again = styles.resampled(5)
    assert len(again) == 5
    assert not np.allclose(again[0], styles.vectors())
    assert np.allclose(styles.vectors(np.ones(20, np.int64)), styles.vectors())


def test_clusters_are_found_and_beat_permuted_features(clumps):
    count, score = best_cut(clumps, CUTS)
    assert count == 2
    assert score > without_structure(clumps, CUTS, 50).max()
    assert silhouette(clumps, groups(clumps, 2)) == score
    assert agreement(groups(clumps, 2), np.repeat([1, 2], 4)) == 1


def test_groupings_that_have_nothing_to_do_with_each_other_do_not_agree():
    assert abs(agreement(np.tile([1, 2], 50), np.repeat([1, 2], 50))) < 0.05


def test_the_map_keeps_clumps_apart(clumps):
    places = on_a_map(clumps)
    assert places.shape == (8, 2)
    assert np.ptp(places[:, 0]) > np.ptp(places[:4, 0]) * 2
