"""Research: a card covers one of the two Techs (p. 35)."""

import pytest

import helpers
from helpers import deck, discard, hand, names, plan, play, techs
from impulse_env.engine.state import A
from printed import ALL_CARDS, gems, is_done, lying, offering, using, using_plan


@pytest.mark.parametrize("slot", [0, 1])
def test_the_player_chooses_which_tech_is_covered_p35(slot):
    game = play(using(2, hand=[1, 9]), "card 1")
    assert game.decision.kind == "research_slot"
    assert names(game) == ["tech 0", "tech 1"]
    play(game, f"tech {slot}")
    assert is_done(game)
    expected = ["basic", "basic"]
    expected[slot] = 1
    assert techs(game) == expected
    assert hand(game) == [9]
    assert lying(game) == ALL_CARDS


def test_a_covered_researched_card_is_discarded_p35():
    game = play(using(2, hand=[1], techs=["basic", 9]), "card 1", "tech 1")
    assert techs(game) == ["basic", 1]
    assert 9 in discard(game)


def test_two_researched_cards_can_cover_the_same_slot_one_after_the_other():
    game = using(20, hand=[1, 5], minerals=gems("red", 2))
    play(game, "card 1", "tech 0", "card 5", "tech 0")
    assert is_done(game)
    assert techs(game) == [5, "basic"]
    assert 1 in discard(game)


def test_research_of_two_may_stop_after_one_p22():
    game = using(20, hand=[1, 5], minerals=gems("red", 2))
    play(game, "card 1", "tech 0")
    assert names(game) == ["pass", "card 5"]
    assert is_done(play(game, "pass"))


# --- From the deck ------------------------------------------------------------------------------


def test_a_revealed_card_is_researched_before_the_next_is_seen_p35():
    game = play(using(96, deck=[1, 103, 6]), "use")
    assert game.decision.kind == "research_slot"
    assert deck(game) == [103, 6]
    play(game, "tech 1")
    assert techs(game) == ["basic", 1]
    assert game.decision.kind == "reveal_next"
    play(game, "use", "use", "tech 1")
    assert is_done(game)
    assert techs(game) == ["basic", 103]
    assert 1 in discard(game)


def test_p2_a_revealed_card_may_be_declined_and_is_discarded_p35():
    game = play(using(63, deck=[1, 103, 6]), "pass")
    assert techs(game) == ["basic", "basic"]
    assert 1 in discard(game)
    play(game, "use", "use", "tech 0")
    assert techs(game) == [103, "basic"]


def test_p2_research_from_the_deck_may_stop_after_one():
    game = play(using(63, deck=[1, 103, 6]), "use", "tech 0", "pass")
    assert is_done(game)
    assert deck(game) == [103, 6]


def test_a_revealed_card_that_is_too_big_is_discarded_p24():
    game = using(63, deck=[75, 103, 6])
    assert game.decision.kind == "reveal_next"
    assert 75 in discard(game)


# --- R9 -----------------------------------------------------------------------------------------


def test_r9_research_then_execute_uses_the_new_tech_once_and_it_stays():
    game = play(using(18, hand=[28, 13]), "card 28", "tech 1")
    assert game.decision.kind == "use_researched"
    assert names(game) == ["pass", "use"]
    assert techs(game) == ["basic", 28]
    play(game, "use", "card 13")
    assert is_done(game)
    assert game.scores[0] == 3
    assert techs(game) == ["basic", 28]
    assert lying(game) == ALL_CARDS


def test_r9_the_execution_may_be_declined_and_the_tech_stays():
    game = play(using(18, hand=[28, 13]), "card 28", "tech 0", "pass")
    assert is_done(game)
    assert game.scores[0] == 0
    assert techs(game) == [28, "basic"]


def test_r9_the_new_tech_is_boosted_by_minerals_of_its_own_color_r2():
    game = using(18, hand=[28, 13, 31], minerals=[10, 11])
    play(game, "card 28", "tech 0", "use", "card 13", "card 31")
    assert game.scores[0] == 4


def test_r9_the_size_of_the_researched_card_is_boosted():
    game = using(18, hand=[20, 1], minerals=gems("red", 2))
    play(game, "card 20", "tech 0", "use", "card 1", "tech 1", "pass")
    assert is_done(game)
    assert techs(game) == [20, 1]


def test_r9_a_research_card_executed_at_once_may_cover_itself_r11():
    game = play(using(18, hand=[2, 1]), "card 2", "tech 0", "use", "card 1", "tech 0")
    assert is_done(game)
    assert techs(game) == [1, "basic"]
    assert 2 in discard(game)


def test_r9_a_new_tech_that_can_do_nothing_can_only_be_declined():
    game = play(using(18, hand=[28]), "card 28", "tech 0")
    assert names(game) == ["pass"]


# --- R11 ----------------------------------------------------------------------------------------


def test_r11_a_tech_that_covers_itself_finishes_as_it_began():
    game = helpers.game(phase="use_tech", techs=[96, "basic"], deck=[1, 103, 6], impulse=[45])
    play(game, "tech 0", "use", "tech 0")
    assert techs(game) == [1, "basic"]
    assert 96 in discard(game)
    assert game.decision.kind == "reveal_next", "the second card is still to come"
    play(game, "use", "use", "tech 0")
    assert techs(game) == [103, "basic"]
    assert 1 in discard(game)
    assert game.decision.kind == "use_impulse", "one Tech a turn, also after it was covered"
    assert lying(game) == ALL_CARDS


