"""Every way in which a game or a player's part in it ends (pp. 16-18; R5, R10, P9)."""

from collections import Counter

import pytest

from helpers import (
    cruisers,
    deck,
    discard,
    face_up,
    game,
    hand,
    impulse,
    is_done,
    minerals,
    names,
    next_plan,
    plan,
    play,
    points,
    techs,
    using,
)
from impulse_env.errors import IllegalActionError

PEACEFUL = {"transports": {12: 1}}
"""A rival who patrols nothing."""
ONE, TWO = 3, 9
"""Cards of the deck with so many icons."""
END = 108
"""The card that must be next when all that is to be drawn was drawn."""


def assert_won(made, *winners):
    assert made.is_over
    assert not made.is_truncated
    assert made.winners == list(winners)
    assert made.seat is None
    assert made.legal_actions() == []
    assert not made.legal_mask().any()
    assert made.decision.kind == "over"


# --- Twenty points (p. 16) ----------------------------------------------------------------------


def test_the_game_ends_at_once_when_the_sector_core_brings_the_twentieth_point():
    made = using(35, score=19, transports={9: 1}, rival=PEACEFUL, hand=[2])
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert_won(made, 0)
    assert made.scores == [20, 0]
    assert made.turn == 0


def test_nineteen_points_are_not_enough():
    made = using(35, score=18, transports={9: 1}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert points(made) == 19
    assert is_done(made)


def test_an_ended_game_takes_no_action():
    made = using(35, score=19, transports={9: 1}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    for action in ("pass", "use", "card 2"):
        with pytest.raises(IllegalActionError):
            made.step(action)


def test_the_game_ends_in_the_middle_of_a_trade():
    # Card 68: trade two size [1] cards. The second stays in hand.
    made = using(68, score=19, hand=[2, 31], rival=PEACEFUL)
    play(made, "card 2")
    assert_won(made, 0)
    assert hand(made) == [31]


def test_the_game_ends_in_the_middle_of_a_refine():
    # Card 43: refine [1] mineral for a point per gem; two with two green gems.
    made = using(43, score=18, minerals=[76, 31, 16], rival=PEACEFUL)
    play(made, "card 76")
    assert_won(made, 0)
    assert minerals(made) == [16, 31]


def test_points_may_pass_the_target():
    # P9: an event is not cut in two.
    made = using(83, score=19, hand=[5], rival=PEACEFUL)
    play(made, "card 5")
    assert_won(made, 0)
    assert points(made) == 22


def test_the_game_ends_in_the_middle_of_a_path():
    # p. 16: the Transport of 9 is the twentieth point; 14 is not explored any more.
    made = using(
        91,
        score=19,
        cruisers={"8-9": 1},
        face_down={14: 57},
        rival={"transports": {9: 1, 12: 1}},
    )
    play(made, "gate 8-9", "ships 1", "gate 9-14", "gate 14-15")
    assert_won(made, 0)
    assert face_up(made, 14) is None


def test_the_game_ends_before_the_second_of_two_battles():
    made = using(
        98,
        score=18,
        cruisers={"8-9": 1, "9-14": 1},
        others=[{"cruisers": {"9-10": 1, "2-3": 1}}, {"cruisers": {"9-13": 1}, "hand": [2]}],
        deck=[ONE, TWO, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 9-14", "ships 1", "gate 9-13")
    play(made, "pass", "pass")
    assert_won(made, 0)
    assert cruisers(made, 2) == {"9-13": 1}


def test_cards_executed_and_plans_in_use_stop_too():
    # The Plan's second card is never offered.
    made = game(
        phase="use_plan",
        cursor=0,
        plan=[83, 5],
        score=17,
        hand=[92],
        rival=PEACEFUL,
        deck=[31, 35, END],
    )
    play(made, "use", "card 92")
    assert_won(made, 0)
    assert deck(made) == [31, 35, END]


@pytest.mark.parametrize(
    ("gates", "score"),
    [
        ({}, 0),
        ({"9-10": 1}, 1),
        ({"9-10": 5}, 1),
        ({"5-10": 1, "9-10": 2, "10-15": 1}, 3),
        ({"5-10": 1, "6-10": 1, "9-10": 1, "10-11": 1, "10-14": 1, "10-15": 1}, 6),
        ({"5-9": 1, "4-9": 1}, 0),
    ],
)
def test_each_gate_of_the_sector_core_with_own_cruisers_scores_a_point_at_the_end_of_the_turn(
    gates, score
):
    # p. 13: "the size of each fleet is irrelevant"
    made = game(
        impulse=[106], phase="use_impulse", transports={8: 1}, cruisers=gates, rival=PEACEFUL
    )
    play(made, "pass")
    assert made.seat == 1
    assert made.scores == [score, 0]


def test_patrols_of_the_sector_core_score_in_the_own_turn_only():
    made = game(
        impulse=[106],
        phase="use_impulse",
        transports={8: 1},
        rival={"cruisers": {"9-10": 1, "10-11": 1}},
    )
    play(made, "pass")
    assert made.scores == [0, 0]


def test_patrols_win_the_game_before_cards_are_drawn():
    # p. 13: step 5 comes before step 6.
    made = game(
        impulse=[106],
        phase="use_impulse",
        score=18,
        transports={8: 1},
        cruisers={"5-10": 1, "9-10": 1},
        rival=PEACEFUL,
        deck=[31, 35, END],
    )
    play(made, "pass")
    assert_won(made, 0)
    assert deck(made) == [31, 35, END]
    assert made.turn == 0


def test_a_lower_target_can_be_chosen():
    # section 12
    made = using(35, transports={9: 1}, config={"target_score": 1}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert_won(made, 0)


def test_a_higher_target_can_be_chosen():
    made = using(35, score=25, transports={9: 1}, config={"target_score": 30}, rival=PEACEFUL)
    play(made, "cell 9", "ships 1", "cell 10", "color red")
    assert not made.is_over


# --- Elimination (p. 17) ------------------------------------------------------------------------

VICTIM = {
    "transports": {9: 2},
    "hand": [5, 7, 31],
    "known": [7],
    "plan": [8, 14],
    "minerals": [16, 19],
    "techs": [18, "basic"],
    "score": 11,
}
VICTIMS_CARDS = Counter([5, 7, 31, 8, 14, 16, 19, 18])


def about_to_shoot(**fields):
    """Return a game of three in which seat 0 will cross 9 and destroy all ships of seat 1."""
    return using(
        31,
        others=[VICTIM, {"transports": {19: 1}, "hand": [2, 54]}],
        deck=[10, 22, END],
        **fields,
    )


def shot_down(**fields):
    return play(about_to_shoot(**fields), "gate 8-9", "ships 1", "gate 9-13")


def discard_gain(made, before):
    return Counter(discard(made)) - Counter(before)


def test_a_player_without_ships_is_out_at_once_and_everything_is_discarded():
    # p. 17: "An eliminated player's Command Center cards and hands are all discarded."
    made = shot_down()
    assert made.state["eliminated"][1]
    assert (hand(made, 1), plan(made, 1), minerals(made, 1)) == ([], [], [])
    assert techs(made, 1) == ["basic", "basic"]
    assert discard_gain(made, discard(about_to_shoot())) == VICTIMS_CARDS
    assert points(made) == 2
    assert points(made, 1) == 11
    assert is_done(made)
    # Nothing is known of a hand that is gone, no gem is left.
    assert int(made.state["known_count"][1]) == 0
    assert not made.state["gems"][1].any()


def test_an_eliminated_player_takes_no_more_turns():
    made = shot_down()
    play(made, "pass")
    assert made.seat == 2
    assert made.decision.kind == "add_impulse"
    play(made, "card 2")
    for _ in range(20):
        if made.seat != 2:
            break
        play(made, "pass")
    assert made.seat == 0
    assert made.turn == 2


def test_the_home_card_of_an_eliminated_player_stays():
    # R10
    made = shot_down(face_up={3: 66})
    assert face_up(made, 3) == 66
    assert discard_gain(made, discard(about_to_shoot(face_up={3: 66}))) == VICTIMS_CARDS


def test_an_eliminated_players_home_can_be_activated():
    # R10: "as any other card"; in a game of three 3 is the home of seat 1.
    made = using(
        31,
        after=35,
        transports={2: 1},
        cruisers={"8-9": 1},
        face_up={3: 66},
        others=[VICTIM, {"transports": {19: 1}}],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-13", "use", "cell 2", "ships 1", "cell 3")
    assert made.decision.kind == "activate"
    assert "card 66 " in made.describe("use")


def test_a_path_continues_when_a_player_is_eliminated_on_the_way():
    made = using(
        91,
        others=[{"transports": {9: 1}}, {"transports": {10: 1, 19: 1}}],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 10-11")
    assert made.state["eliminated"][1]
    assert cruisers(made) == {"10-11": 1}
    assert points(made) == 2


def test_the_position_names_the_eliminated():
    position = shot_down().to_position()
    assert [seat["eliminated"] for seat in position["seats"]] == [False, True, False]


def test_the_last_player_wins_whatever_the_scores():
    # p. 17
    made = using(31, rival={"transports": {9: 1}, "score": 19})
    play(made, "gate 8-9", "ships 1", "gate 9-13")
    assert_won(made, 0)
    assert made.scores == [1, 19]


def test_two_players_can_be_eliminated_by_one_move():
    made = using(31, others=[{"transports": {9: 1}}, {"transports": {9: 2}}])
    play(made, "gate 8-9", "ships 1", "gate 9-13")
    assert_won(made, 0)
    assert points(made) == 3


def test_of_three_players_two_play_on():
    made = shot_down()
    assert not made.is_over
    assert made.winners == []


ATTACKER = {
    "transports": {},
    "cruisers": {"8-9": 1},
    "hand": [2, 16],
    "minerals": [19],
    "techs": ["basic", 18],
    "plan": [8],
}


def test_who_is_eliminated_in_the_own_turn_loses_the_rest_of_it():
    # P11; p. 17: "eliminated from play". No more Impulse cards, no Plan, no draw; the next seat's
    # turn begins.
    made = using(
        31,
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}, "hand": [3]}, {}],
        deck=[TWO, 10, END],
        **ATTACKER,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.state["eliminated"][0]
    assert (made.seat, made.decision.kind) == (1, "add_impulse")
    assert made.turn == 1
    assert points(made, 1) == 2
    assert (hand(made), plan(made), minerals(made)) == ([], [], [])
    assert techs(made) == ["basic", "basic"]
    assert deck(made) == [END]
    assert Counter([2, 16, 19, 18, 8]) - Counter(discard(made)) == Counter()


def test_the_impulse_is_trimmed_all_the_same():
    # p. 13, P11: the next player must find three cards.
    made = using(
        31,
        impulse=[7, 14],
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}, "hand": [3]}, {}],
        deck=[TWO, 10, END],
        **ATTACKER,
    )
    assert len(impulse(made)) == 4
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert impulse(made) == [14, 31, 106]


def test_the_sector_core_is_not_scored_by_the_eliminated():
    made = using(
        31,
        others=[{"transports": {3: 1}, "cruisers": {"10-11": 1}}, {}],
        deck=[TWO, 10, END],
        **(ATTACKER | {"cruisers": {"9-10": 1}}),
    )
    play(made, "gate 9-10", "ships 1", "gate 10-11", "pass", "pass")
    assert made.scores == [0, 2, 0]


def test_what_was_being_executed_is_discarded_with_the_rest():
    # Card 31 from the hand, executed by card 89, costs the last ship.
    made = using(
        89,
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}}, {}],
        deck=[TWO, 10, END],
        **(ATTACKER | {"hand": [31, 16]}),
    )
    before = discard(made)
    play(made, "card 31", "use", "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.seat == 1
    assert int(made.state["table_count"]) == 0
    assert int(made.state["stack_count"]) == 0
    assert discard_gain(made, before) == Counter([31, 16, 19, 18, 8, TWO, 10])


def test_a_plan_in_use_is_discarded_with_the_rest():
    made = game(
        phase="use_plan",
        cursor=0,
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}}, {}],
        deck=[TWO, 10, END],
        **(ATTACKER | {"plan": [31, 8], "next_plan": [14]}),
    )
    play(made, "use", "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.seat == 1
    assert (plan(made), next_plan(made)) == ([], [])
    assert Counter([31, 8, 14]) - Counter(discard(made)) == Counter()


def test_a_transport_keeps_the_attacker_in_the_game():
    # p. 17: only "no ships on the board" eliminates.
    made = using(
        31,
        transports={8: 1},
        cruisers={"8-9": 1},
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}}, {}],
        deck=[TWO, 10, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert not made.state["eliminated"][0]
    assert is_done(made)


def two_battles(*drawn):
    """All ships of seat 0, two Cruisers, attack one of seat 1 and one of seat 2."""
    made = using(
        98,
        transports={},
        cruisers={"8-9": 1, "9-14": 1},
        others=[
            {"transports": {3: 1}, "cruisers": {"9-10": 1}},
            {"transports": {19: 1}, "cruisers": {"9-13": 1}},
        ],
        deck=[*drawn, END],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "gate 9-14", "ships 1", "gate 9-13")
    return play(made, "pass", "pass")


def test_a_second_fleet_keeps_the_attacker_in_the_game_between_two_battles():
    # R4: the first battle is lost, the second is fought all the same.
    made = two_battles(TWO, ONE, 17, 7)
    assert not made.state["eliminated"][0]
    play(made, "pass", "pass")
    assert cruisers(made) == {"9-13": 1}
    assert made.scores == [2, 2, 0]
    assert is_done(made)


def test_losing_both_of_two_battles_eliminates():
    made = play(two_battles(TWO, ONE, 7, 17), "pass", "pass")
    assert made.state["eliminated"][0]
    assert made.seat == 1
    assert made.scores == [0, 2, 2]


def test_the_cards_of_the_eliminated_make_a_new_deck_if_it_is_empty():
    # p. 16: "Any time the deck is empty, the discard pile should be shuffled".
    made = using(
        31,
        others=[VICTIM, {"transports": {19: 1}}],
        deck=[],
        discard=[],
    )
    play(made, "gate 8-9", "ships 1", "gate 9-13")
    assert Counter(deck(made)) == VICTIMS_CARDS
    assert discard(made) == []


# --- Truncation (R5) ----------------------------------------------------------------------------


LAST_TURN = {"turn": 4, "config": {"max_turns": 5}}


def offered_in_the_last_turn(**fields):
    """A game at its last Impulse card, in the last turn that its options allow."""
    return game(impulse=[106], phase="use_impulse", rival=PEACEFUL, **LAST_TURN, **fields)


def test_a_game_is_truncated_after_its_last_allowed_turn():
    made = offered_in_the_last_turn(score=12)
    play(made, "pass")
    assert made.is_over
    assert made.is_truncated
    assert made.winners == []
    assert made.seat is None
    assert made.legal_actions() == []
    assert made.turn == 5


@pytest.mark.parametrize(("turn", "is_over"), [(298, False), (299, True)])
def test_three_hundred_player_turns_are_the_default(turn, is_over):
    made = game(impulse=[106], phase="use_impulse", turn=turn, rival=PEACEFUL)
    play(made, "pass")
    assert made.is_over == is_over


def test_a_win_in_the_last_turn_is_a_win():
    made = offered_in_the_last_turn(score=19, transports={8: 1}, cruisers={"9-10": 1})
    play(made, "pass")
    assert_won(made, 0)


def test_an_elimination_in_the_last_turn_is_no_win_while_two_are_left():
    made = using(
        31,
        others=[{"transports": {3: 1}, "cruisers": {"9-10": 1}}, {}],
        deck=[TWO, 10, END],
        **LAST_TURN,
        **ATTACKER,
    )
    play(made, "gate 8-9", "ships 1", "gate 9-10", "pass", "pass")
    assert made.is_truncated
    assert made.winners == []


def test_the_last_turn_is_played_to_its_end():
    # p. 13: the points of step 5 still count.
    made = offered_in_the_last_turn(transports={8: 1}, cruisers={"9-10": 1})
    assert names(made) == ["pass"]
    play(made, "pass")
    assert made.is_truncated
    assert made.scores == [1, 0]
