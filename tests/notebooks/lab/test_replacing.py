"""Techs, Plans and races are replaced without losing a card, and what comes out is a game."""

import numpy as np
import pytest
from lab.replacing import with_planned, with_race, with_tech

import impulse_agents
from impulse_env.batch import copy_games
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import BASIC_TECH, FACES
from impulse_env.options import Options
from impulse_env.validation import fault_in
from impulse_training.rollout.continuations import dealt, play_on
from impulse_training.rollout.interventions import hidden_slots, places_in_deck, swapped
from lab.card_values import starts, turn_begins

OPTIONS = Options(players=2)
GAMES = 40


@pytest.fixture(scope="module")
def greedy():
    return impulse_agents.make("greedy")


@pytest.fixture(scope="module")
def turns(greedy):
    """Games at the start of their third turn, and whose turn it is."""
    states, seats, _ = turn_begins(OPTIONS, np.arange(GAMES), greedy, 2)
    return states, seats


def cards_of(state):
    """Copies of each face in all places of a record in which no effect is under way."""
    found = state["discard"].astype(int) + state["minerals"].sum(axis=0)
    for name in ("deck", "hand", "plan", "impulse", "techs", "cell_card"):
        cards = state[name].ravel()
        found += np.bincount(cards[cards >= 0], minlength=FACES)
    return found


def drawn_next(state):
    return state["deck"][: state["deck_count"]][::-1].tolist()


def assert_sound(states, greedy):
    for state in states:
        assert fault_in(state) is None
        assert (cards_of(state) == COPIES_BY_CARD).all()
    assert play_on(OPTIONS, states, [greedy]).won.any(axis=1).mean() > 0.8


def test_a_tech_covers_a_basic_one_and_comes_from_the_deck(turns, greedy):
    states, seats = turns
    before = copy_games(states)
    slots = np.arange(len(states)) % 2
    changed, can = with_tech(states, seats, slots, 33)
    assert (states == before).all()
    assert can.sum() > GAMES / 2
    assert (changed["techs"][can, seats[can], slots[can]] == 33).all()
    assert (changed[~can] == states[~can]).all()
    assert_sound(changed, greedy)


def test_a_researched_tech_is_not_covered(turns):
    states, seats = turns
    slots = np.zeros(len(states), np.int64)
    changed, can = with_tech(states, seats, slots, 33)
    again, can_again = with_tech(changed, seats, slots, 34)
    assert not (can & can_again).any()
    assert (again[can] == changed[can]).all()
    assert (again["techs"][can_again, seats[can_again], 1] == BASIC_TECH).all()


def test_a_planned_card_comes_from_the_deck_and_goes_behind_the_others(turns, greedy):
    states, seats = turns
    rows = np.arange(len(states))
    changed, can = with_planned(states, seats, 12)
    assert can.sum() > GAMES / 2
    count = states["plan_count"][rows, seats]
    assert (changed["plan_count"][rows, seats] == count + can).all()
    assert (changed["plan"][rows, seats, count][can] == 12).all()
    assert_sound(changed, greedy)


def test_what_is_drawn_before_the_card_that_leaves_stays_the_same(turns):
    states, seats = turns
    changed, can = with_planned(states, seats, 12)
    for before, after in zip(states[can], changed[can], strict=True):
        was, now = drawn_next(before), drawn_next(after)
        place = was.index(12)
        last = len(was) - 1 - was[::-1].index(12)
        assert now[:place] == was[:place]
        assert now[: last - 1] == [*was[:last], *was[last + 1 :]][: last - 1] or place < last
        assert len(now) == len(was) - 1


def test_another_race_is_one_that_nobody_has(greedy):
    states, seats = starts(OPTIONS, np.arange(GAMES))
    rows = np.arange(GAMES)
    changed, can = with_race(states, seats, 3)
    assert (changed["race"][rows, seats][can] == 3).all()
    assert (changed["race"][rows, 1 - seats] == states["race"][rows, 1 - seats]).all()
    assert (can == (states["race"][rows, 1 - seats] != 3)).all()
    assert_sound(changed[can], greedy)


def test_a_swapped_hand_card_leaves_a_sound_game(turns, greedy):
    for states, seats in (turns, starts(OPTIONS, np.arange(GAMES))):
        rng = np.random.default_rng(0)
        changed, can = swapped(states, seats, hidden_slots(states, seats, rng), 20, rng)
        assert can.sum() > GAMES / 2
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
