"""The six steps of a turn in their order (p. 13)."""

import pytest

from helpers import (
    cruisers,
    deck,
    discard,
    game,
    hand,
    impulse,
    names,
    next_plan,
    plan,
    play,
)
from impulse_env.engine.constants import PointSource
from impulse_env.game import Game
from printed import ALL_CARDS, lying

FAR = {"transports": {8: 1}, "cruisers": {}}


def finish_turn(made):
    """Decline everything that is left of this turn."""
    turn = made.turn
    while made.turn == turn:
        play(made, "pass" if "pass" in names(made) else names(made)[0])
    return made


# --- The steps ----------------------------------------------------------------------------------


def test_the_six_steps_come_in_order_p13():
    made = game(
        hand=[28, 75, 13, 9],
        impulse=[83, 14, 39],
        plan=[36],
        techs=["basic", 68],
        minerals=[],
        deck=[1, 3, 5, 33],
        transports={8: 1},
        cruisers={"9-10": 1},
    )
    seen = []

    def note():
        position = made.to_position()
        seen.append((position["phase"], position.get("cursor")))
        assert Game.from_position(position) == made, "a position at every step's start"

    note()
    play(made, "card 28")
    assert impulse(made) == [83, 14, 39, 28], "at the new end"
    note()
    play(made, "pass")
    note()
    play(made, "use", "card 75")
    assert made.scores[0] == 3
    note()
    play(made, "use", "card 13", "pass")
    note()
    play(made, "pass")
    note()
    play(made, "pass")
    note()
    assert plan(made) == [28, 13]
    play(made, "use")
    note()
    play(made, "pass")
    note()
    play(made, "pass")
    assert seen == [
        ("add_impulse", None),
        ("use_tech", None),
        ("use_impulse", 0),
        ("use_impulse", 1),
        ("use_impulse", 2),
        ("use_impulse", 3),
        ("use_plan", None),
        ("use_plan", 0),
        ("use_plan", 1),
    ]
    assert (made.seat, made.turn) == (1, 1)
    assert made.scores[0] == 4, "one gate of the Sector Core"
    assert hand(made) == [1, 3, 9]
    assert deck(made) == [5, 33]
    assert impulse(made) == [14, 39, 28], "the oldest card is gone"
    assert {83, 13, 28} <= set(discard(made))
    assert lying(made) == ALL_CARDS


# --- 1. Add -------------------------------------------------------------------------------------


def test_adding_a_card_to_the_impulse_is_mandatory_p12():
    made = game(hand=[28, 75, 76])
    assert made.decision.kind == "add_impulse"
    assert names(made) == ["card 28", "card 75", "card 76"], "no pass"


def test_a_single_card_in_hand_must_be_added_p12():
    assert names(game(hand=[28])) == ["card 28"]
    forced = game(hand=[28], config={"auto_forced": True})
    assert impulse(forced) == [28]


def test_with_an_empty_hand_nothing_is_added_p12():
    made = game(hand=[], impulse=[83, 14, 39])
    assert made.decision.kind == "use_tech"
    assert impulse(made) == [83, 14, 39]
    finish_turn(made)
    assert impulse(made) == [83, 14, 39], "three cards stay"


# --- 3. The Impulse -----------------------------------------------------------------------------


def test_impulse_cards_are_used_oldest_first_and_the_added_one_last_p11():
    made = play(game(hand=[28], impulse=[83, 14, 39], **FAR), "card 28", "pass")
    order = []
    while made.decision.kind == "use_impulse":
        order.append(int(made.decision.prompt.split("card ")[1].split()[0]))
        play(made, "pass")
    assert order == [83, 14, 39, 28]


def test_every_impulse_card_may_be_declined_p12():
    made = game(phase="use_impulse", impulse=[1, 28, 83, 5], hand=[75], deck=[3, 9, 6, 20])
    for _ in range(4):
        assert names(made) == ["pass", "use"]
        play(made, "pass")
    assert made.turn == 1


def test_the_impulse_is_common_and_stays_for_the_others_p11():
    made = finish_turn(game(hand=[28], impulse=[83, 14, 39], rival={"hand": [75]}, **FAR))
    assert (made.seat, impulse(made)) == (1, [14, 39, 28])
    play(made, "card 75")
    assert impulse(made) == [14, 39, 28, 75]


