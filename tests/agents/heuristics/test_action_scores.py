"""Each decision is scored by what its actions bring, so that the best one stands out.

Seat 0 lives on 8 and seat 1 on 12; the gates of the Sector Core (10) are those to 5, 6, 9, 11, 14
and 15.
"""

import numpy as np
import pytest

from fuzzed import GAMES, NAMES, decisions
from helpers import game, names, play, using
from impulse_env.engine.cards import CARD_BY_NUMBER, SIZE_BY_CARD
from impulse_env.game import Game
from impulse_env.information import view_of
from rules_of_thumb import (
    STYLE,
    best,
    card_worth,
    cruiser_gain,
    liking,
    scores,
    transport_gain,
)

QUIET = {"transports": {12: 1}, "cruisers": {}}
"""A rival with one Transport, far away, that patrols nothing."""
BALANCED = STYLE["balanced"]


# --- Cards --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "liked", "kept"),
    [(11, "trade", -1), (23, "mine", -0.5)],
    ids=["traded", "mined, which keeps half"],
)
def test_cards_are_given_away_for_their_icons_less_what_keeping_them_is_worth(number, liked, kept):
    made = using(number, hand=[2, 9, 18])
    assert list(scores(made, liking(**{liked: 1})).values()) == [1, 2, 3]
    assert list(scores(made, liking(keep=1)).values()) == [kept, 2 * kept, 3 * kept]


def test_the_largest_mineral_card_is_refined():
    assert best(using(106, after=45, minerals=[2, 9, 18]), BALANCED) == ["card 18"]


def test_what_is_laid_on_the_impulse_or_planned_is_what_brings_most_to_use():
    # Card 33 builds two ships, 9 has three bombs, 2 and 18 research.
    assert best(game(phase="add_impulse", hand=[2, 9, 18, 33]), BALANCED) == ["card 33"]
    bombing = liking(sabotage=2, cruiser=1)
    assert best(game(phase="add_impulse", hand=[2, 9, 18, 33]), bombing) == ["card 9"]
    assert best(using(8, hand=[27, 33, 57]), BALANCED) == ["card 33"]


def test_of_equal_cards_the_smaller_is_laid_on_the_impulse_and_the_smaller_discarded():
    # 2 and 18 are research; the larger is worth more in the hand.
    made = game(phase="add_impulse", hand=[2, 18])
    assert best(made, liking(keep=1)) == ["card 2"]
    made = play(game(phase="use_tech", hand=[2, 18]), "tech 0")
    assert made.decision.kind == "basic_discard"
    assert best(made, liking(keep=1)) == ["card 2"]


def test_of_equal_sizes_the_card_that_brings_less_is_discarded():
    made = play(game(phase="use_tech", hand=[22, 104]), "tech 0")  # a Cruiser, or bombs
    assert best(made, liking(cruiser=1)) == ["card 104"]
    assert best(made, liking(sabotage=1)) == ["card 22"]


def test_an_executed_card_brings_what_it_says_less_what_it_was_worth_in_the_hand():
    made = using(65, hand=[2, 9])
    style = liking(sabotage=1, keep=0.25)
    found = scores(made, style)
    assert found["card 9"] == card_worth(made, 9, style, is_in_hand=True) - 0.25 * 2


# --- Yes or no ----------------------------------------------------------------------------------


@pytest.mark.parametrize("hand", [[9], []], ids=["of use", "of no use"])
def test_a_card_on_offer_is_used_if_it_brings_something(hand):
    made = game(phase="use_impulse", impulse=[11, 106], hand=hand)
    if hand:
        assert best(made, BALANCED) == ["use"]
        assert scores(made, BALANCED)["use"] == pytest.approx(card_worth(made, 11, BALANCED))
    else:
        assert best(made, BALANCED) == ["pass"]
    assert scores(made, BALANCED)["pass"] == 0


def test_a_plan_is_used_sooner_the_more_its_cards_bring_and_the_fuller_it_is():
    # p. 17: with four cards it must be used.
    def yes(plan):
        return scores(game(phase="use_plan", plan=plan, hand=[]), liking(cruiser=1))["use"]

    useless = [11, 17, 16]  # trades without cards
    assert yes([11]) < yes([11, 17]) < yes(useless)
    assert yes([11, 17]) < 0, "to be left for later"
    assert yes(useless) == -0.5, "a card fewer than must be used"
    assert yes([33, 11]) == pytest.approx(yes([11, 17]) + 2), "two Cruisers"


def test_a_revealed_card_is_kept_for_a_trade_or_as_a_mineral_whatever_it_does():
    assert best(using(73, deck=[2, 5]), liking()) == ["use"]
    assert best(using(95, deck=[2, 5]), liking()) == ["use"]


