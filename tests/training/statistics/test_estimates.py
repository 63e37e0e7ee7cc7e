"""Estimates are the means, their intervals cover the truth, and what belongs together stays so."""

import numpy as np
import pandas as pd
import pytest

from impulse_training.statistics.estimates import difference, estimate

NEVER_IN_TEN = 0.2775
"""Upper end of Wilson's interval."""
TABLE = pd.DataFrame(
    {
        "game": [0, 0, 1, 1, 2, 2, 3],
        "agent": ["a", "b", "a", "b", "a", "b", "a"],
        "side": [0, 1, 0, 1, 0, 1, 1],
        "won": [True, False, True, False, False, True, True],
        "seconds": [1.0, 2.0, 3.0, np.nan, 5.0, 6.0, 7.0],
    }
)


def drawn(games, rng, shared=0.0):
    """Games of two rows each, whose values share a part."""
    luck = shared * rng.normal(size=games)
    return pd.DataFrame(
        {
            "game": np.repeat(np.arange(games), 2),
            "agent": ["a", "b"] * games,
            "value": np.repeat(luck, 2) + rng.normal(size=2 * games) + [0.5, 0.0] * games,
        }
    )


def test_the_mean_of_each_group_and_what_it_rests_on():
    found = estimate(TABLE, "won", by="agent")
    assert found.loc["a"].tolist()[0] == 0.75
    assert found.loc["b", "mean"] == pytest.approx(1 / 3)
    assert found[["rows", "clusters"]].values.tolist() == [[4, 4], [3, 3]]
    assert (found.low <= found["mean"]).all()
    assert (found["mean"] <= found.high).all()


def test_rows_without_a_value_do_not_count():
    found = estimate(TABLE, "seconds", by="agent")
    assert found["mean"].tolist() == [4.0, 4.0]
    assert found.rows.tolist() == [4, 2]


def test_groups_may_be_of_several_columns():
    found = estimate(TABLE, "won", by=["agent", "side"])
    assert found.index.tolist() == [("a", 0), ("a", 1), ("b", 1)]
    assert found.loc[("a", 1), "mean"] == 1


def test_the_same_seed_gives_the_same_interval():
    rng = np.random.default_rng(0)
    table = drawn(50, rng)
    first, second, other = (estimate(table, "value", "agent", seed=s) for s in (1, 1, 2))
    pd.testing.assert_frame_equal(first, second)
    assert not first.low.equals(other.low)


def test_about_nineteen_of_twenty_intervals_hold_the_truth():
    rng = np.random.default_rng(1)
    held = 0
    for _ in range(200):
        found = estimate(drawn(60, rng, shared=2.0), "value", "agent").loc["a"]
        held += found.low <= 0.5 <= found.high
    assert 178 <= held <= 199


def test_more_rows_of_the_same_games_do_not_narrow_the_interval():
    table = drawn(40, np.random.default_rng(2))
    once, thrice = (estimate(t, "value", "agent") for t in (table, pd.concat([table] * 3)))
    np.testing.assert_allclose(once[["low", "high"]], thrice[["low", "high"]])


def test_what_both_groups_share_cancels_in_a_difference():
    table = drawn(100, np.random.default_rng(3), shared=10.0)
    found = difference(table, "value", "agent", "a", "b")
    assert found.difference == pytest.approx(
        table[table.agent == "a"].value.mean() - table[table.agent == "b"].value.mean()
    )
    assert found.low < 0.5 < found.high
    assert found.high - found.low < 1
    apart = estimate(table, "value", "agent")
    assert (apart.high - apart.low > 3).all()
    assert (found.rows_first, found.rows_second) == (100, 100)


def test_a_higher_level_is_a_wider_interval():
    table = drawn(50, np.random.default_rng(4))
    narrow, wide = (estimate(table, "value", "agent", level=level) for level in (0.5, 0.99))
    assert (wide.low < narrow.low).all()
    assert (narrow.high < wide.high).all()


def test_one_game_gives_no_interval():
    found = estimate(TABLE[:2], "won", "agent")
    assert found["mean"].tolist() == [1, 0]
    assert found[["low", "high"]].isna().all(axis=None)
    assert np.isnan(difference(TABLE[:2], "won", "agent", "a", "b").low)


def test_no_rows_have_no_groups():
    assert estimate(TABLE[:0], "won", "agent").empty


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"level": 1.0}, "above 0 and below 1, not 1.0"),
        ({"value": "points"}, "no column 'points'; it has game, agent"),
        ({"by": []}, "by must name at least one column"),
        ({"cluster": "deal"}, "no column 'deal'"),
    ],
)
def test_impossible_estimates_are_refused(change, said):
    with pytest.raises(ValueError, match=said):
        estimate(TABLE, **({"value": "won", "by": "agent"} | change))


def test_a_group_without_rows_differs_by_nothing_known():
    found = difference(TABLE, "won", "agent", "a", "c")
    assert found[["difference", "low", "high"]].isna().all()
    assert (found.rows_first, found.rows_second) == (4, 0)


def test_a_difference_names_a_missing_column():
    with pytest.raises(ValueError, match="no column 'race'"):
        difference(TABLE, "won", "race", "a", "b")


def shares(first, second):
    """Two groups of truth values, a row to a game."""
    rows = [*(("a", won) for won in first), *(("b", won) for won in second)]
    return pd.DataFrame(rows, columns=["agent", "won"]).rename_axis("game").reset_index()


def test_a_share_that_was_always_so_has_the_interval_of_wilson():
    found = estimate(shares([True] * 10, [False] * 10), "won", "agent")
    assert found.low.tolist() == pytest.approx([1 - NEVER_IN_TEN, 0], abs=1e-4)
    assert found.high.tolist() == pytest.approx([1, NEVER_IN_TEN], abs=1e-4)


def test_the_difference_of_such_shares_has_the_interval_of_newcombe():
    sure = difference(shares([True] * 10, [False] * 10), "won", "agent", "a", "b")
    assert (sure.difference, sure.high) == (1, 1)
    assert sure.low == pytest.approx(1 - np.sqrt(2) * NEVER_IN_TEN, abs=1e-4)
    once = difference(shares([True] * 10, [True, False] * 20), "won", "agent", "a", "b")
    assert once.low < once.difference - NEVER_IN_TEN < once.difference < once.high


@pytest.mark.parametrize(
    "table",
    [
        pd.concat([shares([True], [False])] * 3).assign(agent="a", game=[0, 0, 1, 1, 2, 2]),
        shares([2, 2, 2], [3, 3]),
        shares([True, False], [False]).assign(game=[0, 1, 1]),
    ],
    ids=["halves", "numbers", "one game of a group"],
)
def test_where_drawing_shows_no_error_there_is_no_interval(table):
    found = estimate(table, "won", "agent").iloc[-1]
    assert found[["low", "high"]].isna().all()


def test_the_share_of_a_rare_event_lies_in_its_interval_about_as_often_as_stated():
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(100):
        found = estimate(shares(rng.random(40) < 0.02, [True]), "won", "agent").loc["a"]
        held += found.low <= 0.02 <= found.high
    assert held >= 93
