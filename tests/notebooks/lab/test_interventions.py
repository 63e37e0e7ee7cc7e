"""What is given comes from where it would come from, and the position stays one of the game."""

import numpy as np
import pytest
from lab.home_cards import set_up

import impulse_agents
from impulse_env.batch import copy_games
from impulse_env.engine.constants import CORE
from impulse_env.engine.sector_map import CELLS_OF_GATE, HOMES
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.validation import fault_in
from impulse_training.rollout.continuations import dealt, play_on, played_until
from lab.interventions import THINGS, gains_of, given

GAMES = 30


@pytest.fixture(scope="module")
def positions():
    options = Options(players=2)
    starts = dealt(options, np.arange(GAMES))
    found, _ = played_until(options, starts, [impulse_agents.make("greedy")], 2)
    return found


@pytest.mark.parametrize("thing", THINGS)
def test_the_position_stays_one_of_the_game(positions, thing):
    before = copy_games(positions)
    changed, can = given(positions, np.zeros(len(positions), np.int64), thing)
    assert (positions == before).all()
    assert can.mean() > 0.5
    for state in changed[can]:
        assert fault_in(state) is None
        Game.from_bytes(Game.from_state(state).to_bytes())
    play_on(Options(players=2), changed[can], [impulse_agents.make("greedy")])


def test_a_card_is_the_next_of_the_deck(positions):
    seats = np.ones(len(positions), np.int64)
    changed, can = given(positions, seats, "card", 2)
    assert can.all()
    assert (changed["deck_count"] == positions["deck_count"] - 2).all()
    assert (changed["hand_count"][:, 1] == positions["hand_count"][:, 1] + 2).all()
    for before, after in zip(positions, changed, strict=True):
        left = int(before["deck_count"])
        drawn = before["deck"][left - 2 : left]
        held = before["hand"][1, : int(before["hand_count"][1])]
        now = after["hand"][1, : int(after["hand_count"][1])]
        assert sorted([*held, *drawn]) == list(now)


def test_ships_stand_at_home(positions):
    seats = np.zeros(len(positions), np.int64)
    changed, can = given(positions, seats, "transport")
    more = changed["transports"][can, 0].astype(int) - positions["transports"][can, 0]
    assert (more[:, HOMES[2, 0]] == 1).all()
    assert (more.sum(axis=1) == 1).all()
    changed, can = given(positions, seats, "core_cruiser")
    gates = np.flatnonzero((CELLS_OF_GATE == CORE).any(axis=1))
    added = changed["gate_ships"][can] != positions["gate_ships"][can]
    assert (added.sum(axis=1) == added[:, gates].sum(axis=1)).all()
    changed, can = given(positions, seats, "cruiser")
    more = changed["gate_ships"][can].astype(int) - positions["gate_ships"][can]
    assert (more.sum(axis=1) == 1).all()


def test_what_the_rules_forbid_is_not_counted(positions):
    seats = np.zeros(len(positions), np.int64)
    assert not given(positions, seats, "transport", 12)[1].any()
    assert not given(positions, seats, "card", 11)[1].any()
    assert not given(positions, seats, "point", 20)[1].any()


def test_nothing_is_given_before_homes_are_laid_and_ships_stand(positions):
    seats = np.zeros(GAMES, np.int64)
    options, greedy = Options(players=2), impulse_agents.make("greedy")
    assert not given(dealt(options, np.arange(GAMES)), seats, "cruiser")[1].any()
    begun = set_up(greedy, options, np.arange(GAMES))
    assert (begun["turn"] == 0).all()
    assert (begun["ships_on_map"][:, :2] == 3).all()
    assert given(begun, seats, "cruiser")[1].all()


def test_gains_are_those_of_the_same_games(positions):
    options, greedy = Options(players=2), impulse_agents.make("greedy")
    numbers = np.arange(len(positions))
    found = gains_of(options, greedy, positions, numbers, ["point", "card"])
    assert set(found.thing) == {"point", "card"}
    assert found.gain.isin([-1, 0, 1]).all()
    assert found[found.thing == "point"].gain.mean() >= -0.1


def test_an_unknown_thing_is_refused(positions):
    with pytest.raises(ValueError, match="not 'gold'"):
        given(positions, np.zeros(len(positions), np.int64), "gold")