def test_a_revealed_card_is_researched_if_it_is_better_than_the_lesser_tech():
    # 63 researches from the deck: 22 builds a Cruiser, and 2 researches.
    style = liking(cruiser=2)
    better = using(63, techs=[2, 9], deck=[22, 5, 1])
    assert best(better, style) == ["use"]
    worse = using(63, techs=[37, 30], deck=[2, 5, 1])
    assert best(worse, style) == ["pass"]


@pytest.mark.parametrize(
    ("techs", "lesser"),
    [([33, 22], 2.0), ([22, 33], 2.0), ([33, 104], 0.2), ([104, 33], 0.2)],
    ids=["first", "second", "worthless second", "worthless first"],
)
def test_a_researched_card_gains_what_it_is_worth_above_the_lesser_tech(techs, lesser):
    # 33 builds two Cruisers, 22 builds one, and 104 has bombs, which this style does not like.
    style = liking(cruiser=2, keep=1)
    revealed = using(63, techs=techs, deck=[22, 5, 1])
    own = card_worth(revealed, 22, style, is_in_hand=True)
    assert scores(revealed, style)["use"] == pytest.approx(own - lesser)
    from_hand = using(20, techs=techs, hand=[34])
    own = card_worth(from_hand, 34, style, is_in_hand=True)
    kept = 0.3 * SIZE_BY_CARD[CARD_BY_NUMBER[34]]
    assert scores(from_hand, style)["card 34"] == pytest.approx(own - lesser - kept)


# --- Techs --------------------------------------------------------------------------------------


def test_the_lesser_tech_is_covered():
    style = liking(cruiser=2, sabotage=1)
    for techs, covered in (([22, 104], "tech 1"), ([104, 22], "tech 0")):
        made = play(using(20, hand=[34], techs=techs), "card 34")
        assert made.decision.kind == "research_slot"
        assert best(made, style) == [covered]


@pytest.mark.parametrize(
    ("race", "liked"),
    [
        ("ariek", {"core_gate": 2}),
        ("herculese", {"core_gate": 2}),
        ("triangulumnists", {"cruiser": 1.5}),
        ("caelumnites", {"mine": 1}),
        ("draconians", {"research": 2}),
    ],
)
def test_the_tech_of_a_race_is_worth_what_it_does(race, liked):
    # p. 37; the newest Impulse card is 54, as red and small as card 2, and 9 is not explored.
    made = game(
        phase="use_tech",
        race=race,
        techs=[11, "basic"],
        hand=[2],
        impulse=[54],
        face_down={9: 26},
        cruisers={"8-9": 1},
        transports={8: 1},
        rival=QUIET,
    )
    liking_it, indifferent = (
        scores(made, style)["tech 1"] for style in (liking(**liked), liking())
    )
    assert liking_it > max(0.5, indifferent)


def test_the_basic_tech_costs_a_card_which_hurts_less_with_a_full_hand():
    style = liking(cruiser=2)
    one, five = (
        scores(game(phase="use_tech", hand=hand), style)["tech 0"]
        for hand in ([2], [2, 9, 18, 20, 23])
    )
    assert one < five
    ships = {"transports": {8: 12}, "cruisers": {}}
    none_left = scores(game(phase="use_tech", hand=[2], **ships), style)
    assert none_left["tech 0"] < one, "all twelve ships are on the map"


def test_the_basic_tech_commands_or_builds_what_the_style_likes():
    made = play(game(phase="use_tech", hand=[2, 9]), "tech 0", "card 2")
    assert names(made) == ["pass", "basic command", "basic build"]
    assert best(made, liking(core_gate=2)) == ["basic command"]
    assert best(made, liking(cruiser=2)) == ["basic build"]
    assert best(made, liking(core_gate=-9, approach=-9, cruiser=-9)) != ["basic build"]


# --- Ships --------------------------------------------------------------------------------------


def test_ships_are_built_as_near_to_the_sector_core_as_may_be():
    fields = {"transports": {8: 1, 10: 1, 9: 1}, "cruisers": {}}
    assert best(using(33, **fields), BALANCED) == ["cell 10"]
    gates = best(play(using(33, **fields), "cell 9"), BALANCED)
    assert gates == ["gate 9-10"]


def test_each_further_transport_is_worth_less():
    few = play(using(33, transports={9: 1}, cruisers={}), "cell 9")
    many = play(using(33, transports={9: 5}, cruisers={}), "cell 9")
    style = liking(transport=1)
    assert scores(few, style)["cell 9"] > scores(many, style)["cell 9"]
    assert scores(few, liking())["cell 9"] == scores(many, liking())["cell 9"] < 0.1


