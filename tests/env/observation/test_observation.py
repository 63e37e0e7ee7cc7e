"""The observation: the same for all that looks the same, another for all that does not."""

import re
from itertools import pairwise

import numpy as np
import pytest

from fuzzed import (
    FRAMES,
    NAMES,
    SETTINGS,
    all_moments,
    by_hand,
    decisions,
    moments,
    same,
    scrambled,
    topmost,
)
from impulse_env import observation
from impulse_env.batch import GameBatch
from impulse_env.engine.cards import COLOR_BY_CARD
from impulse_env.engine.constants import CELLS, Op
from impulse_env.engine.sector_map import HOMES, TURNED_CELL, TURNED_GATE, TURNS_TO_LEFT
from impulse_env.engine.state import COLORS, DONE, HIGH, OP, STATE
from impulse_env.game import Game
from impulse_env.information import redact_all
from impulse_env.observation import encode_all, observe, observe_all
from impulse_env.options import Options
from observed import EACH, UNSEEN_FIELDS, changes, expected

ALL = pytest.mark.parametrize("number", range(len(SETTINGS)), ids=NAMES)
EACH_SIZE = pytest.mark.parametrize("players", range(2, 7))


def seen_by(records, seat):
    return observe_all(records, np.full(len(records), seat))


# --- Secrecy ----------------------------------------------------------------------------------


@ALL
def test_what_is_hidden_from_a_seat_does_not_change_what_it_sees(number):
    records = np.concatenate([decisions(number), moments(number)])
    rng = np.random.default_rng(number)
    for seat in range(SETTINGS[number]["players"]):
        seen = seen_by(records, seat)
        other = scrambled(records, seat, rng)
        view = other.copy()
        redact_all(view, np.full(len(view), seat))
        assert (seen_by(other, seat) == seen).all()
        assert (seen_by(view, seat) == seen).all(), "a view suffices"


# --- What the sections hold -------------------------------------------------------------------


@ALL
def test_every_section_says_what_it_promises(number):
    records = moments(number)
    players = SETTINGS[number]["players"]
    for seat in range(players):
        for state, vector in zip(records, seen_by(records, seat), strict=True):
            found = observation.unflatten(vector, players)
            wanted = expected(state, seat)
            assert found.keys() == wanted.keys()
            for name, section in found.items():
                where = f"{name} of seat {seat} at {Op(topmost(np.array([state]))[0]).name}"
                assert np.array_equal(section, np.array(wanted[name], int)), where


@ALL
def test_every_feature_is_within_its_limits(number):
    players = SETTINGS[number]["players"]
    high = observation.high(players)
    for seat in range(players):
        seen = seen_by(decisions(number), seat)
        index = int((seen > high).any(0).argmax())
        assert (seen <= high).all(), observation.explain(seen.max(0), players, index)


# --- Changing anything visible ----------------------------------------------------------------


@ALL
def test_changing_anything_visible_changes_what_every_seat_sees(number):
    players = SETTINGS[number]["players"]
    for turn, state in enumerate(moments(number)):
        seat = turn % players
        wanted = list(changes(state, seat))
        changed = np.zeros(len(wanted) + 1, STATE)
        changed[:] = state
        for made, (field, index, value) in zip(changed[1:], wanted, strict=True):
            assert made[field][index] != value
            if index:
                made[field][index] = value
            else:
                made[field] = value
        with np.errstate(over="ignore"):  # one card too many makes an unseen count negative
            seen = seen_by(changed, seat)
        for row, change in zip(seen[1:], wanted, strict=True):
            assert (row != seen[0]).any(), (change, seat, Op(topmost(changed[:1])[0]).name)


def test_every_field_of_the_record_is_seen_or_on_the_list_of_those_that_are_not():
    seen = {
        field
        for number, settings in enumerate(SETTINGS)
        for turn, state in enumerate(all_moments(number))
        for field, _, _ in changes(state, turn % settings["players"])
    }
    assert seen - {"hand"} == set(STATE.names) - set(UNSEEN_FIELDS)


def test_the_cells_where_a_build_continues():
    game = Game(2, seed=0, start_player=0)
    states = by_hand(game.state, Op.BUILD_SHIP, np.random.default_rng(0))
    state = states[0]
    home = int(HOMES[2, state["active"]])
    near, far = [cell for cell in range(CELLS) if cell not in (home, 9)][:2]
    state["transports"][state["active"], [near, far]] = 1
    state["cell_face_up"][[near, far]] = 1
    colors = [1 << int(COLOR_BY_CARD[state["cell_card"][cell]]) for cell in (near, far)]
    frame = state["stack"][state["stack_count"] - 1]
    for kind, first, mask, wanted in [
        (EACH, 0, colors[0] | colors[1], {near, far}),
        (EACH, near + 1, colors[0] | colors[1], {far}),
        (EACH, far + 1, 15, set()),
        (EACH, 0, 15 & ~(colors[0] | colors[1]), set()),
        (0, 0, 15, set()),
    ]:
        frame[HIGH], frame[DONE], frame[COLORS] = kind, first, mask
        for seat in (0, 1):
            found = observation.section(observe(state, seat), "build_to_come", 2)
            turns = TURNS_TO_LEFT[HOMES[2, seat]]
            assert set(np.flatnonzero(found)) == {TURNED_CELL[turns, cell] for cell in wanted}


