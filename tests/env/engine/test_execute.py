"""Execute: use a card and discard it, or use one of the Techs (p. 35, R2, R7, R9, P2-P4)."""

import pytest

import helpers
from helpers import (
    deck,
    discard,
    hand,
    minerals,
    names,
    plan,
    play,
    table,
    techs,
    transports,
)
from printed import ALL_CARDS, NEXT, cards_of, gems, is_done, lying, offering, using

RACE = {"race": "piscesish"}


def hand_of_three_sizes(card):
    return [cards_of("red", size, 1, (card, NEXT))[0] for size in (1, 2, 3)]


# --- From hand ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("card", "size"), [(64, 2), (65, 2), (89, 1)])
@pytest.mark.parametrize("boost", [0, 1])
def test_a_hand_card_up_to_the_boxed_size_is_executed_p24(card, size, boost):
    own = {64: "green", 65: "blue", 89: "green"}[card]
    cards = hand_of_three_sizes(card)
    game = using(card, hand=cards, minerals=gems(own, 2 * boost + 1, (card,)))
    offered = [name for name in names(game) if name.startswith("card")]
    assert len(offered) == min(size + boost, 3)


def test_p4_pass_is_not_offered_again_once_the_execute_card_is_used():
    assert "pass" not in names(using(64, hand=[2, 28]))


def test_an_executed_card_is_used_and_then_discarded_p35():
    game = play(using(64, hand=[83, 75]), "card 83")
    assert game.decision.kind == "use_executed"
    assert hand(game) == [75]
    assert table(game) == [83]
    play(game, "use")
    assert 83 not in discard(game), "it is discarded after its use"
    play(game, "card 75")
    assert is_done(game)
    assert game.scores[0] == 3
    assert 83 in discard(game)
    assert techs(game) == ["basic", "basic"]
    assert lying(game) == ALL_CARDS


def test_p4_pass_is_offered_with_a_hand_card_being_executed_and_discards_it():
    game = play(using(64, hand=[83, 75]), "card 83")
    assert names(game) == ["pass", "use"]
    play(game, "pass")
    assert is_done(game)
    assert game.scores[0] == 0
    assert hand(game) == [75]
    assert 83 in discard(game)


def test_a_card_that_can_do_nothing_may_be_executed_to_discard_it():
    game = play(using(64, hand=[83]), "card 83")
    assert names(game) == ["pass"]
    play(game, "pass")
    assert 83 in discard(game)


def test_an_executed_card_frees_its_place_in_a_full_hand_p17():
    ten = [2, 54, 10, 48, 11, 84, 16, 53, 17, 1]
    game = play(using(64, hand=ten, deck=[61, 101, 6]), "card 1", "use")
    assert is_done(game), "the first card fills the hand again"
    assert 61 in hand(game)
    assert deck(game) == [101, 6]


def test_p14_a_hand_card_at_work_has_left_the_hand():
    # Card 2 (Research one size [1] card from your hand) could take itself or the third of its face.
    game = play(using(64, hand=[2, 16]), "card 2", "use")
    assert hand(game) == [16]
    assert [name for name in names(game) if name != "pass"] == ["card 16"]
    alone = play(using(64, hand=[2]), "card 2")
    assert names(alone) == ["pass"], "there is nothing left to research"


def test_execute_without_card_or_tech_can_only_be_declined():
    both = {"techs": [83, 28]}
    assert names(offering(64, **both)) == ["pass"]
    assert names(offering(64, hand=[75], **both)) == ["pass", "use"], "a Tech can trade it"


# --- From the deck ------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [82, 86, 97])
@pytest.mark.parametrize("boost", [0, 1, 2])
@pytest.mark.parametrize("size", [1, 2, 3])
def test_the_top_card_is_executed_if_its_size_fits_p24(card, boost, size):
    mineral_cards = gems("green", 2 * boost, (82, 86, 97))
    (top,) = cards_of("green", size, 1, (82, 86, 97, *mineral_cards))
    game = using(card, minerals=mineral_cards, deck=[top, 39])
    play(game, "use")
    assert deck(game) == [39]
    if size <= 1 + boost:
        assert game.decision.kind == "keep_revealed"
        assert len(table(game)) == 1
        play(game, "pass")
    assert is_done(game)
    assert table(game) == []


def test_the_executed_deck_card_is_used_then_discarded_p35():
    game = play(using(82, deck=[1, 61, 101, 6]), "use", "use")
    assert hand(game) == [61]
    assert 1 not in discard(game)
    play(game, "use", "use")
    assert is_done(game)
    assert hand(game) == [61, 101]
    assert 1 in discard(game)
    assert deck(game) == [6]
    assert lying(game) == ALL_CARDS


