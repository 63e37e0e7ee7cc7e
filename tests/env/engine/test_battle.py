"""Battles: reinforcements, a card for every Cruiser, winner and points (pp. 34-35; R6-R8, R12).

The field of most tests: seat 0 attacks from 8-9 across 9 the Cruisers of seat 1 on 9-10, with card
12 (green, size 2), which commands a fleet of any size; behind it card 106 (blue, size 3) lies on
the Impulse. The deck is the dice: a card of it for each Cruiser, the defender's first.
"""

from collections import Counter

import numpy as np
import pytest

from helpers import (
    cruisers,
    deck,
    discard,
    game,
    hand,
    impulse,
    is_done,
    known,
    minerals,
    names,
    play,
    points,
    transports,
    using,
)
from impulse_env.engine.cards import CARD_BY_NUMBER, NUMBER_BY_CARD
from printed import PRINTED, color_and_size

ONE, TWO, THREE = 3, 9, 45
"""Cards of the deck with so many icons: blue, red, red."""
END = 108
"""The card that must be next when a battle is over."""


def faces(cards):
    """Return the lowest numbers of the faces of those cards, ascending."""
    return sorted(NUMBER_BY_CARD[CARD_BY_NUMBER[card]] for card in cards)


def attack(ships=1, defenders=1, *, rival=None, **fields):
    """Return a game in which seat 0 has just moved that many Cruisers onto 9-10."""
    fields = {"transports": {8: 1}, "cruisers": {"8-9": ships}} | fields
    rival = {"transports": {12: 1}, "cruisers": {"9-10": defenders}} | (rival or {})
    made = using(12, rival=rival, **fields)
    return play(made, "gate 8-9", f"ships {ships}", "gate 9-10")


def test_a_gate_with_the_lowest_number_is_fought_for_too():
    # 1-2 is the first gate, 0 to the engine; a battle ends the path (p. 34), though the second
    # move could go on to another enemy.
    rival = {"transports": {12: 1}, "cruisers": {"1-2": 1, "1-4": 1}}
    made = using(91, transports={8: 1}, cruisers={"2-3": 1}, rival=rival, deck=[ONE, THREE, END])
    play(made, "gate 2-3", "ships 1", "gate 1-2")
    assert made.decision.kind != "choose_move"


# --- Laying reinforcements ----------------------------------------------------------------------


def test_the_defender_lays_first_then_the_attacker():
    # p. 34
    made = attack(hand=[2], rival={"hand": [3]})
    assert (made.decision.kind, made.seat) == ("reinforce", 1)
    assert names(made) == ["pass", "card 3"]
    play(made, "pass")
    assert (made.decision.kind, made.seat) == ("reinforce", 0)
    assert names(made) == ["pass", "card 2"]
    play(made, "pass")
    assert is_done(made)


def test_both_may_lay_any_number_of_hand_cards_matching_or_not():
    # p. 34: "any number of cards"
    made = attack(hand=[2, 5], rival={"hand": [7, 8, 11]})
    play(made, "card 7")
    assert names(made) == ["pass", "card 8", "card 11"]
    play(made, "card 11", "card 8")
    assert names(made) == ["pass"]
    play(made, "pass")
    assert made.seat == 0
    play(made, "card 2", "card 5", "pass")
    assert is_done(made)


def test_several_copies_of_a_face_may_be_laid():
    made = attack(hand=[], rival={"hand": [31, 38]})
    play(made, "card 31", "card 31")
    assert hand(made, 1) == []
    assert int(made.state["laid_count"][0]) == 2


def test_the_attacker_sees_how_many_cards_the_defender_laid():
    # p. 14: "The attacker gets an advantage when fighting (seeing number of reinforcements first)"
    made = attack(hand=[2], rival={"hand": [7, 8, 11]})
    assert "laid 0" in made.decision.prompt
    play(made, "card 7", "card 8", "pass")
    assert "laid 2" in made.decision.prompt
    assert made.seat == 0


def test_only_cards_of_the_own_hand_can_be_laid():
    # p. 34: "Each side can also add reinforcement cards from their hand."
    made = attack(plan=[7], minerals=[8], techs=[11, "basic"], hand=[2], rival={"plan": [14]})
    assert names(made) == ["pass"]
    play(made, "pass")
    assert names(made) == ["pass", "card 2"]


# --- What counts --------------------------------------------------------------------------------

