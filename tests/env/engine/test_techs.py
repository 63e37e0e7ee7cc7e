"""Techs: the common Basic Tech and those of the six races (p. 13, p. 21, p. 36)."""

import pytest

from helpers import (
    cruisers,
    deck,
    discard,
    game,
    hand,
    known,
    minerals,
    names,
    play,
    techs,
    transports,
)
from printed import ALL_CARDS, NEXT, PRINTED, cards_of, color_and_size, lying

AT_HOME = {"transports": {8: 2}, "cruisers": {"8-9": 1}}


def with_tech(race="piscesish", **fields):
    """Return a game in which seat 0 may use a Tech; the Impulse's newest card is NEXT."""
    fields = {"impulse": [NEXT], "phase": "use_tech", **fields}
    return game(race=race, **fields)


# --- The step -----------------------------------------------------------------------------------


def test_one_of_the_two_techs_may_be_used_and_only_one_p13():
    made = with_tech(techs=[28, 83], hand=[75, 13])
    assert names(made) == ["pass", "tech 0", "tech 1"]
    play(made, "tech 0", "card 75")
    assert made.decision.kind == "use_impulse"
    assert techs(made) == [28, 83], "Techs stay"


def test_using_no_tech_is_fine_p13():
    made = play(with_tech(techs=[28, 83], hand=[75]), "pass")
    assert made.decision.kind == "use_impulse"


def test_a_tech_that_can_do_nothing_is_not_on_offer_p4():
    assert names(with_tech(techs=[28, 83], hand=[2])) == ["pass", "tech 1"]
    assert names(with_tech(techs=[28, 83], hand=[])) == ["pass"]


# --- The common Basic Tech ----------------------------------------------------------------------


def test_the_common_tech_discards_a_card_then_commands_or_builds_p21():
    made = play(with_tech(hand=[1, 75]), "tech 0")
    assert made.decision.kind == "basic_discard"
    assert names(made) == ["card 1", "card 75"], "any card"
    play(made, "card 1")
    assert hand(made) == [75]
    assert 1 in discard(made)
    assert made.decision.kind == "basic_mode"
    assert names(made) == ["pass", "basic command", "basic build"]


def test_the_common_tech_needs_a_card_to_discard():
    made = with_tech(hand=[], deck=[34, 6, 5])
    assert names(made) == ["pass", "tech 1"]


def test_p4_after_the_discard_one_may_still_decline():
    made = play(with_tech(hand=[1], **AT_HOME), "tech 0", "card 1", "pass")
    assert made.decision.kind == "use_impulse"
    assert 1 in discard(made)
    assert (transports(made), cruisers(made)) == ({8: 2}, {"8-9": 1})


@pytest.mark.parametrize("place", ["cell 8", "gate 4-8", "gate 8-9", "gate 8-13"])
def test_the_common_tech_builds_one_ship_of_either_type_at_home_p21(place):
    made = play(with_tech(hand=[1], **AT_HOME), "tech 0", "card 1", "basic build")
    assert names(made) == ["cell 8", "gate 4-8", "gate 8-9", "gate 8-13"]
    play(made, place)
    assert made.decision.kind == "use_impulse", "one ship"
    word, _, where = place.partition(" ")
    if word == "cell":
        assert transports(made) == {8: 3}
    else:
        assert cruisers(made)[where] == 1 + (where == "8-9")
    assert made.state["ships_on_map"][0] == 4


def test_the_common_tech_commands_a_whole_fleet_for_one_move_p21():
    made = with_tech(hand=[1], transports={8: 5}, cruisers={"8-9": 3})
    play(made, "tech 0", "card 1", "basic command")
    assert names(made) == ["cell 8", "gate 8-9"]
    play(made, "gate 8-9")
    assert names(made) == ["ships 1", "ships 2", "ships 3"], "any part of the fleet (p. 31)"
    play(made, "ships 2", "gate 9-10")
    assert made.decision.kind == "use_impulse", "one move"
    assert cruisers(made) == {"8-9": 1, "9-10": 2}


def test_the_common_tech_commanding_transports_activates_their_card_p28():
    made = with_tech(hand=[1, 75, 13], face_up={9: 28}, **AT_HOME)
    play(made, "tech 0", "card 1", "basic command", "cell 8", "ships 2", "cell 9")
    assert made.decision.kind == "activate"
    play(made, "use", "card 75", "card 13")
    assert made.scores[0] == 6, "two Transports boost the map card"


def test_the_common_tech_explores_p31():
    made = with_tech(hand=[1, 75], face_down={9: 3}, **AT_HOME)
    play(made, "tech 0", "card 1", "basic command", "cell 8", "ships 1", "cell 9")
    assert made.decision.kind == "place_explored"
    assert hand(made) == [3, 75]


