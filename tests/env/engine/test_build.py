"""Build: where new ships go, and how many (pp. 22, 24, 26, 36)."""

import pytest

from helpers import cruisers, game, is_done, names, play, transports, using

PEACEFUL = {"transports": {12: 1}}
"""A rival who patrols nothing."""
BLUE = (3, 11, 17, 28)
"""Blue cards of size 1: a gem each as minerals."""

HOME_GATES = ["gate 4-8", "gate 8-9", "gate 8-13"]


def boosted(gems):
    """Minerals with so many blue gems."""
    return BLUE[:gems]


# --- At home ------------------------------------------------------------------------------------


@pytest.mark.parametrize("gems", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("card", [10, 48])
def test_transports_are_built_on_the_home_cell(card, gems):
    # Cards 10 and 48: "Build [1] Transport at home."
    made = using(card, transports={9: 1}, minerals=boosted(gems), rival=PEACEFUL)
    for n in range(1 + gems // 2):
        assert made.decision.kind == "build_ship"
        assert names(made) == (["cell 8"] if n == 0 else ["pass", "cell 8"])
        play(made, "cell 8")
    assert is_done(made)
    assert transports(made) == {8: 1 + gems // 2, 9: 1}


@pytest.mark.parametrize("gems", [0, 2, 4])
@pytest.mark.parametrize("card", [22, 30, 37])
def test_cruisers_are_built_on_any_gate_of_the_home_cell(card, gems):
    # Cards 22, 30 and 37: "Build [1] Cruiser at home."; gates need not be the same.
    made = using(card, minerals=boosted(gems), rival=PEACEFUL)
    for gate in HOME_GATES[: 1 + gems // 2]:
        assert set(names(made)) - {"pass"} == set(HOME_GATES)
        play(made, gate)
    assert is_done(made)
    assert sum(cruisers(made).values()) == 2 + gems // 2


def test_several_cruisers_may_be_built_on_one_gate():
    made = using(22, minerals=boosted(4), rival=PEACEFUL)
    play(made, "gate 8-9", "gate 8-9", "gate 8-9")
    assert cruisers(made) == {"8-9": 4}


def test_fewer_ships_than_the_number_may_be_built():
    # p. 22: "a number on an action card is always 'up to'".
    made = using(10, minerals=boosted(4), rival=PEACEFUL)
    play(made, "cell 8", "pass")
    assert transports(made) == {8: 3}
    assert is_done(made)


@pytest.mark.parametrize(
    ("players", "seat_0_home", "gates"),
    [
        (3, 8, ["gate 4-8", "gate 8-9", "gate 8-13"]),
        (4, 1, ["gate 1-2", "gate 1-4", "gate 1-5"]),
        (5, 8, ["gate 4-8", "gate 8-9", "gate 8-13"]),
        (6, 8, ["gate 4-8", "gate 8-9", "gate 8-13"]),
    ],
)
def test_home_is_the_own_corner(players, seat_0_home, gates):
    # p. 5
    made = using(10, others=[{}] * (players - 1))
    assert names(made) == [f"cell {seat_0_home}"]
    made = using(22, others=[{}] * (players - 1))
    assert names(made) == gates


@pytest.mark.parametrize(("seat", "home"), [(0, 1), (1, 3), (2, 19), (3, 17)])
def test_every_seat_builds_at_its_own_home(seat, home):
    # p. 5: four players on TL, TR, BR, BL.
    made = game(others=[{}, {}, {}], active=seat, impulse=[10], phase="use_impulse")
    play(made, "use")
    assert names(made) == [f"cell {home}"]


def test_ships_can_be_built_at_a_home_without_ships():
    made = using(22, transports={10: 1}, rival=PEACEFUL)
    play(made, "gate 4-8")
    assert cruisers(made) == {"4-8": 1}


@pytest.mark.parametrize(
    ("held", "left"),
    [
        ({"8-9": 1}, ["gate 4-8", "gate 8-13"]),
        ({"8-9": 1, "4-8": 2}, ["gate 8-13"]),
    ],
)
def test_no_cruiser_is_built_on_a_gate_with_another_players_cruisers(held, left):
    # p. 36: "you cannot build a Cruiser on a gate containing another player's Cruisers"
    made = using(22, transports={8: 1}, rival={"cruisers": held})
    assert names(made) == left


def test_a_home_shut_in_by_enemy_cruisers_can_have_no_cruiser_built():
    made = game(
        impulse=[22],
        phase="use_impulse",
        transports={8: 1},
        rival={"cruisers": {"4-8": 1, "8-9": 1, "8-13": 1}},
    )
    assert names(made) == ["pass"]


def test_enemy_patrols_and_transports_do_not_matter():
    # p. 36: "Ships can be built on enemy patrolled cards"
    rival = {"cruisers": {"8-9": 1}, "transports": {8: 3}}
    made = using(10, transports={9: 1}, rival=rival)
    play(made, "cell 8")
    assert transports(made) == {8: 1, 9: 1}
    assert transports(made, 1) == {8: 3}
    made = using(22, transports={9: 1}, rival=rival)
    play(made, "gate 4-8")
    assert cruisers(made) == {"4-8": 1}
    assert made.scores == [0, 0]  # building destroys nothing and starts no battle


def test_ships_that_are_built_activate_nothing():
    # p. 28: only moving Transports do.
    made = using(10, face_up={8: 5}, rival=PEACEFUL)
    play(made, "cell 8")
    assert is_done(made)


# --- The limit of 12 ships ----------------------------------------------------------------------


@pytest.mark.parametrize("on_map", [10, 11, 12])
def test_nobody_has_more_than_twelve_ships(on_map):
    # pp. 26, 36
    made = game(
        impulse=[10, 106],
        phase="use_impulse",
        minerals=boosted(4),
        transports={8: 4, 9: on_map - 6},
        cruisers={"8-9": 2},
        rival=PEACEFUL,
    )
    if on_map == 12:
        assert names(made) == ["pass"]  # nothing to build, nor to destroy for it
        return
    play(made, "use", *["cell 8"] * (12 - on_map))
    assert made.decision.kind == "use_impulse"
    assert sum(transports(made).values()) + sum(cruisers(made).values()) == 12


def test_a_smaller_supply_of_ships_can_be_chosen():
    # section 12: `ships_per_player`
    made = using(10, minerals=boosted(4), config={"ships": 5}, rival=PEACEFUL)
    play(made, "cell 8", "cell 8")
    assert is_done(made)
    assert transports(made) == {8: 4}


def test_ships_of_others_do_not_count():
    made = using(10, rival={"transports": {12: 12}})
    play(made, "cell 8")
    assert transports(made) == {8: 3}


# --- At one occupied location -------------------------------------------------------------------


@pytest.mark.parametrize("gems", [0, 2])
def test_transports_at_one_location_that_the_player_occupies(gems):
    # Card 27: "Build [1] Transport at a location you occupy."
    made = using(27, transports={8: 1, 5: 2, 10: 1}, minerals=boosted(gems), rival=PEACEFUL)
    assert made.decision.kind == "build_location"
    assert names(made) == ["cell 5", "cell 8", "cell 10"]
    play(made, "cell 5")
    assert names(made) == ["cell 5"]
    play(made, *["cell 5"] * (1 + gems // 2))
    assert is_done(made)
    assert transports(made) == {5: 3 + gems // 2, 8: 1, 10: 1}


@pytest.mark.parametrize("gems", [0, 2])
def test_cruisers_at_one_location_that_the_player_occupies(gems):
    # Card 109: "Build [1] Cruiser at a location you occupy." All of them there.
    made = using(109, transports={8: 1, 5: 2}, minerals=boosted(gems), rival=PEACEFUL)
    play(made, "cell 5")
    gates = ["gate 1-5", "gate 2-5", "gate 4-5", "gate 5-6", "gate 5-9", "gate 5-10"]
    assert names(made) == gates
    play(made, "gate 5-10")
    if gems:
        assert names(made) == ["pass", *gates]
        play(made, "gate 1-5")
    assert is_done(made)


@pytest.mark.parametrize("gems", [0, 2])
def test_ships_of_either_type_at_one_location(gems):
    # Card 33: "Build [2] ships at a location you occupy."
    made = using(33, transports={8: 1, 17: 1}, cruisers={}, minerals=boosted(gems), rival=PEACEFUL)
    play(made, "cell 17")
    assert set(names(made)) == {"cell 17", "gate 13-17", "gate 14-17", "gate 17-18"}
    play(made, "cell 17")
    assert set(names(made)) == {"pass", "cell 17", "gate 13-17", "gate 14-17", "gate 17-18"}
    play(made, "gate 13-17")
    if gems:
        play(made, "gate 17-18")
    assert is_done(made)
    assert transports(made) == {8: 1, 17: 2}


def test_a_patrolled_cell_is_not_occupied():
    # p. 30: to occupy is to have a Transport there.
    made = using(27, transports={8: 1}, cruisers={"9-10": 3}, rival={"transports": {5: 1}})
    assert names(made) == ["cell 8"]


def test_without_transports_there_is_no_location():
    made = game(
        impulse=[27], phase="use_impulse", transports={}, cruisers={"8-9": 1}, rival=PEACEFUL
    )
    assert names(made) == ["pass"]


def test_the_sector_core_is_a_location():
    made = using(109, transports={10: 1}, rival=PEACEFUL)
    play(made, "cell 10", "gate 10-11")
    assert cruisers(made) == {"10-11": 1}


def test_a_location_whose_gates_are_all_held_by_others_admits_no_cruiser():
    made = using(
        109,
        transports={1: 1, 8: 1},
        rival={"cruisers": {"1-2": 1, "1-4": 1, "1-5": 1}},
    )
    assert names(made) == ["cell 8"]


def test_enemy_patrols_at_a_location_do_not_matter():
    made = using(33, transports={1: 1}, rival={"cruisers": {"1-2": 1}})
    play(made, "cell 1")
    assert set(names(made)) == {"cell 1", "gate 1-4", "gate 1-5"}


# --- At home and at each other occupied cell of a colour ----------------------------------------

#   card, colour, a card of the colour, one of another
EACH = [
    pytest.param(32, 16, 5, id="32: yellow"),
    pytest.param(52, 5, 16, id="52: green"),
    pytest.param(57, 33, 16, id="57: blue"),
    pytest.param(62, 2, 16, id="62: red"),
]


@pytest.mark.parametrize(("card", "of_colour", "other"), EACH)
def test_a_ship_at_home_and_at_each_other_occupied_cell_of_the_colour(card, of_colour, other):
    # "Build [1] ship at home and at each other … you occupy."
    made = using(
        card,
        transports={8: 1, 5: 1, 9: 1, 10: 1},
        face_up={8: 64, 5: of_colour, 9: other},
        rival=PEACEFUL,
    )
    # Home, whatever its colour.
    assert set(names(made)) == {"pass", "cell 8", *HOME_GATES}
    play(made, "cell 8")
    # 5 has the colour; 9 has another, and the Sector Core none.
    assert set(names(made)) == {
        "pass", "cell 5", "gate 1-5", "gate 2-5", "gate 4-5", "gate 5-6", "gate 5-9", "gate 5-10",
    }  # fmt: skip
    play(made, "gate 5-10")
    assert is_done(made)
    assert transports(made) == {8: 2, 5: 1, 9: 1, 10: 1}
    assert cruisers(made) == {"5-10": 1}


def test_the_boosted_number_holds_at_each_of_the_places():
    # p. 22, section 8: "up to the boxed number at home and again at each other".
    made = using(
        62,
        transports={5: 1, 9: 1},
        face_up={5: 2, 9: 7},
        minerals=boosted(2),
        rival=PEACEFUL,
    )
    play(made, "cell 8", "cell 8", "cell 5", "cell 5", "cell 9", "cell 9")
    assert is_done(made)
    assert transports(made) == {5: 3, 8: 2, 9: 3}


def test_every_place_may_be_left_out():
    # p. 12
    made = using(
        62, transports={5: 1, 9: 1}, face_up={5: 2, 9: 7}, minerals=boosted(2), rival=PEACEFUL
    )
    play(made, "pass", "cell 5", "pass", "pass")
    assert is_done(made)
    assert transports(made) == {5: 2, 9: 1}


def test_a_home_of_the_colour_counts_once():
    # "each other": home is not built at again.
    made = using(62, transports={8: 1}, face_up={8: 2}, rival=PEACEFUL)
    play(made, "cell 8")
    assert is_done(made)


def test_home_need_not_be_occupied():
    made = using(62, transports={5: 1}, face_up={5: 2}, rival=PEACEFUL)
    play(made, "cell 8", "pass")
    assert transports(made) == {5: 1, 8: 1}


def test_cells_that_are_patrolled_only_are_not_occupied():
    made = using(62, transports={}, cruisers={"5-9": 1}, face_up={5: 2, 9: 7}, rival=PEACEFUL)
    play(made, "cell 8")
    assert is_done(made)


def test_enemy_homes_of_the_colour_count_where_they_are_occupied():
    made = using(62, transports={12: 1}, face_up={12: 2}, rival={"transports": {11: 1}})
    play(made, "pass")
    assert set(names(made)) == {"pass", "cell 12", "gate 7-12", "gate 11-12", "gate 12-16"}


def test_no_cruiser_next_to_enemy_ones_on_the_same_gate_at_any_of_the_places():
    # p. 36
    made = using(
        62, transports={5: 1}, face_up={5: 2}, rival={"cruisers": {"8-9": 1, "5-6": 2, "5-9": 1}}
    )
    assert set(names(made)) == {"pass", "cell 8", "gate 4-8", "gate 8-13"}
    play(made, "pass")
    assert set(names(made)) == {"pass", "cell 5", "gate 1-5", "gate 2-5", "gate 4-5", "gate 5-10"}


def test_the_last_ships_may_be_kept_for_the_later_places():
    # p. 42: "you can always choose which ships to build out of the options available".
    fields = {
        "transports": {5: 1, 9: 9},
        "cruisers": {"8-9": 1},
        "face_up": {5: 2, 9: 7},
        "minerals": boosted(2),
        "rival": PEACEFUL,
    }
    made = using(62, **fields)
    play(made, "cell 8")
    assert is_done(made)  # the twelfth ship
    made = using(62, **fields)
    play(made, "pass", "pass", "gate 5-9")
    assert is_done(made)
    assert cruisers(made) == {"5-9": 1, "8-9": 1}


def test_a_face_down_cell_has_no_colour_to_be_built_at():
    # section 8: "each other face-up cell of that colour"
    made = using(62, transports={5: 1}, face_down={5: 2}, rival=PEACEFUL)
    play(made, "cell 8")
    assert is_done(made)