#   where the card lies            whose              counts
PLACES = [
    ("impulse", "own", True),
    ("plan", "own", True),
    ("techs", "own", True),
    ("minerals", "own", False),
    ("hand", "own", False),
    ("plan", "other", False),
    ("techs", "other", False),
    ("minerals", "other", False),
    ("hand", "other", False),
]


def fight_over(laid, lies, where, whose, side):
    """Battle in which `side` lays card `laid` while `lies` lies there; both draw one icon."""
    one = {"hand": [laid]}
    two = {"hand": []}
    holder = one if whose == "own" else two
    fields = {}
    if where == "impulse":
        fields["impulse"] = [lies]
    elif where == "techs":
        holder["techs"] = ["basic", lies]
    elif where == "hand":
        holder["hand"] = [*holder["hand"], lies]
    else:
        holder[where] = [lies]
    attacker, defender = (one, two) if side == "attacker" else (two, one)
    made = attack(rival=defender, deck=[ONE, 17, END], **attacker, **fields)
    lay = f"card {laid}"
    play(made, *(["pass", lay, "pass"] if side == "attacker" else [lay, "pass", "pass"]))
    assert is_done(made)
    assert deck(made) == [END]
    return made


@pytest.mark.parametrize("side", ["attacker", "defender"])
@pytest.mark.parametrize(("where", "whose", "counts"), PLACES)
def test_a_card_counts_if_its_like_lies_on_the_impulse_in_the_own_plan_or_techs(
    where, whose, counts, side
):
    # p. 34: "size and color a card on the Impulse, your Plan, or either of your Techs (not
    # Minerals)". Card 92 (red 3) is laid, card 18 (red 3) lies there.
    made = fight_over(92, 18, where, whose, side)
    seat = 0 if side == "attacker" else 1
    assert (92 not in hand(made, seat)) == counts
    assert (92 in discard(made)) == counts
    # With 1 icon each from the deck only the reinforcement can win it for the attacker.
    attacker_wins = side == "attacker" and counts
    assert cruisers(made) == ({"9-10": 1} if attacker_wins else {})


@pytest.mark.parametrize(
    ("lies", "counts"),
    [
        (18, True),  # red 3
        (9, False),  # red 2
        (2, False),  # red 1
        (5, False),  # green 3
        (33, False),  # blue 3
        (75, False),  # yellow 3
    ],
)
@pytest.mark.parametrize("where", ["impulse", "plan", "techs"])
def test_colour_and_size_must_both_be_equal(where, lies, counts):
    # p. 34: "matches both the size and color". Sizes are no upper limits here.
    made = fight_over(92, lies, where, "own", "attacker")
    assert (92 not in hand(made)) == counts


@pytest.mark.parametrize("where", ["impulse", "plan", "techs"])
def test_the_card_printed_with_the_lowest_number_is_matched_too(where):
    # Number 1 is the first face, 0 to the engine.
    like = next(n for n in PRINTED if color_and_size(n) == color_and_size(1) and n > 1)
    made = fight_over(like, 1, where, "own", "attacker")
    assert like in discard(made)
    assert hand(made) == []


def test_colour_and_size_of_two_different_cards_do_not_add_up():
    # p. 34: one card must match both. Red 2 and green 3 do not admit red 3.
    made = attack(hand=[92], plan=[9, 5], impulse=[7], deck=[ONE, 17, END])
    play(made, "pass", "card 92", "pass")
    assert hand(made) == [92]
    assert cruisers(made) == {}


def test_a_basic_tech_matches_nothing():
    # R7. Without any other card but 12 (green 2) and 106 (blue 3) nothing else counts.
    made = attack(hand=[2, 8, 10, 31, 18, 5], deck=[ONE, 17, END])
    play(made, "pass", *(f"card {card}" for card in (2, 8, 10, 31, 18, 5)), "pass")
    assert hand(made) == [2, 5, 8, 10, 18, 31]


@pytest.mark.parametrize("card", [34, 49, 50, 66, 76, 78, 89, 90])
def test_the_impulse_card_in_use_still_is_on_the_impulse(card):
    # R7. Every other green card of size 2 matches card 12, with which the attack is made.
    made = attack(hand=[card], deck=[ONE, 17, END])
    play(made, "pass", made.name(made.action(f"card {card}")), "pass")
    assert hand(made) == []
    assert cruisers(made) == {"9-10": 1}


