"""A changed position stays one of the game, and nothing else differs."""

import numpy as np
import pytest

import impulse_agents
from impulse_agents.playing.continuations import dealt, play_on, played_until
from impulse_env.batch import copy_games
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import BASIC_TECH, CORE, FACES
from impulse_env.engine.sector_map import CELLS_OF_GATE, HOMES
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.validation import fault_in
from lab.experiments.card_values import starts, turn_begins
from lab.experiments.first_choices import set_up
from lab.experiments.interventions import (
    THINGS,
    begun_by_each_seat,
    gains_of,
    given,
    turn_by_another,
    with_planned,
    with_race,
    with_tech,
)

OPTIONS = Options(players=2)
GAMES = 40
DEALS = np.arange(12)
WORLDS = 40
BEGUN = Options(players=2, start_player=0)


@pytest.fixture(scope="module")
def positions(greedy):
    return played_until(OPTIONS, dealt(OPTIONS, np.arange(GAMES)), [greedy], 2)[0]


@pytest.mark.parametrize("thing", THINGS)
def test_the_position_stays_one_of_the_game(positions, greedy, thing):
    before = copy_games(positions)
    changed, can = given(positions, np.zeros(len(positions), np.int64), thing)
    assert (positions == before).all()
    assert can.mean() > 0.5
    for state in changed[can]:
        assert fault_in(state) is None
        Game.from_bytes(Game.from_state(state).to_bytes())
    play_on(OPTIONS, changed[can], [greedy])


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


def test_nothing_is_given_before_homes_are_laid_and_ships_stand(greedy):
    seats = np.zeros(GAMES, np.int64)
    assert not given(dealt(OPTIONS, np.arange(GAMES)), seats, "cruiser")[1].any()
    begun = set_up(greedy, OPTIONS, np.arange(GAMES))
    assert (begun["turn"] == 0).all()
    assert (begun["ships_on_map"][:, :2] == 3).all()
    assert given(begun, seats, "cruiser")[1].all()


def test_gains_are_those_of_the_same_games(positions, greedy):
    numbers = np.arange(len(positions))
    found = gains_of(OPTIONS, greedy, positions, numbers, ["point", "card"])
    assert set(found.thing) == {"point", "card"}
    assert found.gain.isin([-1, 0, 1]).all()
    assert found[found.thing == "point"].gain.mean() >= -0.1


def test_an_unknown_thing_is_refused(positions):
    with pytest.raises(ValueError, match="not 'gold'"):
        given(positions, np.zeros(len(positions), np.int64), "gold")


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


@pytest.fixture(scope="module")
def table(greedy):
    return begun_by_each_seat(greedy, Options(players=3), DEALS)


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


@pytest.fixture(scope="module")
def begun(greedy):
    return played_until(BEGUN, dealt(BEGUN, np.arange(8)), [greedy], 5)[0][:2]


def test_the_same_agent_costs_nothing(greedy, begun):
    found = turn_by_another(BEGUN, begun, greedy, greedy, greedy, WORLDS)
    assert len(found) == 2 * 2 * WORLDS
    shares = found.groupby("by").won.mean()
    # Its own chance begins anew with the next turn, so only the share is the same.
    assert abs(shares["strong"] - shares["other"]) < 0.3


def test_each_world_is_played_once_by_either(greedy, begun):
    weak = impulse_agents.make("random")
    found = turn_by_another(BEGUN, begun, greedy, weak, greedy, WORLDS, seed=1)
    counts = found.groupby(["position", "by"]).world.nunique()
    assert counts.tolist() == [WORLDS] * 4
    assert found.equals(turn_by_another(BEGUN, begun, greedy, weak, greedy, WORLDS, seed=1))


def test_positions_of_several_turns_are_refused(greedy, begun):
    mixed = np.concatenate([begun, dealt(BEGUN, [0])])
    with pytest.raises(ValueError, match="same turn and seat"):
        turn_by_another(BEGUN, mixed, greedy, greedy, greedy, WORLDS)
