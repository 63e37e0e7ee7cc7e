"""Command: fleets, paths, what they meet, what they activate (pp. 23, 26-33; R3-R5, P5)."""

import numpy as np
import pytest

from helpers import (
    cruisers,
    deck,
    face_up,
    game,
    hand,
    impulse,
    is_done,
    names,
    pass_until,
    play,
    points,
    transports,
    using,
)

PEACEFUL = {"transports": {12: 1}}
"""A rival who patrols nothing."""
YELLOW = (16, 53, 108, 31)
"""Yellow cards of size 1: a gem each as minerals."""
GREEN = (1, 8, 14, 23)
"""Green cards of size 1."""


def others(made):
    """The legal actions but pass."""
    return [name for name in names(made) if name != "pass"]


# --- Every printed Command of one fleet (p. 24: "up to"; p. 22: the box) ------------------------

#            card  ships moves box       types
PRINTED = [
    pytest.param(4, 1, 1, "ships", "any", id="4: a [1] ship fleet, one move"),
    pytest.param(6, 2, 1, "ships", "cruiser", id="6: a [2] Cruiser fleet, one move"),
    pytest.param(13, 2, 1, "moves", "any", id="13: a two ship fleet, [1] move"),
    pytest.param(31, 1, 1, "moves", "cruiser", id="31: one Cruiser, [1] move"),
    pytest.param(35, 1, 1, "moves", "transport", id="35: one Transport, [1] move"),
    pytest.param(39, 2, 1, "moves", "cruiser", id="39: a two Cruiser fleet, [1] move"),
    pytest.param(40, 1, 2, "ships", "transport", id="40: a [1] Transport fleet, two moves"),
    pytest.param(41, 1, 1, "ships", "transport", id="41: a [1] Transport fleet, one move"),
    pytest.param(88, 2, 1, "moves", "transport", id="88: a two Transport fleet, [1] move"),
    pytest.param(91, 1, 2, "ships", "any", id="91: a [1] ship fleet, two moves"),
]
COPIES = [
    (26, 4), (42, 4), (100, 4), (55, 13), (38, 31), (44, 31), (69, 31), (70, 31),
    (81, 35), (94, 35), (56, 41), (71, 41), (105, 91),
]  # fmt: skip


def walk(made, there, back):
    """Move back and forth for as long as moves are left; return how many there were."""
    moves = 0
    while made.decision.kind == "choose_move":
        assert ("pass" in names(made)) == (moves > 0)  # R3: at least one move
        play(made, there if moves % 2 == 0 else back)
        moves += 1
    return moves


@pytest.mark.parametrize("gems", [0, 1, 2, 3, 4])
@pytest.mark.parametrize(("card", "ships", "moves", "box", "types"), PRINTED)
def test_a_command_moves_as_many_ships_as_far_as_printed_and_its_box_grows_by_half_the_gems(
    card, ships, moves, box, types, gems
):
    # pp. 22-24: two matching gems add one to the boxed number and to nothing else.
    boost = gems // 2
    ships += boost if box == "ships" else 0
    moves += boost if box == "moves" else 0
    fleets = {"transport": ["cell 9"], "cruiser": ["gate 8-9"], "any": ["cell 9", "gate 8-9"]}
    for fleet, there in (("cell 9", "cell 8"), ("gate 8-9", "gate 4-9")):
        made = using(
            card,
            minerals=YELLOW[:gems],
            transports={9: 6},
            cruisers={"8-9": 6},
            rival=PEACEFUL,
        )
        assert names(made) == fleets[types]
        if fleet not in fleets[types]:
            continue
        play(made, fleet)
        assert names(made) == [f"ships {n + 1}" for n in range(ships)]
        play(made, f"ships {ships}")
        assert walk(made, there, fleet) == moves


@pytest.mark.parametrize(("card", "face"), COPIES)
def test_copies_of_a_face_are_the_same_command(card, face):
    made = using(card, rival=PEACEFUL)
    assert impulse(made)[0] == face
    assert made.decision.kind == "choose_fleet"


def test_gems_of_another_colour_do_not_boost():
    # p. 22: "if you have Mineral cards … matching the color of the action card".
    made = using(41, minerals=[5, 83, 45], transports={8: 3}, rival=PEACEFUL)
    play(made, "cell 8")
    assert names(made) == ["ships 1"]


@pytest.mark.parametrize(
    ("arrived", "gems", "ships"), [(1, 0, 1), (1, 1, 2), (2, 0, 2), (3, 0, 2), (3, 1, 3), (4, 0, 3)]
)
def test_transports_that_arrive_boost_the_command_card_they_activate(arrived, gems, ships):
    # p. 23: "if you moved onto a red card with 3 … and … 1 red gem, you would boost by 2".
    # Cell 9 is card 41: a [1] Transport fleet; the Transports there before do not count.
    made = using(
        98,
        minerals=YELLOW[:gems],
        transports={8: arrived, 9: 5},
        face_up={9: 41},
        rival=PEACEFUL,
    )
    play(made, "cell 8", f"ships {arrived}", "cell 9", "pass")
    assert made.decision.kind == "activate"
    play(made, "use", "cell 9")
    assert names(made) == [f"ships {n + 1}" for n in range(ships)]


def test_transports_that_arrive_boost_moves_too():
    # Cell 9 is card 35: one Transport, [1] move; two Transports make it two moves.
    made = using(88, transports={8: 2}, face_up={9: 35}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "use", "cell 9")
    assert names(made) == ["ships 1"]
    play(made, "ships 1", "cell 5")
    assert made.decision.kind == "choose_move"
    play(made, "cell 6")
    assert transports(made) == {6: 1, 9: 1}


def test_a_map_command_activated_by_its_own_movers_is_boosted_by_those_of_that_command_only():
    # 9 (card 41) is activated by 2 Transports: [1] + 1 ships. One of them goes on to 5 (card 56):
    # it alone counts there, no boost.
    made = using(88, transports={8: 2}, face_up={9: 41, 5: 56}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "use", "cell 9", "ships 1", "cell 5", "use")
    play(made, "cell 9")
    assert names(made) == ["ships 1"]


