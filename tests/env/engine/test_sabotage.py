"""Sabotage: bombs on enemy fleets within reach (p. 36)."""

from collections import Counter

import numpy as np
import pytest

from helpers import (
    cruisers,
    deck,
    discard,
    game,
    hand,
    is_done,
    names,
    play,
    points,
    transports,
    using,
)
from impulse_env.actions import GATE_NAMES

RED = (2, 29, 54, 72)
"""Red cards of size 1: a gem each as minerals."""
MISS, HIT, BIG = 11, 83, 33
"""Blue cards of size 1, 2 and 3."""
END = 108
"""The card that must be next when all bombs have fallen."""

PRINTED = [
    pytest.param(9, 3, "cruiser", id="9: a Cruiser fleet, [3] bombs"),
    pytest.param(15, 1, "any", id="15: a fleet, [1] bomb"),
    pytest.param(24, 3, "transport", id="24: a Transport fleet, [3] bombs"),
    pytest.param(45, 2, "any", id="45: a fleet, [2] bombs"),
    pytest.param(79, 2, "cruiser", id="79: a Cruiser fleet, [2] bombs"),
    pytest.param(104, 2, "transport", id="104: a Transport fleet, [2] bombs"),
]
BOMBS = (17, 84, 28, 36, 3, 59, 47)
"""Blue cards of size 1: bombs that miss."""


@pytest.mark.parametrize("gems", [0, 1, 2, 4])
@pytest.mark.parametrize(("card", "bombs", "types"), PRINTED)
def test_as_many_cards_are_revealed_as_there_are_bombs_boosted_by_red_gems(
    card, bombs, types, gems
):
    # p. 36: "For each bomb targeting a fleet, reveal 1 card from the deck."; p. 22.
    bombs += gems // 2
    made = using(
        card,
        minerals=RED[:gems],
        transports={9: 1},
        rival={"transports": {9: 2}, "cruisers": {"9-10": 2}},
        deck=[*BOMBS[:bombs], END],
    )
    targets = {"transport": ["cell 9"], "cruiser": ["gate 9-10"], "any": ["cell 9", "gate 9-10"]}
    assert names(made) == targets[types]
    play(made, targets[types][0])
    assert is_done(made)
    assert deck(made) == [END]
    assert points(made) == 0
    assert transports(made, 1) == {9: 2}
    assert cruisers(made, 1) == {"9-10": 2}


# --- Reach --------------------------------------------------------------------------------------


def test_fleets_on_an_occupied_cell_and_on_its_gates_are_within_reach():
    # p. 36: "ships on cards that you patrol with Cruisers or occupy with Transports"
    made = using(
        15,
        transports={9: 1},
        rival={
            "transports": {9: 1, 10: 1, 8: 1},
            "cruisers": {"4-9": 1, "9-14": 1, "10-11": 1, "4-5": 1},
        },
    )
    assert names(made) == ["cell 9", "gate 4-9", "gate 9-14"]


def test_fleets_on_both_cells_that_a_cruiser_patrols_are_within_reach():
    # The Cruiser on 9-10 patrols 9 and 10.
    made = using(
        15,
        transports={},
        cruisers={"9-10": 1},
        rival={
            "transports": {9: 1, 10: 1, 8: 1, 11: 1},
            "cruisers": {"4-9": 1, "10-11": 1, "4-5": 1, "11-12": 1},
        },
    )
    assert names(made) == ["cell 9", "cell 10", "gate 4-9", "gate 10-11"]


def test_a_fleet_on_the_far_gate_of_a_neighbouring_cell_is_out_of_reach():
    made = game(
        impulse=[15],
        phase="use_impulse",
        transports={9: 1},
        rival={"cruisers": {"4-5": 1}, "transports": {12: 1}},
    )
    assert names(made) == ["pass"]


def test_own_ships_are_no_target():
    # section 8: "one enemy fleet"
    made = using(15, transports={9: 3}, cruisers={"9-10": 2}, rival={"transports": {10: 1}})
    assert names(made) == ["cell 10"]


def test_an_enemy_patrol_protects_nothing():
    # p. 36: "without fighting them head-on"
    made = using(
        24, transports={9: 1}, rival={"transports": {9: 2}, "cruisers": {"9-10": 4}},
        deck=[HIT, MISS, 17, END],
    )  # fmt: skip
    play(made, "cell 9")
    assert transports(made, 1) == {9: 1}
    assert cruisers(made, 1) == {"9-10": 4}