# --- The own frame ----------------------------------------------------------------------------


def turned(records, players):
    """The same games with everybody one seat further and the map turned with them."""
    turns = (TURNS_TO_LEFT[HOMES[players, 0]] - TURNS_TO_LEFT[HOMES[players, 1]]) % 6
    cell_to, gate_to = TURNED_CELL[turns], TURNED_GATE[turns]
    place_to = np.concatenate([cell_to, CELLS + gate_to, [-1]])  # the last for -1
    seat_to = np.array([*(np.arange(players) + 1) % players, *range(players, 6), -1])
    made = records.copy()
    for field in ("cell_card", "cell_face_up"):
        made[field][:, cell_to] = records[field]
    made["transports"][:, seat_to[:6, None], cell_to] = records["transports"]
    made["gate_ships"][:, gate_to] = records["gate_ships"]
    made["gate_owner"][:, gate_to] = seat_to[records["gate_owner"]]
    for field in (
        "race", "score", "points", "eliminated", "ships_on_map", "hand", "hand_count", "known",
        "known_count", "plan", "plan_count", "next_plan_count", "minerals", "gems", "techs",
    ):  # fmt: skip
        made[field][:, seat_to[:6]] = records[field]
    for field in ("active", "start_seat", "battle_seat"):
        made[field] = seat_to[records[field]]
    for field in ("fleet_from", "path"):
        made[field] = place_to[records[field]]
    made["battle_gate"] = np.append(gate_to, -1)[records["battle_gate"]]
    teams = records["teams"]
    made["winner"] = np.where(records["winner"] < 0, -1, (records["winner"] + 1) % teams)
    for state, old in zip(made, records, strict=True):
        if old["teams"] < players:
            rows = (np.arange(old["teams"]) + 1) % old["teams"]
            state["impulse"][rows] = old["impulse"][: old["teams"]]
            state["impulse_count"][rows] = old["impulse_count"][: old["teams"]]
        for frame in state["stack"][: state["stack_count"]]:
            for field, meaning in FRAMES.get(int(frame[OP]), {}).items():
                if meaning in ("cell", "place"):
                    frame[field] = place_to[frame[field]]
                elif meaning == "seat":
                    frame[field] = seat_to[frame[field]]
    return made


@pytest.mark.parametrize("number", [n for n, s in enumerate(SETTINGS) if s["players"] in (2, 3, 6)])
def test_a_turned_game_looks_the_same_to_the_seat_that_turned_with_it(number):
    players = SETTINGS[number]["players"]
    records = moments(number)
    top = records["stack"][np.arange(len(records)), np.maximum(records["stack_count"] - 1, 0)]
    # Further cells of a Build come in the order of their absolute numbers.
    records = records[(top[:, OP] != Op.BUILD_SHIP) | (top[:, HIGH] != EACH)]
    other = turned(records, players)
    assert not same(other, records)
    for seat in range(players):
        following = seen_by(other, (seat + 1) % players)
        assert (following == seen_by(records, seat)).all()


@EACH_SIZE
def test_the_own_home_is_on_the_left_and_the_own_ships_come_first(players):
    game = Game(players, seed=1)
    while game.state["phase"] < Op.ADD_IMPULSE:
        game.step(game.legal_actions()[0])
    for seat in range(players):
        found = observation.unflatten(observe(game, seat), players)
        assert found["home"][0] == 1 + 7, "cell 8"
        assert found["transports"][0].nonzero()[0].tolist() == [7]
        assert found["transports"][0, 7] == 2
        assert found["cell_card"][9] == 84
        assert found["ally"].tolist() == [1, *[0] * (players - 1)]
        assert found["active"].argmax() == (game.seat - seat) % players


# --- Reading and calling ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "size"), [(2, 956), (3, 1150), (4, 1348), (5, 1538), (6, 1740)]
)
def test_the_length_is_pinned(players, size):
    # Trained agents depend on it: raise the environment's version when this changes.
    assert observation.size(players) == size
    assert observation.high(players).shape == (size,)


@EACH_SIZE
def test_sections_follow_each_other_without_a_gap(players):
    found = observation.sections(players)
    assert found[0].start == 0
    assert found[-1].stop == observation.size(players)
    for section, following in pairwise(found):
        assert section.stop == following.start
    for section in found:
        assert section.stop - section.start == np.prod(section.shape, dtype=int)
        assert len(section.axes) == len(section.shape)
    assert len({section.name for section in found}) == len(found)


