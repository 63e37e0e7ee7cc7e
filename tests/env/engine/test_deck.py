"""The deck, empty or not (p. 16, p. 42, P10), and what everybody knows of a hand (R12, P6)."""

import pytest

from helpers import deck, discard, game, hand, known, minerals, names, play, table
from impulse_env.game import Game
from printed import ALL_CARDS, is_done, lying, using


def exactly(deck_cards, discard_cards=(), card=None, rivals=({},), **fields):
    """Return a game with just these cards in the deck and the discard pile.

    All the others lie with the last seat as minerals, out of the way. With `card` seat 0 uses that
    Impulse card.
    """
    if card is not None:
        fields |= {"phase": "use_impulse", "impulse": [card, 45]}
    named = [*deck_cards, *discard_cards]
    position = game(others=list(rivals), deck=named or [6], **fields).to_position()
    rest = position["deck"] + position["discard"]
    for number in named:
        rest.remove(number)
    position["seats"][-1]["minerals"] += rest
    position["deck"], position["discard"] = list(deck_cards), list(discard_cards)
    made = Game.from_position(position)
    assert lying(made) == ALL_CARDS
    return play(made, "use") if card is not None else made


# --- The discard pile becomes the deck ----------------------------------------------------------


def test_as_soon_as_the_deck_is_empty_the_discard_pile_is_shuffled_into_it_p16():
    made = exactly([75], [1, 3, 9], card=5)
    assert hand(made) == [75]
    assert made.decision.kind == "reveal_next"
    assert sorted(deck(made)) == [1, 3, 9], "before the next card is even wanted (P10)"
    assert discard(made) == []


def test_a_revealed_card_is_not_shuffled_into_the_new_deck_p10():
    made = exactly([1], [3, 9], card=66)
    assert made.decision.kind == "keep_revealed"
    assert sorted(deck(made)) == [3, 9]
    play(made, "pass")
    assert discard(made) == [1]


def test_p10_a_revealed_card_that_does_not_fit_comes_too_late_for_the_shuffle():
    # The deck was empty, and shuffled at once, before the revealed card was discarded.
    made = exactly([75], [3, 9], card=66)
    assert made.decision.kind == "reveal_next"
    assert sorted(deck(made)) == [3, 9]
    assert discard(made) == [75]


def test_p10_a_revealed_bomb_card_comes_too_late_for_the_shuffle():
    rival = {"transports": {12: 1, 9: 4}}
    made = exactly([75], [3, 9, 1, 20], card=15, rivals=[rival])
    play(made, "cell 9")
    assert is_done(made)
    assert sorted(deck(made)) == [1, 3, 9, 20]
    assert discard(made) == [75]


def test_p10_whatever_is_discarded_with_an_empty_deck_becomes_the_deck_at_once():
    made = exactly([], [], card=28, hand=[75])
    play(made, "card 75")
    assert deck(made) == [75]
    assert discard(made) == []


def test_an_executed_card_on_the_table_is_not_shuffled_p10():
    made = exactly([61], [3, 9], card=64, hand=[1])
    play(made, "card 1", "use")
    assert table(made) == [1]
    assert sorted(deck(made)) == [3, 9]
    play(made, "pass")
    assert discard(made) == [1]


def test_the_last_card_of_the_deck_can_be_executed_and_draw_from_the_new_one_p10():
    made = exactly([1], [61, 104, 6], card=82)
    play(made, "use")
    assert sorted(deck(made)) == [6, 61, 104]
    play(made, "use")
    assert len(hand(made)) == 1
    assert len(deck(made)) == 2
    play(made, "pass")
    assert discard(made) == [1]
    assert lying(made) == ALL_CARDS


def test_the_new_deck_is_shuffled_by_the_games_own_randomness():
    orders = set()
    for seed in range(12):
        orders.add(tuple(deck(exactly([75], [1, 3, 9, 20], card=5, seed=seed))))
    assert len(orders) > 4


def test_an_effect_continues_over_the_shuffle_p16():
    made = exactly([1], [3, 108], card=66)
    play(made, "use", "use", "use", "use", "use")
    assert is_done(made)
    assert hand(made) == [1, 3, 108]
    assert deck(made) == discard(made) == []


def test_the_draw_of_the_turn_continues_over_the_shuffle_p16():
    made = play(exactly([75], [1], phase="use_impulse", impulse=[45]), "pass")
    assert made.turn == 1
    assert hand(made) == [1, 75]
    assert deck(made) == discard(made) == []


# --- Everybody discards for a new deck ----------------------------------------------------------


