"""Positions: round trips at every phase start, and clear errors for malformed ones."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from impulse_env.errors import PositionError
from impulse_env.game import Game
from impulse_env.testing.signature import SETTINGS


@pytest.mark.parametrize("options", SETTINGS, ids=str)
def test_a_position_read_back_is_the_same_game_at_every_phase_start(options):
    rng = np.random.default_rng(4)
    phases = set()
    for seed in range(3):
        game = Game(seed=seed, **options)
        while not game.is_over:
            if game.state["stack_count"] == 0:
                position = game.to_position()
                assert Game.from_position(position) == game
                assert Game.from_position(json.loads(json.dumps(position))) == game
                phases.add(position["phase"])
            game.step(int(rng.choice(game.legal_actions())))
    assert phases == {"setup", "add_impulse", "use_tech", "use_impulse", "use_plan"}


def test_inside_an_effect_there_is_no_position():
    game = Game.from_position({"seats": [{"hand": [5, 5 + 1], "transports": {8: 2}}, {}]})
    game.step("card 6")
    game.step("tech 0")
    assert game.decision.kind == "basic_discard" or game.decision.kind == "basic_mode"
    with pytest.raises(PositionError, match="to_bytes"):
        game.to_position()


def test_missing_fields_get_sensible_defaults():
    given_fields = {"players": 2, "seats": [{"hand": [95], "transports": {8: 2}}, {}]}
    game = Game.from_position(given_fields)
    state = game.state
    assert state["transports"][0].sum() == 2
    assert not (state["gate_owner"] == 0).any(), "ships given are all the ships"
    assert state["transports"][1][11] == 2
    assert (state["gate_owner"] == 1).sum() == 1
    assert state["cell_face_up"][[7, 9, 11]].all()
    assert state["cell_face_up"].sum() == 3, "the homes and the Sector Core"
    assert state["deck_count"] == 108 - 18 - 1
    assert game == Game.from_position(given_fields), "the seed shuffles, not chance"
    assert game != Game.from_position({**given_fields, "seed": 1})


def test_the_deck_is_the_dice():
    game = Game.from_position({"deck": [5, 4, 95], "seats": [{"hand": [1]}, {}]})
    assert game.to_position()["deck"] == [5, 4, 95]
    assert len(game.to_position()["discard"]) == 108 - 18 - 1 - 3


def seats(**fields):
    return {"seats": [fields, {}]}


MALFORMED = [
    ({"players": 7}, "players must be an integer from 2 to 6"),
    ({"players": 3, "seats": [{}, {}]}, "seats must name all 3 players"),
    ({"planet": 3}, "'planet' is not a field; there are players, team_size"),
    ({"players": 4, "team_size": 3}, r"team_size \(players per team\) with 4 players"),
    ({"config": {"target_score": 0}}, "target_score must be an integer from 1 to 100"),
    ({"config": {"colour": 1}}, "config.'colour' is not a field"),
    ({"turn": -1}, "turn must be"),
    ({"turn": 300}, "turn must be an integer from 0 to 299"),
    ({"active": 2}, "active must be an integer from 0 to 1"),
    ({"phase": "lunch"}, "phase must be one of"),
    ({"phase": "use_tech", "cursor": 1}, "cursor has no meaning in phase 'use_tech'"),
    ({"phase": "use_impulse", "cursor": 5, "impulse": [1]}, "cursor must be"),
    ({"impulse": [1, 2, 3, 4]}, "impulse must have at most 3 cards"),
    ({"face_up": {20: 1}}, "face_up: there is no cell 20"),
    ({"face_up": {10: 1}}, "face_up: cell 10 is the Sector Core"),
    ({"face_up": {"1": 1}, "face_down": {1: 2}}, "cell 1 is in face_up and face_down"),
    ({"deck": [21]}, r"deck\[0\]: there is no card 21"),
    ({"deck": [110]}, "there is no card 110"),
    ({"deck": ["5"]}, "there is no card '5'"),
    ({"deck": [5, 5]}, r"deck\[1\]: card 5 is used more often than it is printed \(1\)"),
    ({"deck": [5], "discard": [4]}, "deck and discard: cards .* are missing"),
    ({"seats": "two"}, "seats must be a list"),
    ({"seats": [1, 2]}, r"seats\[0\] must be an object"),
    (seats(hands=[1]), r"seats\[0\].'hands' is not a field"),
    (seats(hand=[5, 5]), r"seats\[0\].hand\[1\]: card 5 is used more often"),
    (seats(hand=list(range(1, 13))), r"seats\[0\].hand must have at most 10 cards, not 12"),
    (seats(known=[5]), r"seats\[0\].known: card 5 is not in that hand"),
    (seats(score=20), r"seats\[0\].score must be an integer from 0 to 19"),
    (seats(score=3, points={"trade": 2}), r"seats\[0\].points must add up to the score 3"),
    (seats(points={"luck": 2}), "'luck' is not a field"),
    (seats(race="humans"), r"seats\[0\].race must be one of"),
    ({"seats": [{"race": "ariek"}, {"race": "ariek"}]}, r"seats\[1\].race: 'ariek' is another"),
    (seats(techs=["basic"]), r"seats\[0\].techs must be two"),
    (seats(techs=["basic", "advanced"]), r"seats\[0\].techs\[1\]: there is no card 'advanced'"),
    (seats(next_plan=[5]), r"seats\[0\].next_plan: only while"),
    (seats(transports={8: 13}), r"seats\[0\].transports\[8\] must be an integer from 0 to 12"),
    (seats(transports={8: 7, 9: 6}), r"seats\[0\] has 13 ships; at most 12"),
    (seats(cruisers={"5-99": 1}), r"seats\[0\].cruisers: there is no gate '5-99'"),
    (seats(cruisers={"9-8": 1}), "there is no gate '9-8'"),
    (seats(cruisers={"11-12": 1}), r"seats\[1\].cruisers: seat 0 has Cruisers on 11-12"),
    (seats(transports={}), r"seats\[0\] has no ships on the map: it is eliminated"),
    (seats(eliminated=True), "active: seat 0|at least two players"),
    (seats(eliminated="yes"), r"seats\[0\].eliminated must be true or false"),
    ({"seed": 1.5}, "seed must be an integer"),
    ({"players": 2.0}, r"players must be an integer from 2 to 6, not 2\.0 \(float\)"),
    ({"players": 4, "team_size": 2.0}, r"team_size .* must be one of None, 2; not 2\.0"),
    ({"turn": True}, r"turn must be an integer from 0 to 299, not True \(bool\)"),
    ({"deck": [5.0]}, r"deck\[0\]: there is no card 5\.0"),
    (seats(hand=[1], known=[True]), r"seats\[0\].known: card True is not in that hand"),
]


@pytest.mark.parametrize(("position", "message"), MALFORMED, ids=[m for _, m in MALFORMED])
def test_a_malformed_position_is_refused_with_the_field_that_is_wrong(position, message):
    with pytest.raises(PositionError, match=message):
        Game.from_position(position)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 120) | st.sampled_from(["", "5-10", "basic", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["1", "8", "5-10", "hand"]), inner, max_size=2)
    ),
    max_leaves=4,
)


def paths(value, path=()):
    """Every place in a nested value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_a_fuzzed_position_is_a_game_or_a_position_error(data):
    position = Game(3, seed=2).to_position()
    target = data.draw(st.sampled_from([path for path in paths(position) if path]))
    inner = position
    for step in target[:-1]:
        inner = inner[step]
    inner[target[-1]] = data.draw(VALUES)
    try:
        game = Game.from_position(position)
    except PositionError:
        return
    rng = np.random.default_rng(0)
    for _ in range(30):
        if game.is_over:
            break
        game.step(int(rng.choice(game.legal_actions())))