def test_p2_the_revealed_card_may_be_declined_and_is_discarded():
    game = play(using(82, deck=[1, 61, 6]), "use")
    assert names(game) == ["pass", "use"]
    play(game, "pass")
    assert is_done(game)
    assert 1 in discard(game)
    assert hand(game) == []


def test_a_revealed_card_that_can_do_nothing_is_discarded():
    game = play(using(82, deck=[101, 61, 6]), "use")
    assert names(game) == ["pass"], "the Plan is empty"
    play(game, "pass")
    assert 101 in discard(game)


def test_a_revealed_card_that_is_too_big_is_discarded_p24():
    game = play(using(82, deck=[75, 61, 6]), "use")
    assert is_done(game)
    assert 75 in discard(game)


# --- Techs --------------------------------------------------------------------------------------


@pytest.mark.parametrize("card", [64, 65, 82, 89])
def test_a_researched_tech_can_be_executed_instead_p35(card):
    game = using(card, techs=[28, 83], hand=[75])
    assert {"tech 0", "tech 1"} <= set(names(game))
    play(game, "tech 1", "card 75")
    assert is_done(game)
    assert game.scores[0] == 3
    assert techs(game) == [28, 83], "a Tech is not discarded"


def test_basic_techs_can_be_executed_too_p35():
    game = using(82, hand=[75], deck=[1, 6], **RACE)
    assert names(game) == ["use", "tech 0", "tech 1"]
    drawn = play(game.copy(), "tech 1", "use")
    assert hand(drawn) == [1, 75]
    built = play(game, "tech 0", "card 75", "basic build", "cell 8")
    assert is_done(built)
    assert transports(built) == {8: 3}


def test_a_tech_can_be_used_in_its_own_step_and_again_by_execute_p35():
    game = helpers.game(
        phase="use_tech", techs=[28, "basic"], hand=[75, 13], impulse=[82, 45], deck=[1, 6]
    )
    play(game, "tech 0", "card 75", "use", "tech 0", "card 13")
    assert game.scores[0] == 6


def test_a_tech_with_nothing_to_do_is_not_on_offer():
    away = {"race": "ariek", "transports": {8: 1}, "cruisers": {}}
    game = using(64, techs=[101, "basic"], hand=[2], **away)
    assert names(game) == ["card 2"], "no Plan, and the Core is two moves away"


def test_r2_an_executed_tech_is_boosted_by_minerals_of_its_own_color():
    game = using(82, techs=[28, "basic"], hand=[75, 13], minerals=[10, 11])
    play(game, "tech 0", "card 75", "card 13")
    assert game.scores[0] == 6


def test_p3_an_execute_tech_may_not_execute_its_own_slot_again():
    game = helpers.game(phase="use_tech", techs=[82, "basic"], hand=[75], deck=[1, 6], **RACE)
    play(game, "tech 0")
    assert names(game) == ["use", "tech 1"]


def test_p3_two_execute_techs_cannot_execute_each_other_for_ever():
    game = helpers.game(phase="use_tech", techs=[82, 86], deck=[1, 6], impulse=[45])
    play(game, "tech 0")
    assert names(game) == ["use", "tech 1"]
    play(game, "tech 1")
    assert names(game) == ["use"], "both slots are in the chain"


def test_p3_a_chain_of_execute_techs_without_a_card_ends_quietly():
    game = helpers.game(phase="use_tech", techs=[64, 65], hand=[], impulse=[45])
    play(game, "tech 0", "tech 1")
    assert game.decision.kind == "use_impulse"


def test_p3_a_hand_card_in_between_interrupts_the_chain():
    game = helpers.game(phase="use_tech", techs=[64, "basic"], hand=[82, 75], deck=[1, 6], **RACE)
    play(game, "tech 0", "card 82", "use")
    assert "tech 0" in names(game), "the chain Tech - Execute - Tech was interrupted"
    play(game, "tech 0")
    assert "tech 0" not in names(game)


def test_p3_an_impulse_execute_starts_a_chain_of_its_own():
    game = using(82, techs=[86, 97], deck=[1, 6])
    assert names(game) == ["use", "tech 0", "tech 1"]
    play(game, "tech 0")
    assert names(game) == ["use", "tech 1"]


def test_p3_a_researched_execute_card_used_at_once_does_not_execute_its_own_slot_r9():
    game = using(18, hand=[82], deck=[1, 6], **RACE)
    play(game, "card 82", "tech 0", "use")
    assert names(game) == ["use", "tech 1"]


def test_r11_an_execute_tech_finishes_when_what_it_executes_covers_it():
    game = helpers.game(
        phase="use_tech", techs=[64, "basic"], hand=[54, 1], impulse=[45], deck=[5, 6]
    )
    play(game, "tech 0", "card 2", "use", "card 1", "tech 0")
    assert techs(game) == [1, "basic"]
    assert {64, 2} <= set(discard(game))
    assert game.decision.kind == "use_impulse"


