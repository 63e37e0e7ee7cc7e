"""The Python object: names, copies, bytes, and clear errors."""

import copy
import pickle

import numpy as np
import pytest

from impulse_env.actions import N_ACTIONS, NAMES, UnknownActionError
from impulse_env.engine.cards import NUMBERS_BY_CARD
from impulse_env.errors import GameBytesError, HiddenGameError, IllegalActionError
from impulse_env.game import Game
from impulse_env.options import OptionError


def played(game, decisions, seed=0):
    """The game some random decisions later."""
    rng = np.random.default_rng(seed)
    for _ in range(decisions):
        if game.is_over:
            break
        game.step(int(rng.choice(game.legal_actions())))
    return game


def test_names_and_actions_are_inverse_over_the_whole_space():
    game = Game(seed=0)
    assert len(set(NAMES)) == N_ACTIONS
    for action in range(N_ACTIONS):
        assert game.action(game.name(action)) == action


def test_any_printed_number_of_a_face_is_understood_and_the_lowest_is_printed():
    game = Game(seed=0)
    for numbers in NUMBERS_BY_CARD:
        actions = {game.action(f"card {number}") for number in numbers}
        assert [game.name(action) for action in actions] == [f"card {min(numbers)}"]


@pytest.mark.parametrize(
    ("name", "allowed"), [("jump", "actions are named pass"), ("card 110", "'card' is followed by")]
)
def test_an_unknown_name_is_refused_with_what_there_is(name, allowed):
    game = Game(seed=0)
    for call in (game.step, game.describe, game.action):
        with pytest.raises(UnknownActionError, match=f"^unknown action '{name}'; {allowed}"):
            call(name)
    assert game == Game(seed=0)


def test_an_illegal_action_says_what_is_legal_and_changes_nothing():
    game = Game(seed=3)
    before = game.copy()
    for action in ("pass", 0, N_ACTIONS, -1, 10**30):
        with pytest.raises(
            IllegalActionError, match=r"at turn 0, seat \d, place_home; legal are: card"
        ):
            game.step(action)
    assert game == before


def test_names_and_numbers_of_any_integer_type_are_accepted():
    game = Game(seed=3)
    action = game.legal_actions()[0]
    twins = [game.copy() for _ in range(4)]
    for twin, form in zip(
        twins, (action, np.int32(action), np.int64(action), game.name(action)), strict=True
    ):
        twin.step(form)
        assert twin == twins[0]


def test_a_finished_game_refuses_everything():
    game = played(Game(seed=1), 10_000)
    assert game.is_over
    assert game.seat is None
    assert game.legal_actions() == []
    assert game.decision.kind == "over"
    assert len(game.winners) == 1
    assert game.scores[game.winners[0]] >= 20
    with pytest.raises(IllegalActionError, match="it is over"):
        game.step("pass")


def test_copy_pickle_and_bytes_continue_identically():
    game = played(Game(5, seed=4), 321)
    twins = [
        copy.copy(game).copy(),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        Game.from_bytes(game.to_bytes()),
    ]
    for twin in twins:
        assert twin == game
        assert twin.legal_actions() == game.legal_actions()
        assert played(twin, 99, seed=1) == played(game.copy(), 99, seed=1)


def test_the_same_seed_gives_the_same_game_and_another_another():
    assert Game(seed=7) == Game(seed=7)
    assert Game(seed=7) != Game(seed=8)
    assert Game() != Game()
    assert Game(seed=-1) == Game(seed=2**64 - 1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda data: data[:-1], "has .* bytes; it must have"),
        (lambda data: data + b"x", "has .* bytes; it must have"),
        (lambda data: data[:5], "are not a game"),
        (lambda data: b"", "are not a game"),
        (lambda data: b"X" + data[1:], "are not a game"),
        (lambda data: data[:7] + b"\x09" + data[8:], "has version 9; this package reads 1"),
        (lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], "checksum"),
    ],
)
def test_malformed_bytes_are_refused(damage, message):
    with pytest.raises(GameBytesError, match=message):
        Game.from_bytes(damage(Game(seed=0).to_bytes()))


def test_fuzzed_bytes_never_pass():
    data = played(Game(seed=0), 50).to_bytes()
    rng = np.random.default_rng(0)
    for _ in range(500):
        damaged = bytearray(data)
        damaged[int(rng.integers(len(data)))] ^= int(rng.integers(1, 256))
        with pytest.raises(GameBytesError):
            Game.from_bytes(bytes(damaged))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 7}, "players must be an integer from 2 to 6, not 7"),
        ({"players": 1}, "players must be"),
        ({"players": "2"}, "players must be"),
        ({"players": 5, "team_size": 2}, "must be one of None; not 2"),
        ({"players": 4, "team_size": 3}, "must be one of None, 2; not 3"),
        ({"hand_limit": 11}, "hand_limit must be an integer from 6 to 10"),
        ({"ships": 2}, "ships must be an integer from 3 to 12"),
        ({"max_activations": 33}, "max_activations must be an integer from 0 to 32"),
        ({"races": ["ariek"]}, "a list of 2 names"),
        ({"races": ["ariek", "elves"]}, "unknown race 'elves'"),
        ({"races": ["ariek", "ariek"]}, "races must all be different"),
        ({"start_player": 2}, "start_player must be an integer from 0 to 1"),
        ({"auto_forced": 1}, "auto_forced must be True or False"),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(options, message):
    with pytest.raises(OptionError, match=message):
        Game(**options)


def test_a_view_shows_only_what_the_seat_may_know_and_cannot_be_stepped():
    game = played(Game(3, seed=6), 100)
    seat = game.seat
    view = game.view(seat)
    assert view.is_view
    assert view.legal_actions() == game.legal_actions()
    assert game.view((seat + 1) % 3).legal_actions() == []
    with pytest.raises(HiddenGameError, match="determinize"):
        view.step(game.legal_actions()[0])
    full = view.determinize(seat, np.random.default_rng(0))
    assert full.view(seat) == view
    assert full.legal_actions() == game.legal_actions()
    with pytest.raises(GameBytesError, match="view"):
        Game.from_bytes(view.to_bytes())
    with pytest.raises(ValueError, match="seat must be an integer from 0 to 2, not 3"):
        game.view(3)


def test_a_determinized_game_stands_at_the_same_decision_whoever_looks():
    # It used to play on when the drawn hand of the seat that decides left it no choice.
    rng = np.random.default_rng(8)
    game = Game(3, seed=8)
    for _ in range(150):
        if game.is_over:
            break
        for seat in range(3):
            drawn = game.determinize(seat, rng)
            assert drawn.view(seat) == game.view(seat)
            assert (drawn.seat, drawn.decision.kind) == (game.seat, game.decision.kind)
        game.step(int(rng.choice(game.legal_actions())))
