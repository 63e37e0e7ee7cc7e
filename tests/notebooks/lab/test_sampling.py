"""Sampled decisions are those of finished games, with what came of them."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.playing.continuations import worlds_of
from impulse_env.engine.constants import RUNNING
from impulse_env.observation import observe_all
from impulse_env.options import Options
from lab.sampling import PER_GAME, gains_of_turn, sample_games

GAMES = 30
OPTIONS = Options(players=2)


@pytest.fixture(scope="module")
def sampled(greedy):
    seating = np.tile([0, 1], (GAMES, 1))
    return sample_games([greedy, impulse_agents.make("random")], OPTIONS, seating, 3)


def test_each_is_a_choice_that_the_seat_saw(sampled):
    assert (sampled.masks.sum(axis=1) > 1).all()
    assert (sampled.states["status"] == RUNNING).all()
    assert (observe_all(sampled.states, sampled.seats) == sampled.observations).all()
    assert (np.bincount(sampled.games) <= PER_GAME).all()
    assert (sampled.entrants == sampled.seats).all()


def test_what_came_of_it_is_the_same_all_game_long(sampled):
    ends = sampled.states["turn"] + sampled.turns_to_come
    for game in np.unique(sampled.games):
        rows = sampled.games == game
        assert len(np.unique(ends[rows])) == 1
        assert len(np.unique(sampled.has_won[rows] == (sampled.seats[rows] == 0))) == 1
    assert (sampled.turns_to_come > 0).all()
    assert sampled.has_won[sampled.seats == 0].mean() > 0.5


def test_the_lead_of_one_is_what_the_other_lacks(sampled):
    scores = sampled.states["score"].astype(int)
    own = scores[np.arange(len(sampled)), sampled.seats]
    assert (sampled.lead == 2 * own - scores[:, :2].sum(axis=1)).all()


def test_the_same_seed_gives_the_same_positions(sampled, greedy):
    seating = np.tile([0, 1], (GAMES, 1))
    again = sample_games([greedy, impulse_agents.make("random")], OPTIONS, seating, 3)
    assert (again.states == sampled.states).all()
    some = again.take(np.arange(5))
    assert len(some.joined([some, some])) == 10


def test_gains_are_those_of_one_turn_in_worlds_that_fit(sampled, greedy):
    some = sampled.take(np.arange(20))
    before = some.states.copy()
    gains = gains_of_turn(some, greedy, OPTIONS, 3, 1)
    assert gains.shape == (20, 3)
    assert (gains >= 0).all()
    assert gains.any()
    assert (some.states == before).all()
    worlds = worlds_of(some.states, some.seats, np.random.default_rng(0))
    assert (observe_all(worlds, some.seats) == some.observations).all()