@EACH_SIZE
def test_sections_are_views_of_the_vector(players):
    vectors = np.arange(3 * observation.size(players)).reshape(3, -1)
    parts = observation.unflatten(vectors, players)
    flat = np.concatenate([part.reshape(3, -1) for part in parts.values()], axis=1)
    assert (flat == vectors).all()
    for found in observation.sections(players):
        part = observation.section(vectors, found.name, players)
        assert part.shape == (3, *found.shape)
        assert np.shares_memory(part, vectors)
        assert (part == parts[found.name]).all()


@pytest.mark.parametrize("number", [0, 6])
def test_every_feature_is_explained(number):
    players = SETTINGS[number]["players"]
    vectors = np.concatenate([seen_by(all_moments(number)[:40], 0), [observation.high(players)]])
    for index in range(observation.size(players)):
        found = next(s for s in observation.sections(players) if s.start <= index < s.stop)
        for vector in vectors[[*vectors[:, index].argsort()[[0, -2]], -1]]:
            words = observation.explain(vector, players, index)
            assert words.startswith(f"{index} {found.name}")
            assert words.endswith(f"({found.meaning})")
            if found.kind in ("count", "flag"):
                assert f": {vector[index]}" in words


def test_features_are_explained_in_the_words_of_the_game():
    game = Game(2, seed=5, races=["ariek", "caelumnites"], start_player=0)
    while game.state["phase"] < Op.ADD_IMPULSE:
        game.step(game.legal_actions()[0])
    text = observation.explain(observe(game, 1), 2)
    assert "seat_race [self]: Caelumnites" in text
    assert "seat_race [seat 1 clockwise]: Ariek" in text
    assert "transports [self, cell 8]: 2" in text
    assert "cruisers [self, gate 8-9]: 1" in text
    assert "cruisers [seat 1 clockwise, gate 11-12]: 1" in text
    assert "cell_card [cell 10]: Sector Core" in text
    assert "cell_card [cell 1]: face-down" in text
    assert "tech [self, tech slot 1]: race's Basic Tech" in text
    assert "decision [add_impulse]: 1" in text
    assert "decider [seat 1 clockwise]: 1" in text
    for card in game.state["hand"][1][game.state["hand"][1] >= 0]:
        assert re.search(rf"^{card} own_hand \[card \d+ ", text, re.MULTILINE)
    assert len(text.splitlines()) == np.count_nonzero(observe(game, 1))


@EACH_SIZE
def test_the_table_has_a_row_for_every_section(players):
    rows = observation.table(players).splitlines()[2:]
    assert len(rows) == len(observation.sections(players))
    for row, found in zip(rows, observation.sections(players), strict=True):
        assert f"| `{found.name}` |" in row
        assert re.match(rf"\| {found.start}(-{found.stop - 1})? \|", row)
    assert "| choose_move | 0 anywhere, 1 ends at the Sector Core" in observation.frame_table()


@EACH_SIZE
def test_all_ways_to_ask_give_the_same_and_write_the_whole_vector(players):
    games = GameBatch(Options(players=players), range(5))
    rng = np.random.default_rng(0)
    for _ in range(30):
        games.step((games.masks + rng.random(games.masks.shape)).argmax(1))
    seats = games.seats.astype(np.int64)
    seen = observe_all(games.states, seats)
    assert (games.observations == seen).all()
    for state, seat, vector in zip(games.states, seats, seen, strict=True):
        assert (observe(state, int(seat)) == vector).all()
        out = np.full(observation.size(players), 255, np.uint8)
        assert observe(Game.from_state(state), int(seat), out) is not None
        assert (out == vector).all()
    out = np.full_like(seen, 255)
    seats[0] = -1
    assert observe_all(games.states, seats, out) is out
    assert (out[0] == 0).all()
    assert (out[1:] == seen[1:]).all()
    out[:] = 254
    encode_all(games.states, seats, out)
    assert (out[1:] == seen[1:]).all()


def test_wrong_questions_are_refused():
    game = Game(3, seed=0)
    vector = observe(game, 0)
    for players in (1, 7, None):
        with pytest.raises(ValueError, match="players must be an integer from 2 to 6, not"):
            observation.sections(players)
    with pytest.raises(ValueError, match="seat"):
        observe(game, 3)
    with pytest.raises(ValueError, match="seat"):
        observe(game, -1)
    with pytest.raises(ValueError, match="out must be uint8"):
        observe(game, 0, np.zeros(7, np.uint8))
    with pytest.raises(ValueError, match="out must be uint8"):
        observe(game, 0, np.zeros(len(vector)))
    with pytest.raises(ValueError, match="no section 'hands'; there are own_hand"):
        observation.section(vector, "hands", 3)
    with pytest.raises(ValueError, match="2 players has 956 features, not 1150"):
        observation.unflatten(vector, 2)
    with pytest.raises(ValueError, match="index must be an integer from 0 to 1149, not 1150"):
        observation.explain(vector, 3, 1150)
    both = np.zeros(2, STATE)
    both[0], both[1] = game.state, Game(2, seed=0).state
    with pytest.raises(ValueError, match="same number of players"):
        observe_all(both, np.array([0, 0]))
    with pytest.raises(ValueError, match="seats"):
        observe_all(both[:1], np.array([0, 0]))
