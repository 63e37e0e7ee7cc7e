"""Plan: a private Impulse (p. 21, pp. 38-39)."""

import pytest

import helpers
from helpers import deck, discard, hand, names, next_plan, plan, play
from printed import ALL_CARDS, COLORS, cards_of, gems, is_done, lying, offering, using, using_plan


def test_planned_cards_go_to_the_end_of_the_plan_in_their_order_p38():
    game = play(using(14, hand=[31, 13, 4], plan=[9]), "card 13", "card 31")
    assert is_done(game)
    assert plan(game) == [9, 13, 31]
    assert hand(game) == [4]
    assert lying(game) == ALL_CARDS


def test_planning_may_stop_after_one_card_p22():
    game = play(using(14, hand=[31, 13]), "card 13", "pass")
    assert is_done(game)
    assert plan(game) == [13]


def test_there_is_no_limit_to_the_plan_p18():
    own = [2, 54, 10, 48, 11, 84, 16, 53, 17, 99, 28, 36]
    game = play(using(14, hand=[31, 13], plan=own), "card 13", "card 31")
    assert len(plan(game)) == 14


# --- Different colours --------------------------------------------------------------------------


def test_cards_of_different_color_no_two_of_a_color_p38():
    game = using(34, hand=[31, 13, 2, 9, 33])
    assert len(names(game)) == 5, "any colour and size first"
    play(game, "card 9")
    assert names(game) == ["pass", "card 13", "card 31", "card 33"]
    play(game, "card 33")
    assert is_done(game), "two cards"
    assert plan(game) == [9, 33]


def test_different_colors_boosted_are_still_no_two_of_a_color():
    hand_cards = [31, 13, 2, 9, 33, 65, 12, 5]
    game = using(34, hand=hand_cards, minerals=gems("green", 8, (34,)))  # [2] + 4
    play(game, "card 31", "card 2", "card 5", "card 65")
    assert names(game) == ["pass"], "there are only four colours"
    play(game, "pass")
    assert is_done(game)
    assert plan(game) == [31, 2, 5, 65]


def test_different_colors_boosted_by_two_gems_are_three_cards():
    game = using(34, hand=[31, 2, 33, 5], minerals=gems("green", 2, (34,)))
    play(game, "card 31", "card 2", "card 33")
    assert is_done(game)


def test_different_colors_with_one_color_in_hand_is_one_card():
    game = play(using(34, hand=[31, 13]), "card 31")
    assert names(game) == ["pass"]


# --- From the deck ------------------------------------------------------------------------------


def test_a_revealed_card_is_planned_or_declined_before_the_next_is_seen_p2():
    game = using(49, deck=[1, 108, 6])
    assert game.decision.kind == "keep_revealed"
    assert names(game) == ["pass", "use"]
    play(game, "pass")
    assert 1 in discard(game)
    assert deck(game) == [108, 6], "the second is not revealed yet"
    play(game, "use", "use")
    assert is_done(game)
    assert plan(game) == [108]
    assert deck(game) == [6]


def test_then_same_color_plans_the_first_and_keeps_its_color_p38():
    game = using(51, deck=[75, 108, 1, 6])
    play(game, "use")
    assert plan(game) == [75], "a card of any colour and size"
    play(game, "use", "use")
    assert plan(game) == [75, 108]
    play(game, "use")
    assert is_done(game)
    assert 1 in discard(game), "green is not the first card's colour"
    assert plan(game) == [75, 108]
    assert deck(game) == [6]


@pytest.mark.parametrize("color", COLORS)
@pytest.mark.parametrize("size", [1, 2, 3])
def test_then_same_color_takes_any_size_of_the_first_cards_color(color, size):
    top = [*cards_of(color, 3, 1, (45, 51)), *cards_of(color, size, 3, (45, 51))[-1:]]
    top += [n for other in COLORS if other != color for n in cards_of(other, size, 1, (45, 51))]
    game = play(using(51, deck=top), "use", "use", "use", "use")
    assert is_done(game)
    assert len(plan(game)) == 2
    assert len(deck(game)) == 2


def test_then_same_color_ends_when_the_first_is_declined_p38():
    game = play(using(51, deck=[75, 108, 6]), "pass")
    assert is_done(game)
    assert plan(game) == []
    assert 75 in discard(game)
    assert deck(game) == [108, 6]