def test_everybody_discards_2_from_the_active_player_on_in_turn_order_p42():
    rivals = [{"hand": [9, 3, 61]}, {"hand": [34, 27, 33]}]
    made = exactly([], [], card=5, hand=[1, 75, 20], rivals=rivals)
    for seat, own, chosen in (
        (0, [1, 20, 75], ("card 75", "card 1")),
        (1, [3, 9, 61], ("card 9", "card 61")),
        (2, [27, 33, 34], ("card 27", "card 34")),
    ):
        assert (made.seat, made.decision.kind) == (seat, "discard_for_deck")
        assert names(made) == [f"card {n}" for n in own], "of the own choice, and no pass"
        play(made, chosen[0])
        assert (made.seat, made.decision.kind) == (seat, "discard_for_deck")
        assert deck(made) == [], "all cards are shuffled together"
        play(made, chosen[1])
    assert made.seat == 0
    assert hand(made, 1) == [3]
    assert hand(made, 2) == [33]
    assert len(hand(made)) == 2, "one kept and one drawn"
    assert sorted([*hand(made), *deck(made)]) == [1, 9, 20, 27, 34, 61, 75]
    assert len(deck(made)) == 5
    assert discard(made) == []
    assert made.decision.kind == "reveal_next"
    assert lying(made) == ALL_CARDS


def test_turn_order_starts_with_the_active_player_p42():
    rivals = [{"hand": [9, 3, 61]}, {"hand": [34, 27, 33]}]
    made = exactly(
        [], [], rivals=rivals, hand=[1, 75, 20], active=1, phase="use_impulse", impulse=[5, 45]
    )
    play(made, "use")
    seats = []
    while made.decision.kind == "discard_for_deck":
        seats.append(made.seat)
        made.step(made.legal_actions()[0])
    assert seats == [1, 1, 2, 2, 0, 0]
    assert made.seat == 1


def test_who_has_fewer_than_2_discards_all_and_is_not_asked_p42():
    rivals = [{"hand": [9]}, {"hand": []}, {"hand": [34, 27]}]
    made = exactly([], [], card=5, hand=[1, 75, 20], rivals=rivals)
    play(made, "card 1", "card 20")
    assert made.decision.kind == "reveal_next"
    assert [hand(made, seat) for seat in (1, 2, 3)] == [[], [], []]
    assert sorted([*hand(made), *deck(made)]) == [1, 9, 20, 27, 34, 75]


def test_two_copies_of_a_face_can_both_be_discarded():
    made = exactly([], [], card=5, hand=[31, 38, 75])
    play(made, "card 31")
    assert names(made) == ["card 31", "card 75"]
    play(made, "card 31")
    assert 75 in hand(made)


def test_eliminated_players_have_nothing_to_discard_p17():
    gone = {"eliminated": True, "transports": {}, "cruisers": {}}
    made = exactly([], [], card=5, hand=[1, 75, 20], rivals=[gone, {"hand": [9, 3, 61]}])
    play(made, "card 1", "card 20")
    assert made.seat == 2


def test_the_discards_are_seen_by_all_r12():
    made = exactly([], [], card=5, hand=[1, 75, 20], known=[1, 20, 75])
    play(made, "card 1")
    assert known(made) == [20, 75]
    play(made, "card 20")
    assert known(made)[-1:] == [75]


def test_no_cards_anywhere_and_the_draw_does_not_happen_p42():
    made = exactly([], [], phase="use_impulse", impulse=[5, 45])
    assert names(made) == ["pass"]
    play(made, "pass", "pass")
    assert made.turn == 1
    assert hand(made) == []


def test_no_cards_anywhere_in_mid_effect_and_the_rest_does_not_happen_p42():
    made = play(exactly([1], [], card=61), "use")
    assert minerals(made) == [1]
    while not is_done(made):
        assert made.decision.kind == "reveal_next"
        play(made, "use")
    assert deck(made) == discard(made) == []


def test_the_last_cards_may_come_back_to_their_owner_p42():
    made = exactly([75], [], card=5)
    assert hand(made) == [75]
    play(made, "use")
    assert is_done(made)
    assert hand(made) == [75], "the only card of all hands is discarded, shuffled and drawn"


def test_the_draw_of_the_turn_asks_everybody_too_p42():
    rivals = [{"hand": [9, 3, 61]}]
    made = exactly([], [], hand=[1, 75, 20], rivals=rivals, phase="use_impulse", impulse=[45])
    play(made, "pass")
    assert (made.seat, made.decision.kind) == (0, "discard_for_deck")
    play(made, "card 1", "card 75", "card 9", "card 3")
    assert made.turn == 1
    assert len(hand(made)) == 3, "one kept, two drawn"
    assert hand(made, 1) == [61]
    assert len(deck(made)) == 2


def test_the_impulse_is_trimmed_after_the_draw_p13():
    # The oldest Impulse card is still on the Impulse while the two cards are drawn.
    made = exactly([1], [], phase="use_impulse", impulse=[9, 20, 34, 45], cursor=3)
    play(made, "pass")
    assert made.turn == 1
    assert hand(made) == [1], "the second draw brings the same card back"
    assert deck(made) == [9], "then the trimmed card is the new deck (P10)"