def test_without_a_ship_to_build_the_common_tech_can_only_command():
    made = with_tech(hand=[1], transports={8: 12}, cruisers={})
    play(made, "tech 0", "card 1")
    assert names(made) == ["pass", "basic command"]


def test_without_a_fleet_to_move_the_common_tech_can_only_build():
    rival = {"transports": {}, "cruisers": {"4-5": 1, "9-14": 1, "13-17": 1}}
    made = with_tech(hand=[1], transports={8: 2}, cruisers={}, rival=rival)
    play(made, "tech 0", "card 1")
    assert names(made) == ["pass", "basic build"], "every neighbour is patrolled"


def test_with_neither_there_is_nothing_to_discard_for_p4():
    rival = {"transports": {}, "cruisers": {"4-5": 1, "9-14": 1, "13-17": 1}}
    made = with_tech(
        "ariek", hand=[1], transports={8: 12}, cruisers={}, rival={**rival, "race": "herculese"}
    )
    assert names(made) == ["pass"]


def test_r12_the_discarded_card_leaves_the_known_part_of_the_hand():
    made = play(with_tech(hand=[1, 75], known=[1, 75]), "tech 0", "card 1")
    assert known(made) == [75]


def test_r11_a_basic_tech_whose_move_covers_it_still_finishes():
    made = with_tech(hand=[1, 103, 75], face_up={9: 54}, **AT_HOME)
    play(made, "tech 0", "card 1", "basic command", "cell 8", "ships 1", "cell 9", "use")
    play(made, "card 103", "tech 0")
    assert techs(made) == [103, "basic"]
    assert transports(made) == {8: 1, 9: 1}
    assert made.decision.kind == "use_impulse"
    assert lying(made) == ALL_CARDS


def test_a_covered_basic_tech_is_gone_for_good_p36():
    made = with_tech(techs=[28, "basic"], hand=[75])
    play(made, "tech 0", "card 75")
    assert "basic_discard" != made.decision.kind
    assert techs(made) == [28, "basic"]


def test_a_tech_researched_in_the_tech_step_waits_for_the_next_turn_p13():
    made = with_tech("draconians", hand=[93, 75], impulse=[18])
    play(made, "tech 1", "card 93", "tech 0")
    assert techs(made) == [93, "basic"]
    assert made.decision.kind == "use_impulse"


# --- Piscesish ----------------------------------------------------------------------------------


def test_piscesish_draw_one_size_1_card_from_the_deck():
    made = play(with_tech(deck=[1, 6, 5]), "tech 1")
    assert made.decision.kind == "keep_revealed"
    assert names(made) == ["pass", "use"]
    play(made, "use")
    assert hand(made) == [1]
    assert known(made) == [1], "it was revealed to everyone (R12)"
    assert deck(made) == [6, 5]
    assert made.decision.kind == "use_impulse"


@pytest.mark.parametrize("card", [34, 75])
def test_piscesish_discard_a_bigger_card_p24(card):
    made = play(with_tech(deck=[card, 6, 5]), "tech 1")
    assert made.decision.kind == "use_impulse"
    assert hand(made) == []
    assert card in discard(made)


def test_piscesish_may_leave_the_card_p2():
    made = play(with_tech(deck=[1, 6, 5]), "tech 1", "pass")
    assert hand(made) == []
    assert 1 in discard(made)


def test_piscesish_with_a_full_hand_reveal_nothing_p17():
    ten = [2, 54, 10, 48, 11, 84, 16, 53, 17, 99]
    assert names(with_tech(hand=ten, deck=[1, 6, 5])) == ["pass", "tech 0"]


# --- Ariek --------------------------------------------------------------------------------------


def test_ariek_command_transports_onto_the_sector_core_and_activate_it():
    made = play(with_tech("ariek", transports={9: 3, 8: 1}, cruisers={}), "tech 1")
    assert names(made) == ["cell 9"], "those at home cannot get there"
    play(made, "cell 9")
    assert names(made) == ["ships 1", "ships 2", "ships 3"]
    play(made, "ships 3")
    assert names(made) == ["cell 10"]
    play(made, "cell 10", "color red")
    assert made.scores[0] == 2
    assert transports(made) == {8: 1, 10: 3}


def test_ariek_command_cruisers_onto_a_gate_of_the_sector_core():
    made = play(with_tech("ariek", transports={8: 1}, cruisers={"5-9": 2}), "tech 1")
    play(made, "gate 5-9", "ships 2")
    assert names(made) == ["gate 5-10", "gate 9-10"], "it must patrol the Core"
    play(made, "gate 5-10")
    assert cruisers(made) == {"5-10": 2}


