"""What using a card brings now follows from its text, the gems and what there is to use it on.

Seat 0 lives on 8 and seat 1 on 12. A style that likes one thing alone shows what is counted.
"""

import pytest

from helpers import game
from impulse_agents.heuristics.place_value import NOTHING
from impulse_agents.heuristics.styles import WEIGHTS
from impulse_env.engine.cards import NUMBER_BY_CARD
from printed import COLORS, PRINTED
from rules_of_thumb import card_worth, liking

TWO_GEMS = {"red": 9, "blue": 27, "green": 34, "yellow": 4}
"""A card of size 2 by colour."""
EVERYTHING_BUT_KEEPING = liking(**{name: name != "keep" for name in WEIGHTS})
LIKED = {
    "core_gate": [6, 26, 31, 75],
    "core_visit": [40, 35],
    "cruiser": [22, 33, 62, 109],
    "transport": [10, 27],
    "sabotage": [9, 15, 104],
    "draw": [1, 5, 66],
    "trade": [16, 68, 95],
    "mine": [7, 92, 61],
    "refine": [43, 47, 106],
    "plan": [8, 34, 49, 51],
    "research": [2, 18, 63, 101],
}
"""Weights, and cards about whose actions they are."""
RIVAL = {"transports": {12: 1}, "cruisers": {}}
READY = {
    "transports": {8: 1, 9: 1},
    "cruisers": {"8-9": 2},
    "hand": [2, 5, 13, 18, 33],
    "minerals": list(TWO_GEMS.values()),
}
"""A seat that can use every card."""


def worth(number, *, is_in_hand=False, rival=None, liked=None, **fields):
    made = game(rival=RIVAL | (rival or {}), **fields)
    style = EVERYTHING_BUT_KEEPING if liked is None else liking(**liked)
    return card_worth(made, number, style, is_in_hand=is_in_hand)


@pytest.mark.parametrize("liked", LIKED)
def test_a_card_is_worth_what_the_style_likes_about_its_action(liked):
    made = game(rival=RIVAL, **READY)
    for other, numbers in LIKED.items():
        for number in numbers:
            more = card_worth(made, number, liking(**{liked: 1}))
            more -= card_worth(made, number, liking())
            if liked == other:
                assert more > 0.2, number
            # A fleet may go to a card of any action; what is refined has been mined.
            elif other not in ("core_gate", "core_visit") and {liked, other} != {"mine", "refine"}:
                assert more == 0, number


@pytest.mark.parametrize("number", NUMBER_BY_CARD)
def test_gems_of_the_colour_of_a_card_never_make_it_worse(number):
    # p. 22: they raise the boxed number.
    color = PRINTED[number]["color"]
    others = [mineral for name, mineral in TWO_GEMS.items() if name != color]
    before = worth(number, **READY | {"minerals": others})
    assert worth(number, **READY | {"minerals": [*others, TWO_GEMS[color]]}) >= before


@pytest.mark.parametrize(
    ("number", "liked", "fields"),
    [
        (4, {"fight": 3}, {"rival": {"cruisers": {"9-10": 1}}, "cruisers": {"8-9": 3}}),
        (31, {"approach": 1}, {"transports": {8: 1}, "cruisers": {"4-8": 1}}),
        (10, {"transport": 1}, {}),
        (9, {"sabotage": 1}, {}),
        (5, {"draw": 1}, {}),
        (11, {"trade": 1}, {"hand": [9]}),
        (95, {"trade": 1}, {}),
        (7, {"mine": 1}, {"hand": [2, 20]}),
        (19, {"mine": 1}, {}),
        (46, {"refine": 1}, {"minerals": [13]}),
        (106, {"refine": 1}, {"minerals": [18]}),
    ],
)
def test_two_gems_raise_the_boxed_number(number, liked, fields):
    gems = [*fields.get("minerals", []), TWO_GEMS[PRINTED[number]["color"]]]
    before = worth(number, liked=liked, **fields)
    assert worth(number, liked=liked, **fields | {"minerals": gems}) > before


# --- From the hand and from minerals ------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "liked", "card"),
    [(84, "trade", "red"), (16, "trade", "blue"), (17, "trade", "green"), (28, "trade", "yellow"),
     (23, "mine", "red"), (29, "mine", "blue"), (85, "mine", "green"), (72, "mine", "yellow")],
)  # fmt: skip
def test_trading_and_mining_are_worth_the_icons_of_the_largest_card_that_fits(number, liked, card):
    # p. 39, p. 32
    large = {"red": 18, "blue": 33, "green": 5, "yellow": 13}[card]
    others = [TWO_GEMS[color] for color in COLORS if color != card]
    assert worth(number, liked={liked: 1}, hand=[*others, TWO_GEMS[card]]) == 2
    assert worth(number, liked={liked: 1}, hand=[large, *others, TWO_GEMS[card]]) == 3
    assert worth(number, liked={liked: 1}, hand=others) == NOTHING
    assert worth(number, liked={liked: 1}, hand=[]) == NOTHING