def test_r11_research_then_execute_as_a_tech_covers_itself_and_executes_the_new_one():
    game = helpers.game(phase="use_tech", techs=[18, "basic"], hand=[28, 75], impulse=[45])
    play(game, "tech 0", "card 28", "tech 0", "use", "card 75")
    assert game.scores[0] == 3
    assert techs(game) == [28, "basic"]
    assert 18 in discard(game)


# --- From the Plan ------------------------------------------------------------------------------


def test_research_from_the_plan_leaves_the_others_in_order_p38():
    game = using(101, plan=[9, 75, 1])
    assert set(names(game)) == {"card 1", "card 9", "card 75"}, "any card of the Plan"
    play(game, "card 75", "tech 0")
    assert is_done(game)
    assert plan(game) == [9, 1]
    assert techs(game) == [75, "basic"]
    assert lying(game) == ALL_CARDS


@pytest.mark.parametrize(("gem_count", "most"), [(1, 1), (2, 2), (4, 3)])
def test_research_from_the_plan_is_boosted_in_its_number(gem_count, most):
    game = using(101, plan=[9, 75, 1, 5], minerals=gems("red", gem_count, (101,)))
    taken = 0
    while not is_done(game):
        play(game, names(game)[-1], "tech 0")
        taken += 1
    assert taken == most
    assert len(plan(game)) == 4 - most


def test_research_from_the_plan_may_stop_p22():
    game = using(101, plan=[9, 75], minerals=gems("red", 2, (101,)))
    play(game, "card 9", "tech 0")
    assert names(game) == ["pass", "card 75"]
    play(game, "pass")
    assert plan(game) == [75]


@pytest.mark.parametrize(("copy", "left"), [(1, [75, 31, 9]), (2, [31, 75, 9])])
def test_p8_of_several_copies_in_the_plan_the_player_says_which(copy, left):
    game = play(using(101, plan=[31, 75, 38, 9]), "card 31")
    assert game.decision.kind == "choose_copy"
    assert names(game) == ["copy 1", "copy 2"]
    play(game, f"copy {copy}", "tech 1")
    assert is_done(game)
    assert plan(game) == left


def test_p8_two_copies_can_be_taken_one_after_the_other():
    game = using(101, plan=[31, 75, 38, 44], minerals=gems("red", 2, (101,)))
    play(game, "card 31", "copy 3", "tech 0")
    assert not game.state["stack"][0, A], "which face was asked about is forgotten"
    play(game, "card 31", "copy 1", "tech 1")
    assert is_done(game)
    assert plan(game) == [75, 31]
    assert techs(game) == [31, 31]


def test_research_from_an_empty_plan_can_only_be_declined():
    assert names(offering(101)) == ["pass"]
    assert names(offering(101, rival={"plan": [9]})) == ["pass"], "the own Plan"


def test_of_a_plan_in_use_any_card_but_the_one_in_use_p8():
    game = play(using_plan([9, 101, 75, 1], cursor=1), "use")
    assert set(names(game)) == {"card 1", "card 9", "card 75"}


def test_a_plan_card_taken_before_its_turn_is_not_used_p8():
    game = play(using_plan([9, 101, 75, 1], cursor=1), "use", "card 75", "tech 0")
    assert game.decision.kind == "use_plan_card"
    assert plan(game) == [9, 101, 1]
    assert "Draw" in game.decision.prompt, "card 1 is next"
    play(game, "pass")
    assert game.turn == 1
    assert {9, 101, 1} <= set(discard(game))
    assert 75 not in discard(game)
    assert techs(game) == [75, "basic"]


def test_a_plan_card_taken_after_its_turn_escapes_the_discard_and_skips_nobody_p8():
    game = play(using_plan([9, 101, 75, 1], cursor=1), "use", "card 9", "tech 0")
    assert plan(game) == [101, 75, 1]
    assert game.to_position()["cursor"] == 1, "card 75 is next"
    play(game, "pass", "pass")
    assert game.turn == 1
    assert techs(game) == [9, "basic"]
    assert 9 not in discard(game)


def test_p4_the_only_card_of_a_plan_in_use_has_nothing_to_research():
    game = using_plan([101], cursor=0)
    assert names(game) == ["pass"]


def test_a_copy_of_the_card_in_use_may_be_taken():
    # Card 18 is used from the Plan; what it executes researches from that Plan.
    game = using_plan([82, 86, 9], cursor=0, deck=[101, 6, 5])
    play(game, "use", "use", "use")
    assert game.decision.kind == "research_planned"
    assert set(names(game)) == {"card 9", "card 82"}
    play(game, "card 82")
    assert game.decision.kind == "research_slot", "one copy is in use: there is no choice"
    play(game, "tech 0")
    assert plan(game) == [82, 9]
    assert game.to_position()["cursor"] == 1
    assert 101 in discard(game)
    assert lying(game) == ALL_CARDS


def test_r11_an_execute_card_of_the_plan_finishes_when_later_cards_are_taken():
    game = using_plan([89, 9], cursor=0, hand=[101])
    play(game, "use", "card 101", "use", "card 9", "tech 0")
    assert game.turn == 1, "the Plan is over"
    assert techs(game) == [9, "basic"]
    assert {89, 101} <= set(discard(game))
