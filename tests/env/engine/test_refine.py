"""Refine: mineral cards are discarded for points (p. 39)."""

import pytest

from helpers import discard, minerals, names, play
from impulse_env.engine.constants import PointSource
from printed import ALL_CARDS, gems, is_done, lying, offering, using

BY_COLOR = {"red": (9, 18), "blue": (27, 33), "green": (34, 5), "yellow": (4, 13)}
"""A card of size 2 and one of size 3."""


@pytest.mark.parametrize(
    ("card", "color"), [(46, "yellow"), (47, "green"), (67, "blue"), (107, "red")]
)
def test_refining_one_card_of_a_color_scores_1_for_each_gem_p39(card, color):
    own = [n for pair in BY_COLOR.values() for n in pair]
    game = using(card, minerals=own, score=2)
    # Cards of the acting colour boost the points; take the cards of the named colour alone.
    assert set(names(game)) == {f"card {n}" for n in BY_COLOR[color]}
    for number, size in zip(BY_COLOR[color], (2, 3), strict=True):
        game = play(using(card, minerals=[number], score=2), f"card {number}")
        assert is_done(game), "one card, not more"
        assert game.scores == [2 + size, 0]
        assert game.state["points"][0, PointSource.REFINE] == size
        assert minerals(game) == []
        assert game.state["gems"][0].sum() == 0
        assert lying(game) == ALL_CARDS


@pytest.mark.parametrize(
    ("card", "own", "refined", "size"),
    [(46, "green", 13, 3), (47, "blue", 5, 3), (67, "green", 33, 3), (107, "green", 18, 3)],
)
@pytest.mark.parametrize("boost", [0, 1, 2])
def test_the_boost_raises_the_points_for_each_gem_p22(card, own, refined, size, boost):
    mineral_cards = [*gems(own, 2 * boost + 1, (card,)), refined]
    game = play(using(card, minerals=mineral_cards), f"card {refined}")
    assert is_done(game), "the number of cards is not in the box"
    assert game.scores[0] == (1 + boost) * size


def test_p42_one_refine_action_can_score_12_points():
    game = play(using(46, minerals=[13, *gems("green", 6, (46,))]), "card 13")
    assert game.scores[0] == 12


def test_refine_any_color_boosts_the_number_of_cards_not_the_points_p22():
    mineral_cards = [5, 34, 9, 4]  # 5 green gems: [1] + 2 cards
    game = using(43, minerals=mineral_cards)
    assert names(game) == ["card 4", "card 5", "card 9", "card 34"]
    play(game, "card 9")
    assert game.scores[0] == 2, "one point per gem"
    assert names(game) == ["pass", "card 4", "card 5", "card 34"]
    play(game, "card 4", "card 34")
    assert is_done(game)
    assert game.scores[0] == 6
    assert minerals(game) == [5]


def test_the_boost_is_not_lost_when_the_gems_are_refined_p39():
    # Two green gems on one card: it goes first, and a second card may follow all the same.
    game = play(using(43, minerals=[34, 9]), "card 34")
    assert game.state["gems"][0].tolist() == [2, 0, 0, 0]
    assert names(game) == ["pass", "card 9"]
    play(game, "card 9")
    assert game.scores[0] == 4


def test_refining_a_card_of_the_own_color_counts_it_for_the_boost_p39():
    # The blue card itself gives three blue gems: [2] + 1 points.
    game = play(using(106, minerals=[33]), "card 33")
    assert is_done(game)
    assert game.scores[0] == 3
    assert minerals(game) == []


@pytest.mark.parametrize("card", [1, 34, 5])
def test_refine_flat_scores_2_for_a_card_of_any_size_p39(card):
    game = play(using(106, minerals=[card]), f"card {card}")
    assert is_done(game)
    assert game.scores[0] == 2


def test_refine_flat_is_boosted_in_its_points_and_takes_one_card():
    game = using(106, minerals=[9, 1, *gems("blue", 4, (106,))])
    play(game, "card 9")
    assert is_done(game)
    assert game.scores[0] == 4
    assert 9 in discard(game)


def test_refining_may_stop_after_any_card_p22():
    game = play(using(43, minerals=[5, 9]), "card 5", "pass")
    assert is_done(game)
    assert game.scores[0] == 3
    assert minerals(game) == [9]


def test_refining_copies_of_a_face_one_after_the_other():
    game = using(43, minerals=[4, 26, 34])
    play(game, "card 26")
    assert names(game) == ["pass", "card 4", "card 34"]
    play(game, "card 42")
    assert game.scores[0] == 4
    assert minerals(game) == [34]


@pytest.mark.parametrize("card", [46, 47, 67, 107, 43, 106])
def test_without_a_fitting_mineral_card_refine_can_only_be_declined(card):
    assert names(offering(card)) == ["pass"]
    if card not in (43, 106):
        others = {46: [9, 34, 27], 47: [9, 4, 27], 67: [9, 4, 34], 107: [4, 34, 27]}
        assert names(offering(card, minerals=others[card])) == ["pass"]


def test_the_rivals_minerals_are_out_of_reach():
    assert names(offering(43, rival={"minerals": [9]})) == ["pass"]


def test_refining_to_20_points_wins_at_once_p16():
    game = play(using(43, minerals=[34, 13, 9], score=17), "card 13")
    assert game.is_over
    assert game.winners == [0]
    assert minerals(game) == [9, 34]
