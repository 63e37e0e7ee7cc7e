"""The features of a position count what their names say, and the chances follow from them.

Seat 0 lives on 8 and seat 1 on 12; the gates of the Sector Core (10) are those to 5, 6, 9, 11, 14
and 15.
"""

import numpy as np
import pytest

from fuzzed import NAMES, decisions
from helpers import game, play, using
from impulse_agents.heuristics.evaluation import FEATURES, all_position_features
from impulse_agents.luck.values import RuleValues
from rules_of_thumb import chances

ALLY = {"transports": {9: 1}, "cruisers": {"5-10": 3}}
FAR = {"transports": {12: 1}, "cruisers": {}}


def features(made, seat=0):
    """The features of a seat by name."""
    players = int(made.state["players"])
    row = all_position_features(made.state[None], players)[0, seat]
    return dict(zip(FEATURES, row.tolist(), strict=True))


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"score": 7}, {"points": 7, "points_squared": 49 / 20}),
        (
            {"score": 7, "config": {"target_score": 10}},
            {"points": 17, "points_squared": 17 * 17 / 20},
        ),
        (
            {"score": 10, "cruisers": {"9-10": 3, "5-10": 1, "8-9": 2, "4-8": 4}},
            {
                "points": 10,
                "points_squared": 10 * 10 / 20,
                "core_gates": 2,
                "core_gates_by_points": 2 * 10 / 20,
                "core_guards": 2,
                "near_cruisers": 2,
                "far_cruisers": 4,
            },
        ),
        (
            {"transports": {10: 1, 9: 2, 15: 3, 8: 4, 1: 1}, "cruisers": {}},
            {"near_transports": 6, "far_transports": 5},
        ),
        ({"hand": [2, 9, 18]}, {"hand": 3, "hand_icons": 1 + 2 + 3}),
        ({"minerals": [2, 9, 27]}, {"gems": 5, "most_gems": 3}),
        ({"plan": [2, 9]}, {"plan": 2}),
        ({"techs": [2, "basic"]}, {"techs": 1}),
        ({"techs": [2, 9]}, {"techs": 2}),
    ],
    ids=lambda value: "-".join(value) if "to_move" not in value else "",
)
def test_a_feature_counts_what_its_name_says(fields, expected):
    plain = {"transports": {8: 1}, "hand": []}
    found = features(game(**plain | fields))
    bare = features(game(**plain))
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    ships = {"near_transports", "far_transports", "near_cruisers", "far_cruisers"}
    for name in set(FEATURES) - set(expected) - ships:
        assert found[name] == bare[name], name


@pytest.mark.parametrize(
    ("own", "enemies", "threats"),
    [
        ({"9-10": 1}, {"8-9": 2}, 2),
        ({"9-10": 1}, {"10-11": 2}, 2),
        ({"9-10": 1}, {"4-8": 2}, 0),
        ({"9-10": 3}, {"8-9": 5}, 3),
        ({"9-10": 4}, {"8-9": 2}, 0),
        ({"8-9": 1}, {"9-13": 2}, 0),
    ],
    ids=["near", "on the Core", "far", "guarded", "outnumbered", "nothing to lose"],
)
def test_threats_are_enemies_a_move_from_held_gates_beyond_their_guards(own, enemies, threats):
    made = game(transports={8: 1}, cruisers=own, rival={"transports": {}, "cruisers": enemies})
    assert features(made)["threats"] == threats


def test_an_ally_is_no_threat():
    made = game(cruisers={"9-10": 1}, others=[FAR, ALLY, FAR], team_size=2)
    assert features(made)["threats"] == 0
    apart = game(cruisers={"9-10": 1}, others=[FAR, ALLY, FAR])
    assert features(apart)["threats"] == 3


def test_whose_turn_it_is_counts_for_that_seat_alone():
    made = game(others=[{}, {}])
    assert [features(made, seat)["to_move"] for seat in range(3)] == [1, 0, 0]


def test_seats_that_mirror_each_other_have_the_same_features():
    # The map turned by half: cell 8 becomes 12, and gate 5-10 becomes 10-15.
    own = {"cruisers": {"5-10": 2, "8-9": 1}, "transports": {8: 1, 9: 2}}
    rival = {"cruisers": {"10-15": 2, "11-12": 1}, "transports": {12: 1, 11: 2}}
    own |= {"score": 6, "hand": [31], "minerals": [41]}
    rival |= {"score": 6, "hand": [38], "minerals": [56]}
    made = game(rival=rival, **own)
    first, second = features(made, 0), features(made, 1)
    assert first.pop("to_move") > second.pop("to_move")
    assert first == second
    assert chances(made)[0] > 0.5, "it is to move"


# --- Chances ------------------------------------------------------------------------------------


def test_chances_are_those_that_the_judge_of_luck_reckons_with():
    for made in (
        game(score=3, rival={"score": 12}),
        game(cruisers={"9-10": 1}, others=[FAR, ALLY, FAR], team_size=2),
        game(score=8, others=[{}, {"score": 4}]),
    ):
        sides = int(made.state["teams"])
        shares = RuleValues().shares(made.state[None], sides)[0]
        assert chances(made) == pytest.approx(shares, abs=1e-6)
        assert chances(made).sum() == pytest.approx(1)


@pytest.mark.parametrize("fields", [{"score": 15}, {"cruisers": {"9-10": 2, "10-11": 1}}])
def test_points_and_gates_of_the_sector_core_raise_the_chance_to_win(fields):
    plain = {"transports": {8: 1}, "cruisers": {"8-9": 3}}
    assert chances(game(**plain | fields))[0] > chances(game(**plain))[0] + 0.05


def test_who_is_out_of_the_game_has_no_chance():
    out = {"eliminated": True, "transports": {}, "cruisers": {}}
    found = chances(game(others=[out, {}]))
    assert found[1] == 0
    assert found.sum() == pytest.approx(1)


def test_a_game_that_is_over_was_won_by_its_winner():
    made = play(using(46, score=19, minerals=[13]), "card 13")
    assert made.is_over
    assert chances(made).tolist() == [1, 0]


def test_a_truncated_game_was_won_by_nobody():
    made = game(others=[{}, {}], config={"max_turns": 1})
    rng = np.random.default_rng(0)
    while not made.is_over:
        made.step(rng.choice(made.legal_actions()))
    assert chances(made) == pytest.approx([1 / 3] * 3)


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_features_are_finite_and_of_what_is_on_the_table(number):
    states = decisions(number)
    players = int(states["players"][0])
    found = all_position_features(states, players)
    assert np.isfinite(found).all()
    by_name = {name: found[..., k] for k, name in enumerate(FEATURES)}
    cruisers = by_name["core_gates"] + by_name["core_guards"]
    cruisers = cruisers + by_name["near_cruisers"] + by_name["far_cruisers"]
    transports = by_name["near_transports"] + by_name["far_transports"]
    assert (cruisers + transports == states["ships_on_map"][:, :players]).all()
    assert (by_name["gems"] == states["gems"][:, :players].sum(2)).all()
    assert (by_name["to_move"].sum(1) <= 1).all()