def test_ariek_cruisers_may_move_from_gate_to_gate_of_the_core():
    made = play(with_tech("ariek", transports={8: 1}, cruisers={"9-10": 1}), "tech 1")
    play(made, "gate 9-10", "ships 1")
    assert set(names(made)) == {f"gate {g}" for g in ("5-10", "6-10", "10-11", "10-14", "10-15")}


def test_ariek_transports_on_the_core_must_stay_there_to_end_there():
    made = with_tech("ariek", transports={10: 2}, cruisers={}, hand=[])
    assert names(made) == ["pass"], "one move leads away from the Core"


def test_ariek_transports_cannot_go_where_an_enemy_patrols_p28():
    rival = {"cruisers": {"10-15": 1}, "transports": {}}
    made = with_tech("ariek", transports={9: 2}, cruisers={}, hand=[], rival=rival)
    assert names(made) == ["pass"]


def test_ariek_cruisers_may_attack_on_a_gate_of_the_core():
    rival = {"cruisers": {"5-10": 1}, "transports": {12: 1}}
    made = with_tech("ariek", transports={8: 1}, cruisers={"5-9": 1}, rival=rival)
    play(made, "tech 1", "gate 5-9", "ships 1")
    # Cell 5 is patrolled from 5-10: there the move must end. Across cell 9 the way is free.
    assert names(made) == ["gate 5-10", "gate 9-10"]
    play(made, "gate 5-10")
    assert made.decision.kind == "reinforce"


def test_ariek_one_move_only():
    made = with_tech("ariek", transports={8: 2}, cruisers={"8-9": 1}, hand=[])
    play(made, "tech 1", "gate 8-9", "ships 1")
    assert names(made) == ["gate 9-10"]
    play(made, "gate 9-10")
    assert made.decision.kind == "use_impulse"


# --- Herculese ----------------------------------------------------------------------------------


def test_herculese_command_one_cruiser_across_an_unexplored_card():
    made = with_tech("herculese", face_down={9: 3}, transports={8: 2}, cruisers={"8-9": 3})
    play(made, "tech 1")
    assert names(made) == ["gate 8-9"], "no Transports"
    play(made, "gate 8-9")
    assert names(made) == ["ships 1"], "one Cruiser"
    play(made, "ships 1")
    across_9 = {"gate 4-9", "gate 5-9", "gate 9-10", "gate 9-13", "gate 9-14"}
    assert set(names(made)) == across_9, "not across the face-up home"
    play(made, "gate 9-10")
    assert made.decision.kind == "place_explored"
    play(made, "card 3")
    assert made.decision.kind == "use_impulse"
    assert cruisers(made) == {"8-9": 2, "9-10": 1}


def test_herculese_with_every_neighbor_explored_can_do_nothing():
    assert names(with_tech("herculese", transports={8: 2}, cruisers={"8-9": 1})) == ["pass"]


def test_herculese_two_unexplored_sides_are_both_open():
    made = with_tech("herculese", face_down={9: 3, 14: 1}, transports={8: 2}, cruisers={"9-14": 1})
    play(made, "tech 1", "gate 9-14", "ships 1")
    expected = {"5-9", "4-9", "8-9", "9-10", "9-13", "13-14", "10-14", "14-15", "14-17", "14-18"}
    assert set(names(made)) == {f"gate {gate}" for gate in expected}


def test_herculese_must_fight_across_a_patrolled_unexplored_card():
    rival = {"cruisers": {"9-14": 1}, "transports": {12: 1}}
    made = with_tech(
        "herculese", face_down={9: 3}, transports={8: 2}, cruisers={"8-9": 1}, rival=rival
    )
    play(made, "tech 1", "gate 8-9", "ships 1")
    assert names(made) == ["gate 9-14"]
    play(made, "gate 9-14")
    assert made.decision.kind == "place_explored", "explored before the battle (R8)"
    play(made, "card 3")
    assert made.decision.kind == "reinforce"


