"""Draw: cards of the deck go into the hand, at most 10 (p. 17, pp. 38-39)."""

import pytest

from helpers import deck, discard, hand, known, names, play
from printed import ALL_CARDS, PRINTED, cards_of, gems, is_done, lying, offering, using

NINE = [2, 54, 10, 48, 11, 84, 16, 53, 17]
TEN = [*NINE, 99]


def test_draw_2_takes_the_top_cards_unseen_p38():
    game = using(5, deck=[75, 1, 6])
    assert hand(game) == [75]
    assert game.decision.kind == "reveal_next"
    play(game, "use")
    assert is_done(game)
    assert hand(game) == [1, 75]
    assert known(game) == [], "nobody else saw them (R12)"
    assert deck(game) == [6]
    assert lying(game) == ALL_CARDS


@pytest.mark.parametrize(("card", "top"), [(5, [75, 1, 6]), (1, [61, 101, 6])])
def test_p2_the_second_card_is_optional_p22(card, top):
    game = play(using(card, deck=top), "pass")
    assert is_done(game)
    assert hand(game) == top[:1]
    assert deck(game) == top[1:]


@pytest.mark.parametrize(("gem_count", "drawn"), [(1, 2), (2, 3), (5, 4)])
def test_draw_2_is_boosted_in_its_number(gem_count, drawn):
    game = using(5, minerals=gems("green", gem_count), deck=[75, 55, 6, 39, 4, 26])
    while not is_done(game):
        play(game, "use")
    assert len(hand(game)) == drawn


@pytest.mark.parametrize(("card", "top"), [(5, [75, 1, 6]), (1, [61, 85, 6])])
def test_with_9_cards_one_is_drawn_and_no_more_is_asked_p17(card, top):
    game = using(card, hand=NINE, deck=top)
    assert is_done(game)
    assert len(hand(game)) == 10
    assert deck(game) == top[1:]


@pytest.mark.parametrize("card", [5, 66, 1, 3, 80, 87, 103, 108])
def test_with_10_cards_nothing_is_drawn_or_revealed_p17(card):
    game = offering(card, hand=TEN, deck=[75, 85, 6])
    assert names(game) == ["pass"]
    play(game, "pass")
    assert deck(game) == [75, 85, 6]


def test_a_lower_hand_limit_counts_as_10_does():
    game = using(5, hand=NINE[:7], deck=[75, 1, 6], config={"hand_limit": 8})
    assert is_done(game)
    assert len(hand(game)) == 8
    assert names(offering(5, hand=NINE[:8], config={"hand_limit": 8})) == ["pass"]


# --- draw_of_size -------------------------------------------------------------------------------


def test_cards_kept_are_known_and_the_others_discarded_p24_r12():
    game = using(66, deck=[108, 75, 1, 6])
    play(game, "use", "use")
    assert 75 in discard(game)
    assert game.decision.kind == "reveal_next"
    play(game, "use", "use")
    assert is_done(game)
    assert hand(game) == [1, 108]
    assert known(game) == [1, 108]
    assert deck(game) == [6]


def test_p2_a_revealed_card_may_be_left_and_is_discarded():
    game = play(using(66, deck=[108, 1, 2, 6]), "pass")
    assert 108 in discard(game)
    play(game, "use", "use", "pass")
    assert is_done(game)
    assert hand(game) == known(game) == [1]
    assert deck(game) == [2, 6]


def test_revealing_stops_when_the_hand_is_full_p17():
    game = play(using(66, hand=NINE, deck=[108, 1, 2, 6]), "use")
    assert is_done(game), "at 10 nothing more is revealed"
    assert deck(game) == [1, 2, 6]


def test_revealing_continues_while_the_hand_is_not_full():
    game = play(using(66, hand=NINE, deck=[75, 108, 2, 6]), "use", "use")
    assert is_done(game)
    assert len(hand(game)) == 10
    assert deck(game) == [2, 6]


# --- draw_then_of_colors ------------------------------------------------------------------------

TWO_COLORS = {
    1: ("red", "yellow"),
    3: ("red", "green"),
    80: ("blue", "red"),
    87: ("green", "yellow"),
    103: ("blue", "yellow"),
    108: ("blue", "green"),
}


@pytest.mark.parametrize("card", TWO_COLORS)
@pytest.mark.parametrize("color", ["red", "blue", "green", "yellow"])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_second_card_is_kept_if_it_has_one_of_the_two_colors(card, color, size):
    (second,) = cards_of(color, size, 1, (card, 45, 61))
    game = using(card, deck=[61, second, 6])
    assert hand(game) == [61], "the first is drawn whatever its colour"
    assert known(game) == [], "and unseen"
    before = len(discard(game))
    play(game, "use")
    if color in TWO_COLORS[card]:
        play(game, "use")
        assert sorted(hand(game)) == sorted([61, *known(game)])
        assert len(known(game)) == 1
    else:
        assert hand(game) == [61]
        assert len(discard(game)) == before + 1
    assert is_done(game)
    assert deck(game) == [6]


@pytest.mark.parametrize("card", TWO_COLORS)
@pytest.mark.parametrize("boost", [0, 1, 2])
def test_only_the_second_number_is_boosted(card, boost):
    own = PRINTED[card]["color"]
    top = [61, *(n for c in ("red", "blue", "green", "yellow") for n in cards_of(c, 3, 3, (45,)))]
    game = using(card, minerals=gems(own, 2 * boost, (card,)), deck=top)
    revealed = 0
    while not is_done(game):
        if game.decision.kind == "reveal_next":
            revealed += 1
        play(game, "use")
    assert revealed == 1 + boost
    assert len(top) - len(deck(game)) == 2 + boost


def test_p2_a_fitting_second_card_may_be_declined():
    game = play(using(1, deck=[61, 101, 6]), "use", "pass")
    assert is_done(game)
    assert hand(game) == [61]
    assert 101 in discard(game)


def test_a_draw_may_be_declined_p12():
    game = offering(5, deck=[75, 1, 6])
    assert names(game) == ["pass", "use"]
    play(game, "pass")
    assert hand(game) == []
    assert deck(game) == [75, 1, 6]