def test_a_gate_of_the_sector_core_that_is_held_needs_no_second_cruiser():
    made = play(using(33, transports={10: 1}, cruisers={"9-10": 1}), "cell 10")
    found = scores(made, BALANCED)
    assert found["gate 9-10"] < found["gate 5-10"]


def test_the_fleet_that_gains_most_is_commanded():
    made = using(4, transports={9: 1}, cruisers={"8-9": 1}, rival=QUIET)
    assert best(made, liking(core_gate=1)) == ["gate 8-9"]
    assert best(made, liking(core_visit=2)) == ["cell 9"]


@pytest.mark.parametrize(
    ("there", "minerals", "worth"),
    [(1, [9], 2), (3, [2], 2)],
    ids=["one of two", "two of three"],
)
def test_a_fleet_of_transports_has_those_that_are_there_up_to_the_number_of_the_card(
    there, minerals, worth
):
    # The Sector Core scores a point, and one for every two gems and arriving Transports (p. 25):
    # one more Transport would score a point more.
    style = liking(core_visit=1)
    made = using(88, transports={9: there}, cruisers={}, minerals=minerals, rival=QUIET)
    ships = min(there, 2)
    assert transport_gain(made, 9, style, ships=ships) == worth
    assert transport_gain(made, 9, style, ships=ships + 1) == worth + 1
    assert scores(made, style)["cell 9"] == worth


@pytest.mark.parametrize("there", [1, 2, 3])
def test_a_fleet_of_cruisers_has_those_that_are_there_up_to_the_number_of_the_card(there):
    style = liking(fight=1)
    rival = QUIET | {"cruisers": {"9-10": 1}}
    made = using(39, cruisers={"8-9": there}, rival=rival)
    gains = [cruiser_gain(made, "8-9", style, ships=ships) for ships in (1, 2, 3)]
    assert len(set(gains)) == 3
    assert scores(made, style)["gate 8-9"] == gains[min(there, 2) - 1]


@pytest.mark.parametrize(("card", "moves"), [(42, 1), (91, 2)])
def test_a_fleet_counts_the_moves_of_the_card(card, moves):
    style = liking(core_visit=1, approach=1)
    made = using(card, transports={8: 1}, cruisers={"4-8": 1}, rival=QUIET)
    found = scores(made, style)
    for gain, place in ((transport_gain, 8), (cruiser_gain, "4-8")):
        near, far = (gain(made, place, style, moves=n) for n in (1, 2))
        assert near < far
        name = f"cell {place}" if gain is transport_gain else f"gate {place}"
        assert found[name] == (near, far)[moves - 1]


def test_a_fleet_moves_to_the_gate_it_was_chosen_for():
    made = play(using(12, cruisers={"8-9": 3}, rival=QUIET), "gate 8-9")
    assert best(made, liking(core_gate=1)) == ["ships 3"], "nothing is left behind that counts"
    play(made, "ships 3")
    assert best(made, liking(core_gate=1)) == ["gate 9-10"]


def test_a_guard_stays_on_a_gate_of_the_sector_core():
    # The last to leave would lose it.
    made = play(using(12, cruisers={"9-10": 2}, rival=QUIET), "gate 9-10")
    assert best(made, liking(core_gate=2)) == ["ships 1"]


def test_transports_arrive_with_as_many_as_bring_points():
    made = play(using(12, transports={9: 3}, cruisers={}, rival=QUIET), "cell 9")
    assert best(made, liking(core_visit=1)) == ["ships 3"]
    play(made, "ships 3")
    assert best(made, liking(core_visit=5)) == ["cell 10"]


def test_cruisers_that_stand_well_stop_and_those_on_the_way_continue():
    fields = {"cruisers": {"8-9": 1}, "rival": QUIET}
    made = play(using(91, **fields), "gate 8-9", "ships 1", "gate 9-14")
    assert "gate 10-14" in best(made, BALANCED)
    assert "pass" not in best(made, BALANCED)
    made = play(using(91, **fields), "gate 8-9", "ships 1", "gate 9-10")
    elsewhere = {"gate 9-14", "gate 4-9", "gate 8-9"}
    found = scores(made, BALANCED)
    assert found["pass"] > max(found[name] for name in elsewhere)
    assert found["pass"] < found["gate 10-14"], "as good a gate is a reason to go on"


def test_the_transports_on_the_way_are_raided():
    rival = {"transports": {9: 1, 14: 2}, "cruisers": {}}
    made = play(using(91, cruisers={"8-9": 1}, rival=rival), "gate 8-9", "ships 1")
    found = scores(made, liking(raid=1))
    assert found["gate 9-14"] == 1, "those on 9"
    assert found["gate 4-8"] == 0
    play(made, "gate 9-14")
    found = scores(made, liking(raid=1))
    assert found["gate 10-14"] == 2, "those on 14"
    assert found["gate 9-10"] == 1


