"""First choices are found, every one of them is played on, and measures are what they say."""

import numpy as np
import pandas as pd
import pytest

import impulse_agents
from impulse_agents.playing.continuations import dealt
from impulse_env.options import Options
from impulse_training.report.explore.line_filter import LineFilter
from impulse_training.report.explore.lines import Openings
from lab.experiments.first_choices import (
    FIRST,
    against_random,
    every_choice,
    every_home_card,
    gain_of_rule,
    mirror_games,
    observed_and_effect,
    positions,
)

DEALS = np.arange(30)
OPTIONS = Options(players=2)


@pytest.mark.parametrize("choice", FIRST)
def test_every_choice_is_taken_once_and_one_is_the_agents(choice, greedy):
    states, deals = positions(greedy, OPTIONS, DEALS, choice)
    assert (states["phase"] == FIRST[choice]).all()
    assert (states["turn"] <= 0).all()
    warrior = impulse_agents.make("warrior")
    table = every_choice(greedy, OPTIONS, states, deals, {"warrior": warrior})
    by_deal = table.groupby("deal")
    assert list(by_deal.by_agent.sum()) == [1] * len(deals)
    assert list(by_deal.by_warrior.sum()) == [1] * len(deals)
    assert (by_deal.size() == by_deal.options.first()).all()
    assert (table.options > 1).all()
    assert np.allclose(by_deal.gain.sum(), 0)
    assert not table.label.str.contains("hidden").any()


def test_what_the_agent_would_choose_goes_as_its_own_game(policy):
    games = mirror_games(policy, OPTIONS, DEALS)  # it draws nothing
    states, deals = positions(policy, OPTIONS, DEALS, "home")
    table = every_choice(policy, OPTIONS, states, deals, {})
    own = table[table.by_agent].set_index("deal").won
    won = pd.Series([0 in game.winners for game in games], DEALS)
    assert (own == won[own.index]).all()


def test_the_explorer_reads_mirror_games(greedy):
    openings = Openings(LineFilter(seat=0), 3, "action")
    assert list(openings.read(mirror_games(greedy, OPTIONS, DEALS)))
    openings.finish(2)
    assert len(openings.lines) == len(DEALS)


def test_measures_of_a_choice():
    table = pd.DataFrame(
        {
            "deal": [1, 1, 2, 2],
            "label": ["Build", "Trade", "Build", "Trade"],
            "by_agent": [True, False, False, True],
            "won": [True, False, False, False],
            "gain": [1.0, -1.0, 0.0, 0.0],
        }
    )
    assert list(against_random(table, "agent").gain) == [0.5, 0.0]
    found = observed_and_effect(table, "Build", 50)
    assert found["mean"].to_dict() == {"told": 0.5, "done": 0.5, "misled": 0.0}


def test_an_unknown_choice_is_refused(greedy):
    with pytest.raises(ValueError, match="not 'last'"):
        positions(greedy, OPTIONS, DEALS, "last")


@pytest.mark.parametrize("place", [1, 2])
def test_every_card_is_laid_once_and_one_is_the_agents_own(greedy, place):
    found = every_home_card(greedy, OPTIONS, DEALS, place)
    by_deal = found.groupby("deal")
    assert (by_deal.is_chosen.sum() == 1).all()
    assert (by_deal.size() == by_deal.options.first()).all()
    assert found.options.between(2, 6).all()
    assert (by_deal.card.nunique() == by_deal.size()).all()
    # What a card gains over the others of its hand adds up to nothing.
    assert np.allclose(by_deal.gain.sum(), 0)


def test_the_first_player_chooses_from_the_hand_it_has(greedy):
    found = every_home_card(greedy, OPTIONS, DEALS)
    starts = dealt(Options(players=2, start_player=0), DEALS)
    for deal, rows in found.groupby("deal"):
        hand = starts["hand"][deal, 0, : starts["hand_count"][deal, 0]]
        assert sorted(rows.card) == sorted(set(hand.tolist()))


def test_a_place_that_is_not_there_is_refused(greedy):
    with pytest.raises(ValueError, match="places are 1 to 2"):
        every_home_card(greedy, OPTIONS, DEALS, 3)


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
