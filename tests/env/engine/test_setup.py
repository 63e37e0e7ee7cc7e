"""Setup (pp. 4-5, R1, P7) and the options of section 12."""

import pytest

from helpers import cruisers, hand, names, play, transports
from impulse_env.game import Game
from impulse_env.options import OptionError
from printed import ALL_CARDS, PRINTED, lying

HOMES = {
    2: (8, 12),
    3: (8, 3, 19),
    4: (1, 3, 19, 17),
    5: (8, 1, 3, 19, 17),
    6: (8, 1, 3, 12, 19, 17),
}
TOWARDS_CORE = {1: "1-5", 3: "3-6", 8: "8-9", 12: "11-12", 17: "14-17", 19: "15-19"}
RACES = ("piscesish", "ariek", "herculese", "draconians", "triangulumnists", "caelumnites")


def setup_order(players, start):
    return [(start + k) % players for k in range(players)]


def placed(game):
    """Finish the setup, every seat placing its first card."""
    while game.decision.kind == "place_home":
        game.step(game.legal_actions()[0])
    return game


@pytest.mark.parametrize("players", HOMES)
def test_the_deal_gives_18_face_down_cells_and_5_cards_to_each_hand_p5(players):
    game = Game(players, seed=1, start_player=0, auto_forced=False)
    state = game.state
    assert lying(game) == ALL_CARDS
    assert sum(state["cell_face_up"]) == 1, "the Sector Core alone lies face-up"
    assert state["cell_face_up"][9] == 1
    assert [int(n) for n in state["hand_count"][:players]] == [6] + [5] * (players - 1)
    assert state["deck_count"] == 108 - 18 - 5 * players
    assert game.scores == [0] * players
    assert state["impulse_count"].sum() == state["plan_count"].sum() == 0
    assert state["discard_count"] == state["minerals"].sum() == 0
    assert (state["techs"][:players] < 0).all(), "two Basic Techs each"


@pytest.mark.parametrize("players", HOMES)
@pytest.mark.parametrize("start", [0, 1])
def test_r1_in_turn_order_each_takes_the_home_card_and_places_one_of_six(players, start):
    game = Game(players, seed=3, start_player=start, auto_forced=False)
    for seat in setup_order(players, start):
        home = HOMES[players][seat]
        assert (game.seat, game.decision.kind) == (seat, "place_home")
        assert game.state["cell_card"][home - 1] == -1, "its card is in hand"
        before = hand(game, seat)
        assert len(before) == 6
        assert set(names(game)) == {f"card {n}" for n in before}, "any of the six"
        assert transports(game, seat) == cruisers(game, seat) == {}
        chosen = before[-1]
        play(game, f"card {chosen}")
        before.remove(chosen)
        assert hand(game, seat) == before
        assert game.state["cell_face_up"][home - 1] == 1
        assert transports(game, seat) == {home: 2}
        assert cruisers(game, seat) == {TOWARDS_CORE[home]: 1}
    assert (game.seat, game.decision.kind, game.turn) == (start, "add_impulse", 0)
    assert lying(game) == ALL_CARDS


def test_p7_the_first_placement_goes_in_turn_order_from_the_start_player():
    game = Game(4, seed=9, start_player=2, auto_forced=False)
    seats = []
    while game.decision.kind == "place_home":
        seats.append(game.seat)
        game.step(game.legal_actions()[0])
    assert seats == [2, 3, 0, 1]
    assert game.seat == 2


def test_the_face_down_home_cards_of_others_stay_hidden_until_their_turn_r1():
    game = Game(3, seed=5, start_player=0, auto_forced=False)
    game.step(game.legal_actions()[0])
    assert game.seat == 1
    assert game.state["cell_face_up"][18] == 0, "seat 2's home still lies face-down"
    assert game.state["cell_card"][18] >= 0
    assert len(hand(game, 2)) == 5


def test_races_and_start_player_are_random_by_seed_and_races_differ_p4():
    seen_races, seen_starts = set(), set()
    for seed in range(40):
        game = Game(3, seed=seed)
        races = [int(race) for race in game.state["race"][:3]]
        assert len(set(races)) == 3
        assert set(races) <= set(range(6))
        seen_races |= set(races)
        seen_starts.add(game.seat)
    assert seen_races == set(range(6))
    assert seen_starts == {0, 1, 2}


def test_given_races_are_taken_and_missing_ones_are_random_and_different():
    for seed in range(10):
        game = Game(3, seed=seed, races=["ariek", None, "caelumnites"])
        races = [RACES[race] for race in game.state["race"][:3]]
        assert (races[0], races[2]) == ("ariek", "caelumnites")
        assert races[1] not in ("ariek", "caelumnites")


