"""Boost: half the matching gems, rounded down, on the boxed number only (pp. 22-23, p. 43, R2)."""

import pytest

import helpers
from helpers import cruisers, deck, hand, names, play, transports
from printed import COLORS, PRINTED, gems, is_done, offering, using

HAND = [75, 13, 55, 91, 105]


def count_of_trade(game):
    """Return how many cards a Trade in use takes."""
    traded = 0
    while not is_done(game):
        play(game, names(game)[-1])
        traded += 1
    return traded


def options_of_trade(minerals, **fields):
    """Return how many yellow cards "Trade [1] yellow card" takes."""
    return count_of_trade(using(28, hand=HAND, minerals=minerals, **fields))


@pytest.mark.parametrize("count", range(9))
def test_every_two_gems_of_the_color_raise_the_box_by_1_p22(count):
    assert options_of_trade(gems("blue", count, (28,))) == min(1 + count // 2, 5)


@pytest.mark.parametrize(
    ("minerals", "boost"),
    [([33], 1), ([33, 10], 2), ([33, 63], 3), ([27, 10], 1), ([27, 32], 2)],
)
def test_gems_are_icons_not_cards_p21(minerals, boost):
    assert options_of_trade(minerals) == 1 + boost


@pytest.mark.parametrize("color", ["red", "green", "yellow"])
def test_gems_of_another_color_do_not_count_p22(color):
    assert options_of_trade(gems(color, 6, (28,))) == 1


def test_one_gem_of_each_color_is_no_boost_p22():
    assert options_of_trade([n for color in COLORS for n in gems(color, 1, (28,))]) == 1


def test_the_rivals_gems_do_not_count():
    assert options_of_trade([], rival={"minerals": [33, 63]}) == 1


def test_gems_are_kept_p22():
    game = using(28, hand=[75, 13], minerals=[27])
    play(game, "card 75", "card 13")
    assert helpers.minerals(game) == [27]


# --- Only the boxed number ----------------------------------------------------------------------


def test_a_boxed_size_is_boosted_and_the_number_of_cards_is_not_p22():
    game = using(68, hand=[1, 34, 9, 75], minerals=gems("blue", 2, (68,)))
    assert names(game) == ["card 1", "card 9", "card 34"], "size 2 but not 3"
    play(game, "card 9", "card 34")
    assert is_done(game), "two cards as printed"


def test_a_boxed_number_is_boosted_and_the_size_is_not_p22():
    game = using(92, hand=[1, 34, 27, 75], minerals=gems("red", 2))
    assert names(game) == ["card 1", "card 27", "card 34"]
    play(game, "card 34", "card 27")
    assert is_done(game)


@pytest.mark.parametrize(
    ("card", "ships", "moves"),
    [(41, 2, 1), (40, 2, 2), (35, 1, 2), (88, 2, 2)],
)
def test_boosted_ships_or_moves_of_a_command_p22(card, ships, moves):
    fields = {"transports": {8: 4}, "cruisers": {}, "minerals": gems("yellow", 2, (card,))}
    game = play(using(card, **fields), "cell 8")
    assert names(game) == [f"ships {n}" for n in range(1, ships + 1)]
    play(game, "ships 1", "cell 9")
    assert (game.decision.kind == "choose_move") == (moves > 1)
    if moves > 1:
        play(game, "cell 14")
    assert game.decision.kind == "activate"


@pytest.mark.parametrize(("card", "built"), [(10, 2), (22, 2), (33, 3), (27, 2), (109, 2)])
def test_boosted_ships_of_a_build_p22(card, built):
    game = using(card, transports={8: 1}, cruisers={}, minerals=gems("blue", 2, (card,)))
    ships = 0
    while not is_done(game):
        play(game, names(game)[-1] if "pass" not in names(game) else names(game)[1])
        ships += 1
    ships -= PRINTED[card]["family"] == "build_at_occupied"
    assert ships == built
    assert sum(transports(game).values()) + sum(cruisers(game).values()) == 1 + built


def test_boosted_bombs_of_a_sabotage_p22():
    game = using(
        15,
        rival={"transports": {12: 1, 9: 5}},
        minerals=gems("red", 4, (15,)),
        deck=[75, 13, 5, 33, 1, 6],
    )
    play(game, "cell 9")
    assert is_done(game)
    assert game.scores[0] == 3
    assert deck(game) == [33, 1, 6]


# --- Techs, Plans, executed cards ---------------------------------------------------------------


def test_r2_a_researched_tech_is_boosted_by_its_own_color():
    game = helpers.game(
        phase="use_tech", techs=["basic", 28], hand=[75, 13], minerals=[27], impulse=[45]
    )
    play(game, "tech 1", "card 75", "card 13")
    assert game.scores[0] == 6


def test_r2_a_plan_card_is_boosted_by_its_own_color():
    game = helpers.game(phase="use_plan", cursor=0, plan=[28, 9], hand=[75, 13], minerals=[27])
    play(game, "use", "card 75", "card 13")
    assert game.scores[0] == 6
    assert game.decision.kind == "use_plan_card"


@pytest.mark.parametrize("color", COLORS)
def test_r2_the_common_basic_tech_is_never_boosted(color):
    minerals = gems(color, 6)
    fields = {"phase": "use_tech", "impulse": [45], "hand": [75], "minerals": minerals}
    built = play(helpers.game(**fields), "tech 0", "card 75", "basic build", "cell 8")
    assert built.decision.kind == "use_impulse", "one ship"
    moved = play(helpers.game(**fields), "tech 0", "card 75", "basic command", "cell 8", "ships 1")
    play(moved, "cell 4")
    assert moved.decision.kind == "activate", "one move"


@pytest.mark.parametrize("color", COLORS)
def test_r2_race_techs_are_never_boosted(color):
    fields = {"phase": "use_tech", "minerals": gems(color, 6, (15, 101, 104))}
    draw = helpers.game(race="piscesish", deck=[34, 6, 5], impulse=[45], **fields)
    play(draw, "tech 1")
    assert draw.decision.kind == "use_impulse", "size 1 and one card"
    assert deck(draw) == [6, 5]
    mine = helpers.game(race="caelumnites", hand=[101, 15, 9], impulse=[104], **fields)
    play(mine, "tech 1")
    assert names(mine) == ["card 15", "card 101"]
    play(mine, "card 15")
    assert mine.decision.kind == "use_impulse"


# --- Transports ---------------------------------------------------------------------------------


def arrive(ships, there, card, minerals=(), yellow=6, **fields):
    """Move Transports onto a map card with a boosted "[1] Transport fleet" and activate it."""
    game = using(
        41,
        transports={8: 6, **({9: there} if there else {})},
        cruisers={},
        face_up={9: card},
        minerals=[*gems("yellow", yellow, (41, card)), *minerals],
        **fields,
    )
    return play(game, "cell 8", f"ships {ships}", "cell 9", "use")


@pytest.mark.parametrize("ships", [1, 2, 3, 4])
@pytest.mark.parametrize("own", [0, 1, 2])
def test_each_arriving_transport_is_one_matching_gem_p22(ships, own):
    game = arrive(ships, 0, 28, gems("blue", own, (28,)), hand=HAND)
    assert count_of_trade(game) == 1 + (ships + own) // 2


def test_three_transports_and_one_red_gem_boost_a_red_card_by_2_p22():
    game = arrive(3, 0, 92, gems("red", 1), hand=[1, 34, 27, 85])
    assert count_of_trade(game) == 3


def test_transports_that_were_there_before_do_not_count_p22():
    game = arrive(1, 5, 28, hand=HAND)
    assert count_of_trade(game) == 1


def test_transports_gems_match_whatever_the_color_of_the_map_card_p22():
    for card, top in ((5, 3), (75, None), (63, 2)):
        game = arrive(2, 0, card, deck=[1, 2, 3, 10, 11, 6, 39, 4])
        if top is None:
            assert game.decision.kind == "choose_fleet"
            continue
        while not is_done(game):
            play(game, "tech 0" if "tech 0" in names(game) else "use")
        assert len(hand(game)) == (3 if card == 5 else 0)


def test_the_transports_gems_are_gone_after_the_activation():
    game = arrive(2, 0, 28, hand=[75, 13, 55])
    play(game, "card 75", "card 13")
    assert is_done(game)
    later = helpers.game(phase="use_impulse", impulse=[28, 45], hand=HAND, transports={9: 2})
    play(later, "use", "card 75")
    assert is_done(later)


def test_a_choice_that_only_the_boost_allows_is_offered_at_the_activation():
    # "Mine one size [1] card" with a size 2 card alone in hand: two Transports make it fit.
    game = using(
        41,
        transports={8: 2},
        cruisers={},
        face_up={9: 7},
        minerals=gems("yellow", 2, (41,)),
        hand=[9],
    )
    one = play(game.copy(), "cell 8", "ships 1", "cell 9")
    assert names(one) == ["pass"]
    play(game, "cell 8", "ships 2", "cell 9")
    assert names(game) == ["pass", "use"]


@pytest.mark.parametrize("ships", [1, 2, 3])
@pytest.mark.parametrize(("color", "own"), [("red", 1), ("blue", 2), ("green", 3), ("yellow", 6)])
def test_the_sector_core_scores_1_and_the_boost_in_the_chosen_color_p28(ships, color, own):
    minerals = [*gems("yellow", 6, (41,)), *(gems(color, own) if color != "yellow" else [])]
    game = using(41, transports={9: 4}, cruisers={}, minerals=minerals)
    play(game, "cell 9", f"ships {ships}", "cell 10")
    assert names(game) == ["pass", "color red", "color blue", "color green", "color yellow"]
    play(game, f"color {color}")
    assert is_done(game)
    assert game.scores[0] == 1 + (own + ships) // 2


# --- Fixed before the action (p. 43) ------------------------------------------------------------


def test_gems_mined_in_the_action_do_not_boost_the_rest_of_it_p43():
    game = using(92, hand=[20, 1], minerals=[])
    play(game, "card 20")
    assert is_done(game), "two red gems now, but the action was for one card"


def test_gems_lost_in_the_action_do_not_lower_the_boost_p39():
    game = using(43, minerals=[34, 9, 4])
    play(game, "card 34")
    assert names(game) == ["pass", "card 4", "card 9"]


def test_gems_gained_by_a_card_executed_do_not_raise_the_box_of_the_execute_card_p43():
    # Execute from the deck [size 1] + 0: the choice was made when the gems were not there.
    game = using(82, techs=["basic", "basic"], race="caelumnites", hand=[], deck=[34, 6])
    play(game, "use")
    assert is_done(game)
    assert 34 in helpers.discard(game)


def test_a_boost_gained_by_one_impulse_card_counts_for_the_next_p22():
    game = helpers.game(
        phase="use_impulse",
        impulse=[29, 28, 45],
        hand=[33, 75, 13],
    )
    play(game, "use", "card 33", "use", "card 75", "card 13")
    assert game.scores[0] == 6


def test_an_offer_counts_the_boost_of_the_minerals_p22():
    assert names(offering(2, hand=[9], minerals=gems("red", 1))) == ["pass"]
    assert names(offering(2, hand=[9], minerals=gems("red", 2))) == ["pass", "use"]