# --- Transports (pp. 26, 28) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cell", "neighbours"),
    [(8, [4, 9, 13]), (9, [4, 5, 8, 10, 13, 14]), (7, [3, 6, 11, 12]), (10, [5, 6, 9, 11, 14, 15])],
)
def test_a_transport_moves_through_a_gate_to_the_neighbouring_cell(cell, neighbours):
    # p. 26; enemy Transports on 12 are no obstacle (p. 42).
    made = using(35, transports={cell: 1}, rival=PEACEFUL)
    play(made, f"cell {cell}", "ships 1")
    assert names(made) == [f"cell {n}" for n in neighbours]


def test_transports_do_not_move_onto_a_cell_that_an_enemy_patrols():
    # p. 28. The Cruiser on 9-10 patrols both 9 and 10.
    made = using(35, transports={5: 1}, rival={"cruisers": {"9-10": 1}})
    play(made, "cell 5", "ships 1")
    assert names(made) == ["cell 1", "cell 2", "cell 4", "cell 6"]


def test_transports_do_not_move_through_a_cell_that_an_enemy_patrols():
    # p. 28. 1 has the neighbours 2, 4, 5; a Cruiser on 5-10 closes 5 and with it 9.
    #      1   2
    #    4   5#  6
    made = using(40, transports={1: 1}, rival={"cruisers": {"5-10": 1}})
    play(made, "cell 1", "ships 1")
    assert names(made) == ["cell 2", "cell 4"]
    play(made, "cell 4")
    assert names(made) == ["pass", "cell 1", "cell 8", "cell 9"]


def test_transports_may_leave_a_cell_that_an_enemy_patrols():
    # p. 28 forbids moving onto it only.
    made = using(35, transports={5: 1}, rival={"cruisers": {"5-6": 1}})
    play(made, "cell 5", "ships 1")
    assert names(made) == ["cell 1", "cell 2", "cell 4", "cell 9", "cell 10"]


def test_transports_may_not_return_to_a_patrolled_cell_that_they_left():
    made = using(40, transports={5: 1}, rival={"cruisers": {"5-6": 1}})
    play(made, "cell 5", "ships 1", "cell 1")
    assert names(made) == ["pass", "cell 2", "cell 4"]


def test_transports_that_every_neighbour_shuts_in_cannot_be_commanded():
    # All of 4, 9 and 13 are patrolled; the Cruiser is all that can go.
    made = using(
        4, transports={8: 1}, cruisers={"1-5": 1}, rival={"cruisers": {"4-9": 1, "13-17": 1}}
    )
    assert names(made) == ["gate 1-5"]


def test_a_command_that_nobody_can_follow_is_not_offered():
    made = game(
        impulse=[35],
        phase="use_impulse",
        transports={8: 1},
        rival={"cruisers": {"4-9": 1, "13-17": 1}},
    )
    assert names(made) == ["pass"]


def test_own_and_enemy_transports_and_own_cruisers_stop_no_transport():
    made = using(
        35,
        transports={8: 1, 9: 2},
        cruisers={"8-9": 1, "4-9": 2},
        rival={"transports": {4: 3, 9: 1, 13: 1}},
    )
    play(made, "cell 8", "ships 1")
    assert names(made) == ["cell 4", "cell 9", "cell 13"]
    play(made, "cell 9")
    assert transports(made) == {9: 3}
    assert transports(made, 1) == {4: 3, 9: 1, 13: 1}
    assert points(made) == 0


def test_transports_share_cells_with_enemy_transports_without_harm():
    # p. 42: "Can I move Transports onto a card with enemy Transports? Yes".
    made = using(35, transports={8: 1}, rival={"transports": {9: 2}})
    play(made, "cell 8", "ships 1", "cell 9")
    assert transports(made, 1) == {9: 2}


def test_a_part_of_a_fleet_may_go_and_the_others_stay():
    # p. 31: "you are not obligated to take the entire fleet".
    made = using(88, transports={8: 4}, rival=PEACEFUL)
    play(made, "cell 8")
    assert names(made) == ["ships 1", "ships 2"]
    play(made, "ships 1", "cell 9")
    assert transports(made) == {8: 3, 9: 1}


def test_the_ships_that_move_stay_together_to_the_end():
    # p. 31: no one is dropped or picked up on the way; 9 had two Transports and keeps them.
    made = using(88, minerals=YELLOW[:2], transports={8: 2, 9: 2}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "cell 5")
    assert transports(made) == {5: 2, 9: 2}


# --- Paths (p. 30, R3) --------------------------------------------------------------------------


