"""What a choice is called: the same from every seat, cards by their faces."""

import re

import pytest

from impulse_env.actions import NAMES, action_of
from impulse_env.frame import to_own
from impulse_env.game import Game
from impulse_training.report.explore.choices import choice_of
from recorded import TABLES, played


def at(game, kind):
    """The game at the next decision of that kind, the last legal action being taken before."""
    while game.decision.kind != kind:
        game.step(game.legal_actions()[-1])
    return game


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_ship_built_at_home_has_the_same_names_from_every_seat(players):
    names = set()
    for seat in range(players):
        races = [None] * players
        races[seat] = "triangulumnists"
        game = at(Game(players, 7, races=races, start_player=seat), "use_tech")
        game.step("tech 1")
        assert game.decision.kind == "build_ship"
        names.add(tuple(sorted(choice_of(game.state, a, seat).text for a in game.legal_actions())))
    assert len(names) == 1
    (texts,) = names
    assert all(re.fullmatch(r"build a Cruiser at gate (?:\d+-8|8-\d+)", text) for text in texts)


@pytest.mark.parametrize("table", range(8))
def test_places_and_seats_are_those_of_the_own_frame(table):
    record, _ = played(TABLES[table])
    told = 0
    for game in record.games():
        for action in game.legal_actions():
            name = NAMES[to_own(action, game.players, game.seat)]
            text = choice_of(game.state, action, game.seat).text
            absolute = re.findall(r"(?:cell|gate) [\d-]+", game.describe(action).split(":")[0])
            own = [NAMES[to_own(action_of(found), game.players, game.seat)] for found in absolute]
            assert [word for word in own if word in text] == own
            if name.split()[0] in ("cell", "gate"):
                assert name in text
                told += 1
    assert told > 50


def test_other_seats_are_counted_on_from_the_own_one():
    record, _ = played(TABLES[2])
    seen = set()
    for game, move in zip(record.games(), record.moves, strict=False):
        text = choice_of(game.state, game.action(move.action), game.seat).text
        if found := re.search(r"seat (\S+)", game.describe(move.action)):
            further = (int(found[1].rstrip(".,")) - game.seat) % game.players
            assert f"seat +{further}" in text
            seen.add(further)
    assert seen


def test_home_cards_and_the_impulse_need_no_more_words_than_the_card():
    game = Game(2, 7)
    choice = choice_of(game.state, game.action("card 60"), 0)
    assert choice == (0, "home", True, "card 60 (Research, red 2)")
    at(game, "add_impulse")
    choice = choice_of(game.state, game.legal_actions()[0], game.seat)
    assert (choice.turn, choice.step, choice.begins) == (1, "add", True)
    assert re.fullmatch(r"card \d+ \(\w+, \w+ \d\)", choice.text)


def test_cards_may_be_distinguished_by_their_action_alone():
    record, _ = played(TABLES[0])
    for game, move in zip(record.games(), record.moves, strict=False):
        text = choice_of(game.state, game.action(move.action), game.seat, "action").text
        assert not re.search(r"card \d", text)


def test_what_is_chosen_within_an_effect_continues_with_a_move():
    game = at(Game(2, 7, races=["triangulumnists", None], start_player=0), "use_tech")
    assert choice_of(game.state, game.action("tech 1"), 0).begins
    game.step("tech 1")
    choice = choice_of(game.state, game.legal_actions()[0], 0)
    assert (choice.turn, choice.step, choice.begins) == (1, "tech", False)
