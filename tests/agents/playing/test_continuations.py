"""Positions are played on as they are, and swapped cards stay cards of one game."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.playing.continuations import dealt, play_on, played_until
from impulse_agents.playing.interventions import hidden_slots, places_in_deck, swapped
from impulse_env.batch import copy_games
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.options import Options
from impulse_env.validation import fault_in

OPTIONS = Options(players=2)
GAMES = 60


@pytest.fixture(scope="module")
def starts():
    return dealt(OPTIONS, np.arange(GAMES))


@pytest.fixture(scope="module")
def greedy():
    return impulse_agents.make("greedy")


def test_games_end_and_positions_stay_as_they_are(starts, greedy):
    before = copy_games(starts)
    ended = play_on(OPTIONS, starts, [greedy])
    assert (starts == before).all()
    assert (ended.won.sum(axis=1) <= 1).all()
    assert ended.won.sum() > GAMES / 2
    assert (ended.points.sum(axis=2) == ended.states["score"][:, :2]).all()


def test_the_same_numbers_have_the_same_chance_in_any_company(starts, greedy):
    numbers = np.arange(GAMES)
    whole = play_on(OPTIONS, starts, [greedy], seed=3, numbers=numbers)
    half = play_on(OPTIONS, starts[30:], [greedy], seed=3, numbers=numbers[30:])
    assert (whole.states[30:] == half.states).all()


def test_a_stop_in_between_changes_nothing_about_whose_turn_it_is(starts, greedy):
    found, games = played_until(OPTIONS, starts, [greedy], 4)
    assert (found["turn"] == 4).all()
    assert len(found) == len(games)
    assert len(found) > GAMES / 2
    assert (found["deck_count"] < starts["deck_count"][games]).any()


def test_a_swapped_card_is_exchanged_with_the_deck_alone(starts):
    seats = np.zeros(GAMES, np.int64)
    slots = hidden_slots(starts, seats, np.random.default_rng(0))
    changed, can = swapped(starts, seats, slots, 3)
    assert can.sum() > GAMES / 2
    assert (changed["hand"][can, 0] == 3).any(axis=1).all()
    assert (changed[~can] == starts[~can]).all()
    for name in starts.dtype.names:
        if name not in ("hand", "deck"):
            assert (changed[name] == starts[name]).all(), name

    def cards(states):
        return np.sort(np.concatenate([states["hand"][:, 0], states["deck"]], axis=1), axis=1)

    assert (cards(changed) == cards(starts)).all()


def test_cards_that_everybody_knows_are_not_drawn(starts):
    known = copy_games(starts)
    known["known"][:, 0] = known["hand"][:, 0]
    known["known_count"][:, 0] = known["hand_count"][:, 0]
    slots = hidden_slots(known, np.zeros(GAMES, np.int64), np.random.default_rng(0))
    assert (slots == -1).all()


def test_a_swapped_hand_card_leaves_a_sound_game(starts, greedy):
    for states in (starts, played_until(OPTIONS, starts, [greedy], 2)[0]):
        rng, seats = np.random.default_rng(0), np.zeros(len(states), np.int64)
        changed, can = swapped(states, seats, hidden_slots(states, seats, rng), 20, rng)
        assert can.sum() > len(states) / 2
        for state in changed:
            assert fault_in(state) is None


def test_copies_leave_the_deck_evenly():
    states = dealt(OPTIONS, np.arange(400))
    face = int(COPIES_BY_CARD.argmax())
    rng = np.random.default_rng(0)
    first, is_there = places_in_deck(states, face)
    drawn, _ = places_in_deck(states, face, rng)
    assert (states["deck"][is_there, drawn[is_there]] == face).all()
    assert (drawn[is_there] >= first[is_there]).all()
    assert 30 < drawn[is_there].mean() < 50