def test_each_of_several_fleets_raids_what_it_crosses_itself():
    # With a boost card 98 commands three fleets. The first stops on 9-10, across 10 from 10-14; the
    # second comes from 13-14, across 14.
    rival = {"transports": {14: 2}, "cruisers": {}}
    fleets = {"8-9": 1, "13-14": 1}
    made = using(98, cruisers=fleets, transports={}, minerals=[1, 12], rival=rival)
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 13-14", "ships 1")
    assert scores(made, liking(raid=1))["gate 10-14"] == 2


def test_a_weak_defender_is_attacked_and_a_strong_one_left_alone():
    for enemies, wants in ((1, True), (6, False)):
        rival = {"transports": {}, "cruisers": {"9-10": enemies}}
        made = play(using(12, cruisers={"8-9": 3}, rival=rival), "gate 8-9", "ships 3")
        assert ("gate 9-10" in best(made, BALANCED)) is wants


def test_the_sector_core_is_activated_for_the_colour_with_most_gems():
    fields = {"transports": {9: 2}, "cruisers": {}, "minerals": [9, 18, 27]}
    made = play(using(12, **fields), "cell 9", "ships 2", "cell 10")
    found = scores(made, liking(core_visit=1))
    # p. 25: a point, and one for every two gems, each ship that arrived being one.
    assert found == {
        "pass": 0,
        "color red": 1 + 3,
        "color blue": 1 + 2,
        "color green": 1 + 1,
        "color yellow": 1 + 1,
    }


# --- Battles and bombs --------------------------------------------------------------------------


def attack(ships, defenders, **fields):
    rival = {"transports": {12: 1}, "cruisers": {"9-10": defenders}, "hand": fields.pop("theirs")}
    made = using(12, cruisers={"8-9": ships}, transports={8: 1}, rival=rival, **fields)
    return play(made, "gate 8-9", f"ships {ships}", "gate 9-10")


def test_only_reinforcements_that_match_are_laid_the_largest_first():
    # Card 12 on the Impulse is green and of size 2, and 106 is blue and of size 3.
    made = attack(1, 1, theirs=[34, 33, 2])
    assert (made.decision.kind, made.seat) == ("reinforce", 1)
    found = scores(made, BALANCED)
    assert found["card 33"] > found["card 34"] > found["pass"] > found["card 2"]


def test_a_lost_cause_gets_no_cards():
    assert best(attack(5, 2, theirs=[34, 33]), BALANCED) == ["pass"]
    assert best(attack(4, 2, theirs=[34, 33]), BALANCED) == ["card 33"]


def test_an_attacker_who_leads_far_spares_its_cards_and_one_who_does_not_lays_them():
    worth = {}
    for ships in (3, 4):
        made = play(attack(ships, 1, theirs=[], hand=[34]), "pass")
        assert (made.decision.kind, made.seat) == ("reinforce", 0)
        worth[ships] = scores(made, BALANCED)["card 34"]
    assert 0 < worth[4] < worth[3]


def test_bombs_fall_on_the_largest_fleet_above_all_on_the_sector_core():
    rival = {"transports": {9: 1, 10: 1}, "cruisers": {"9-13": 2}}
    fields = {"transports": {8: 1, 9: 1}, "cruisers": {"9-10": 1}}
    assert best(using(45, rival=rival, **fields), BALANCED) == ["gate 9-13"]
    rival["cruisers"] = {"9-13": 2, "5-10": 2}
    assert best(using(45, rival=rival, **fields), BALANCED) == ["gate 5-10"]
    rival["transports"] = {9: 3}
    rival["cruisers"] = {"9-13": 2}
    assert best(using(45, rival=rival, **fields), BALANCED) == ["cell 9"]


def test_bombs_fall_on_the_leader():
    others = [{"transports": {9: 3}, "score": 3}, {"transports": {9: 1}, "score": 9}]
    made = play(using(45, cruisers={"9-10": 1}, others=others), "cell 9")
    assert made.decision.kind == "sabotage_owner"
    assert best(made, BALANCED) == ["seat 2"]


# --- What nobody may know -----------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(NAMES)), ids=NAMES)
def test_scores_are_finite_and_follow_from_what_the_seat_sees(number):
    deciding = [Game.from_state(state) for state in decisions(number)[::GAMES]]
    deciding = [made for made in deciding if made.seat is not None]
    for made in deciding[:: max(1, len(deciding) // 50)]:
        for style in (BALANCED, STYLE["warrior"]):
            found = scores(made, style)
            assert np.isfinite(list(found.values())).all()
            assert scores(made, style, view_of(made.state, made.seat)) == found
