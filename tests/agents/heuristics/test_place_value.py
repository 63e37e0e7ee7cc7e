"""What ships are worth at a place follows from the rules, whatever a style likes.

Seat 0 lives on 8 and seat 1 on 12; the gates of the Sector Core (10) are those to 5, 6, 9, 11, 14
and 15.
"""

import numpy as np
import pytest

from helpers import game, play, points, using
from impulse_agents.heuristics.place_value import (
    CELL_DISTANCE,
    CELL_STEPS,
    GATE_DISTANCE,
    NOTHING,
)
from impulse_agents.heuristics.styles import WEIGHTS
from impulse_env.actions import GATE_NAMES
from impulse_env.engine.constants import CELLS, CORE, CRUISER, TRANSPORT
from impulse_env.engine.sector_map import NEIGHBORS_OF_CELL
from rules_of_thumb import (
    STYLE,
    cell_worth,
    cruiser_gain,
    fight_worth,
    fleet_gain,
    gate_worth,
    leaving_cost,
    liking,
    transport_gain,
)

STYLES = pytest.mark.parametrize("style", STYLE.values(), ids=list(STYLE))
QUIET = {"transports": {12: 1}, "cruisers": {}}
"""A rival with one Transport, far away, that patrols nothing."""


# --- Distances ----------------------------------------------------------------------------------


def test_distances_of_cells_are_the_fewest_steps_from_neighbour_to_neighbour():
    for start in range(CELLS):
        steps, reached = {start: 0}, [start]
        for cell in reached:
            for other in NEIGHBORS_OF_CELL[cell]:
                if other >= 0 and other not in steps:
                    steps[int(other)] = steps[cell] + 1
                    reached.append(int(other))
        assert [steps[cell] for cell in range(CELLS)] == CELL_STEPS[start].tolist()
    assert CELL_DISTANCE.tolist() == CELL_STEPS[CORE].tolist()


def test_only_the_six_gates_of_the_sector_core_are_no_move_away_from_it():
    near = {name for name, far in zip(GATE_NAMES, GATE_DISTANCE, strict=True) if far == 0}
    assert near == {"5-10", "6-10", "9-10", "10-11", "10-14", "10-15"}
    assert GATE_DISTANCE[GATE_NAMES.index("8-9")] == 1, "across 9 to 9-10"
    assert GATE_DISTANCE[GATE_NAMES.index("4-8")] == 2


# --- Gates --------------------------------------------------------------------------------------


@STYLES
def test_a_gate_is_worth_more_the_nearer_it_is_to_the_sector_core(style):
    made, worth = game(transports={8: 1}, rival=QUIET), {}
    style = np.where(np.array(WEIGHTS) == "hunt", np.float32(0), style)
    for name, distance in zip(GATE_NAMES, GATE_DISTANCE, strict=True):
        worth.setdefault(int(distance), set()).add(gate_worth(made, name, style))
    assert [len(values) for values in worth.values()] == [1, 1, 1]
    assert min(worth[0]) > max(worth[1])
    assert min(worth[1]) > max(worth[2])


@STYLES
def test_a_gate_of_the_sector_core_is_worth_more_than_a_guard_of_one_held(style):
    # p. 16: a point at the end of each turn for each gate, however many ships are on it.
    made = game(cruisers={"9-10": 1}, rival={"cruisers": {"10-11": 1}})
    held, free, enemy = (gate_worth(made, name, style) for name in ("9-10", "5-10", "10-11"))
    assert held < free
    assert held < enemy


def test_a_held_gate_of_the_sector_core_is_lost_when_its_last_cruiser_leaves():
    made = game(cruisers={"9-10": 2, "8-9": 1})
    style = liking(core_gate=5, core_guard=1)
    assert leaving_cost(made, "9-10", style, ships=1) == 1, "a guard"
    assert leaving_cost(made, "9-10", style, ships=2) == 1 + 5
    assert leaving_cost(made, "8-9", style, ships=1) == 0, "no gate of the Sector Core"


