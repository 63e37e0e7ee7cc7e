"""Ratings are checked on games they have not seen, and the deal's favour is found where it is."""

import numpy as np
import pytest

from lab import rating_checks
from simulated import game, pairs, simulated


def test_forecasts_of_games_that_follow_the_ratings_come_true():
    found = rating_checks.forecasts(simulated({"a": 100.0, "b": 0.0}, 2, 2000, seed=1))
    (row,) = found.itertuples()
    assert (row.agent, row.opponent, row.games) == ("a", "b", 2000)
    assert row.expected == pytest.approx(0.64, abs=0.03)
    assert row.low < row.expected < row.high


def test_forecasts_know_one_half_of_the_deals_and_are_compared_with_the_other():
    # On every other deal a wins, on those between b: the first half says that a is the better one.
    results = [game(n, ["a", "b"], [n // 2 % 2], deal=n // 2) for n in range(80)]
    (row,) = rating_checks.forecasts(results).itertuples()
    assert row.agent == "a"
    assert row.expected > 0.9
    assert (row.won, row.games) == (0, 40)


def test_forecasts_take_two_deals():
    with pytest.raises(ValueError, match="at least two deals, not 1"):
        rating_checks.forecasts(
            [game(0, ["a", "b"], [0], deal=5), game(1, ["b", "a"], [0], deal=5)]
        )


def test_a_deal_that_decides_is_won_twice_by_the_same_seat():
    seats = [(["a", "b"], ["b", "a"])[n % 2] for n in range(40)]
    by_deal = [game(n, who, [n // 2 % 2], deal=n // 2) for n, who in enumerate(seats)]
    found = rating_checks.deals_from_both_seats(by_deal)
    assert found.same_seat.all()
    assert found.pair.unique().tolist() == ["a v b"]
    assert found.by_chance.iloc[0] == pytest.approx(0.5, abs=0.02)
    by_agent = [game(n, who, [who.index("a")], deal=n // 2) for n, who in enumerate(seats)]
    found = rating_checks.deals_from_both_seats(by_agent)
    assert not found.same_seat.any()
    assert found.excess.tolist() == [0.0] * 20


def test_without_favour_the_excess_is_zero_on_average():
    results = simulated({"a": 80.0, "b": 0.0, "c": -80.0}, 2, 4000, seed=2)
    assert rating_checks.deals_from_both_seats(results).excess.mean() == pytest.approx(0, abs=0.03)


def test_a_deal_counts_only_if_both_games_have_a_winner():
    results = [
        game(0, ["a", "b"], [0], deal=0),
        game(1, ["b", "a"], [], deal=0, ended="truncation"),
        game(2, ["a", "b"], [0], deal=1),
        game(3, ["b", "a"], [0], deal=1),
    ]
    found = rating_checks.deals_from_both_seats(results)
    assert found.deal.tolist() == [1]


def test_four_times_the_games_halve_the_interval():
    results = simulated({"a": 50.0, "b": 0.0}, 2, 1600, seed=3)
    found = rating_checks.widths(results, (800, 3200))
    assert list(found.index) == [800, 3200]
    assert (found.loc[800] / found.loc[3200]).to_numpy() == pytest.approx(2, rel=0.3)


def test_an_interval_without_an_end_has_no_width():
    found = rating_checks.widths(pairs("a", 20, "b", 0), [20])
    assert np.isnan(found.loc[20, "b"])
