"""Every card of a hand is laid at home once, and nothing else differs."""

import numpy as np
import pandas as pd
import pytest
from lab.home_cards import every_home_card, gain_of_rule

import impulse_agents
from impulse_env.options import Options
from impulse_training.rollout.continuations import dealt

DEALS = np.arange(20)


@pytest.mark.parametrize("place", [1, 2])
def test_every_card_is_laid_once_and_one_is_the_agents_own(place):
    found = every_home_card(impulse_agents.make("greedy"), Options(players=2), DEALS, place)
    by_deal = found.groupby("deal")
    assert (by_deal.is_chosen.sum() == 1).all()
    assert (by_deal.size() == by_deal.options.first()).all()
    assert found.options.between(2, 6).all()
    assert (by_deal.card.nunique() == by_deal.size()).all()
    # What a card gains over the others of its hand adds up to nothing.
    assert np.allclose(by_deal.gain.sum(), 0)


def test_the_first_player_chooses_from_the_hand_it_has():
    found = every_home_card(impulse_agents.make("greedy"), Options(players=2), DEALS)
    starts = dealt(Options(players=2, start_player=0), DEALS)
    for deal, rows in found.groupby("deal"):
        hand = starts["hand"][deal, 0, : starts["hand_count"][deal, 0]]
        assert sorted(rows.card) == sorted(set(hand.tolist()))


def test_a_place_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match="places are 1 to 2"):
        every_home_card(impulse_agents.make("greedy"), Options(players=2), DEALS, 3)


def test_a_rule_is_held_against_a_card_at_random():
    table = pd.DataFrame(
        {
            "deal": [1, 1, 1, 2, 2],
            "type": ["mine", "draw", "draw", "plan", "trade"],
            "won": [False, True, False, True, False],
        }
    )
    found = gain_of_rule(table, pd.Series({"draw": 1.0, "trade": 0.5}), "type")
    assert found.deal.tolist() == [1, 2]
    # In the first deal either "draw" would do, in the second only "trade" is known.
    assert np.allclose(found.gain, [0.5 - 1 / 3, 0 - 0.5])
