"""Views as text and JSON: all that the seat may know, nothing else, in few words and fast."""

import json
import re
from time import process_time

import numpy as np
import pytest

from drawn import TABLES, games, resampled
from impulse_env import Game
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.engine.cards import ACTION_BY_CARD, NUMBER_BY_CARD, TEXT_BY_CARD
from impulse_env.engine.constants import FACES, NO_SEAT
from impulse_env.language import legal_calls, parse, rules_digest, view_data, view_text
from impulse_env.language.calls import SIGNATURES
from impulse_env.language.digest import effect_of
from impulse_env.testing.random_play import random_choice

LONG_GAMES = pytest.mark.skipif(not IS_COMPILED, reason="random games must be long")
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)


def legal(game, seat):
    return game.legal_actions() if game.seat == seat else None


@EVERY_TABLE
def test_views_are_equal_if_only_hidden_cards_differ(table):
    rng = np.random.default_rng(3)
    for game in games(table, seed=4, every=40):
        for other, by in resampled(game, rng):
            seat = NO_SEAT if by is None else by
            for view in (view_text, lambda *given: json.dumps(view_data(*given))):
                assert view(game.state, seat) == view(other, seat)
            full = Game.from_state(other)
            if game.seat == seat and full.state.tobytes() == other.tobytes():
                assert view_text(full.state, seat, legal(full, seat)) == view_text(
                    game.state, seat, legal(game, seat)
                )


@EVERY_TABLE
def test_json_says_what_the_game_says(table):
    for game in games(table, seed=6, every=25):
        state = game.state
        for seat in range(game.players):
            data = view_data(state, seat)
            assert json.loads(json.dumps(data)) == data
            assert [other["score"] for other in data["seats"]] == game.scores
            for other in data["seats"]:
                number = other["seat"]
                assert other["hand"]["count"] == state["hand_count"][number]
                assert ("cards" in other["hand"]) == (number == seat)
                built = sum(other["transports"].values()) + sum(other["cruisers"].values())
                assert built + other["ships_to_build"] == state["ships"]
            hidden = sum(cell == "face-down" for cell in data["map"].values())
            assert hidden == ((state["cell_face_up"] == 0) & (state["cell_card"] >= 0)).sum()
            assert (data["end"] is not None) == game.is_over
            if game.is_over:
                assert data["end"]["winners"] == game.winners
                assert data["decision"] is None
            else:
                assert data["decision"]["seat"] == game.seat
                assert ("prompt" in data["decision"]) == (game.seat == seat)


def test_a_view_by_hand():
    game = Game(players=2, seed=7, races=["ariek", "caelumnites"], start_player=0)
    for name in ("place_home(card=%s)",) * 2:
        card = game.name(game.legal_actions()[0]).split()[1]
        game.step(parse(game, name % card).actions[0])
    text = view_text(game.state, 0, game.legal_actions())
    lines = text.splitlines()
    assert lines[0] == "Turn 1 of seat 0; you are seat 0; 20 points win; deck 80"
    assert lines[1] == "Impulse: none"
    assert lines[2] == "You, seat 0: 0 points, 9 ships to build"
    assert "  Techs: 0: Basic, 1: Ariek; ships: 8 x2, 8-9" in lines
    assert lines[5] == "Seat 1: 0 points, 5 cards"
    assert lines[6] == "  Techs: 0: Basic, 1: Caelumnites; ships: 12 x2, 11-12"
    assert lines[-2] == ("Decide (add_impulse): Add a card from your hand to the Impulse.")
    assert lines[-1] == f"Legal: {legal_calls(game)[0]}"
    assert "Legal" not in view_text(game.state, 0)
    assert view_text(game.state, 1).splitlines()[-1] == "Seat 0 decides"
    assert "hand:" not in view_text(game.state, NO_SEAT)


def test_a_view_shows_homes_without_a_face_up_card():
    game = Game(players=2, seed=7, start_player=0)
    for homes in ("Map: 8 (home 0): none; face-down: ", "Map: 8 (home 0): "):
        assert f"\n{homes}" in view_text(game.state, game.seat)
        game.step(game.legal_actions()[0])
    game = Game(players=2, seed=7, start_player=0)
    assert " 11 12 (home 1) 13 " in view_text(game.state, 0)