def test_the_target_must_be_of_the_printed_type():
    made = using(
        104,
        transports={9: 1},
        rival={"transports": {9: 1, 12: 1}, "cruisers": {"9-10": 1}},
    )
    assert names(made) == ["cell 9"]
    made = using(
        79,
        transports={9: 1},
        rival={"transports": {9: 1, 12: 1}, "cruisers": {"9-10": 1}},
    )
    assert names(made) == ["gate 9-10"]


@pytest.mark.parametrize("seed", range(20))
def test_what_is_within_reach_is_what_stands_on_or_at_a_cell_with_own_ships(seed):
    # p. 36 over random ships of four players, by sets of cells.
    rng = np.random.default_rng(seed)
    gates = list(GATE_NAMES)
    fleets = [{"transports": {}, "cruisers": {}} for _ in range(4)]
    for n, gate in enumerate(rng.permutation(gates)[:10]):
        fleets[n % 4]["cruisers"][str(gate)] = 1
    for seat in range(4):
        for cell in rng.permutation(19)[:3] + 1:
            fleets[seat]["transports"][int(cell)] = 1
    made = using(15, others=fleets[1:], **fleets[0])
    reached = set(fleets[0]["transports"])
    for gate in fleets[0]["cruisers"]:
        reached |= set(map(int, gate.split("-")))
    expected = set()
    for fleet in fleets[1:]:
        expected |= {f"cell {cell}" for cell in fleet["transports"] if cell in reached}
        expected |= {
            f"gate {gate}" for gate in fleet["cruisers"] if set(map(int, gate.split("-"))) & reached
        }
    assert set(names(made)) == expected


# --- Hits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bombs", "left", "score"),
    [
        ((MISS, 17, 28), 3, 0),
        ((MISS, HIT, 17), 2, 1),
        ((HIT, BIG, MISS), 1, 2),
        ((BIG, HIT, 65), 0, 3),
    ],
)
def test_each_card_of_size_two_or_three_destroys_a_ship_for_a_point(bombs, left, score):
    # p. 36
    made = using(
        24,
        transports={9: 1},
        rival={"transports": {9: 3, 12: 1}},
        deck=[*bombs, END],
    )
    play(made, "cell 9")
    assert transports(made, 1) == ({9: left, 12: 1} if left else {12: 1})
    assert points(made) == score
    assert deck(made) == [END]


@pytest.mark.parametrize(("card", "place"), [(24, "cell 9"), (9, "gate 9-10")])
def test_overkill_scores_nothing_and_all_bombs_are_revealed(card, place):
    # p. 36: "4 hits on a 2-ship fleet scores 2 points, not 4."
    made = using(
        card,
        minerals=RED[:2],
        transports={9: 1},
        rival={"transports": {9: 2, 12: 1}, "cruisers": {"9-10": 2}},
        deck=[HIT, BIG, 65, 68, END],
    )
    before = Counter(discard(made))
    play(made, place)
    assert points(made) == 2
    assert deck(made) == [END]
    assert Counter(discard(made)) - before == Counter([HIT, BIG, 65, 68])
    assert is_done(made)


def test_only_the_chosen_fleet_is_hit():
    # p. 36: one fleet.
    made = using(
        9,
        transports={9: 1},
        rival={"cruisers": {"9-10": 1, "4-9": 2}, "transports": {9: 2}},
        deck=[HIT, BIG, 65, END],
    )
    play(made, "gate 9-10")
    assert cruisers(made, 1) == {"4-9": 2}
    assert transports(made, 1) == {9: 2}
    assert points(made) == 1


def test_sabotage_is_no_battle_and_brings_no_point_for_one():
    made = using(
        79,
        transports={9: 1},
        rival={"cruisers": {"9-10": 2}, "hand": [2]},
        deck=[HIT, MISS, END],
    )
    play(made, "gate 9-10")
    assert is_done(made)
    assert points(made) == 1
    assert hand(made, 1) == [2]


def test_a_gate_bombed_free_has_no_owner():
    made = using(
        79,
        cruisers={"8-9": 1},
        rival={"cruisers": {"9-10": 1}, "transports": {12: 1}},
        deck=[HIT, MISS, END],
        after=31,
    )
    play(made, "gate 9-10", "use", "gate 8-9", "ships 1")
    assert "gate 4-9" in names(made)  # 9 is patrolled no more


def test_of_several_owners_on_one_cell_one_is_chosen():
    # p. 26: a fleet is one player's.
    made = using(
        24,
        transports={9: 1},
        others=[
            {"transports": {9: 2}},
            {"transports": {9: 3}},
            {"transports": {9: 1, 10: 1}},
            {"transports": {10: 2}},
        ],
        deck=[HIT, BIG, 65, END],
    )
    play(made, "cell 9")
    assert made.decision.kind == "sabotage_owner"
    assert names(made) == ["seat 1", "seat 2", "seat 3"], "seat 4 has none there"
    play(made, "seat 3")
    assert transports(made, 3) == {10: 1}
    assert [transports(made, seat) for seat in (1, 2)] == [{9: 2}, {9: 3}]
    assert points(made) == 1
    assert deck(made) == [END]


