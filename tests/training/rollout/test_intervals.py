"""Intervals of shares end at 0 and 1 exactly, and nowhere beyond."""

import pytest

from impulse_training.rollout.intervals import wilson


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