@pytest.mark.parametrize(
    ("ships", "distances"),
    [
        ({}, {"11-12": 0, "10-11": 1, "9-10": 2, "8-9": 3, "4-8": 4, "8-13": 4}),
        (
            {"transports": {}, "cruisers": {"16-19": 1}},
            {"11-12": 1, "15-16": 0, "10-15": 1, "9-10": 2, "8-9": 3},
        ),
    ],
    ids=["Transports", "Cruisers"],
)
def test_who_hunts_goes_where_the_enemies_ships_are(ships, distances):
    made = game(transports={8: 1}, rival=QUIET | ships)
    for name, distance in distances.items():
        assert gate_worth(made, name, liking(hunt=1)) == -distance


def test_own_and_allied_ships_are_no_prey():
    ally = {"transports": {9: 1}, "cruisers": {"8-9": 1}}
    made = game(cruisers={"9-10": 1}, others=[QUIET, ally, QUIET], team_size=2)
    assert gate_worth(made, "8-9", liking(hunt=1)) == -3, "those on 12"
    assert gate_worth(made, "8-9", liking(hunt=1), seat=1) == 0


# --- Battles ------------------------------------------------------------------------------------


def chance(ships=1, enemies=1, own=(), theirs=(), **more):
    """The chance to win that is reckoned with: each point of a battle that is won counts so."""
    made = game(
        cruisers={"8-9": ships},
        hand=list(own),
        rival={"cruisers": {"9-10": enemies}, "hand": list(theirs)},
    )
    liked, ignored = liking(fight=1, **more), liking(**more)
    difference = fight_worth(made, "9-10", liked, ships=ships) - fight_worth(
        made, "9-10", ignored, ships=ships
    )
    return difference / (1 + enemies)  # a point for the victory, and one for each ship (p. 35)


def test_the_defender_has_the_better_chance_between_equals_because_ties_are_its_own():
    # p. 35
    assert 0.2 < chance(1, 1) < 0.5
    assert chance(3, 3) == pytest.approx(chance(1, 1))


def test_the_chance_grows_with_ships_and_cards_and_boldness():
    for worse, better in [
        (chance(1, 1), chance(2, 1)),
        (chance(2, 2), chance(2, 1)),
        (chance(), chance(own=[7])),
        (chance(theirs=[7]), chance()),
        (chance(), chance(boldness=1)),
    ]:
        assert better > worse + 0.02
    assert chance(4, 1) > 0.95
    assert chance(1, 4) < 0.05
    assert chance(own=[7], theirs=[8]) == pytest.approx(chance())


@STYLES
def test_a_hopeless_battle_costs_and_each_ship_that_goes_into_it_more(style):
    made = game(cruisers={"8-9": 2}, rival={"cruisers": {"9-10": 8}})
    one, two = (fight_worth(made, "9-10", style, ships=ships) for ships in (1, 2))
    assert two < one < 0


def test_winning_a_gate_of_the_sector_core_is_worth_the_gate_too():
    fight = {"cruisers": {"9-10": 1, "9-14": 1}}
    made = game(cruisers={"8-9": 4}, rival=fight)
    at_core, elsewhere = (
        fight_worth(made, gate, liking(core_gate=3), ships=4) for gate in ("9-10", "9-14")
    )
    assert 2.8 < at_core - elsewhere < 3, "almost certain to be won"


# --- Cells --------------------------------------------------------------------------------------


@pytest.mark.parametrize("ships", [1, 2])
@pytest.mark.parametrize("gems", [(), (9,), (9, 18)], ids=["0", "2", "5"])
def test_the_sector_core_is_worth_the_points_that_activating_it_scores(gems, ships):
    fields = {"transports": {9: ships}, "minerals": list(gems), "cruisers": {}}
    worth = cell_worth(game(**fields), 10, liking(core_visit=1), ships=ships)
    played = play(using(12, **fields), "cell 9", f"ships {ships}", "cell 10", "color red")
    assert points(played) == worth


