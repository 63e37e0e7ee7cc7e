"""Each deal is begun by every seat once, and nothing but the order differs."""

import numpy as np
import pytest
from lab.turn_order import begun_by_each_seat

import impulse_agents
from impulse_env.options import Options
from impulse_training.rollout.continuations import dealt

DEALS = np.arange(12)


@pytest.fixture(scope="module")
def table():
    return begun_by_each_seat(impulse_agents.make("greedy"), Options(players=3), DEALS)


def test_every_seat_has_every_place_once_in_each_deal(table):
    assert len(table) == len(DEALS) * 9
    for _, rows in table.groupby("deal"):
        assert len(rows[["seat", "place"]].drop_duplicates()) == 9
        assert rows.groupby("seat").race.nunique().eq(1).all()
    assert (table[table.place == 1].seat == table[table.place == 1].start).all()


def test_a_game_has_one_winner_and_it_has_most_points(table):
    games = table.groupby(["deal", "start"])
    assert (games.won.sum() == 1).all()
    best = games.score.transform("max")
    assert (table.score == best)[table.won].mean() > 0.5


def test_a_deal_is_the_same_whoever_begins():
    first, second = (dealt(Options(players=2, start_player=seat), DEALS) for seat in (0, 1))
    for name in ("deck", "race"):
        assert (first[name] == second[name]).all()
    # Whoever sets up first holds the card of its home by now.
    assert (first["hand_count"][:, 1] == 5).all()
    assert (second["hand_count"][:, 0] == 5).all()
    assert (first["hand_count"][:, 0] == second["hand_count"][:, 1]).all()
