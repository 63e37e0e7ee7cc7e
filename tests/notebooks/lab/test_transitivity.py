"""Cycles are found where they are, bounds hold where they are not, and ratings fit a ladder."""

import numpy as np
import pandas as pd
import pytest

from lab.transitivity import (
    ladder_shares,
    largest_left,
    off_the_ladder,
    payoffs,
    sure_cycles,
    wins_by_deal,
)

NAMES = ("a", "b", "c", "d")


def drawn(shares, deals, seed=0):
    rng = np.random.default_rng(seed)
    wins = np.zeros((deals, len(shares), len(shares)))
    for row, column in zip(*np.triu_indices(len(shares), 1), strict=True):
        won = rng.random(deals) < shares[row, column]
        wins[:, row, column], wins[:, column, row] = won, ~won
    return wins


@pytest.fixture(scope="module")
def ladder():
    strengths = np.array([0.0, 0.5, 1.0, 1.5])
    return 1 / (1 + np.exp(strengths[None] - strengths[:, None]))


@pytest.fixture(scope="module")
def circle(ladder):
    shares = ladder.copy()
    for row, column in ((0, 1), (1, 2), (2, 0)):
        shares[row, column], shares[column, row] = 0.7, 0.3
    return shares


def test_a_cycle_is_found(circle):
    found = payoffs(NAMES, drawn(circle, 2000), 200)
    assert [one.agents for one in sure_cycles(found)] == [("a", "b", "c")]
    assert 0.7 < largest_left(found).weakest < 0.8
    value, low, high = off_the_ladder(drawn(circle, 2000), 100)
    assert low > 0.1
    assert low <= value <= high


def test_a_ladder_has_no_cycle_and_a_small_bound(ladder):
    wins = drawn(ladder, 2000)
    found = payoffs(NAMES, wins, 200)
    assert not sure_cycles(found)
    assert largest_left(found).weakest < 0.52
    assert off_the_ladder(wins, 100)[1] < 0.01


def test_more_games_leave_less(ladder):
    few, many = (payoffs(NAMES, drawn(ladder, deals), 200) for deals in (50, 3000))
    assert largest_left(few).weakest > largest_left(many).weakest


def test_ratings_fit_a_ladder(ladder):
    assert np.allclose(ladder_shares(1e6 * ladder), ladder, atol=1e-3)


def test_wins_are_counted_by_deal():
    seats = pd.DataFrame(
        {
            "game": [0, 0, 1, 1],
            "deal": [7, 7, 7, 7],
            "seat": [0, 1, 0, 1],
            "agent": ["a", "b", "b", "a"],
            "won": [True, False, True, False],
        }
    )
    assert wins_by_deal(seats, ["a", "b"]).tolist() == [[[0, 1], [1, 0]]]