def test_a_card_that_is_too_large_does_not_fit():
    assert worth(68, liked={"trade": 1}, hand=[9, 18, 2]) == 1.5, "two of size 1, if there are"
    assert worth(7, liked={"mine": 1}, hand=[9, 18, 2]) == 1
    assert worth(7, liked={"mine": 1}, hand=[9, 18]) == NOTHING
    # The box of 92 is a number.
    assert worth(92, liked={"mine": 1}, hand=[9, 18]) == 2
    assert worth(92, liked={"mine": 1}, hand=[18]) == NOTHING


def test_a_card_of_the_hand_cannot_serve_itself_but_its_copy_can():
    # 7 and 58 are copies: mine one card of size 1, or two with red gems.
    with_gems = {"minerals": [9], "liked": {"mine": 1}}
    assert worth(7, hand=[7], is_in_hand=True, **with_gems) == NOTHING
    assert worth(7, hand=[7], is_in_hand=False, **with_gems) == 2
    assert worth(7, hand=[7, 58], is_in_hand=True, **with_gems) == 2
    assert worth(7, hand=[2, 7], is_in_hand=True, **with_gems) == 1


def test_who_likes_to_keep_cards_gives_them_away_for_less():
    fields = {"hand": [9], "liked": {"trade": 1, "mine": 1, "keep": 0.5}}
    assert worth(84, **fields) == 2 * (1 - 0.5)
    assert worth(23, **fields) == 2 * (1 - 0.25), "it is kept as a mineral"


@pytest.mark.parametrize("is_flat", [True, False])
def test_refining_is_worth_the_points_of_the_best_mineral_card_p39(is_flat):
    number = 106 if is_flat else 46  # any card for 2 points, or a yellow one for a point per gem
    for minerals, points in {(4,): (2, 2), (13, 4): (2, 3), (18,): (2, NOTHING)}.items():
        found = worth(number, liked={"refine": 1}, minerals=list(minerals))
        assert found == points[0 if is_flat else 1]
    assert worth(number, liked={"refine": 1}) == NOTHING


def test_who_likes_to_mine_gives_minerals_away_for_less():
    minerals = {"minerals": [13]}
    assert worth(46, liked={"refine": 1, "mine": 1}, **minerals) == 3 - 0.5 * 3


# --- Ships, cards and Techs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ships", "brings"), [(10, 2), (11, 1), (12, NOTHING)], ids=["two left", "one left", "none"]
)
def test_no_more_ships_are_built_than_there_are(ships, brings):
    # p. 4: twelve; card 33 builds two.
    fields = {"transports": {8: ships}, "cruisers": {}}
    assert worth(33, liked={"cruiser": 1}, **fields) == brings


def test_a_card_that_builds_any_ship_builds_cruisers():
    assert worth(33, liked={"cruiser": 2, "transport": 1}) == 4
    assert worth(27, liked={"cruiser": 2, "transport": 1}) == 1, "it says Transport"


def test_no_more_cards_are_drawn_than_the_hand_has_room_for():
    # p. 17: ten; card 5 draws two.
    hand = [2, 7, 9, 18, 20, 23, 24, 25, 29, 54]
    for held, drawn in ((0, 2), (8, 2), (9, 1), (10, 0)):
        assert worth(5, liked={"draw": 1}, hand=hand[:held]) == drawn


def test_a_command_moves_as_many_ships_of_the_types_as_the_card_says():
    fields = {"liked": {"core_visit": 2}, "transports": {9: 2}, "cruisers": {"8-9": 1}}
    assert worth(41, **fields) == 2 * 1, "one Transport"
    assert worth(88, **fields) == 2 * 2, "two, which are as good as two gems"
    assert worth(6, **fields) == 0, "Cruisers alone"
    assert worth(6, liked={"core_gate": 1}, transports={8: 1}, cruisers={}) == NOTHING


def test_a_command_of_several_fleets_to_one_card_is_worth_more_than_one_of_them():
    fields = {"liked": {"core_gate": 1}, "cruisers": {"8-9": 1}}
    assert worth(12, **fields) > worth(4, **fields) == 1
    nowhere = {"liked": {}, "transports": {8: 1}, "cruisers": {}, "rival": {"cruisers": {}}}
    assert worth(12, **nowhere) >= worth(4, **nowhere)


def test_research_is_worth_more_while_a_basic_tech_is_there_to_cover():
    free, one, none = (
        worth(2, liked={"research": 1}, techs=techs)
        for techs in (["basic", "basic"], [9, "basic"], [9, 18])
    )
    assert free == one > none > 0


def test_bombs_are_worth_their_number():
    # One, two and three bombs.
    one, two, three = (worth(number, liked={"sabotage": 1}) for number in (15, 45, 9))
    assert two == 2 * one > 0
    assert three == 3 * one
