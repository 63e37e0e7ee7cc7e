"""Mine: cards become minerals, whose icons are gems (p. 21, p. 39)."""

import pytest

import helpers
from helpers import deck, discard, hand, minerals, names, play
from impulse_env.engine.constants import Color
from printed import ALL_CARDS, is_done, lying, offering, using


@pytest.mark.parametrize(
    ("card", "color", "size"), [(9, "RED", 2), (65, "BLUE", 3), (1, "GREEN", 1), (91, "YELLOW", 3)]
)
def test_each_icon_of_a_mineral_card_is_a_gem_of_its_color_p21(card, color, size):
    by_color = {"RED": 23, "BLUE": 29, "GREEN": 85, "YELLOW": 72}
    game = play(using(by_color[color], hand=[card, 13], score=3), f"card {card}")
    assert is_done(game)
    assert minerals(game) == [card]
    expected = [size if c.name == color else 0 for c in Color]
    assert game.state["gems"][0].tolist() == expected
    assert hand(game) == [13]
    assert game.scores == [3, 0], "mining scores nothing"
    assert lying(game) == ALL_CARDS


def test_there_is_no_limit_to_minerals_p18():
    own = [4, 26, 42, 100, 6, 39, 40, 88, 13, 55, 75, 91, 105]
    game = play(using(72, hand=[31], minerals=own), "card 31")
    assert len(minerals(game)) == 14
    assert game.state["gems"][0, Color.YELLOW] == 8 * 2 + 5 * 3 + 1


def test_mining_fewer_cards_than_allowed_is_fine_p22():
    game = play(using(93, hand=[1, 2, 3]), "card 2")
    assert names(game) == ["pass", "card 1", "card 3"]
    play(game, "pass")
    assert is_done(game)
    assert minerals(game) == [2]


def test_the_boost_of_a_mine_action_is_fixed_before_it_begins_p43():
    # One red gem: mining a red size 1 card makes two, which would raise the box to size 2.
    game = using(93, hand=[2, 9, 1], minerals=[101])
    play(game, "card 2")
    assert game.state["gems"][0, Color.RED] == 2
    assert "card 9" not in names(game)
    assert names(game) == ["pass", "card 1"]


def test_the_boost_of_a_mine_from_the_deck_is_fixed_before_it_begins_p43():
    game = using(61, minerals=[101], deck=[2, 9, 1])
    play(game, "use", "use")
    assert is_done(game), "the size 2 card is discarded although there are two red gems now"
    assert 9 in discard(game)
    assert minerals(game) == [2, 101]


def test_the_new_gems_boost_the_next_card_of_the_impulse_p22():
    # Both copies of "Mine one size [1] card from your hand": the second admits size 2.
    game = helpers.game(phase="use_impulse", impulse=[7, 58, 45], hand=[2, 9], minerals=[101])
    play(game, "use")
    assert names(game) == ["card 2"]
    play(game, "card 2", "use")
    assert names(game) == ["card 9"]


def test_a_card_mined_from_the_deck_becomes_a_mineral_p24():
    game = using(73, deck=[103, 5])
    assert game.decision.kind == "keep_revealed"
    play(game, "use")
    assert is_done(game)
    assert minerals(game) == [103]
    assert deck(game) == [5]


def test_p2_a_card_revealed_for_mining_may_be_declined_and_is_discarded():
    game = play(using(61, deck=[103, 1, 5]), "pass")
    assert 103 in discard(game)
    assert minerals(game) == []
    assert game.decision.kind == "reveal_next", "the second card may still be seen"
    play(game, "use", "use")
    assert minerals(game) == [1]


def test_p2_after_the_first_revealed_card_one_may_stop():
    game = play(using(61, deck=[75, 1, 5]), "pass")
    assert is_done(game)
    assert 75 in discard(game), "it did not fit"
    assert deck(game) == [1, 5]


def test_size_two_admits_size_1_of_the_deck_p24():
    game = play(using(19, deck=[1, 5]), "use")
    assert minerals(game) == [1]


def test_a_mine_without_a_fitting_card_can_only_be_declined():
    assert names(offering(7, hand=[5, 9])) == ["pass"]
    assert names(offering(92, hand=[5, 13])) == ["pass"]