def test_impulse_cards_after_the_one_in_use_count_too():
    # p. 34: the Impulse is the whole line. Card 33 is blue 3 like card 106 behind card 12.
    made = attack(rival={"hand": [33]}, deck=[ONE, 17, END])
    play(made, "card 33", "pass", "pass")
    assert hand(made, 1) == []
    assert 33 in discard(made)


@pytest.mark.parametrize(("cursor", "plan"), [(0, [12, 18]), (1, [18, 12, 106])])
def test_a_plan_in_use_still_is_the_plan(cursor, plan):
    # R7: the card in use, those before and those after it.
    made = game(
        phase="use_plan",
        cursor=cursor,
        plan=plan,
        hand=[92, 90],
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}},
        deck=[THREE, 17, END],
    )
    play(made, "use", "gate 8-9", "ships 1", "gate 9-10", "pass", "card 66", "card 92", "pass")
    assert hand(made) == []
    assert cruisers(made) == {"9-10": 1}  # 1 + 2 + 3 against 3


@pytest.mark.parametrize(("next_plan", "counts"), [([18], True), ([4, 18], True), ([], False)])
def test_p13_a_card_of_the_next_plan_counts_like_one_of_the_plan(next_plan, counts):
    # Card 45 is red 3 like card 18; the Plan in use is green 2 and blue 3.
    made = game(
        phase="use_plan",
        cursor=0,
        plan=[12, 106],
        next_plan=next_plan,
        hand=[45],
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}},
        deck=[ONE, 17, END],
    )
    play(made, "use", "gate 8-9", "ships 1", "gate 9-10", "pass", "card 45", "pass")
    assert hand(made) == ([] if counts else [45])
    assert cruisers(made) == ({"9-10": 1} if counts else {})


@pytest.mark.parametrize(("laid", "counts"), [(16, False), (90, True)])
def test_a_card_being_executed_matches_nothing(laid, counts):
    # R7. Card 89 (green 2) executes card 31 (yellow 1) from the hand; card 16 is yellow 1.
    made = using(
        89,
        hand=[31, laid],
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}},
        deck=[ONE, 17, END],
    )
    play(made, "card 31", "use", "gate 8-9", "ships 1", "gate 9-10", "pass")
    name = made.name(made.action(f"card {laid}"))
    play(made, name, "pass")
    assert (hand(made) == []) == counts
    assert is_done(made)


def test_a_card_being_executed_does_not_serve_the_defender_either():
    # R7
    made = using(
        89,
        hand=[31],
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}, "hand": [16]},
        deck=[ONE, TWO, END],
    )
    play(made, "card 31", "use", "gate 8-9", "ships 1", "gate 9-10", "card 16", "pass", "pass")
    assert hand(made, 1) == [16]
    assert known(made, 1) == [16]
    assert cruisers(made) == {"9-10": 1}


def test_a_map_card_that_is_activated_matches_nothing():
    # p. 34 names Impulse, Plan and Techs alone. 13 is card 31 (yellow 1); on the Impulse lie card
    # 40 (yellow 2) and card 106 (blue 3). Card 16 is yellow 1.
    made = using(
        40,
        hand=[16],
        transports={8: 1},
        cruisers={"8-9": 1},
        face_up={13: 31},
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}},
        deck=[ONE, 17, END],
    )
    play(made, "cell 8", "ships 1", "cell 13", "pass", "use")
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "card 16", "pass")
    assert hand(made) == [16]
    assert cruisers(made) == {}


def test_a_tech_in_use_is_a_tech():
    # p. 34: "either of your Techs". Card 31 is used as Tech; card 16 is yellow 1.
    made = game(
        phase="use_tech",
        techs=[31, "basic"],
        impulse=[106],
        hand=[16],
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}},
        deck=[ONE, 17, END],
    )
    play(made, "tech 0", "gate 8-9", "ships 1", "gate 9-10", "pass", "card 16", "pass")
    assert hand(made) == []
    assert cruisers(made) == {"9-10": 1}


# --- Bluffs (p. 34, R12) ------------------------------------------------------------------------


def test_bluffs_return_to_the_hand_and_everybody_knows_them():
    # R12. Cards 7 and 11 match nothing, card 66 (green 2) matches card 12.
    made = attack(rival={"hand": [7, 11, 66, 2]}, deck=[ONE, 17, END])
    play(made, "card 7", "card 66", "card 11", "pass", "pass")
    assert hand(made, 1) == [2, 7, 11]
    assert known(made, 1) == [7, 11]
    assert 66 in discard(made)


