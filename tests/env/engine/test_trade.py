"""Trade: discard a card, score its size (p. 39)."""

import pytest

from helpers import deck, discard, hand, known, names, play
from impulse_env.engine.constants import PointSource
from printed import ALL_CARDS, is_done, lying, offering, using


@pytest.mark.parametrize(("card", "points"), [(2, 1), (20, 2), (18, 3)])
def test_a_traded_card_is_discarded_for_points_equal_to_its_size_p39(card, points):
    game = play(using(11, hand=[card, 5], score=4), f"card {card}")
    assert is_done(game)
    assert game.scores == [4 + points, 0]
    assert game.state["points"][0, PointSource.TRADE] == points
    assert hand(game) == [5]
    assert lying(game) == ALL_CARDS


def test_the_traded_card_lies_on_the_discard_pile_p39():
    game = using(11, hand=[96], deck=[5, 6])
    assert 96 not in discard(game)
    play(game, "card 96")
    assert 96 in discard(game)


def test_trading_fewer_cards_than_allowed_is_fine_p22():
    game = play(using(68, hand=[1, 2, 3]), "card 1")
    assert names(game) == ["pass", "card 2", "card 3"]
    play(game, "pass")
    assert is_done(game)
    assert game.scores[0] == 1
    assert hand(game) == [2, 3]


def test_two_copies_of_a_face_are_one_choice_and_can_both_be_traded():
    game = play(using(68, hand=[31, 38, 5]), "card 31")
    assert names(game) == ["pass", "card 31"]
    play(game, "card 38")
    assert game.scores[0] == 2
    assert hand(game) == [5]


def test_a_trade_without_a_fitting_card_can_only_be_declined_p12():
    game = offering(11, hand=[5, 13, 95])
    assert names(game) == ["pass"]
    play(game, "pass")
    assert is_done(game)
    assert game.scores[0] == 0


def test_a_trade_may_be_declined_with_a_fitting_card_in_hand_p12():
    game = offering(11, hand=[18])
    assert names(game) == ["pass", "use"]
    play(game, "pass")
    assert is_done(game)
    assert hand(game) == [18]


def test_a_trade_runs_out_with_the_hand_p42():
    game = play(using(68, hand=[1]), "card 1")
    assert names(game) == ["pass"]
    assert is_done(play(game, "pass"))


def test_a_card_traded_from_the_deck_scores_and_is_discarded_p24():
    game = using(95, deck=[1, 5])
    assert game.decision.kind == "keep_revealed"
    assert 1 not in discard(game)
    play(game, "use")
    assert is_done(game)
    assert game.scores[0] == 1
    assert 1 in discard(game)
    assert deck(game) == [5]


def test_a_card_revealed_for_trade_may_be_declined_and_is_discarded_p2():
    game = play(using(95, deck=[1, 5]), "pass")
    assert is_done(game)
    assert game.scores[0] == 0
    assert 1 in discard(game)


def test_a_revealed_card_that_does_not_fit_is_discarded_without_a_question_p24():
    game = using(95, deck=[75, 5])
    assert is_done(game)
    assert game.scores[0] == 0
    assert 75 in discard(game)


def test_p2_each_further_card_of_the_deck_is_optional():
    game = using(95, minerals=[10, 11], deck=[41, 2, 5])
    play(game, "use")
    assert game.decision.kind == "reveal_next"
    assert names(game) == ["pass", "use"]
    stopped = play(game.copy(), "pass")
    assert is_done(stopped)
    assert deck(stopped) == [2, 5]
    play(game, "use", "use")
    assert is_done(game)
    assert game.scores[0] == 2
    assert deck(game) == [5]


def test_trading_to_20_points_ends_the_game_in_mid_action_p16():
    game = play(using(68, hand=[1, 2], score=19, rival={"score": 19}), "card 1")
    assert game.is_over
    assert game.winners == [0]
    assert game.seat is None
    assert hand(game) == [2], "the second card was never asked for"


def test_p9_the_points_of_one_card_may_pass_the_target():
    game = play(using(11, hand=[18], score=18), "card 18")
    assert game.is_over
    assert game.scores[0] == 21


def test_trading_from_the_deck_can_win_p16():
    game = play(using(95, deck=[1], score=19), "use")
    assert game.is_over
    assert game.winners == [0]


def test_r12_a_card_known_in_hand_is_no_longer_known_when_it_was_traded():
    game = using(11, hand=[2, 18], known=[2, 18])
    play(game, "card 18")
    assert known(game) == [2]


def test_p6_a_traded_copy_counts_as_the_known_one():
    game = using(68, hand=[31, 38, 44], known=[31])
    play(game, "card 31", "pass")
    assert hand(game) == [31, 31]
    assert known(game) == [], "the others may have seen that very copy leave"