def test_the_impulse_grows_to_three_before_it_is_trimmed_p13():
    made = game(hand=[28, 83, 14, 39, 35, 70], rival={"hand": [10, 11, 16, 17, 22, 36]}, **FAR)
    lengths = []
    for _ in range(6):
        finish_turn(made)
        lengths.append(len(impulse(made)))
    assert lengths == [1, 2, 3, 3, 3, 3]


# --- 4. The Plan --------------------------------------------------------------------------------


def at_plan(cards, **fields):
    return game(phase="use_plan", plan=cards, **fields)


def test_without_a_plan_the_step_is_skipped():
    made = play(game(phase="use_impulse", impulse=[45]), "pass")
    assert made.turn == 1


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_plan_of_up_to_three_cards_may_be_delayed_p13(count):
    made = at_plan([1, 9, 20][:count])
    assert names(made) == ["pass", "use"]
    play(made, "pass")
    assert made.turn == 1
    assert plan(made) == [1, 9, 20][:count]


@pytest.mark.parametrize("count", [4, 5, 8])
def test_a_plan_of_four_or_more_cards_must_be_used_p13(count):
    cards = [1, 9, 20, 34, 27, 33, 75, 76][:count]
    made = at_plan(cards)
    assert made.decision.kind == "use_plan"
    assert names(made) == ["use"]
    play(made, "use")
    for _ in range(count):
        assert made.decision.kind == "use_plan_card"
        assert "pass" in names(made), "each card may be declined"
        play(made, "pass")
    assert made.turn == 1
    assert plan(made) == []


def test_a_mandatory_plan_is_used_by_the_engine():
    made = at_plan([1, 9, 20, 34], config={"auto_forced": True}, hand=[75], deck=[3, 5, 33, 6])
    assert made.decision.kind == "use_plan_card"


def test_a_plan_that_grows_to_four_on_the_impulse_must_be_used_at_once_p13():
    made = game(phase="use_impulse", impulse=[14], plan=[1, 9, 20], hand=[75])
    play(made, "use", "card 75")
    while made.decision.kind != "use_plan":
        play(made, "pass")
    assert names(made) == ["use"]


def test_plan_cards_are_used_oldest_first_and_all_discarded_p21():
    made = play(at_plan([28, 36, 16], hand=[75, 13, 33]), "use")
    play(made, "use", "card 75")
    assert plan(made) == [28, 28, 16]
    play(made, "pass", "use", "card 33")
    assert made.turn == 1
    assert made.scores[0] == 6
    assert hand(made)[0] <= 13
    assert plan(made) == next_plan(made) == []


# --- 5. The Sector Core -------------------------------------------------------------------------

CORE_GATES = ("5-10", "6-10", "9-10", "10-11", "10-14", "10-15")


@pytest.mark.parametrize("count", range(7))
def test_each_gate_of_the_sector_core_with_a_cruiser_scores_1_p13(count):
    ships = dict.fromkeys(CORE_GATES[:count], 1)
    made = game(phase="use_impulse", cursor=1, impulse=[45], transports={8: 1}, cruisers=ships)
    assert made.turn == 1
    assert made.scores == [count, 0]
    assert made.state["points"][0, PointSource.CORE_PATROL] == count


def test_several_cruisers_on_one_gate_score_once_p13():
    made = game(
        phase="use_impulse", cursor=1, impulse=[45], transports={8: 1}, cruisers={"5-10": 5}
    )
    assert made.scores[0] == 1
    assert cruisers(made) == {"5-10": 5}


def test_other_gates_transports_and_rivals_score_nothing_p13():
    made = game(
        phase="use_impulse",
        cursor=1,
        impulse=[45],
        transports={10: 3},
        cruisers={"5-9": 2, "4-5": 1},
        rival={"cruisers": {"10-15": 1, "10-11": 1}, "transports": {12: 1}},
    )
    assert made.scores == [0, 0]