def test_the_attackers_bluffs_return_and_are_known_too():
    made = attack(hand=[7, 2], deck=[ONE, 17, END])
    play(made, "pass", "card 7", "pass")
    assert hand(made) == [2, 7]
    assert known(made) == [7]


@pytest.mark.parametrize(("before", "laid"), [([], 2), ([31], 1), ([31], 2), ([31, 31], 1)])
def test_as_many_copies_are_known_as_were_shown_or_known_before(before, laid):
    # P6: copies of a face cannot be told apart; three are in the hand.
    made = attack(rival={"hand": [31, 38, 44], "known": before}, deck=[ONE, 17, END])
    play(made, *["card 31"] * laid, "pass", "pass")
    assert hand(made, 1) == [31, 31, 31]
    assert known(made, 1) == [31] * max(len(before), laid)


def test_a_known_card_that_fought_is_known_no_more():
    # R12: known until they leave the hand.
    made = attack(rival={"hand": [66, 2], "known": [66, 2]}, deck=[ONE, 17, END])
    play(made, "card 66", "pass", "pass")
    assert hand(made, 1) == [2]
    assert known(made, 1) == [2]


# --- Cards of the deck and the winner -----------------------------------------------------------


@pytest.mark.parametrize(
    ("icons", "attacker_wins"),
    [
        ((TWO, ONE), False),
        ((ONE, TWO), True),
        ((ONE, THREE), True),
        ((TWO, THREE), True),
        ((THREE, TWO), False),
    ],
)
def test_the_defenders_card_of_the_deck_comes_first(icons, attacker_wins):
    # R6
    made = attack(deck=[*icons, END])
    play(made, "pass", "pass")
    assert cruisers(made) == ({"9-10": 1} if attacker_wins else {})
    assert cruisers(made, 1) == ({} if attacker_wins else {"9-10": 1})
    assert deck(made) == [END]


def test_all_cards_of_the_defender_come_before_those_of_the_attacker():
    # R6: the first two for the defender (2), the next three for the attacker (1 + 1 + 2).
    made = attack(3, 2, deck=[ONE, 17, 11, 31, TWO, END])
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-10": 3}
    assert points(made) == 1 + 2
    assert deck(made) == [END]


def test_each_cruiser_in_the_battle_draws_a_card():
    # p. 34. One attacker of the four on 8-9 fights; three defenders.
    made = attack(cruisers={"8-9": 4}, defenders=3, deck=[ONE, 17, 11, THREE, END])
    play(made, "pass", "pass")
    assert deck(made) == [END]
    assert cruisers(made) == {"8-9": 3}  # 3 against 1 + 1 + 1: a tie
    assert points(made, 1) == 2


@pytest.mark.parametrize(("defender", "attacker"), [(ONE, 17), (TWO, 66), (THREE, 5)])
def test_the_defender_wins_ties(defender, attacker):
    # p. 35
    made = attack(deck=[defender, attacker, END])
    play(made, "pass", "pass")
    assert cruisers(made) == {}
    assert cruisers(made, 1) == {"9-10": 1}
    assert (points(made), points(made, 1)) == (0, 2)


def test_icons_of_reinforcements_and_deck_add_up():
    # p. 34. Attacker: 66 + 90 (green 2) + 1; defender: 33 (blue 3) + 1: 5 against 4.
    made = attack(hand=[66, 90], rival={"hand": [33]}, deck=[ONE, 17, END])
    play(made, "card 33", "pass", "card 66", "card 66", "pass")
    assert cruisers(made) == {"9-10": 1}


def test_a_tie_by_reinforcements_is_the_defenders():
    made = attack(hand=[66], rival={"hand": [34]}, deck=[ONE, 17, END])
    play(made, "card 34", "pass", "card 66", "pass")
    assert cruisers(made) == {}


def test_bluffs_add_no_icons():
    made = attack(hand=[18, 5, 75], rival={"hand": []}, deck=[ONE, 17, END])
    play(made, "pass", "card 18", "card 5", "card 75", "pass")
    assert cruisers(made) == {}


# --- What the winner gets -----------------------------------------------------------------------


def test_the_winner_scores_a_point_and_one_for_each_ship():
    # p. 35: "1 point for winning, plus 1 additional point per ship destroyed"
    made = attack(1, 3, deck=[ONE, 17, 11, THREE, END], hand=[66], rival={"hand": []})
    play(made, "pass", "card 66", "pass")
    assert points(made) == 1 + 3
    assert cruisers(made) == {"9-10": 1}
    assert cruisers(made, 1) == {}


