"""Exploring: what ships that move onto or across a face-down card find (pp. 17, 31, R8)."""

import pytest

from helpers import (
    cruisers,
    deck,
    face_up,
    game,
    hand,
    is_done,
    known,
    names,
    play,
    points,
    transports,
    using,
)

PEACEFUL = {"transports": {12: 1}}
"""A rival who patrols nothing."""


def test_transports_take_the_card_they_find_and_place_any_card_of_the_hand():
    # p. 31
    made = using(35, hand=[2, 5], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert made.decision.kind == "place_explored"
    assert hand(made) == [2, 5, 57]
    play(made, "card 5")
    assert hand(made) == [2, 57]
    assert face_up(made, 9) == 5


def test_the_card_that_was_found_may_be_placed_itself():
    # p. 31: "possibly the one you picked up"
    made = using(35, hand=[2, 5], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "card 57")
    assert hand(made) == [2, 5]
    assert face_up(made, 9) == 57


def test_placing_a_card_is_mandatory():
    # p. 31: only Command itself is optional.
    made = using(35, hand=[2, 5], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert names(made) == ["card 2", "card 5", "card 57"]


def test_with_an_empty_hand_the_found_card_goes_back_face_up():
    made = using(35, hand=[], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert names(made) == ["card 57"]


def test_a_copy_of_a_hand_card_may_be_found():
    made = using(35, hand=[31], face_down={9: 38}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert hand(made) == [31, 31]
    play(made, "card 31")
    assert hand(made) == [31]


def test_the_hand_may_have_eleven_cards_for_a_moment():
    # p. 17: "The only time the hand limit is ignored is when exploring … with 10 cards".
    ten = [2, 3, 5, 7, 8, 9, 11, 14, 15, 16]
    made = using(35, hand=ten, face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert hand(made) == [*ten, 57]
    assert names(made) == [f"card {card}" for card in [*ten, 57]]
    play(made, "card 2", "pass")
    assert hand(made) == [*ten[1:], 57]
    assert is_done(made)


def test_a_full_hand_explores_several_cells_one_after_another():
    # p. 17: "At the end of the explore, you will be back down to 10" before the next.
    ten = [2, 3, 5, 7, 8, 9, 11, 14, 15, 16]
    made = using(40, hand=ten, face_down={9: 57, 5: 62}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "cell 5")
    assert hand(made) == [*ten, 57]
    play(made, "card 2")
    assert hand(made) == [*ten[1:], 57, 62]
    play(made, "card 3", "pass")
    assert hand(made) == [*ten[2:], 57, 62]


def test_a_lower_hand_limit_is_passed_for_a_moment_too():
    # section 12: the French rules' limit of 8
    eight = [2, 3, 5, 7, 8, 9, 11, 14]
    made = using(35, hand=eight, face_down={9: 57}, config={"hand_limit": 8}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert hand(made) == [*eight, 57]


def test_the_explored_card_is_activated_with_the_transports_that_found_it():
    # p. 31: "the card they end their movement on will be activated immediately"; p. 23. Card 10
    # from hand: build [1] + 1 Transports at home.
    made = using(88, hand=[10], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 2", "cell 9", "card 10")
    assert made.decision.kind == "activate"
    play(made, "use", "cell 8", "cell 8")
    assert transports(made) == {8: 2, 9: 2}
    assert is_done(made)


def test_no_card_of_the_deck_is_touched():
    made = using(35, face_down={9: 57}, rival=PEACEFUL, deck=[31, 108])
    play(made, "cell 8", "ships 1", "cell 9", "card 57", "pass")
    assert deck(made) == [31, 108]


def test_transports_explore_what_they_pass_through_as_well_one_at_a_time_in_path_order():
    # p. 31: "If you explore multiple cards during one movement, explore them one at a time."
    made = using(40, hand=[2], face_down={9: 57, 5: 62}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "cell 5")
    assert hand(made) == [2, 57]
    assert face_up(made, 5) is None
    assert transports(made) == {8: 2}
    play(made, "card 2")
    assert hand(made) == [57, 62]
    play(made, "card 57")
    assert (face_up(made, 9), face_up(made, 5)) == (2, 57)
    assert hand(made) == [62]
    assert transports(made) == {8: 1, 5: 1}


def test_the_card_found_first_may_be_placed_last():
    made = using(40, hand=[2], face_down={9: 57, 5: 62}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "cell 5", "card 2", "card 62")
    assert hand(made) == [57]
    assert face_up(made, 5) == 62


def test_a_cell_passed_twice_is_explored_once():
    # R3: 8 → 9 → 8 explores 9 and activates nothing (p. 28).
    made = using(40, face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "cell 8", "card 57")
    assert is_done(made)
    assert transports(made) == {8: 2}


def test_a_face_up_card_is_not_explored():
    made = using(35, hand=[2], face_up={9: 5}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9")
    assert made.decision.kind == "activate"
    assert hand(made) == [2]


def test_cruisers_explore_only_the_cell_they_cross():
    # p. 31. From 4-9 across 9 to 9-13: the far cells of both gates stay face-down.
    made = using(31, cruisers={"4-9": 1}, face_down={4: 62, 9: 57, 13: 11}, rival=PEACEFUL)
    play(made, "gate 4-9", "ships 1", "gate 9-13")
    assert hand(made) == [57]
    play(made, "card 57")
    assert is_done(made)
    assert face_up(made, 4) is None
    assert face_up(made, 13) is None
    assert cruisers(made) == {"9-13": 1}


def test_cruisers_explore_every_cell_they_cross_in_path_order():
    # 8-9 → (9) → 9-14 → (14) → 14-15; 15 stays face-down.
    made = using(91, cruisers={"8-9": 1}, face_down={9: 57, 14: 62, 15: 11}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 1", "gate 9-14", "gate 14-15")
    assert hand(made) == [57]
    play(made, "card 57")
    assert hand(made) == [62]
    play(made, "card 62")
    assert is_done(made)
    assert face_up(made, 15) is None


def test_cruisers_that_explore_activate_nothing():
    made = using(31, transports={9: 1}, cruisers={"8-9": 1}, face_down={9: 5}, rival=PEACEFUL)
    play(made, "gate 8-9", "ships 1", "gate 9-10", "card 5")
    assert is_done(made)


def test_transports_crossed_later_live_until_the_exploring_before_is_over():
    # p. 28: "at that step". 8-9 → (9, face-down) → 9-10 → (10 with two Transports).
    made = using(91, cruisers={"8-9": 1}, face_down={9: 57}, rival={"transports": {10: 2, 12: 1}})
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-11")
    assert points(made) == 0
    play(made, "card 57")
    assert points(made) == 2


def test_a_crossed_face_down_cell_is_explored_before_the_battle():
    # R8
    made = using(
        31, cruisers={"8-9": 1}, face_down={9: 57}, rival={"cruisers": {"9-10": 1}, "hand": [2]}
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10")
    assert made.decision.kind == "place_explored"
    assert made.seat == 0
    play(made, "card 57")
    assert made.decision.kind == "reinforce"
    assert made.seat == 1


def test_the_card_found_before_a_battle_can_reinforce_in_it():
    # R8. Card 38 (yellow 1) matches card 31 on the Impulse.
    made = using(
        31,
        hand=[2],
        cruisers={"8-9": 1},
        face_down={9: 38},
        rival={"cruisers": {"9-10": 1}},
        deck=[35, 108, 45],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "card 2", "pass", "card 31", "pass")
    assert cruisers(made) == {"9-10": 1}  # 1 + 1 against 1
    assert deck(made) == [45]


@pytest.mark.parametrize("is_placed", [True, False])
def test_a_known_hand_card_is_known_until_it_is_placed(is_placed):
    # R12; what was found was seen by its finder alone.
    made = using(35, hand=[2, 5], known=[5], face_down={9: 57}, rival=PEACEFUL)
    play(made, "cell 8", "ships 1", "cell 9", "card 5" if is_placed else "card 2")
    assert known(made) == ([] if is_placed else [5])


def test_a_forced_placement_is_made_by_the_engine():
    # With `auto_forced` the only fleet, its only ships and the only card need no decision.
    made = using(
        35, transports={8: 1}, face_down={9: 57}, rival=PEACEFUL, config={"auto_forced": True}
    )
    play(made, "cell 9")
    assert face_up(made, 9) == 57


def test_unexplored_cells_are_open_to_everyone_and_explored_by_the_first():
    made = game(
        impulse=[35, 41],
        phase="use_impulse",
        transports={8: 1, 4: 1},
        hand=[2],
        face_down={9: 57},
        rival=PEACEFUL,
    )
    play(made, "use", "cell 8", "ships 1", "cell 9", "card 57", "pass")
    play(made, "use", "cell 4", "ships 1", "cell 9")
    assert made.decision.kind == "activate"
    assert hand(made) == [2]