# --- Boost (R2) ---------------------------------------------------------------------------------


def test_r2_an_executed_card_is_boosted_by_minerals_of_its_own_color():
    # Blue gems boost the Trade, green ones the Execute card.
    game = play(using(64, hand=[28, 75, 13], minerals=[10, 11]), "card 28", "use")
    play(game, "card 75", "card 13")
    assert game.scores[0] == 6
    game = play(using(64, hand=[28, 75, 13], minerals=gems("green", 2)), "card 28", "use")
    play(game, "card 75")
    assert is_done(game), "green gems do not boost a blue card"


def on_a_map_execute(card=82, **fields):
    """Two Transports move onto an Execute card of the map and are about to activate it."""
    game = using(
        41,
        transports={8: 3},
        cruisers={},
        face_up={9: card},
        minerals=fields.pop("minerals", [31, 38]),
        **fields,
    )
    play(game, "cell 8", "ships 2", "cell 9")
    assert game.decision.kind == "activate"
    return play(game, "use")


def test_r2_transports_gems_boost_the_execute_card_of_the_map():
    game = on_a_map_execute(deck=[20, 1, 6], hand=[5])
    play(game, "use")
    assert game.decision.kind == "keep_revealed", "size [1] + 1"
    play(game, "use")
    assert names(game) == ["card 5"]


def test_r2_transports_gems_count_for_no_card_that_the_map_card_executes():
    game = on_a_map_execute(deck=[28, 1, 6], hand=[75, 39])
    play(game, "use", "use", "card 75")
    assert is_done(game), "one yellow card: the Trade has no gem of its own"
    assert game.scores[0] == 3


def test_r2_transports_gems_count_for_no_tech_that_the_map_card_executes():
    game = on_a_map_execute(hand=[75, 39], techs=[28, "basic"])
    play(game, "tech 0", "card 75")
    assert is_done(game)


def test_r2_transports_gems_count_for_no_tech_that_a_map_card_researches_and_executes_r9():
    game = on_a_map_execute(card=18, hand=[20, 28, 75, 39])
    assert "card 20" in names(game), "size [1] + 1"
    play(game, "card 28", "tech 0", "use", "card 75")
    assert is_done(game), "one yellow card"


# --- Chains -------------------------------------------------------------------------------------


def test_a_chain_from_the_impulse_over_hand_map_and_deck_ends_where_it_began():
    game = using(
        64,
        hand=[40, 75, 39],
        deck=[28, 1, 6],
        transports={8: 1},
        cruisers={},
        face_up={9: 103, 5: 82},
    )
    play(game, "card 40", "use")
    assert table(game) == [40]
    play(game, "cell 8", "ships 1", "cell 9", "cell 5")
    assert game.decision.kind == "activate"
    assert table(game) == [40], "the Command card lies open while the map card acts"
    play(game, "use", "use")
    assert table(game) == [40, 28]
    play(game, "use", "card 75")
    assert is_done(game)
    assert table(game) == []
    assert game.scores[0] == 3
    assert {40, 28} <= set(discard(game))
    assert helpers.face_up(game, 5) == 82, "a map card stays on the map"
    assert lying(game) == ALL_CARDS


def test_execute_cards_can_execute_each_other_from_hand():
    game = using(64, hand=[89, 82, 75], deck=[28, 1, 6])
    play(game, "card 89", "use", "card 82", "use", "use")
    assert table(game) == [89, 82, 28]
    play(game, "use", "card 75")
    assert is_done(game)
    assert game.scores[0] == 3
    assert {89, 82, 28} <= set(discard(game))


def test_a_declined_link_discards_its_card_and_ends_the_chain():
    game = using(64, hand=[89, 82, 75], deck=[28, 1, 6])
    play(game, "card 89", "use", "card 82", "pass")
    assert is_done(game)
    assert hand(game) == [75]
    assert {89, 82} <= set(discard(game))
    assert deck(game) == [28, 1, 6]


def test_an_executed_plan_card_adds_to_the_plan_or_the_next_one_p39():
    game = play(using(64, hand=[14, 75]), "card 14", "use", "card 75", "pass")
    assert plan(game) == [75]
    used = helpers.game(phase="use_plan", cursor=0, plan=[64, 9], hand=[14, 75])
    play(used, "use", "card 14", "use", "card 75", "pass")
    assert plan(used) == [64, 9]
    assert helpers.next_plan(used) == [75]


def test_r7_a_card_being_executed_lies_neither_on_the_impulse_nor_in_the_plan():
    game = play(using(64, hand=[83, 75]), "card 83", "use")
    assert helpers.impulse(game) == [64, NEXT]
    assert plan(game) == []
    assert minerals(game) == []