def test_the_defender_scores_for_the_attackers_in_their_turn():
    made = attack(2, 1, deck=[THREE, 17, ONE, END])
    play(made, "pass", "pass")
    assert points(made, 1) == 1 + 2
    assert points(made) == 0
    assert cruisers(made) == {}
    assert made.seat == 0


def test_only_the_part_of_the_fleet_that_attacked_is_lost():
    # p. 31
    made = attack(2, 1, cruisers={"8-9": 5, "4-9": 1}, deck=[THREE, 17, ONE, END])
    play(made, "pass", "pass")
    assert cruisers(made) == {"8-9": 3, "4-9": 1}


def test_only_the_fleet_on_the_attacked_gate_is_lost():
    # p. 35: "The entire losing fleet is destroyed", not the others that patrol the same cell.
    made = attack(rival={"cruisers": {"9-10": 1, "9-14": 2}}, deck=[ONE, TWO, END])
    play(made, "pass", "pass")
    assert cruisers(made, 1) == {"9-14": 2}
    assert cruisers(made) == {"9-10": 1}
    assert points(made) == 2


def test_the_part_that_attacked_and_won_stands_on_the_gate():
    made = attack(2, 1, cruisers={"8-9": 5}, deck=[ONE, 17, TWO, END])
    play(made, "pass", "pass")
    assert cruisers(made) == {"8-9": 3, "9-10": 2}


def across_transports(*drawn):
    """Seat 0 has fought on 9-10; crossed is 9, where all three have Transports."""
    made = using(
        12,
        cruisers={"8-9": 1},
        transports={9: 1},
        others=[
            {"cruisers": {"9-10": 1}, "transports": {9: 2, 10: 1}},
            {"transports": {9: 3, 10: 1}},
        ],
        deck=[*drawn, END],
    )
    return play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")


def test_transports_on_the_crossed_cell_go_with_a_lost_battle_those_of_every_enemy():
    # pp. 28, 35. The Transports on 10, behind the gate, live, own ones too.
    made = across_transports(ONE, TWO)
    assert points(made) == 1 + 1 + 5
    assert transports(made) == {9: 1}
    assert transports(made, 1) == {10: 1}
    assert transports(made, 2) == {10: 1}


def test_transports_on_the_crossed_cell_live_if_the_defender_wins():
    # p. 28: "the Transports are only destroyed if you win the battle"
    made = across_transports(TWO, ONE)
    assert [points(made, seat) for seat in range(3)] == [0, 2, 0]
    assert transports(made, 1) == {9: 2, 10: 1}
    assert transports(made, 2) == {9: 3, 10: 1}


def test_the_defender_destroys_none_of_the_attackers_transports():
    # p. 35: the losing fleet alone.
    made = attack(transports={9: 4}, deck=[TWO, ONE, END])
    play(made, "pass", "pass")
    assert transports(made) == {9: 4}
    assert points(made, 1) == 2