def test_then_same_color_a_declined_second_card_does_not_end_it_p2():
    game = play(using(51, deck=[75, 108, 39, 6]), "use", "use", "pass")
    assert 108 in discard(game)
    assert game.decision.kind == "reveal_next"
    play(game, "use", "use")
    assert plan(game) == [75, 39]
    assert is_done(game)


def test_then_same_color_may_stop_after_the_first_p2():
    game = play(using(51, deck=[75, 108, 39, 6]), "use", "pass")
    assert is_done(game)
    assert plan(game) == [75]
    assert deck(game) == [108, 39, 6]


@pytest.mark.parametrize(("gem_count", "revealed"), [(1, 3), (2, 4), (4, 5)])
def test_then_same_color_is_boosted_in_the_second_number_only(gem_count, revealed):
    top = [75, 108, 39, 6, 40, 88, 13]
    game = using(51, minerals=gems("green", gem_count), deck=top)
    while not is_done(game):
        play(game, "use")
    assert plan(game) == top[:revealed]


def test_then_same_color_takes_the_color_of_the_first_not_of_the_latest():
    game = play(using(51, deck=[75, 1, 5, 39]), "use", "use", "use")
    assert is_done(game)
    assert plan(game) == [75]


# --- While the Plan is in use -------------------------------------------------------------------


def test_cards_planned_while_the_plan_is_in_use_form_the_next_plan_p39():
    game = using_plan([14, 9], hand=[31, 13])
    play(game, "use", "card 13", "card 31")
    assert game.decision.kind == "use_plan_card"
    assert plan(game) == [14, 9]
    assert next_plan(game) == [13, 31]
    assert lying(game) == ALL_CARDS
    assert helpers.Game.from_position(game.to_position()) == game


def test_the_next_plan_is_not_used_in_the_same_turn_and_becomes_the_plan_p39():
    game = using_plan([14], hand=[31, 13])
    play(game, "use", "card 13", "card 31")
    assert (game.seat, game.turn) == (1, 1)
    assert plan(game) == [13, 31]
    assert next_plan(game) == []
    assert 14 in discard(game)
    assert lying(game) == ALL_CARDS


def test_a_next_plan_of_four_cards_waits_for_the_next_turn_p39():
    game = using_plan([14, 50], hand=[31, 13, 1, 3])
    play(game, "use", "card 13", "card 31", "use", "card 1", "card 3")
    assert (game.seat, game.turn) == (1, 1)
    assert plan(game) == [13, 31, 1, 3]


def test_cards_planned_from_the_deck_while_the_plan_is_in_use_p39():
    game = using_plan([49, 9], deck=[1, 108, 6])
    play(game, "use", "use", "use", "use")
    assert next_plan(game) == [1, 108]


def test_an_impulse_card_adds_to_the_plan_itself_before_it_is_used_p39():
    game = play(using(14, hand=[31], plan=[9]), "card 31", "pass", "pass")
    assert game.decision.kind == "use_plan"
    assert plan(game) == [9, 31]


def test_the_used_plan_is_discarded_with_its_declined_cards_p21():
    game = using_plan([75, 9, 108], hand=[2])
    play(game, "pass", "pass", "pass")
    assert plan(game) == []
    assert {75, 9, 108} <= set(discard(game))


def test_plan_cards_stay_in_the_plan_until_all_had_their_turn_p21():
    game = using_plan([1, 9], deck=[61, 101, 6])
    play(game, "use", "pass")
    assert game.decision.kind == "use_plan_card"
    assert plan(game) == [1, 9]
    assert 1 not in discard(game)


def test_p8_the_next_plan_is_the_players_plan_too():
    game = using_plan([14, 101, 9], hand=[13, 31])
    play(game, "use", "card 13", "card 31", "use")
    assert game.decision.kind == "research_planned"
    assert set(names(game)) == {"card 13", "card 14", "card 31", "card 9"}
    play(game, "card 13", "tech 1")
    assert next_plan(game) == [31]
    assert plan(game) == [14, 101, 9]
    assert game.decision.kind == "use_plan_card", "the third card is still to come"
    play(game, "pass")
    assert plan(game) == [31]


def test_a_plan_needs_a_fitting_card():
    assert names(offering(14, hand=[2, 9])) == ["pass"]
    assert names(offering(50, hand=[4, 9])) == ["pass"]