@STYLES
def test_cells_are_worth_more_the_nearer_they_lie_to_the_sector_core(style):
    made = game(face_up={4: 4, 9: 26})
    assert cell_worth(made, 9, style) > cell_worth(made, 4, style)


LIKED = {
    "research": ((2, 18, 20, 63, 101), (4, 8, 5)),
    "plan": ((8, 34, 49, 51), (9, 2, 4)),
    "draw": ((5, 66, 1), (83, 2, 8)),
    "trade": ((11, 83, 95), (5, 7, 9)),
    "mine": ((7, 92, 19, 61), (11, 5, 46)),
    "refine": ((46, 43, 106), (7, 11)),
}
"""A weight: cards whose actions it is about, and some of other actions."""


@pytest.mark.parametrize("liked", LIKED)
def test_arriving_on_a_card_is_worth_what_the_style_likes_about_its_action(liked):
    style = liking(**{liked: 1})
    rests = liking()

    def gained(number):
        made = game(face_up={9: number}, hand=[], minerals=[27])
        return cell_worth(made, 9, style) - cell_worth(made, 9, rests)

    about, other = LIKED[liked]
    assert all(gained(number) > 0.9 for number in about)
    assert [gained(number) for number in other] == [0] * len(other)


def test_what_a_map_card_brings_grows_with_the_gems_of_the_ships_that_arrive():
    # p. 22: two gems of its colour, or ships that arrive, raise the boxed number by one.
    made = game(face_up={9: 11, 14: 68, 11: 107}, minerals=[27])
    for cell, style in ((9, liking(trade=1)), (14, liking(trade=1)), (11, liking(refine=1))):
        one, two = (cell_worth(made, cell, style, ships=ships) for ships in (1, 4))
        # The box of 68 is a size, and those of 11 (blue) and 107 (green) what counts here.
        assert (two > one + 0.9) == (cell != 14)


def test_nothing_is_drawn_into_a_full_hand_nor_refined_without_minerals():
    # p. 17: ten cards
    full = game(face_up={9: 5}, hand=[2, 7, 9, 18, 20, 23, 24, 25, 29, 54])
    assert cell_worth(full, 9, liking(draw=1)) == pytest.approx(-0.1)
    poor = game(face_up={9: 106})
    assert cell_worth(poor, 9, liking(refine=1)) == pytest.approx(-0.1)


def test_a_build_card_is_worth_nothing_to_whom_all_ships_are_on_the_map():
    # p. 4: twelve ships
    some = game(face_up={9: 10}, transports={8: 2})
    all_of_them = game(face_up={9: 10}, transports={8: 12}, cruisers={})
    assert cell_worth(some, 9, liking()) > cell_worth(all_of_them, 9, liking())


def test_a_face_down_cell_is_worth_something_whatever_lies_on_it():
    worth = {
        cell_worth(game(face_down={9: number}), 9, STYLE["miner"]) for number in (2, 7, 11, 46)
    }
    assert len(worth) == 1
    assert worth.pop() > 0


# --- Moves of fleets ----------------------------------------------------------------------------


def test_cruisers_go_to_the_best_gate_of_the_cards_beside_them():
    made = game(cruisers={"8-9": 1}, rival=QUIET)
    assert cruiser_gain(made, "8-9", liking(core_gate=2)) == 2
    assert cruiser_gain(made, "8-9", liking(approach=1)) == 1, "nearer by one"
    far = game(cruisers={"4-8": 1}, rival=QUIET)
    assert cruiser_gain(far, "4-8", liking(core_gate=2)) == 0, "no gate of the Core is so near"
    assert cruiser_gain(far, "4-8", liking(approach=1)) == 1
    assert cruiser_gain(far, "4-8", liking(approach=1), moves=2) == 2