def test_bombs_without_cards_do_not_fall_p42():
    rival = {"transports": {12: 1, 9: 4}}
    made = exactly([], [], phase="use_impulse", impulse=[24, 45], rivals=[rival])
    if "use" in names(made):
        play(made, "use", "cell 9")
    assert made.scores == [0, 0]


def test_bombs_continue_with_the_new_deck_p42():
    rival = {"transports": {12: 1, 9: 4}, "hand": [33, 65, 106]}
    made = exactly([75], [], card=24, rivals=[rival], hand=[1])
    play(made, "cell 9")
    # The first card is discarded and is the whole deck again; it hits three times.
    assert is_done(made)
    assert made.scores[0] == 3


def test_a_card_of_the_deck_to_be_executed_can_ask_for_discards_p42():
    made = exactly([], [], card=82, hand=[1, 75, 20], rivals=[{"hand": []}])
    play(made, "use")
    assert made.decision.kind == "discard_for_deck"
    play(made, "card 75", "card 20")
    assert is_done(made), "neither fits"
    assert hand(made) == [1]


# --- What everybody knows of a hand (R12) -------------------------------------------------------


def test_r12_cards_drawn_unseen_and_explored_cards_are_not_known():
    made = using(41, hand=[75], face_down={9: 3}, transports={8: 1}, cruisers={})
    play(made, "cell 8", "ships 1", "cell 9")
    assert known(made) == []
    play(made, "card 75")
    assert hand(made) == [3]
    assert known(made) == []


def test_r12_a_known_card_placed_on_the_map_is_forgotten():
    made = using(41, hand=[75], known=[75], face_down={9: 3}, transports={8: 1}, cruisers={})
    play(made, "cell 8", "ships 1", "cell 9", "card 75")
    assert known(made) == []


def test_r12_a_known_card_added_to_the_impulse_is_forgotten():
    made = play(game(hand=[75, 1], known=[1, 75]), "card 75")
    assert known(made) == [1]


def test_r12_known_cards_of_a_hand_stay_known_over_the_turns():
    made = game(hand=[75, 1], known=[1], impulse=[45], deck=[3, 9, 20, 34])
    play(made, "card 75")
    while made.turn == 0:
        play(made, "pass")
    assert known(made) == [1]
    assert hand(made) == [1, 3, 9]


FIGHT = {"transports": {8: 1}, "cruisers": {"8-9": 1}}


def fight(**rival):
    """Seat 0's Cruiser attacks that of seat 1; card 31 is on the Impulse."""
    own = {**FIGHT, **rival.pop("own", {})}
    made = using(
        31,
        rival={"transports": {12: 1}, "cruisers": {"9-10": 1}, **rival},
        deck=[1, 3, 9, 6],
        **own,
    )
    return play(made, "gate 8-9", "ships 1", "gate 9-10")


def test_r12_bluffs_return_to_the_hand_and_are_known():
    made = fight(hand=[35, 75, 20])
    assert made.seat == 1
    play(made, "card 75", "card 35", "pass")
    assert known(made, 1) == [], "laid face-down: nobody knows yet"
    assert hand(made, 1) == [20]
    play(made, "pass")
    assert hand(made, 1) == [20, 75]
    assert known(made, 1) == [75]
    assert 35 in discard(made), "it matched the yellow size 1 card of the Impulse"


def test_r12_laying_a_known_card_tells_nobody_that_it_went():
    made = fight(hand=[35, 75], known=[75])
    play(made, "card 75")
    assert hand(made, 1) == [35]
    assert known(made, 1) == [75], "in the hand or among the reinforcements"
    play(made, "pass", "pass")
    assert known(made, 1) == [75]


def test_r12_a_known_reinforcement_that_fights_is_known_no_more():
    made = fight(hand=[35, 75], known=[35, 75])
    play(made, "card 35", "pass", "pass")
    assert known(made, 1) == [75]


@pytest.mark.parametrize(
    ("own", "before", "laid", "after"),
    [
        ([4, 26, 42], [4], 2, [4, 4]),
        ([4, 26, 42], [4, 4], 1, [4, 4]),
        ([4, 26, 42], [], 3, [4, 4, 4]),
        ([4, 26, 42], [4], 1, [4]),
    ],
)
def test_p6_after_bluffs_everyone_knows_at_least_as_many_copies_as_were_shown(
    own, before, laid, after
):
    made = fight(hand=own, known=before)
    play(made, *["card 4"] * laid, "pass", "pass")
    assert hand(made, 1) == [4, 4, 4]
    assert known(made, 1) == after


def test_r12_the_attackers_bluffs_are_known_too():
    made = fight(hand=[], own={"hand": [75, 35]})
    play(made, "pass", "card 75", "pass")
    assert hand(made) == [35, 75]
    assert known(made) == [75]