def test_only_the_active_player_scores_at_the_end_of_a_turn_p13():
    rival = {"cruisers": {"10-15": 1, "10-11": 1}, "transports": {12: 1}}
    made = game(phase="use_impulse", cursor=1, impulse=[45], rival=rival, **FAR)
    assert made.scores == [0, 0]
    finish_turn(made)
    assert made.scores == [0, 2]


def test_the_core_scores_after_the_plan_p13():
    # The Plan brings the Cruiser to the Core in time.
    made = at_plan([31], transports={8: 1}, cruisers={"8-9": 1})
    play(made, "use", "use", "gate 8-9", "ships 1", "gate 9-10")
    assert made.turn == 1
    assert made.scores[0] == 1


def test_twenty_points_at_the_core_win_before_the_draw_p16():
    made = game(
        phase="use_impulse",
        impulse=[45],
        score=19,
        transports={8: 1},
        cruisers={"5-10": 1},
        deck=[1, 3, 9],
    )
    play(made, "pass")
    assert made.is_over
    assert made.winners == [0]
    assert hand(made) == []


def test_p1_core_points_draw_and_trim_are_not_decisions():
    made = game(
        phase="use_impulse",
        cursor=3,
        impulse=[45, 9, 20, 34],
        transports={8: 1},
        cruisers={"5-10": 1},
        deck=[1, 3, 5],
        hand=[76],
    )
    assert made.decision.kind == "use_impulse"
    play(made, "pass")
    assert (made.seat, made.turn) == (1, 1), "no question in between"
    assert made.scores[0] == 1
    assert hand(made) == [1, 3, 76]
    assert impulse(made) == [9, 20, 34]


# --- 6. Draw and trim ---------------------------------------------------------------------------

TEN = [2, 54, 10, 48, 11, 84, 16, 53, 17, 99]


@pytest.mark.parametrize(("held", "after"), [(0, 2), (7, 9), (8, 10), (9, 10), (10, 10)])
def test_two_cards_are_drawn_as_far_as_the_hand_limit_allows_p17(held, after):
    made = game(phase="use_impulse", cursor=1, impulse=[45], hand=TEN[:held], deck=[1, 3, 9], **FAR)
    assert made.turn == 1
    assert len(hand(made)) == after
    assert deck(made) == [1, 3, 9][after - held :]


def test_the_cards_drawn_at_the_end_of_the_turn_are_unseen_r12():
    made = game(phase="use_impulse", cursor=1, impulse=[45], deck=[1, 3, 9], **FAR)
    assert hand(made) == [1, 3]
    assert made.state["known_count"][0] == 0


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4])
def test_the_impulse_is_trimmed_to_the_three_newest_p13(count):
    cards = [45, 9, 20, 34][:count]
    made = game(phase="use_impulse", cursor=count, impulse=cards, deck=[1, 3, 5], **FAR)
    assert impulse(made) == cards[-3:]
    assert (45 in discard(made)) == (count == 4)


def test_turns_go_round_in_seat_order_and_skip_the_eliminated_p13_p17():
    gone = {"eliminated": True, "transports": {}, "cruisers": {}}
    made = game(others=[{}, gone, {}], impulse=[45])
    seats = []
    for _ in range(6):
        seats.append(made.seat)
        finish_turn(made)
    assert seats == [0, 1, 3, 0, 1, 3]


def test_a_team_feeds_and_trims_its_own_impulse_p9():
    made = game(
        others=[{"hand": [75]}, {"hand": [13]}, {}],
        team_size=2,
        hand=[28],
        impulse=[[9, 20, 34], [1, 3, 5]],
    )
    finish_turn(made)
    assert (impulse(made, 0), impulse(made, 1)) == ([20, 34, 28], [1, 3, 5])
    finish_turn(made)
    assert (impulse(made, 0), impulse(made, 1)) == ([20, 34, 28], [3, 5, 75])
    finish_turn(made)
    assert (impulse(made, 0), impulse(made, 1)) == ([34, 28, 13], [3, 5, 75])


def test_r5_the_game_is_truncated_after_max_turns_player_turns():
    made = game(config={"max_turns": 2}, impulse=[45])
    finish_turn(made)
    assert not made.is_over
    while not made.is_over:
        play(made, "pass" if "pass" in names(made) else names(made)[0])
    assert made.is_truncated
    assert made.winners == []