def test_a_win_on_a_longer_path_adds_to_what_was_destroyed_on_the_way():
    # 8-9 → (9: one Transport, at once) → 9-10 → (10: two, with the battle) → 10-11.
    made = using(
        91,
        rival={"cruisers": {"10-11": 1}, "transports": {9: 1, 10: 2, 12: 1}},
        deck=[ONE, TWO, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-11")
    assert points(made) == 1
    play(made, "pass", "pass")
    assert points(made) == 1 + 1 + 1 + 2
    assert transports(made, 1) == {12: 1}
    assert cruisers(made) == {"10-11": 1}


def test_a_loss_on_a_longer_path_destroys_the_fleet_and_keeps_the_points():
    made = using(
        91,
        rival={"cruisers": {"10-11": 1}, "transports": {9: 1, 10: 2, 12: 1}},
        deck=[TWO, ONE, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-11", "pass", "pass")
    assert (points(made), points(made, 1)) == (1, 2)
    assert cruisers(made) == {}
    assert transports(made, 1) == {10: 2, 12: 1}


def test_all_cards_used_in_the_battle_are_discarded():
    # p. 35. Bluffs were not used.
    made = attack(2, 1, hand=[66, 7], rival={"hand": [33, 8]}, deck=[ONE, TWO, THREE, END])
    before = Counter(discard(made))
    play(made, "card 33", "card 8", "pass", "card 66", "card 7", "pass")
    assert Counter(discard(made)) - before == Counter([33, 66, ONE, TWO, THREE])
    assert int(made.state["table_count"]) == 0
    assert impulse(made) == [12, 106]
    assert (hand(made), hand(made, 1)) == ([7], [8])


def test_the_turn_continues_after_a_lost_battle():
    made = attack(deck=[TWO, ONE, END])
    play(made, "pass", "pass")
    assert is_done(made)


def test_a_battle_may_follow_a_battle_in_one_turn():
    made = using(
        12,
        after=78,
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1, "10-11": 1}},
        deck=[ONE, TWO, 17, 7, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass", "use")
    play(made, "gate 9-10", "ships 1", "gate 10-11", "pass", "pass")
    assert made.scores == [5, 0]  # two battles and a gate of the Sector Core
    assert cruisers(made) == {"10-11": 1}


# --- The deck runs out --------------------------------------------------------------------------


def test_the_discard_pile_becomes_the_deck_in_the_middle_of_a_battle():
    # p. 16; the cards in the battle are not in it until it is over.
    made = attack(1, 2, deck=[TWO], discard=[11, 84], hand=[66], rival={"hand": []})
    play(made, "pass", "card 66", "pass")
    # Defender 2 + 1, attacker 2 + 1: a tie. The deck was emptied again by the last card.
    assert cruisers(made) == {}
    assert points(made, 1) == 2
    assert sorted(deck(made)) == sorted([TWO, 11, 11, 66])
    assert discard(made) == []


def test_when_no_card_is_left_all_players_discard_two_in_the_middle_of_a_battle():
    # p. 42. The defender's second Cruiser needs a card: from the active player on.
    made = attack(1, 2, deck=[TWO], discard=[], hand=[2, 54, 77, 66], rival={"hand": [29, 85, 102]})
    play(made, "pass", "card 66", "pass")
    assert (made.decision.kind, made.seat) == ("discard_for_deck", 0)
    assert names(made) == ["card 2"]
    play(made, "card 2", "card 2")
    assert (made.decision.kind, made.seat) == ("discard_for_deck", 1)
    play(made, "card 29", "card 85")
    # Size 1 all of them: 2 + 1 against 2 + 1.
    assert is_done(made)
    assert cruisers(made) == {}
    assert (hand(made), hand(made, 1)) == ([2], [73])
    # Two of the four were drawn; the rest of the deck and what fought are left.
    assert len(deck(made)) == 2
    assert sorted(deck(made) + discard(made)) == sorted([TWO, 66, 2, 2, 29, 85])


def test_a_bluff_that_returned_can_be_discarded_for_the_new_deck():
    # p. 34 before p. 42: bluffs are back in the hand when the cards are drawn.
    made = attack(1, 1, deck=[], discard=[], hand=[2], rival={"hand": []})
    play(made, "pass", "card 2", "pass")
    # The only card of all goes to the deck and is the defender's.
    assert hand(made) == []
    assert cruisers(made) == {}


def test_without_any_card_at_all_the_tie_of_nothing_is_the_defenders():
    # p. 42, section 10: "If there is still none, the draw does not happen."
    made = attack(2, 1, deck=[], discard=[], hand=[], rival={"hand": []})
    play(made, "pass", "pass")
    assert is_done(made)
    assert cruisers(made) == {}
    assert points(made, 1) == 3


def test_without_any_card_at_all_reinforcements_still_decide():
    made = attack(1, 2, deck=[], discard=[], hand=[66], rival={"hand": []})
    play(made, "pass", "card 66", "pass")
    assert cruisers(made) == {"9-10": 1}
    assert points(made) == 3
    assert minerals(made) == []


# --- The end of the game in a battle ------------------------------------------------------------


@pytest.mark.parametrize("score", [18, 19])
def test_the_defender_can_win_the_game_in_the_attackers_turn(score):
    # p. 16: "even if it is not that player's turn"
    made = attack(deck=[TWO, ONE, END], rival={"score": score})
    play(made, "pass", "pass")
    assert made.is_over
    assert made.winners == [1]
    assert made.legal_actions() == []


def test_the_attacker_wins_the_game_by_a_battle_at_once():
    # p. 16: 16 + 1 + 1 + 2; the next Impulse card is not offered any more.
    made = attack(deck=[ONE, TWO, END], score=16, rival={"transports": {9: 2, 12: 1}})
    play(made, "pass", "pass")
    assert made.is_over
    assert made.winners == [0]
    assert made.scores == [20, 0]


def test_p9_after_the_point_that_wins_the_game_the_ships_of_the_battle_score_nothing():
    # p. 16: "The game ends immediately"; 19 + 1 for the battle, not + 3 for the ships.
    made = attack(deck=[ONE, TWO, END], score=19, rival={"transports": {9: 2, 12: 1}})
    play(made, "pass", "pass")
    assert made.winners == [0]
    assert made.scores == [20, 0]
    assert made.state["points"].sum() == 20


def test_the_game_continues_below_the_target():
    made = attack(deck=[ONE, TWO, END], score=15, rival={"transports": {9: 2, 12: 1}})
    play(made, "pass", "pass")
    assert not made.is_over
    assert points(made) == 19


def test_losing_the_last_ships_in_a_battle_ends_a_game_of_two():
    # p. 17: "If all players but one are eliminated, the game ends."
    made = attack(transports={}, deck=[TWO, ONE, END])
    play(made, "pass", "pass")
    assert made.is_over
    assert made.winners == [1]


def test_beating_the_last_ships_in_a_battle_ends_a_game_of_two():
    made = attack(deck=[ONE, TWO, END], rival={"transports": {9: 2}})
    play(made, "pass", "pass")
    assert made.is_over
    assert made.winners == [0]


# --- The same battles by a second road ----------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
def test_random_battles_end_as_the_rules_say(seed):
    # pp. 34-35 worked out from the printed cards alone.
    rng = np.random.default_rng(seed)
    numbers = [n for n in PRINTED if n not in (12, 106)]
    cards = [int(n) for n in rng.permutation(numbers)]
    deal = iter(cards)

    def take(n):
        return [next(deal) for _ in range(n)]

    hands = [take(int(rng.integers(0, 11))) for _ in range(2)]
    plans = [take(int(rng.integers(0, 4))) for _ in range(2)]
    tech_slots = [[*take(1), "basic"] for _ in range(2)]
    before = take(2)
    ships = [int(n) for n in rng.integers(1, 5, 2)]
    pile = take(sum(ships) + 1)
    crossed = int(rng.integers(0, 3))
    made = using(
        12,
        impulse=before,
        hand=hands[0],
        plan=plans[0],
        techs=tech_slots[0],
        transports={8: 1},
        cruisers={"8-9": ships[0] + 1},
        rival={
            "hand": hands[1],
            "plan": plans[1],
            "techs": tech_slots[1],
            "transports": {12: 1, 9: crossed},
            "cruisers": {"9-10": ships[1]},
        },
        deck=pile,
    )
    gone = discard(made)
    play(made, "gate 8-9", f"ships {ships[0]}", "gate 9-10")
    laid = [[card for card in cards if rng.random() < 0.7] for cards in hands]
    for seat in (1, 0):
        for card in laid[seat]:
            assert made.seat == seat
            play(made, made.name(made.action(f"card {card}")))
        play(made, "pass")
    assert is_done(made)

    counted = []
    for seat in range(2):
        shown = [*before, 12, 106, *plans[seat], tech_slots[seat][0]]
        matched = {color_and_size(card) for card in shown}
        counted.append([card for card in laid[seat] if color_and_size(card) in matched])
    drawn = [pile[ships[1] : -1], pile[: ships[1]]]
    icons = [sum(color_and_size(c)[1] for c in counted[seat] + drawn[seat]) for seat in range(2)]
    attacker_wins = icons[0] > icons[1]
    expected = [1 + ships[1] + crossed, 0] if attacker_wins else [0, 1 + ships[0]]
    assert made.scores == expected
    assert cruisers(made) == ({"8-9": 1, "9-10": ships[0]} if attacker_wins else {"8-9": 1})
    assert cruisers(made, 1) == ({} if attacker_wins else {"9-10": ships[1]})
    assert transports(made, 1).get(9, 0) == (0 if attacker_wins else crossed)
    used = [*counted[0], *counted[1], *pile[:-1]]
    assert Counter(discard(made)) - Counter(gone) == Counter(faces(used))
    for seat in range(2):
        kept = [card for card in hands[seat] if card not in counted[seat]]
        assert hand(made, seat) == faces(kept)
        shown = [card for card in laid[seat] if card not in counted[seat]]
        assert known(made, seat) == faces(shown)