def test_drafted_races_are_chosen_in_turn_order_before_the_home_cards():
    game = Game(3, seed=2, races="draft", start_player=1, auto_forced=False)
    left = {f"race {race}" for race in RACES}
    for seat, race in ((1, "herculese"), (2, "ariek"), (0, "piscesish")):
        assert (game.seat, game.decision.kind) == (seat, "draft_race")
        assert set(names(game)) == left
        assert [len(hand(game, s)) for s in range(3)] == [5, 5, 5]
        play(game, f"race {race}")
        left.remove(f"race {race}")
    assert [RACES[race] for race in game.state["race"][:3]] == ["piscesish", "herculese", "ariek"]
    assert (game.seat, game.decision.kind) == (1, "place_home")


def test_with_six_players_the_last_one_is_left_one_race():
    game = Game(6, seed=2, races="draft", start_player=0, auto_forced=False)
    for race in RACES[:-1]:
        play(game, f"race {race}")
    assert names(game) == ["race caelumnites"]
    forced = Game(6, seed=2, races="draft", start_player=0)
    play(forced, *(f"race {race}" for race in RACES[:-1]))
    assert forced.decision.kind == "place_home", "the engine makes a choice with one legal answer"


def test_the_same_seed_gives_the_same_game_and_another_seed_another():
    assert Game(4, seed=11) == Game(4, seed=11)
    assert Game(4, seed=11) != Game(4, seed=12)


def test_every_card_can_lie_in_every_zone_of_the_deal():
    on_map = set()
    for seed in range(60):
        game = Game(2, seed=seed)
        on_map |= {int(card) for card in game.state["cell_card"] if card >= 0}
    assert len(on_map) == 80


# --- Options ------------------------------------------------------------------------------------


def test_the_defaults_are_those_of_the_rulebook_p16_p17():
    state = Game(2, seed=1).state
    assert (state["target_score"], state["hand_limit"], state["ships"]) == (20, 10, 12)
    assert (state["max_turns"], state["max_activations"], state["auto_forced"]) == (300, 32, 1)


def test_an_older_hand_limit_stops_the_draw_of_the_turn_at_8():
    game = Game(2, seed=4, start_player=0, hand_limit=8, auto_forced=False)
    most = 0
    placed(game)
    for _ in range(400):
        if game.is_over:
            break
        game.step("pass" if "pass" in names(game) else game.legal_actions()[0])
        most = max(most, len(hand(game, 0)), len(hand(game, 1)))
    assert most == 8


def test_max_turns_truncates_without_a_winner_r5():
    game = placed(Game(2, seed=4, max_turns=3, auto_forced=False))
    while not game.is_over:
        game.step("pass" if "pass" in names(game) else game.legal_actions()[0])
    assert game.is_truncated
    assert game.turn == 3
    assert game.winners == []


def test_a_lower_target_score_ends_the_game_sooner():
    for target in (1, 5):
        game = Game.from_position(
            {
                "players": 2,
                "config": {"target_score": target, "auto_forced": False},
                "phase": "use_impulse",
                "impulse": [28],
                "seats": [{"score": target - 1, "hand": [41]}, {}],
            }
        )
        play(game, "use", "card 41")
        assert game.is_over
        assert game.winners == [0]
        assert game.scores[0] == target


def test_fewer_ships_limit_what_can_be_built():
    position = {
        "players": 2,
        "config": {"ships": 4, "auto_forced": False},
        "phase": "use_impulse",
        "impulse": [33, 22],
        "seats": [{"transports": {8: 3}}, {}],
    }
    game = play(Game.from_position(position), "use", "cell 8", "cell 8")
    assert game.decision.kind == "use_impulse"
    assert game.state["ships_on_map"][0] == 4
    assert names(game) == ["pass"], "nothing can be built any more"


@pytest.mark.parametrize(
    "options",
    [
        {"players": 1},
        {"players": 7},
        {"players": 3, "team_size": 2},
        {"players": 4, "team_size": 3},
        {"races": "drafted"},
        {"races": ["ariek"]},
        {"races": ["ariek", "ariek"]},
        {"races": ["ariek", "martian"]},
        {"start_player": 2},
        {"start_player": -1},
        {"target_score": 0},
        {"hand_limit": 11},
        {"ships": 13},
        {"ships": 2},
        {"max_turns": 0},
        {"max_activations": 33},
        {"max_activations": -1},
    ],
)
def test_an_unknown_option_value_is_refused(options):
    with pytest.raises(OptionError):
        Game(**options)


def test_every_printed_card_number_is_an_action():
    game = Game(2, seed=0)
    assert all(game.name(game.action(f"card {n}")).startswith("card ") for n in PRINTED)