def test_a_path_may_be_shorter_than_allowed_but_has_a_move():
    # R3
    made = using(40, transports={8: 1}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1")
    assert "pass" not in names(made)
    play(made, "cell 9", "pass")
    assert transports(made) == {9: 1}


def test_a_path_of_transports_may_return_to_where_it_began():
    # R3
    made = using(40, transports={8: 2}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert "cell 8" in names(made)
    play(made, "cell 8")
    assert transports(made) == {8: 2}


def test_the_cell_where_the_transports_started_is_not_activated_though_the_path_returns_there():
    # p. 28: "You cannot activate the card they started their movement on."
    made = using(40, transports={8: 1}, face_up={8: 5}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "cell 8")
    assert is_done(made)


def test_a_path_of_cruisers_may_return_to_where_it_began():
    # R3; 13's Transport is destroyed on the way.
    made = using(
        39, minerals=YELLOW[:2], cruisers={"9-13": 2}, rival={"transports": {13: 1, 12: 1}}
    )
    play(made, "gate 9-13", "ships 2", "gate 8-13")
    assert "gate 9-13" in names(made)
    play(made, "gate 9-13")
    assert cruisers(made) == {"9-13": 2}
    assert transports(made, 1) == {12: 1}
    assert points(made) == 1


def test_the_whole_path_is_declared_before_anything_of_it_happens():
    # p. 30: "you must declare your entire movement before exploring any cards".
    made = using(
        91,
        cruisers={"8-9": 1},
        face_down={9: 57, 14: 62},
        rival={"transports": {9: 2, 12: 1}},
    )
    play(made, "gate 8-9", "ships 1", "gate 9-14")
    assert made.decision.kind == "choose_move"
    assert hand(made) == []
    assert face_up(made, 9) is None
    assert transports(made, 1) == {9: 2, 12: 1}
    assert points(made) == 0
    assert cruisers(made) == {"8-9": 1}
    play(made, "gate 14-15")
    assert made.decision.kind == "place_explored"


def test_only_the_last_cell_of_a_path_is_activated():
    # p. 28: "use the card they ended their movement on".
    made = using(40, transports={8: 1}, face_up={9: 5, 4: 66}, rival=PEACEFUL, deck=[31, 108, 35])
    play(made, "cell 8", "ships 1", "cell 9", "cell 4")
    assert made.decision.kind == "activate"
    assert "card 66 " in made.describe("use")
    play(made, "use")
    assert made.decision.kind == "keep_revealed"


# --- Cruisers (pp. 26, 28-33) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gate", "gates"),
    [
        ("8-9", ["4-8", "4-9", "5-9", "8-13", "9-10", "9-13", "9-14"]),
        ("1-2", ["1-4", "1-5", "2-3", "2-5", "2-6"]),
        (
            "9-10",
            ["4-9", "5-9", "5-10", "6-10", "8-9", "9-13", "9-14", "10-11", "10-14", "10-15"],
        ),
    ],
)
def test_a_cruiser_moves_through_one_of_its_two_cells_to_another_gate_of_that_cell(gate, gates):
    # p. 26
    made = using(31, transports={}, cruisers={gate: 1}, rival=PEACEFUL)
    play(made, f"gate {gate}", "ships 1")
    assert sorted(names(made)) == sorted(f"gate {g}" for g in gates)


def test_cruisers_that_arrive_where_own_ones_are_join_them():
    made = using(39, cruisers={"8-9": 2, "9-10": 3}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert cruisers(made) == {"8-9": 1, "9-10": 4}


def test_cruisers_activate_nothing():
    # p. 28: only Transports do.
    made = using(31, transports={9: 2}, cruisers={"8-9": 1}, face_up={9: 5}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert is_done(made)


def test_crossing_destroys_all_enemy_transports_on_the_cell_a_point_each():
    # p. 28, of whomever they are. Those on 10, beyond the gate where it stops, live.
    made = using(
        31,
        transports={9: 1},
        cruisers={"8-9": 1},
        others=[{"transports": {9: 2, 10: 1}}, {"transports": {9: 3, 19: 1}}],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert points(made) == 5
    assert transports(made, 1) == {10: 1}
    assert transports(made, 2) == {19: 1}
    assert transports(made) == {9: 1}
    assert cruisers(made) == {"9-10": 1}


def test_the_other_cell_of_the_gate_may_be_crossed_instead():
    # 8-9 across 8 leaves the Transports of 9 alone.
    made = using(31, cruisers={"8-9": 1}, rival={"transports": {9: 2}})
    play(made, "gate 8-9", "ships 1", "gate 4-8")
    assert points(made) == 0
    assert transports(made, 1) == {9: 2}


def test_a_longer_path_destroys_on_every_cell_that_it_crosses():
    # 8-9 → (9) → 9-10 → (10) → 10-11; 11 is not crossed.
    made = using(91, cruisers={"8-9": 1}, rival={"transports": {9: 1, 10: 2, 11: 1}})
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-11")
    assert points(made) == 3
    assert transports(made, 1) == {11: 1}


def test_an_enemy_patrol_forces_the_move_to_end_on_its_gate():
    # p. 28: "Enemy Cruisers cannot move through cards you patrol except to start a battle." 9 is
    # patrolled from 9-10; across 8 the way is free.
    made = using(31, cruisers={"8-9": 1}, rival={"cruisers": {"9-10": 1}})
    play(made, "gate 8-9", "ships 1")
    assert names(made) == ["gate 4-8", "gate 8-13", "gate 9-10"]


def test_a_patrol_on_a_far_gate_of_the_crossed_cell_counts_too():
    made = using(31, cruisers={"8-9": 1}, rival={"cruisers": {"5-9": 1}})
    play(made, "gate 8-9", "ships 1")
    assert names(made) == ["gate 4-8", "gate 5-9", "gate 8-13"]


def test_the_mover_chooses_which_of_several_patrols_to_fight():
    # p. 28: "If multiple players patrol the same card, the player moving … can choose who".
    # Own Cruisers on 9-14 are no way out.
    made = using(
        31,
        cruisers={"8-9": 1, "9-14": 1},
        others=[{"cruisers": {"5-9": 1, "9-10": 2}}, {"cruisers": {"9-13": 1}}],
    )
    play(made, "gate 8-9", "ships 1")
    assert names(made) == ["gate 4-8", "gate 5-9", "gate 8-13", "gate 9-10", "gate 9-13"]
    play(made, "gate 9-13")
    assert made.decision.kind == "reinforce"
    assert made.seat == 2


def test_a_cruiser_between_two_patrolled_cells_can_only_fight():
    made = using(31, cruisers={"9-10": 1}, rival={"cruisers": {"8-9": 1, "10-11": 1}})
    play(made, "gate 9-10", "ships 1")
    assert names(made) == ["gate 8-9", "gate 10-11"]


def test_a_battle_ends_the_path():
    # p. 35. With three moves to go the declaration ends at the enemy's gate.
    made = using(
        31, minerals=YELLOW[:4], cruisers={"8-9": 1}, rival={"cruisers": {"9-10": 1}, "hand": [2]}
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert made.decision.kind == "reinforce"
    assert made.seat == 1


def test_a_path_may_end_in_a_battle_after_free_moves():
    # 8-9 → (9) → 9-10 → (10) → 10-11, which the rival holds; the first step destroys at once.
    made = using(
        91, cruisers={"8-9": 1}, rival={"cruisers": {"10-11": 1}, "transports": {9: 1, 10: 1}}
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert names(made)[0] == "pass"
    assert [n for n in others(made) if "10" in n and n != "gate 9-10"] == ["gate 10-11"]
    play(made, "gate 10-11")
    assert made.decision.kind == "reinforce"
    assert points(made) == 1  # the Transport of 9
    assert transports(made, 1) == {10: 1}  # spared until the battle is won (p. 28)


def test_a_path_may_stop_beside_an_enemy_patrol():
    # Coming to rest on 9-10 crosses 9 alone, although 10 is patrolled.
    made = using(31, cruisers={"8-9": 1}, rival={"cruisers": {"10-11": 1}})
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert cruisers(made) == {"9-10": 1}
    assert is_done(made)


def test_enemy_homes_may_be_patrolled():
    # p. 42
    made = using(31, cruisers={"11-16": 1}, rival={"transports": {1: 1}})
    play(made, "gate 11-16", "ships 1")
    assert "gate 11-12" in names(made)


# --- Activation (p. 28) -------------------------------------------------------------------------


def test_the_card_where_transports_arrive_is_used_before_the_next_impulse_card():
    # p. 28: "before continuing with the next action on the Impulse".
    made = game(
        impulse=[35, 10],
        phase="use_impulse",
        transports={8: 1},
        face_up={9: 41},
        rival=PEACEFUL,
    )
    play(made, "use", "cell 8", "ships 1", "cell 9")
    assert made.decision.kind == "activate"
    play(made, "use")
    assert made.decision.kind == "choose_fleet"
    play(made, "cell 9", "ships 1", "cell 5")
    pass_until(made, "use_impulse")
    assert "card 10 " in made.describe("use")


def test_an_activation_may_be_declined():
    # p. 12
    made = using(35, transports={8: 1}, face_up={9: 5}, rival=PEACEFUL, deck=[31, 108])
    play(made, "cell 8", "ships 1", "cell 9")
    assert names(made) == ["pass", "use"]
    play(made, "pass")
    assert deck(made) == [31, 108]
    assert face_up(made, 9) == 5


def test_transports_that_stay_activate_nothing_and_boost_nothing():
    # p. 23: "previously present Transports are ignored". Card 10 would build [1] + 1 with them.
    made = using(35, transports={8: 1, 9: 5}, face_up={9: 10}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "use", "cell 8")
    assert transports(made) == {8: 1, 9: 6}
    assert is_done(made)


def test_three_transports_and_a_gem_boost_by_two():
    # p. 23, the rulebook's own numbers with blue: build [1] + 2 Transports.
    made = using(98, minerals=[11], transports={8: 3}, face_up={9: 10}, rival=PEACEFUL)
    play(made, "cell 8", "ships 3", "cell 9", "pass", "use", "cell 8", "cell 8", "cell 8")
    assert transports(made) == {8: 3, 9: 3}
    assert is_done(made)


@pytest.mark.parametrize(
    ("ships", "minerals", "color", "score"),
    [
        (1, [], "red", 1),
        (2, [], "red", 2),
        (1, [2], "red", 2),
        (1, [2], "blue", 1),
        (2, [9, 2], "red", 3),
        (2, [9, 2, 83], "blue", 3),
        (2, [9, 2, 83], "green", 2),
        (1, [45, 9], "red", 4),
        (1, [75, 31], "yellow", 3),
    ],
)
def test_the_sector_core_scores_one_and_its_boost_in_a_chosen_colour(ships, minerals, color, score):
    # pp. 15, 26: "You can choose what color it counts as each time you move there".
    made = using(98, transports={9: ships}, minerals=minerals, rival=PEACEFUL)
    play(made, "cell 9", f"ships {ships}", "cell 10", "pass")
    assert made.decision.kind == "activate"
    assert names(made) == ["pass", "color red", "color blue", "color green", "color yellow"]
    play(made, f"color {color}")
    assert points(made) == score
    assert is_done(made)


def test_the_sector_core_may_be_declined():
    made = using(35, transports={9: 1}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "pass")
    assert points(made) == 0


def test_passing_over_the_sector_core_scores_nothing():
    made = using(40, transports={9: 1}, face_up={11: 5}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "cell 11")
    play(made, "pass")
    assert points(made) == 0
    assert is_done(made)


# --- Several fleets to the same card (p. 31, R4, P5) ---------------------------------------------


@pytest.mark.parametrize(
    ("card", "gems", "fleets"),
    [(12, 0, 1), (12, 2, 2), (78, 1, 1), (75, 0, 2), (75, 2, 3), (98, 0, 2), (98, 4, 4)],
)
def test_as_many_fleets_move_to_the_same_card_as_the_boosted_box_says(card, gems, fleets):
    # p. 31. Around 9 stand Transports on 4, 5, 8, 13 and 14.
    minerals = (YELLOW if card == 75 else GREEN)[:gems]
    made = using(
        card,
        minerals=minerals,
        transports={4: 1, 5: 1, 8: 1, 13: 1, 14: 1},
        rival=PEACEFUL,
    )
    for n, origin in enumerate((4, 5, 8, 13)[:fleets]):
        assert made.decision.kind == "choose_fleet"
        assert ("pass" in names(made)) == (n > 0)
        play(made, f"cell {origin}", "ships 1", "cell 9")
    assert made.decision.kind == "activate"
    assert transports(made)[9] == fleets


def test_fleets_of_any_size_and_any_part_of_them_go_to_the_same_card():
    # "Command [2] fleets": all their ships; p. 31 allows a part.
    made = using(98, transports={4: 5, 8: 4}, rival=PEACEFUL)
    play(made, "cell 4")
    assert names(made) == [f"ships {n}" for n in range(1, 6)]
    play(made, "ships 5", "cell 9", "cell 8")
    assert names(made) == [f"ships {n}" for n in range(1, 5)]
    play(made, "ships 2", "cell 9")
    assert transports(made) == {8: 2, 9: 7}


def test_the_same_fleet_is_not_commanded_twice_not_even_the_rest_of_it():
    # p. 31: "You cannot move the same fleet twice with these cards."; R4: different origins.
    made = using(98, transports={8: 4}, cruisers={"8-9": 2}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert names(made) == ["pass", "gate 8-9"]
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert transports(made) == {8: 3, 9: 1}
    assert cruisers(made) == {"8-9": 1, "9-10": 1}


def test_fewer_fleets_than_allowed_may_go():
    made = using(98, transports={4: 1, 8: 1}, rival=PEACEFUL)
    play(made, "cell 4", "ships 1", "cell 9", "pass")
    assert transports(made) == {8: 1, 9: 1}


def test_each_fleet_makes_one_move():
    made = using(98, transports={8: 1, 4: 1}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert made.decision.kind == "choose_fleet"
    play(made, "cell 4", "ships 1")
    assert names(made) == ["cell 9"]


def test_only_fleets_that_reach_the_same_card_can_follow():
    # 16 and 18 are not next to 9.
    made = using(98, transports={4: 1, 8: 1, 16: 1, 18: 1}, rival=PEACEFUL)
    play(made, "cell 4", "ships 1", "cell 9")
    assert names(made) == ["pass", "cell 8"]


def test_transports_that_move_together_activate_once_and_all_count():
    # R4; the publisher: "move them both together to the same card, activating it only once".
    # 9 is card 10: build [1] Transport at home, boosted by 1 + 3 Transports.
    made = using(98, transports={4: 1, 8: 3}, face_up={9: 10}, rival=PEACEFUL)
    play(made, "cell 4", "ships 1", "cell 9", "cell 8", "ships 3", "cell 9")
    assert made.decision.kind == "activate"
    play(made, "use", "cell 8", "cell 8", "cell 8")
    assert transports(made) == {8: 3, 9: 4}
    assert is_done(made)


def test_nothing_moves_until_all_fleets_are_declared():
    # R4: "All fleets and their moves are declared first".
    made = using(98, transports={4: 1, 8: 1}, face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 4", "ships 1", "cell 9")
    assert transports(made) == {4: 1, 8: 1}
    assert face_up(made, 9) is None
    play(made, "cell 8", "ships 1", "cell 9")
    assert face_up(made, 9) is None
    assert made.decision.kind == "place_explored"


def test_transports_and_cruisers_may_go_to_the_same_card():
    # p. 31: "You could also move one Transport fleet and one Cruiser fleet."
    made = using(98, transports={8: 1}, cruisers={"8-13": 1}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 13", "gate 8-13", "ships 1")
    # Across 13 to any gate of it; across 8 no other gate touches 13.
    assert names(made) == ["gate 9-13", "gate 13-14", "gate 13-17"]


def test_after_cruisers_the_same_card_is_either_cell_of_their_gate():
    # P5. The gate 9-13 touches 9 and 13: the Transports of 8 may go to both.
    made = using(98, transports={8: 1}, cruisers={"8-13": 1}, rival=PEACEFUL)
    play(made, "gate 8-13", "ships 1", "gate 9-13", "cell 8", "ships 1")
    assert names(made) == ["cell 9", "cell 13"]


def test_cruiser_fleets_may_go_to_different_gates_of_one_card():
    # p. 31: "each fleet could move to a different gate attached to that card"; P5.
    made = using(98, minerals=GREEN[:2], cruisers={"4-9": 1, "6-10": 1, "10-14": 1}, rival=PEACEFUL)
    play(made, "gate 4-9", "ships 1", "gate 9-10")
    play(made, "gate 6-10", "ships 1")
    # What both share may be 9 or 10; across 6 no other gate touches either.
    assert set(names(made)) == {
        "gate 5-10", "gate 9-10", "gate 10-11", "gate 10-14", "gate 10-15",
    }  # fmt: skip
    play(made, "gate 10-11")
    # What all three share is 10 now, not 9 any more.
    play(made, "gate 10-14", "ships 1")
    assert set(names(made)) == {
        "gate 5-10", "gate 6-10", "gate 9-10", "gate 10-11", "gate 10-15",
    }  # fmt: skip
    play(made, "gate 9-10")
    assert cruisers(made) == {"9-10": 2, "10-11": 1}


def test_fleets_may_change_places():
    # 8-9 → 9-10 while 9-10 → 8-9; both go to card 9.
    made = using(98, cruisers={"8-9": 3, "9-10": 1}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 3", "gate 9-10", "gate 9-10", "ships 1", "gate 8-9")
    assert cruisers(made) == {"8-9": 1, "9-10": 3}


def test_a_face_down_card_to_which_several_fleets_go_is_explored_once():
    # R4. 9 is face-down for the Transports of 4 and 8.
    made = using(98, transports={4: 1, 8: 1}, hand=[2], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 4", "ships 1", "cell 9", "cell 8", "ships 1", "cell 9")
    assert hand(made) == [2, 57]
    play(made, "card 2")
    assert face_up(made, 9) == 2
    assert made.decision.kind == "activate"
    assert hand(made) == [57]


@pytest.mark.parametrize("first", ["cell 8", "gate 13-17"])
def test_several_face_down_cards_are_explored_in_declared_order(first):
    # R4. The Transport enters 9; the Cruiser crosses 13 from 13-17 to 9-13.
    moves = {
        "cell 8": ("cell 8", "ships 1", "cell 9"),
        "gate 13-17": ("gate 13-17", "ships 1", "gate 9-13"),
    }
    made = using(
        98, transports={8: 1}, cruisers={"13-17": 1}, face_down={9: 57, 13: 62}, rival=PEACEFUL
    )
    order = [moves[first], *(move for name, move in moves.items() if name != first)]
    play(made, *order[0], *order[1])
    assert hand(made) == ([57] if first == "cell 8" else [62])
    play(made, f"card {hand(made)[0]}")
    assert hand(made) == ([62] if first == "cell 8" else [57])


def test_each_fleet_is_declared_on_the_map_as_it_stands():
    # R4: the Cruisers that will attack 9-10 do not open 9 to the Transports yet.
    made = using(98, transports={8: 1}, cruisers={"8-9": 5}, rival={"cruisers": {"9-10": 1}})
    play(made, "gate 8-9", "ships 5", "gate 9-10")
    assert names(made) == ["pass"]


def test_cruiser_fleets_that_meet_on_an_enemy_gate_fight_one_battle_together():
    # p. 35: "they can all converge for one battle"; R4. 1 + 2 Cruisers draw three cards.
    made = using(
        98,
        cruisers={"8-9": 1, "9-14": 2},
        rival={"cruisers": {"9-10": 1}},
        deck=[45, 31, 35, 1, 108],  # defender 3; attacker 1 + 1 + 1: a tie
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 9-14", "ships 2", "gate 9-10")
    assert int(made.state["battle_ships"][0]) == 1
    assert int(made.state["battle_ships"][1]) == 3
    play(made, "pass", "pass")
    assert cruisers(made) == {}
    assert points(made, 1) == 1 + 3
    assert deck(made) == [108]


def test_a_joint_attack_that_wins_unites_the_fleets_and_destroys_on_every_cell_they_crossed():
    # P5 and p. 28: 8-9 crosses 9, 10-15 crosses 10, both to 9-10.
    made = using(
        98,
        cruisers={"8-9": 1, "10-15": 1},
        rival={"cruisers": {"9-10": 1}, "transports": {9: 1, 10: 2, 12: 1}},
        deck=[31, 9, 2, 108],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-15", "ships 1", "gate 9-10")
    assert transports(made, 1) == {9: 1, 10: 2, 12: 1}
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-10": 2}
    assert cruisers(made, 1) == {}
    assert transports(made, 1) == {12: 1}
    assert points(made) == 1 + 1 + 3
    assert deck(made) == [108]


@pytest.mark.parametrize("first", ["9-10", "9-13"])
def test_several_battles_are_fought_in_declared_order(first):
    # R4. Seat 1 holds 9-10, seat 2 holds 9-13; both patrol 9.
    second = {"9-10": "9-13", "9-13": "9-10"}[first]
    made = using(
        98,
        cruisers={"8-9": 1, "9-14": 1},
        others=[
            {"cruisers": {"9-10": 1}, "hand": [2]},
            {"cruisers": {"9-13": 1}, "hand": [3]},
        ],
        deck=[31, 9, 35, 45, 108],
    )
    play(made, "gate 8-9", "ships 1", f"gate {first}", "gate 9-14", "ships 1", f"gate {second}")
    assert made.decision.kind == "reinforce"
    assert made.seat == (1 if first == "9-10" else 2)
    play(made, "pass", "pass")
    assert made.seat == (2 if first == "9-10" else 1)
    assert cruisers(made) == {first: 1, "9-14": 1}
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-10": 1, "9-13": 1}
    assert points(made) == 4
    assert deck(made) == [108]


def test_a_battle_between_two_parts_of_a_joint_attack_is_not_split():
    # R4: declared 9-10, 9-13, 9-10: the first battle has the first and the third fleet.
    made = using(
        98,
        minerals=GREEN[:2],
        cruisers={"8-9": 1, "9-14": 1, "4-9": 2},
        others=[{"cruisers": {"9-10": 1}}, {"cruisers": {"9-13": 1}}],
        deck=[31, 3, 11, 9, 35, 45, 108],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 9-14", "ships 1", "gate 9-13")
    play(made, "gate 4-9", "ships 2", "gate 9-10")
    assert int(made.state["battle_ships"][1]) == 3
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-10": 3, "9-14": 1}
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-10": 3, "9-13": 1}


def test_fleets_that_do_not_fight_have_moved_before_the_battles():
    # R4: "then they move together", and the Spanish walkthrough: "las batallas se resuelven al
    # final del movimiento". The Cruisers of 13-14 cross 13, which nobody patrols, to 9-13; those
    # of 8-9 attack 5-9 across 9.
    made = using(
        98,
        cruisers={"8-9": 1, "13-14": 1},
        rival={"cruisers": {"5-9": 1}, "transports": {13: 2, 12: 1}},
    )
    play(made, "gate 8-9", "ships 1", "gate 5-9", "gate 13-14", "ships 1", "gate 9-13")
    assert made.decision.kind == "reinforce"
    assert cruisers(made) == {"8-9": 1, "9-13": 1}
    assert points(made) == 2


def test_transports_and_a_battle_never_go_to_the_same_card():
    # R4, p. 28: an enemy on a gate of that card patrols it, so no Transport may move there.
    made = using(98, transports={8: 1}, cruisers={"8-9": 1}, rival={"cruisers": {"9-10": 1}})
    play(made, "cell 8", "ships 1", "cell 13")
    assert names(made) == ["pass", "gate 8-9"]
    play(made, "gate 8-9", "ships 1")
    assert names(made) == ["gate 8-13"]


@pytest.mark.parametrize("card", [12, 75, 98])
@pytest.mark.parametrize("patrol", ["9-10", "4-9", "9-14"])
def test_cruisers_do_not_clear_the_way_for_transports_of_the_same_command(card, patrol):
    # R4: each declaration is made on the map as it stands. The Cruisers go first, from 8-9; the
    # Transports of 8 cannot follow them through that gate onto 9, in whatever order they are named.
    fields = {"transports": {8: 2}, "cruisers": {"8-9": 3}, "rival": {"cruisers": {patrol: 1}}}
    minerals = (YELLOW if card == 75 else GREEN)[:4]
    made = using(card, minerals=minerals, **fields)
    play(made, "gate 8-9", "ships 3", f"gate {patrol}")
    assert names(made) == ["pass"]
    made = using(card, minerals=minerals, **fields)
    play(made, "cell 8", "ships 2")
    assert "cell 9" not in names(made)


def test_who_may_converge_for_one_battle_may_fight_two():
    # p. 31: "possibly starting multiple battles"; p. 35: "can all converge for one battle".
    # Each fleet must end on a gate that an enemy holds, which one is the mover's choice.
    made = using(
        98,
        cruisers={"8-9": 1, "9-14": 2},
        others=[{"cruisers": {"9-10": 1}}, {"cruisers": {"4-9": 1}}],
    )
    play(made, "gate 8-9", "ships 1")
    assert set(names(made)) >= {"gate 4-9", "gate 9-10"}
    assert "gate 9-13" not in names(made), "an enemy patrols 9"
    play(made, "gate 9-10", "gate 9-14", "ships 2")
    assert {"gate 4-9", "gate 9-10"} <= set(names(made))


# --- Chains and their limit (p. 42, R5) ---------------------------------------------------------


def test_two_command_cards_can_be_used_back_and_forth_until_the_limit():
    # p. 42: "Yes, you can move Transports back and forth between two Command cards."; R5: 32.
    made = using(35, transports={8: 1}, face_up={8: 41, 9: 56}, rival=PEACEFUL)
    here, there = 8, 9
    play(made, f"cell {here}", "ships 1", f"cell {there}")
    for _ in range(32):
        here, there = there, here
        assert made.decision.kind == "activate"
        play(made, "use", f"cell {here}", "ships 1", f"cell {there}")
    assert is_done(made)
    assert transports(made) == {there: 1}


def test_after_max_activations_arriving_no_longer_activates():
    # R5
    made = using(
        35,
        transports={8: 1},
        face_up={8: 41, 9: 56},
        config={"max_activations": 1},
        rival=PEACEFUL,
    )
    play(made, "cell 8", "ships 1", "cell 9", "use", "cell 9", "ships 1", "cell 8")
    assert is_done(made)
    assert transports(made) == {8: 1}


def test_with_no_activation_allowed_the_sector_core_gives_nothing_either():
    # R5: the Sector Core is a map card.
    made = using(35, transports={9: 1}, config={"max_activations": 0}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10")
    assert is_done(made)
    assert points(made) == 0


def test_a_declined_activation_does_not_use_up_the_limit():
    # R5 counts activations.
    made = game(
        impulse=[35, 41],
        phase="use_impulse",
        transports={8: 1},
        face_up={9: 5, 5: 66},
        config={"max_activations": 1},
        rival=PEACEFUL,
    )
    play(made, "use", "cell 8", "ships 1", "cell 9", "pass")
    play(made, "use", "cell 9", "ships 1", "cell 5")
    assert made.decision.kind == "activate"


def test_the_next_turn_counts_its_activations_anew():
    # R5: "in one turn".
    made = game(
        phase="use_impulse",
        impulse=[35],
        transports={8: 1},
        cruisers={},
        face_up={8: 41, 9: 56, 11: 5},
        config={"max_activations": 1},
        rival={"transports": {12: 1}, "hand": [2]},
    )
    play(made, "use", "cell 8", "ships 1", "cell 9", "use", "cell 9", "ships 1", "cell 8")
    pass_until(made, "add_impulse")
    assert made.seat == 1
    play(made, "card 2", "pass", "use", "cell 12", "ships 1", "cell 11")
    assert made.decision.kind == "activate"


def test_a_chain_of_activations_keeps_the_boost_of_each_card():
    # p. 43: a boost is fixed before its action begins. 9 (card 88: two Transports, [1] + 1 moves)
    # is activated by two; they go on to 4 (card 10: build [1] + 1).
    made = using(88, transports={8: 2}, face_up={9: 98, 4: 10}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "use")
    # Card 98, boosted by the two Transports: three fleets.
    assert int(made.state["stack"][int(made.state["stack_count"]) - 1, 2]) == 3
    play(made, "cell 9", "ships 2", "cell 4")
    play(made, "pass", "use", "cell 8", "cell 8")
    assert transports(made) == {4: 2, 8: 2}
    assert is_done(made)


def test_transports_gems_do_not_boost_what_their_map_card_executes():
    # R2. 9 is card 89: Execute one size [1] card from hand, boosted to size 2 by two Transports.
    # It executes card 40: a [1] Transport fleet, which they do not boost.
    made = using(88, transports={8: 3}, hand=[40], face_up={9: 89}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "use", "card 40", "use", "cell 9")
    assert names(made) == ["ships 1"]


def test_a_path_may_cross_the_same_cell_twice_and_explores_it_once():
    # R3, p. 31. 8-9 → (9) → 5-9 → (9) → 9-13.
    made = using(91, cruisers={"8-9": 1}, face_down={9: 57}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 1", "gate 5-9", "gate 9-13", "card 57")
    assert is_done(made)
    assert cruisers(made) == {"9-13": 1}


# --- The same moves by a second road ------------------------------------------------------------
# All declarable paths of random positions, against a walk over sets written from pp. 26-33, R3
# and p. 9 alone.

ROWS = ((1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11, 12), (13, 14, 15, 16), (17, 18, 19))
SPOTS = {cell: (2 * i - len(row), r) for r, row in enumerate(ROWS) for i, cell in enumerate(row)}
"""Cells as brick-work: neighbours are two apart in a row or one aside in the next row."""
ALL_GATES = {
    frozenset((a, b))
    for a, (x, r) in SPOTS.items()
    for b, (y, s) in SPOTS.items()
    if (abs(x - y), abs(r - s)) in ((2, 0), (1, 1))
}


def place_of(name):
    word, where = name.split()
    return int(where) if word == "cell" else frozenset(map(int, where.split("-")))


def walks(place, moves, enemy_gates, ally_gates):
    """All paths of at least one move, as tuples of places."""
    patrolled = {cell for gate in enemy_gates for cell in gate}
    paths = set()

    def walk(here, path):
        if path and here not in ally_gates:
            paths.add(path)
        if len(path) == moves or here in enemy_gates:
            return
        if isinstance(here, int):
            steps = {
                cell
                for gate in ALL_GATES
                if here in gate
                for cell in gate - {here}
                if cell not in patrolled
            }
        else:
            steps = {
                gate
                for cell in here
                for gate in ALL_GATES
                if cell in gate and gate != here and (cell not in patrolled or gate in enemy_gates)
            }
        for step in steps:
            walk(step, (*path, step))

    walk(place, ())
    return paths


def declared(made):
    """All paths that can be declared from a choose_move on."""
    paths = set()
    for name in names(made):
        if name == "pass":
            paths.add(())
            continue
        then = made.copy()
        play(then, name)
        going_on = then.decision.kind == "choose_move"
        paths |= {(place_of(name), *rest) for rest in (declared(then) if going_on else {()})}
    return paths


def test_there_are_42_gates_on_the_map():
    assert len(ALL_GATES) == 42


@pytest.mark.parametrize("team_size", [None, 2])
@pytest.mark.parametrize("seed", range(12))
def test_the_paths_on_offer_are_those_of_the_rules(seed, team_size):
    rng = np.random.default_rng(seed)
    gates = sorted(tuple(sorted(gate)) for gate in ALL_GATES)
    picked = rng.permutation(42)[:10]
    fleets = [{"transports": {}, "cruisers": {}} for _ in range(4)]
    holders = [set() for _ in range(4)]
    for n, index in enumerate(picked):
        a, b = gates[index]
        fleets[n % 4]["cruisers"][f"{a}-{b}"] = 1
        holders[n % 4].add(frozenset((a, b)))
    for cell in rng.permutation(19)[:3] + 1:
        fleets[0]["transports"][int(cell)] = 1
    allies = {2} if team_size else set()
    enemy_gates = set().union(*(holders[s] for s in (1, 2, 3) if s not in allies))
    ally_gates = set().union(*(holders[s] for s in allies))
    card, moves = ((91, 2), (13, 3))[seed % 2]
    made = using(
        card,
        minerals=YELLOW if card == 13 else [],
        others=fleets[1:],
        team_size=team_size,
        **fleets[0],
    )
    starts = [*fleets[0]["transports"], *holders[0]]
    expected = {start: walks(start, moves, enemy_gates, ally_gates) for start in starts}
    assert {place_of(name) for name in names(made)} == {s for s in starts if expected[s]}
    for name in names(made):
        then = made.copy()
        play(then, name, "ships 1")
        assert declared(then) == expected[place_of(name)]


def joint_moves(starts, fleets, enemy_gates, ally_gates):
    """All declarations of one to `fleets` fleets, as flat tuples of origins and ends (R4, P5)."""
    cells = {start: {w[0] for w in walks(start, 1, enemy_gates, ally_gates)} for start in starts}
    found = set()

    def declare(path, used, shared):
        if path:
            found.add(path)
        if len(used) == fleets:
            return
        for start in starts:
            for end in cells[start] if start not in used else ():
                touched = {end} if isinstance(end, int) else set(end)
                if touched & shared:
                    declare((*path, start, end), {*used, start}, touched & shared)

    declare((), set(), set(range(1, 20)))
    return found


def declared_fleets(made, left):
    """All declarations on offer from a choose_fleet on, with one ship of each fleet."""
    found = set()
    for name in names(made):
        if name == "pass":
            found.add(())
            continue
        chosen = made.copy()
        play(chosen, name, "ships 1")
        for end in names(chosen):
            then = chosen.copy()
            play(then, end)
            rest = declared_fleets(then, left - 1) if left > 1 else {()}
            assert left > 1 or then.decision.kind != "choose_fleet"
            found |= {(place_of(name), place_of(end), *more) for more in rest}
    return found


@pytest.mark.parametrize("team_size", [None, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_joint_moves_on_offer_are_those_of_the_rules(seed, team_size):
    # R4, P5; fleets from different origins, declared one after another.
    rng = np.random.default_rng(100 + seed)
    gates = sorted(tuple(sorted(gate)) for gate in ALL_GATES)
    fleets = [{"transports": {}, "cruisers": {}} for _ in range(4)]
    holders = [set() for _ in range(4)]
    # Most of seat 0's stand near each other, so that they can meet.
    near = [n for n, gate in enumerate(gates) if {5, 9, 10, 14} & set(gate)]
    own = rng.permutation(near)[:3]
    for seat, index in [
        *((0, n) for n in own),
        *((1 + i % 3, n) for i, n in enumerate(m for m in rng.permutation(42)[:9] if m not in own)),
    ]:
        a, b = gates[index]
        fleets[seat]["cruisers"][f"{a}-{b}"] = 1
        holders[seat].add(frozenset((a, b)))
    for cell in rng.permutation([4, 5, 8, 9, 13])[:2]:
        fleets[0]["transports"][int(cell)] = 1
    allies = {2} if team_size else set()
    enemy_gates = set().union(*(holders[s] for s in (1, 2, 3) if s not in allies))
    ally_gates = set().union(*(holders[s] for s in allies))
    most = 2 + seed % 2
    made = using(
        98, minerals=GREEN[: 2 * (seed % 2)], others=fleets[1:], team_size=team_size, **fleets[0]
    )
    starts = [*fleets[0]["transports"], *holders[0]]
    assert declared_fleets(made, most) == joint_moves(starts, most, enemy_gates, ally_gates)