def test_cruisers_that_leave_a_gate_of_the_sector_core_gain_nothing():
    made = game(cruisers={"9-10": 1}, rival=QUIET)
    gain = cruiser_gain(made, "9-10", liking(core_gate=2))
    assert gain == 0, "another gate of the Core for the one that is lost"


def test_cruisers_destroy_the_transports_of_the_card_they_cross():
    # p. 30
    made = game(cruisers={"8-9": 1}, rival={"transports": {9: 3, 12: 1}, "cruisers": {}})
    assert cruiser_gain(made, "8-9", liking(raid=1)) == 3
    ally = {"transports": {9: 3}, "cruisers": {}}
    made = game(cruisers={"8-9": 1}, others=[QUIET, ally, QUIET], team_size=2)
    assert cruiser_gain(made, "8-9", liking(raid=1)) == 0


def test_cruisers_on_a_patrolled_card_can_only_fight():
    # p. 34: who enters a card that enemies patrol attacks them.
    rival = {"transports": {9: 3}, "cruisers": {"9-13": 1}}
    made = game(cruisers={"8-9": 1}, rival=rival)
    assert cruiser_gain(made, "8-9", liking(raid=1, core_gate=5)) == pytest.approx(
        max(0, fight_worth(made, "9-13", liking()))
    )


def test_cruisers_cannot_enter_an_allys_gate():
    ally = {"transports": {}, "cruisers": {"9-10": 1}}
    made = game(cruisers={"8-9": 1}, others=[QUIET, ally, QUIET], team_size=2)
    assert cruiser_gain(made, "8-9", liking(core_gate=2)) == 0
    alone = game(cruisers={"8-9": 1}, others=[QUIET] * 3, team_size=2)
    assert cruiser_gain(alone, "8-9", liking(core_gate=2)) == 2


def test_transports_go_to_the_best_card_that_no_enemy_patrols():
    # p. 28
    fields = {"transports": {14: 1}, "cruisers": {}, "face_up": {9: 11, 13: 2, 15: 7}}
    free = game(rival=QUIET, **fields)
    style = liking(trade=5, core_visit=2)
    trade = cell_worth(free, 9, style)
    assert transport_gain(free, 14, style) == pytest.approx(max(trade, 2))
    patrolled = game(rival={"transports": {}, "cruisers": {"5-9": 1}}, **fields)
    assert transport_gain(patrolled, 14, style) == 2, "the Sector Core remains"
    closed = game(rival={"transports": {}, "cruisers": {"9-10": 1}}, **fields)
    assert transport_gain(closed, 14, style) < 2


def test_with_two_moves_transports_reach_the_sector_core():
    fields = {"transports": {8: 1}, "cruisers": {}}
    made = game(rival=QUIET, **fields)
    style = liking(core_visit=3)
    assert transport_gain(made, 8, style, moves=1) < 3
    assert transport_gain(made, 8, style, moves=2) == 3
    patrolled = game(rival={"transports": {}, "cruisers": {"10-11": 1}}, **fields)
    assert transport_gain(patrolled, 8, style, moves=2) < 3
    surrounded = {"transports": {}, "cruisers": {"5-9": 1, "4-5": 1, "13-14": 1}}
    assert transport_gain(game(rival=surrounded, **fields), 8, style, moves=2) == -9


def test_the_best_fleet_is_of_the_types_and_the_size_that_the_card_commands():
    made = game(transports={9: 2}, cruisers={"8-9": 2}, minerals=[27], rival=QUIET)
    style = liking(core_gate=7, core_visit=1)
    assert fleet_gain(made, CRUISER, style) == 7
    assert fleet_gain(made, TRANSPORT, style) == 2, "two gems of a colour"
    assert fleet_gain(made, CRUISER | TRANSPORT, style) == 7
    assert fleet_gain(made, TRANSPORT, style, ships=2) == 3, "with those that arrive"
    assert fleet_gain(made, TRANSPORT, style, ships=9) == 3, "there are no more"
    assert fleet_gain(made, CRUISER, style, seat=1) == NOTHING, "it has none"