# --- Draconians and Caelumnites -----------------------------------------------------------------


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
@pytest.mark.parametrize("color", ["red", "blue", "green", "yellow"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_card_must_match_color_and_exactly_the_size_of_the_newest_impulse_card(
    race, color, size
):
    last = cards_of(color, size)[0]
    others = [n for n in PRINTED if n != last]
    by_kind = {color_and_size(n): n for n in others}
    kinds = sorted(by_kind)
    for part in (kinds[:6], kinds[6:]):
        in_hand = [by_kind[kind] for kind in part]
        older = next(n for n in others if n not in in_hand)
        made = with_tech(race, hand=in_hand, impulse=[older, last])
        assert ("tech 1" in names(made)) == ((color, size) in part)
        if "tech 1" in names(made):
            play(made, "tech 1")
            assert [PRINTED[int(n.split()[1])]["color"] for n in names(made)] == [color]
            assert len(names(made)) == 1


def test_draconians_research_the_card():
    made = play(with_tech("draconians", hand=[93, 75], impulse=[45, 96, 18]), "tech 1", "card 93")
    assert names(made) == ["tech 0", "tech 1"], "also over this very Tech (R11)"
    play(made, "tech 1")
    assert techs(made) == ["basic", 93]
    assert hand(made) == [75]
    assert made.decision.kind == "use_impulse"


def test_caelumnites_mine_the_card():
    made = play(with_tech("caelumnites", hand=[93, 75], impulse=[45, 96, 18]), "tech 1")
    play(made, "card 93")
    assert minerals(made) == [93]
    assert made.state["gems"][0].tolist() == [3, 0, 0, 0]
    assert made.decision.kind == "use_impulse", "one card"


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
def test_the_last_card_of_the_impulse_is_the_newest_p42(race):
    # The oldest is red 3, the newest yellow 1: the card just added decides.
    made = with_tech(race, hand=[93, 31], impulse=[18, 75, 108])
    play(made, "tech 1")
    assert names(made) == ["card 31"]


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
def test_the_card_just_added_is_the_newest_p42(race):
    made = game(race=race, hand=[93, 18, 31], impulse=[108])
    play(made, "card 18", "tech 1")
    assert names(made) == ["card 93"]


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
def test_executed_by_an_older_impulse_card_the_newest_still_decides_p42(race):
    made = game(race=race, phase="use_impulse", impulse=[82, 45, 108], hand=[93, 31, 1])
    play(made, "use", "tech 1")
    assert names(made) == ["card 31"]


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
def test_with_an_empty_hand_and_an_impulse_there_is_nothing_to_take(race):
    assert names(with_tech(race, hand=[])) == ["pass"]
    assert names(with_tech(race, hand=[], impulse=[])) == ["pass"]


@pytest.mark.parametrize("race", ["draconians", "caelumnites"])
def test_in_team_games_the_own_teams_impulse_counts_p9(race):
    others = [{}, {}, {}]
    made = with_tech(race, hand=[93, 31], impulse=[[18], [108]], team_size=2, others=others)
    play(made, "tech 1")
    assert names(made) == ["card 93"]


# --- Triangulumnists ----------------------------------------------------------------------------


def test_triangulumnists_build_a_cruiser_at_home_on_a_gate_by_an_unexplored_card():
    made = with_tech("triangulumnists", face_down={4: 1, 13: 3}, **AT_HOME)
    play(made, "tech 1")
    assert names(made) == ["gate 4-8", "gate 8-13"]
    play(made, "gate 8-13")
    assert made.decision.kind == "use_impulse"
    assert cruisers(made) == {"8-9": 1, "8-13": 1}


def test_triangulumnists_may_join_an_own_cruiser_but_no_enemy_p37():
    rival = {"cruisers": {"4-8": 1}, "transports": {}}
    made = with_tech("triangulumnists", face_down={4: 1, 9: 3}, rival=rival, **AT_HOME)
    play(made, "tech 1")
    assert names(made) == ["gate 8-9"]
    play(made, "gate 8-9")
    assert cruisers(made) == {"8-9": 2}


def test_triangulumnists_with_all_neighbors_explored_can_do_nothing():
    assert names(with_tech("triangulumnists", face_down={14: 1}, **AT_HOME)) == ["pass"]


def test_triangulumnists_need_a_ship_to_build_p36():
    fields = {"face_down": {9: 3}, "transports": {8: 11}, "cruisers": {"8-9": 1}}
    assert names(with_tech("triangulumnists", **fields)) == ["pass"]


# --- Researched Techs ---------------------------------------------------------------------------


@pytest.mark.parametrize("slot", [0, 1])
def test_a_researched_card_works_in_either_slot_every_turn_p21(slot):
    own = ["basic", "basic"]
    own[slot] = 28
    made = with_tech(techs=own, hand=[75, 13, 2], impulse=[45], deck=[39, 6, 5, 33])
    play(made, f"tech {slot}", "card 75", "pass")
    assert (made.seat, made.turn) == (1, 1)
    while made.seat == 1:
        play(made, "pass" if "pass" in names(made) else names(made)[0])
    assert made.seat == 0
    play(made, "card 2", f"tech {slot}", "card 13")
    assert made.scores[0] == 6
    assert techs(made) == own


def test_a_covered_race_tech_is_no_longer_on_offer_p36():
    made = with_tech("piscesish", techs=["basic", 28], hand=[2], deck=[1, 6, 5])
    assert names(made) == ["pass", "tech 0"]
