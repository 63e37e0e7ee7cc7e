"""Decisions are noted as they were made, and a choice that loses the game costs all of it."""

import numpy as np
import pandas as pd
import pytest

import impulse_agents
from impulse_env.options import Options
from lab.decision_kinds import habit_of
from lab.mistakes.common_mistakes import (
    by_game,
    commonest,
    explained_by_luck,
    habits,
    line_of,
    with_luck,
)
from lab.mistakes.regret import (
    absolute,
    candidates,
    chances,
    drawn_worlds,
    noted_games,
    played_to_the_end,
    priced,
)

OPTIONS = Options(players=2)


@pytest.fixture(scope="module")
def noted(policy):
    return noted_games(impulse_agents.make("warrior"), policy, OPTIONS, [1, 2])


@pytest.fixture(scope="module")
def table(noted, policy):
    tried = candidates(noted, policy)
    return priced(noted, tried, chances(noted, tried, policy, 2))


def test_decisions_are_those_of_the_agent(noted):
    assert len(noted.won) == 4
    assert (noted.masks[np.arange(len(noted.taken)), noted.taken] == 1).all()
    assert (noted.masks.sum(axis=1) > 1).all()
    assert (noted.agent_by_seat[noted.games, noted.seats] == 0).all()
    assert list(noted.deals) == [1, 1, 2, 2]


def test_prices_lie_between_all_and_nothing(noted, table):
    assert table.price.abs().max() <= 1
    assert (table.taken != table.better).all()
    sums = by_game(table, noted, "price")
    assert len(sums) == 4
    assert sums.price.sum() == pytest.approx(table.price.sum())
    by_group = by_game(table, noted, "price", "group")
    assert len(by_group) == 4 * table.group.nunique()
    assert by_group.price.sum() == pytest.approx(table.price.sum())


def test_who_plays_like_the_strong_agent_has_nothing_to_be_priced(policy):
    own = noted_games(policy, policy, OPTIONS, [3])
    assert not len(candidates(own, policy))
    tried = candidates(own, policy, 2).head(20)
    tried = tried[tried.groupby("decision").action.transform("size") > 1]
    table = priced(own, tried, chances(own, tried, policy, 4), 2)
    assert (table.taken == own.taken[table.decision]).all()


def test_worlds_are_those_of_what_the_seat_knows(noted):
    decision = np.zeros(3, np.int64)
    worlds = drawn_worlds(noted, decision, np.array([0, 1, 0]), 5)
    seat = noted.seats[0]
    assert (worlds["hand"][:, seat] == noted.states["hand"][0, seat]).all()
    assert (worlds[0] == worlds[2]).all()
    assert worlds[0] != worlds[1]


def test_both_choices_are_played_to_the_end(noted, table, policy):
    rows = table.nlargest(2, "price")
    found = played_to_the_end(noted, rows, policy, 5, 77)
    assert len(found) == 10
    assert set(found.taken) <= {0.0, 1.0}
    assert (found.price == found.better - found.taken).all()


def test_luck_and_play_make_the_result(noted, policy):
    found = with_luck(noted, policy, [impulse_agents.make("warrior"), policy])
    assert np.allclose(found.luck + found.play + 0.5, found.won)


def test_luck_explains_all_or_nothing():
    table = pd.DataFrame({"deal": [1, 1, 2, 2], "won": [1.0, 0.0, 1.0, 0.0]})
    assert explained_by_luck(table.assign(play=[0.1] * 4), 20)["mean"] == pytest.approx(1)
    nothing = explained_by_luck(table.assign(play=table.won - 0.5), 20)
    assert nothing["mean"] == pytest.approx(0)
    assert np.isnan(nothing["high"]), "deals that are all alike show no error"


def test_the_dearest_habit_comes_first():
    table = pd.DataFrame(
        {
            "kind": ["use_tech"] * 4,
            "did": ["a", "a", "b", "b"],
            "instead": ["b", "c", "c", "b"],
            "price": [0.1, 0.1, 0.5, 9.0],
        }
    )
    found = commonest(table, 5)
    assert list(found.did) == ["b", "a"]
    assert list(found.price) == [0.5, 0.2]
    assert found.instead[0] == "c"


def test_habits_name_no_places(noted, table):
    some = habits(noted, table.head(40))
    assert not some.did.str.contains(r"\d").any()
    assert not some.instead.str.contains(r"gate \d|cell \d").any()
    first = int(some.decision.iloc[0])
    action = absolute(noted, first, int(some.taken.iloc[0]))
    assert habit_of(noted.states[first], action) == some.did.iloc[0]


def test_a_line_begins_with_the_choice(noted, policy):
    said = line_of(noted, 0, int(noted.taken[0]), policy, 3)
    assert 1 <= len(said) <= 3
    assert said[0].startswith(f"seat {noted.seats[0]}: ")


def test_games_are_of_two(policy):
    with pytest.raises(ValueError, match="not 3"):
        noted_games(policy, policy, Options(players=3), [1])