def test_a_single_owner_is_not_asked_for():
    made = using(
        104,
        transports={9: 1},
        others=[{"transports": {9: 2}}, {"transports": {10: 3}}],
        deck=[HIT, MISS, END],
    )
    play(made, "cell 9")
    assert is_done(made)
    assert transports(made, 1) == {9: 1}


# --- Ends and the deck --------------------------------------------------------------------------


def test_bombs_eliminate_a_player_whose_last_ship_they_destroy_and_keep_falling():
    # p. 17; p. 36: all bombs are revealed.
    made = using(
        24,
        transports={9: 1},
        others=[
            {"transports": {9: 1}, "hand": [5], "plan": [7], "minerals": [16], "techs": [31, 43]},
            {"transports": {3: 1}},
        ],
        deck=[HIT, BIG, MISS, END],
    )
    before = Counter(discard(made))
    play(made, "cell 9")
    assert made.state["eliminated"][1]
    assert hand(made, 1) == []
    assert Counter(discard(made)) - before == Counter([5, 7, 16, 31, 43, HIT, BIG, MISS])
    assert deck(made) == [END]
    assert points(made) == 1
    assert is_done(made)


def test_bombs_that_leave_one_player_end_the_game():
    # p. 17
    made = using(24, transports={9: 1}, rival={"transports": {9: 1}}, deck=[HIT, BIG, MISS, END])
    play(made, "cell 9")
    assert made.is_over
    assert made.winners == [0]


def test_the_twentieth_point_ends_the_game_in_the_middle_of_the_bombs():
    # p. 16
    made = using(
        24,
        score=18,
        transports={9: 1},
        rival={"transports": {9: 3}},
        deck=[HIT, BIG, 65, END],
    )
    play(made, "cell 9")
    assert made.is_over
    assert made.winners == [0]
    assert made.scores == [20, 0]
    assert transports(made, 1) == {9: 1}
    assert deck(made) == [65, END]


def test_the_discard_pile_becomes_the_deck_between_two_bombs():
    # p. 16: two cards, then the pile of them and those discarded before.
    made = using(
        24,
        transports={9: 1},
        rival={"transports": {9: 3, 12: 1}},
        deck=[HIT, 68],
        discard=[65],
    )
    play(made, "cell 9")
    assert points(made) == 3  # all that could be shuffled are hits
    assert sorted(deck(made) + discard(made)) == sorted([HIT, 68, 65])


def test_p15_the_card_of_one_bomb_can_be_that_of_the_next():
    # p. 36 reveals a card for each bomb, p. 16 shuffles "any time the deck is empty"; p. 13 names
    # the end of the turn only. One card is left in the game: it hits three times.
    made = using(
        24,
        transports={9: 1},
        rival={"transports": {9: 3, 12: 1}},
        deck=[HIT],
        discard=[],
    )
    play(made, "cell 9")
    assert points(made) == 3
    assert transports(made, 1) == {12: 1}
    assert deck(made) + discard(made) == [HIT]


def test_players_discard_for_new_bombs_when_no_card_is_left():
    # p. 42
    made = using(
        15,
        transports={9: 1},
        hand=[],
        rival={"transports": {9: 3}, "hand": [5, 33, 92]},
        deck=[],
        discard=[],
    )
    play(made, "cell 9")
    assert (made.decision.kind, made.seat) == ("discard_for_deck", 1)
    play(made, "card 5", "card 92")
    assert is_done(made)
    assert points(made) == 1
    assert hand(made, 1) == [33]


def test_without_any_card_the_bombs_do_not_fall():
    # section 10: "If there is still none, the draw does not happen."
    made = game(
        impulse=[15, 106],
        phase="use_impulse",
        transports={9: 1},
        rival={"transports": {9: 3}},
        deck=[],
        discard=[],
    )
    if "use" in names(made):
        play(made, "use", "cell 9")
    else:
        play(made, "pass")
    assert made.decision.kind == "use_impulse"
    assert points(made) == 0


def test_the_last_bomb_of_the_deck_is_not_shuffled_into_the_new_one():
    # p. 16: the pile becomes the deck as soon as the last card is off it.
    made = using(
        104,
        transports={9: 1},
        rival={"transports": {9: 3, 12: 1}},
        deck=[MISS],
        discard=[HIT, BIG],
    )
    play(made, "cell 9")
    assert points(made) == 1
    assert len(deck(made)) == 1
    assert MISS not in deck(made)
