"""First choices are found, every one of them is played on, and measures are what they say."""

import numpy as np
import pandas as pd
import pytest

import impulse_agents
from impulse_env.options import Options
from impulse_training.explore.lines import Openings
from impulse_training.explore.wanted import Wanted
from lab.first_choices import (
    FIRST,
    against_random,
    every_choice,
    mirror_games,
    positions,
    told_and_done,
)

DEALS = np.arange(30)
OPTIONS = Options(players=2)


@pytest.fixture(scope="module")
def greedy():
    return impulse_agents.make("greedy")


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


def test_what_the_agent_would_choose_goes_as_its_own_game():
    agent = impulse_agents.make("policy:2p")  # draws nothing
    games = mirror_games(agent, OPTIONS, DEALS)
    states, deals = positions(agent, OPTIONS, DEALS, "home")
    table = every_choice(agent, OPTIONS, states, deals, {})
    own = table[table.by_agent].set_index("deal").won
    won = pd.Series([0 in game.winners for game in games], DEALS)
    assert (own == won[own.index]).all()


def test_the_explorer_reads_mirror_games(greedy):
    openings = Openings(Wanted(seat=0), 3, "action")
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
    found = told_and_done(table, "Build", 50)
    assert found["mean"].to_dict() == {"told": 0.5, "done": 0.5, "misled": 0.0}


def test_an_unknown_choice_is_refused(greedy):
    with pytest.raises(ValueError, match="not 'last'"):
        positions(greedy, OPTIONS, DEALS, "last")
