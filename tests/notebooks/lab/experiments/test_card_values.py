"""Every card takes the same place in the same deals, and what comes of it is told."""

import numpy as np
import pytest

from impulse_agents.luck.values import RULES, values_of
from impulse_env.analysis import cards
from impulse_env.engine.constants import FACES, Op, Race
from impulse_env.options import Options
from lab.experiments.card_values import (
    UNCHANGED,
    followed,
    hand_swaps,
    plan_changes,
    preferences,
    race_changes,
    starts,
    tech_changes,
    turn_begins,
)

OPTIONS = Options(players=2)
DEALS = np.arange(100, 106)


@pytest.fixture(scope="module")
def values():
    return values_of(RULES)


def rng():
    return np.random.default_rng(0)


def test_who_begins_and_who_does_not_take_turns():
    states, seats = starts(OPTIONS, DEALS)
    assert ((seats == states["start_seat"]) == (np.arange(len(DEALS)) % 2 == 0)).all()


def test_turns_begin_with_the_seat_that_adds_a_card(greedy):
    states, seats, deals = turn_begins(OPTIONS, DEALS, greedy, 4)
    assert (states["turn"] == 4).all()
    assert (states["phase"] == Op.ADD_IMPULSE).all()
    assert (seats == states["start_seat"]).all()
    assert np.isin(deals, DEALS).all()


def test_every_card_is_tried_in_most_deals(greedy, values):
    states, seats = starts(OPTIONS, DEALS)
    changes = hand_swaps(states, seats, rng())
    given = {"values": values, "until": (0, 2), "to_end": True, "deals": DEALS}
    found = followed(OPTIONS, states, seats, changes, greedy, **given)
    assert found.columns.tolist() == ["deal", "change", "after_0", "after_2", "won"]
    assert set(found.change) <= set(cards().card)
    assert found.groupby("deal").change.nunique().between(FACES / 2, FACES - 1).all()
    assert found.groupby("deal").after_0.nunique().max() > 1
    assert found.won.isin([0, 1]).all()
    assert found.after_2.between(0, 1).all()
    assert found.equals(
        followed(OPTIONS, states, seats, hand_swaps(states, seats, rng()), greedy, **given)
    )


def test_where_a_game_is_over_the_chance_is_the_result(greedy, values):
    states, seats = starts(OPTIONS, DEALS)
    given = {"values": values, "until": (300,), "to_end": True}
    found = followed(OPTIONS, states, seats, race_changes(seats), greedy, **given)
    assert (found.after_300 == found.won).all()
    assert set(found.change) == {race.name.lower() for race in Race}


def test_techs_and_plans_are_held_against_having_none(greedy):
    states, seats, deals = turn_begins(OPTIONS, DEALS, greedy, 2)
    slots = np.zeros(len(states), np.int64)
    for changes in (tech_changes(seats, slots, rng()), plan_changes(seats, rng())):
        found = followed(OPTIONS, states, seats, changes, greedy, deals=deals, to_end=True)
        assert (found.change == UNCHANGED).sum() == len(states)
        assert found.change.nunique() > FACES / 2


def test_chances_need_somebody_who_says_them(greedy):
    states, seats = starts(OPTIONS, DEALS)
    with pytest.raises(ValueError, match="values"):
        followed(OPTIONS, states, seats, race_changes(seats), greedy, until=(2,))


def test_the_rules_of_thumb_prefer_some_cards(greedy):
    states, seats, _ = turn_begins(OPTIONS, DEALS, greedy, 4)
    before = states.copy()
    found = preferences(states, seats)
    assert (states == before).all()
    assert len(found) == FACES
    assert found.mean().to_numpy() == pytest.approx(0.5)
    # A trader likes to trade, a warrior to bomb.
    types = cards().set_index("card").type
    assert found.trader[types == "trade"].mean() > found.warrior[types == "trade"].mean()
    assert found.warrior[types == "sabotage"].mean() > found.trader[types == "sabotage"].mean()
