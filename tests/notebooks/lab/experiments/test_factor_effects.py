"""Effects are found again in made-up games, with intervals that hold as often as they say."""

import numpy as np
import pandas as pd
import pytest

from lab.experiments.factor_effects import (
    Effects,
    attribute_weights,
    correlation,
    explained,
    factor_effects,
    rank_correlation,
    slope,
    spread,
)

TRUE = np.array([-0.3, -0.1, 0.0, 0.1, 0.3])
LEVELS = [10, 20, 30, 40, 50]


def games(deals=400, noise=0.3, seed=0, true=TRUE):
    """Made-up games: deals of their own worth, in which good ones hold good cards less often."""
    rng = np.random.default_rng(seed)
    rows = []
    for deal in range(deals):
        good = rng.normal()
        for level, worth in zip(LEVELS, true, strict=True):
            if rng.random() < 0.8 - 0.5 * (good * worth > 0):
                rows.append((deal, level, good + worth + noise * rng.normal()))
    return pd.DataFrame(rows, columns=["deal", "card", "value"])


def effects_of(values, errors, seed=0, names=None):
    """Effects with normal errors around the truth, which are their own draws."""
    rng = np.random.default_rng(seed)
    values = np.asarray(values) + errors * rng.normal(size=len(values))
    draws = values + errors * rng.normal(size=(1000, len(values)))
    levels = pd.Index(range(len(values)) if names is None else names)
    return Effects(levels, values, draws, np.full(len(values), 100))


def test_what_deals_share_cancels_though_levels_are_missing():
    found = factor_effects(games(), "value", "card")
    assert found.levels.tolist() == LEVELS
    assert found.values == pytest.approx(TRUE, abs=0.06)
    assert found.values.mean() == pytest.approx(0, abs=1e-12)
    assert found.rows.sum() == len(games())


def test_intervals_hold_as_often_as_they_say():
    held = []
    for seed in range(30):
        table = factor_effects(games(100, seed=seed), "value", "card").table()
        held.append((table.low < TRUE) & (TRUE < table.high))
    assert 0.88 < np.mean(held) <= 1


def test_zero_is_a_weighted_mean_or_one_of_the_levels():
    weights = pd.Series([5.0, 0, 0, 0, 0], LEVELS)
    by_weight = factor_effects(games(), "value", "card", weights=weights)
    by_base = factor_effects(games(), "value", "card", base=10)
    assert by_weight.values[0] == pytest.approx(0, abs=1e-12)
    assert by_base.values == pytest.approx(by_weight.values)
    with pytest.raises(ValueError, match="never 11"):
        factor_effects(games(), "value", "card", base=11)


def test_rows_without_a_value_do_not_count():
    table = games()
    more = pd.concat([table, pd.DataFrame({"deal": [0], "card": [20], "value": [np.nan]})])
    assert (
        factor_effects(more, "value", "card").values
        == factor_effects(table, "value", "card").values
    ).all()


def test_few_equal_levels_seem_to_differ():
    alike = [effects_of(np.zeros(80), 0.1, seed) for seed in range(20)]
    assert np.mean([found.discovered().any() for found in alike]) < 0.25
    assert np.mean([found.discovered_jointly().any() for found in alike]) < 0.25
    apart = effects_of(np.repeat([0.0, 1.0], 40), 0.1)
    assert apart.discovered()[40:].all()
    assert apart.discovered_jointly()[40:].all()
    assert apart.discovered().sum() >= apart.discovered_jointly().sum()


def test_the_spread_is_without_the_error():
    true = np.random.default_rng(1).normal(size=200)
    found = spread(effects_of(true, 0.5))
    assert found.low < true.std() < found.high
    assert spread(effects_of(np.zeros(200), 0.5))["mean"] < 0.2


def test_slope_and_correlation_are_those_without_errors():
    short = np.random.default_rng(1).normal(size=80)
    found = slope(effects_of(2 * short, 0.8, 2), effects_of(short, 0.4, 3))
    assert found.low < 2 < found.high
    together = correlation(effects_of(2 * short, 0.8, 2), effects_of(short, 0.4, 3))
    assert together.low < 1.0 < together.high + 0.05


def test_a_belief_that_is_right_goes_along_and_one_by_chance_does_not():
    true = np.random.default_rng(1).normal(size=80)
    found = effects_of(true, 0.3)
    right = rank_correlation(found, pd.Series(true))
    chance = rank_correlation(found, pd.Series(np.random.default_rng(5).normal(size=80)))
    assert right.low > 0.7
    assert chance.low < 0 < chance.high


def test_correlated_attributes_are_separated():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"type": rng.choice(["a", "b", "c"], 200)})
    table["size"] = np.where(rng.random(200) < 0.7, table.type.map({"a": 1, "b": 2, "c": 2}), 3)
    copies = pd.Series(rng.integers(1, 4, 200))
    worth = table.type.map({"a": 0.0, "b": 1.0, "c": 2.0}).to_numpy()
    found = effects_of(worth, 0.01)
    by_value = found.combined(attribute_weights(table, copies)).table()["mean"]
    assert by_value["type: c"] - by_value["type: a"] == pytest.approx(2, abs=0.05)
    assert by_value["size: 3"] - by_value["size: 1"] == pytest.approx(0, abs=0.05)
    shares = (table.type.value_counts() * 0 + copies.groupby(table.type).sum()) / copies.sum()
    assert by_value.filter(like="type: ").to_numpy() @ shares.sort_index() == pytest.approx(0)
    shares_explained = explained(found, table)
    assert shares_explained.alone["type"] > 0.99
    assert shares_explained.lost["size"] == pytest.approx(0, abs=0.01)
    assert shares_explained.lost["type"] > 0.3