@LONG_GAMES
def test_a_view_shows_every_fleet_with_its_own_path():
    """Two fleets of one move each, before and after their choices; a fleet of several moves."""
    seen, forms = (
        set(),
        (r"a fleet from \S+", r"\d+ from \S+( to \S+)*", r"\d+ from \S+ to \S+ > .*"),
    )
    for seed in range(3):
        for game in games({"players": 2}, seed=seed):
            if game.seat is None or not game.state["fleet_count"]:
                continue
            state, text = game.state, view_text(game.state, game.seat)
            (line,) = re.findall("\nMoving: (.*)", text) or [""]
            fleets = line.split(", ") if line else []
            ships = state["fleet_ships"][: state["fleet_count"]].tolist()
            asked = [*filter(None, ships)] + ["a fleet"] * (game.decision.kind == "choose_ships")
            assert [fleet.partition(" from ")[0] for fleet in fleets] == [*map(str, asked)]
            several = len(ships) > 1
            assert [fleet.count(">") for fleet in fleets if several] == [0] * len(fleets) * several
            seen |= {form for form in forms for fleet in fleets if re.fullmatch(form, fleet)}
            seen |= {"several"} if several else set()
    assert seen == {*forms, "several"}


@LONG_GAMES
def test_sabotage_says_which_ships():
    places = {}
    for seed in range(20):
        for game in games({"players": 4}, seed=seed):
            if game.seat is not None and game.decision.kind == "sabotage_fleet":
                ships = view_text(game.state, game.seat).rpartition("? ")[2]
                names = [game.name(action).split()[0] for action in game.legal_actions()]
                places.setdefault(ships, set()).update(names)
    assert places["Only Cruisers."] == {"gate"}
    assert places["Only Transports."] == {"cell"}


def test_each_face_is_explained_once():
    for game in games({"players": 3}, seed=8, every=60):
        text = view_text(game.state, 0)
        effects = [part for part in text.split(" (") if "[" in part.split(")")[0]]
        assert len(effects) > 4
        assert text.count("hidden") == 0


NOUNS = (
    r"\[\d\]|one|two|three|red|blue|green|yellow|hand|deck|home|Plan"
    r"|Cruiser|Transport|ship|bomb|gem|point"
)


def test_an_effect_has_every_number_colour_and_place_of_the_card():
    for card in range(FACES):
        printed = TEXT_BY_CARD[card].partition(" ")[2]
        assert {*re.findall(NOUNS, effect_of(card))} == {*re.findall(NOUNS, printed)}, card


def test_the_digest_has_the_effect_of_every_card():
    section = rules_digest().split("## The cards")[1].split("\n## ")[0]
    found = {}
    for line in section.strip().split("\n- ")[1:]:
        action, _, effects = line.removesuffix(".").partition(": ")
        for part in effects.split("; "):
            effect, _, numbers = part.rpartition(": ")
            for given in numbers.split(", "):
                number, _, color = given.partition(" ")
                found[int(number)] = action.lower(), effect.replace("COLOUR", color)
    assert found == {
        int(NUMBER_BY_CARD[card]): (ACTION_BY_CARD[card], effect_of(card)) for card in range(FACES)
    }


def test_the_digest_names_every_call_and_every_gate():
    digest = rules_digest()
    for verb in SIGNATURES:
        assert f"`{verb}(" in digest, verb
    from impulse_env.actions import GATE_NAMES

    assert all(gate in digest.split("Gates:")[1].split("\n")[0] for gate in GATE_NAMES)


def pieces(text):
    """Words, numbers and signs. The tokenizer o200k_base needs 1.048 tokens for a piece of the
    digest and up to 1.25 for one of a view."""
    return len(re.findall(r" ?[A-Za-z]+|[0-9]{1,3}| ?[^\sA-Za-z0-9]+|\n", text))


def test_the_digest_has_at_most_3000_tokens():
    assert pieces(rules_digest()) * 1.048 <= 3000


@pytest.mark.parametrize("players", [2, 6])
def test_a_typical_view_is_short(players):
    seen = [
        pieces(view_text(game.state, game.seat, game.legal_actions()))
        for game in games({"players": players}, seed=9, every=20)
        if game.seat is not None
    ]
    assert np.median(seen) * 1.25 <= 700


@pytest.mark.slow
@pytest.mark.skipif(not IS_COMPILED, reason="measures compiled code")
def test_a_turn_of_text_takes_half_a_millisecond():
    game, choose = Game(players=2, seed=5), random_choice(5)
    moments = []
    while game.seat is not None and len(moments) < 300:
        moments.append(game.copy())
        game.step(choose(game))
    for moment in moments[:50]:
        view_text(moment.state, moment.seat, moment.legal_actions())
    start = process_time()
    for moment in moments:
        view_text(moment.state, moment.seat, moment.legal_actions())
    assert process_time() - start < len(moments) * 0.0005
