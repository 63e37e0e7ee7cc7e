"""Games of the C library equal those of Python, byte for byte."""

import numpy as np
import pytest

from impulse_env import Game, information, observation
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch
from impulse_env.c_library.parts import GAME, Error
from impulse_env.compiled.compilation import plain
from impulse_env.engine.constants import TRUNCATED
from impulse_env.engine.rng import xorshift
from impulse_env.engine.state import STATE
from impulse_env.frame import own_frame, to_absolute, to_own
from impulse_env.options import OptionError, Options
from impulse_env.testing.random_play import random_choice
from impulse_env.testing.signature import SETTINGS

BITS = (1 << 64) - 1
SHORT = {"max_turns": 8}
MIDDLE = 60
"""Decisions of a game before its hidden cards are drawn."""


def chosen_in_c(settings):
    """Settings of Python's `Game` as numbers of `impulse_options`."""
    told = dict(settings)
    if told.pop("races", None) == "draft":
        told["draft"] = 1
    told.setdefault("team_size", 0)
    return {name: int(value) for name, value in told.items()}


def middle(library, settings, seed):
    """A game of each kind, after the same decisions."""
    game = Game(seed=seed, **settings)
    ours = library.game(seed, **chosen_in_c(settings))
    choose = random_choice(seed)
    for _ in range(MIDDLE):
        action = choose(game)
        game.step(action)
        assert library.step(ours, action) >= 0
    return game, ours


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_game_is_the_same_after_every_decision(library, settings):
    settings = settings | SHORT
    game = Game(seed=3, **settings)
    ours = library.game(3, **chosen_in_c(settings))
    choose = random_choice(3)
    mask = np.empty(N_ACTIONS, np.uint8)
    scores = np.full(7, 99, np.int32)
    while True:
        assert ours["record"][0].tobytes() == game.state.tobytes()
        count = int(ours["count"][0])
        assert ours["actions"][0, :count].tolist() == game.legal_actions()
        assert library.seat(ours) == (NOBODY if game.seat is None else game.seat)
        assert library.legal_mask(ours, 0, mask) == 0
        assert mask.tolist() == game.legal_mask().tolist()
        assert library.status(ours) == game.state["status"]
        assert library.scores(ours, scores) == game.players
        assert scores[: game.players].tolist() == game.scores
        if game.is_over:
            break
        action = choose(game)
        game.step(action)
        assert library.step(ours, action) == len(game.legal_actions())
    assert scores[6] == 99
    assert library.step(ours, 0) == Error.ILLEGAL_ACTION


def test_winners_are_bits(library):
    ended = set()
    for seed, settings in enumerate((*SETTINGS, {"players": 4, "team_size": 2, "target_score": 2})):
        game = Game(seed=seed, **settings)
        ours = library.game(seed, **chosen_in_c(settings))
        choose = random_choice(seed)
        while not game.is_over:
            assert library.winners(ours) == 0
            action = choose(game)
            game.step(action)
            library.step(ours, action)
        assert library.winners(ours) == sum(1 << seat for seat in game.winners)
        ended.add(len(game.winners))
    assert {1, 2} <= ended


@pytest.mark.parametrize("seed", [0, 1, 2**63, BITS])
def test_seeds_are_those_of_python(library, seed):
    assert library.game(seed)["record"][0].tobytes() == Game(seed=seed).state.tobytes()


def test_an_illegal_action_is_refused_and_changes_nothing(library):
    game = library.game(5)
    legal = set(game["actions"][0, : int(game["count"][0])].tolist())
    before = game.tobytes()
    for action in (*range(-2, N_ACTIONS + 2), 2**31 - 1, -(2**31)):
        if action not in legal:
            assert library.step(game, action) == Error.ILLEGAL_ACTION
    assert game.tobytes() == before
    assert library.step(game, min(legal)) > 0


# --- Options -------------------------------------------------------------------------------------


def test_defaults_are_those_of_python(library):
    numbers = np.full(16, 99, np.int32)
    for players in range(2, 7):
        assert library.default_options(players, numbers) == 0
        assert numbers[:3].tolist() == [players, 0, -1]
        names = ("target_score", "hand_limit", "ships", "max_turns", "max_activations")
        assert numbers[3:8].tolist() == [getattr(Options, name) for name in names]
        assert numbers[8:].tolist() == [int(Options.auto_forced), 0, *[-1] * 6]
    numbers[:] = 99
    for players in (-1, 0, 1, 7, 2**31 - 1):
        assert library.default_options(players, numbers) == Error.BAD_PLAYERS
    assert (numbers == 99).all()


@pytest.mark.parametrize(
    ("chosen", "error"),
    [
        ({"players": 1}, Error.BAD_PLAYERS),
        ({"players": 7}, Error.BAD_PLAYERS),
        ({"players": 258}, Error.BAD_PLAYERS),
        ({"team_size": 2}, Error.BAD_TEAM_SIZE),
        ({"players": 4, "team_size": 3}, Error.BAD_TEAM_SIZE),
        ({"players": 4, "team_size": -1}, Error.BAD_TEAM_SIZE),
        ({"players": 6, "team_size": 7}, Error.BAD_TEAM_SIZE),
        ({"start_player": 2}, Error.BAD_START_PLAYER),
        ({"start_player": -2}, Error.BAD_START_PLAYER),
        ({"target_score": 0}, Error.BAD_TARGET_SCORE),
        ({"target_score": 101}, Error.BAD_TARGET_SCORE),
        ({"hand_limit": 5}, Error.BAD_HAND_LIMIT),
        ({"ships": 13}, Error.BAD_SHIPS),
        ({"ships": 268}, Error.BAD_SHIPS),
        ({"max_turns": 30_001}, Error.BAD_MAX_TURNS),
        ({"max_activations": 33}, Error.BAD_MAX_ACTIVATIONS),
        ({"auto_forced": 2}, Error.BAD_AUTO_FORCED),
        ({"draft": -1}, Error.BAD_DRAFT),
        ({"races": [6]}, Error.BAD_RACES),
        ({"races": [-2]}, Error.BAD_RACES),
        ({"races": [3, 3]}, Error.BAD_RACES),
        ({"races": [-1, -1, 0]}, Error.BAD_RACES),
        ({"draft": 1, "races": [0]}, Error.BAD_RACES),
    ],
    ids=str,
)
def test_options_that_are_not_allowed_are_refused(library, chosen, error):
    game = np.zeros(1, GAME)
    numbers = library.options(**{"players": 2} | chosen)
    assert library.new_game(numbers, 1, game) == error
    assert library.new_games(numbers, np.array([1], np.uint64), 1, game) == error
    assert not game.tobytes().strip(b"\0")


def test_options_are_allowed_as_in_python(library):
    """Every combination of small numbers, and each limit of every option."""
    game = np.zeros(1, GAME)
    allowed = refused = 0
    for players in range(1, 8):
        for team_size in range(7):
            for start in range(-1, 7):
                numbers = library.options()
                numbers[:3] = players, team_size, start
                ours = library.new_game(numbers, 9, game)
                try:
                    theirs = Game(
                        players,
                        9,
                        team_size=team_size or None,
                        start_player=start if start >= 0 else None,
                    )
                except OptionError:
                    assert ours < 0
                    refused += 1
                else:
                    assert ours == 0
                    assert game["record"][0].tobytes() == theirs.state.tobytes()
                    allowed += 1
    assert (allowed, refused) == (25 + 5 + 7 * 2, 392 - 44)
    races = ["ariek", None, "caelumnites"]
    game = library.game(4, 3, races=[1, -1, 5], hand_limit=6, ships=3, max_activations=0)
    theirs = Game(3, 4, races=races, hand_limit=6, ships=3, max_activations=0)
    assert game["record"][0].tobytes() == theirs.state.tobytes()


# --- Many games ----------------------------------------------------------------------------------


def test_many_games_are_as_many_single_ones(library):
    count = 12
    options = library.options(3, max_turns=6)
    seeds = np.arange(100, 100 + count, dtype=np.uint64)
    games, single = np.zeros(count, GAME), np.zeros(count, GAME)
    assert library.new_games(options, seeds, count, games) == 0
    for seed, game in zip(seeds, single, strict=True):
        assert library.new_game(options, int(seed), game[...].reshape(1)) == 0
    batch = GameBatch(Options(3, max_turns=6), seeds.tolist())
    rng = np.random.default_rng(0)
    masks = np.full((count, N_ACTIONS), 9, np.uint8)
    seen = np.full((count, observation.size(3)), 9, np.uint8)
    wrong = np.full(1, -7, np.int64)
    copies = np.zeros(count, GAME)
    while (games["seat"] != NOBODY).any():
        assert games.tobytes() == single.tobytes()
        assert np.array_equal(games["record"], batch.states)
        assert np.array_equal(games["seat"], batch.seats)
        assert library.legal_masks(games, count, 1, masks) == 0
        assert np.array_equal(masks, batch.masks)
        assert library.observe_games(games, count, seen, seen.shape[1]) == 0
        running = batch.seats != NOBODY
        assert np.array_equal(seen[running], batch.observations[running])
        assert not seen[~running].any()
        actions = np.zeros(count, np.int32)
        for game in np.flatnonzero(running):
            legal = games["actions"][game, : games["count"][game]]
            actions[game] = rng.choice(legal)
            assert library.step(single[game : game + 1], int(actions[game])) >= 0
        assert library.copy(games, copies, count) == 0
        assert copies.tobytes() == games.tobytes()
        assert library.step_games(games, actions, count, wrong) == 0
        batch.step(own_frame(3)[batch.seats, actions])
    assert wrong[0] == -7


def test_one_illegal_action_among_many_steps_no_game(library):
    games = np.zeros(4, GAME)
    seeds = np.arange(4, dtype=np.uint64)
    assert library.new_games(library.options(), seeds, 4, games) == 0
    actions = games["actions"][:, 0].astype(np.int32)
    actions[2] = 179
    wrong = np.zeros(1, np.int64)
    before = games.tobytes()
    assert library.step_games(games, actions, 4, wrong) == Error.ILLEGAL_ACTION
    assert wrong[0] == 2
    assert games.tobytes() == before


# --- What a seat knows ---------------------------------------------------------------------------


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_seat_observes_as_in_python(library, settings):
    game, ours = middle(library, settings, 6)
    size = library.observation_size(game.players)
    assert size == observation.size(game.players)
    for seat in range(game.players):
        seen = np.full(size, 9, np.uint8)
        assert library.observe(ours, seat, seen, size) == 0
        assert np.array_equal(seen, observation.observe(game, seat))
    seen = np.full(size, 9, np.uint8)
    assert library.observe(ours, game.players, seen, size) == Error.BAD_SEAT
    assert library.observe(ours, -1, seen, size) == Error.BAD_SEAT
    assert library.observe(ours, 0, seen, size - 1) == Error.BAD_SIZE
    assert library.observe_games(ours, 1, seen, size + 1) == Error.BAD_SIZE
    assert (seen == 9).all()


def test_sizes_of_observations(library):
    assert library.observation_size(1) == library.observation_size(7) == Error.BAD_PLAYERS


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_view_is_that_of_python_and_cannot_be_played(library, settings):
    game, ours = middle(library, settings, 2)
    view = np.zeros(1, GAME)
    for seat in range(game.players):
        assert library.view(ours, seat, view) == 0
        theirs = game.view(seat)
        assert view["record"][0].tobytes() == theirs.state.tobytes()
        assert view["actions"][0, : view["count"][0]].tolist() == theirs.legal_actions()
        assert not view["actions"][0, view["count"][0] :].any(), "options of other seats"
        before = view.tobytes()
        assert library.step(view, int(ours["actions"][0, 0])) == Error.HIDDEN
        assert library.resume(view) == Error.HIDDEN
        assert view.tobytes() == before
    assert library.view(ours, game.players, view) == Error.BAD_SEAT


def drawn_in_python(game, seat, seed):
    """What `Game.determinize` draws, with the state of the generator as the only randomness."""
    while True:
        states = np.zeros(1, STATE)
        states[0] = game.state
        information.determinize_all(states, np.array([seat]), np.array([seed], np.uint64))
        drawn = Game.from_state(states[0])
        if drawn.state.tobytes() == states[0].tobytes():
            return drawn
        seed = int(plain(xorshift)(np.uint64(seed)))


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_a_determinization_is_that_of_python_and_keeps_what_the_seat_knows(library, settings):
    game, ours = middle(library, settings, 8)
    drawn, view = np.zeros(1, GAME), np.zeros(1, GAME)
    different = 0
    for seat in range(game.players):
        assert library.view(ours, seat, view) == 0
        for seed in (1, 77, BITS):
            assert library.determinize(ours, seat, seed, drawn) == 0
            theirs = drawn_in_python(game, seat, seed)
            assert drawn["record"][0].tobytes() == theirs.state.tobytes()
            assert drawn["actions"][0, : drawn["count"][0]].tolist() == theirs.legal_actions()
            known = information.view_of(drawn["record"][0], seat).tobytes()
            assert known == information.view_of(game.state, seat).tobytes()
            different += drawn["record"][0].tobytes() != game.state.tobytes()
            again = np.zeros(1, GAME)
            assert library.determinize(view, seat, seed, again) == 0
            assert again.tobytes() == drawn.tobytes()
    assert different
    assert library.determinize(ours, 0, 0, drawn) == Error.BAD_SEED
    assert library.determinize(ours, game.players, 1, drawn) == Error.BAD_SEAT


def test_a_draw_that_leaves_no_choice_is_drawn_again(library):
    """Another seat decides, and some of its possible hands offer it nothing."""
    redrawn = 0
    for seed in range(12):
        game = Game(seed=seed)
        choose = random_choice(seed)
        ours = library.game(seed)
        drawn = np.zeros(1, GAME)
        for number in range(200):
            if game.is_over:
                break
            if number % 5 == 0:
                seat = 1 - game.seat
                states = np.array([game.state], STATE)
                information.determinize_all(states, np.array([seat]), np.array([3], np.uint64))
                redrawn += Game.from_state(states[0]).state.tobytes() != states[0].tobytes()
                assert library.determinize(ours, seat, 3, drawn) == 0
                theirs = drawn_in_python(game, seat, 3)
                assert drawn["record"][0].tobytes() == theirs.state.tobytes()
            action = choose(game)
            game.step(action)
            library.step(ours, action)
    assert redrawn


def test_actions_are_translated_as_in_python(library):
    for players in range(2, 7):
        for seat in range(players):
            for action in range(N_ACTIONS):
                own = to_own(action, players, seat)
                assert library.to_own(players, seat, action) == own
                assert (
                    library.to_absolute(players, seat, own)
                    == action
                    == to_absolute(own, players, seat)
                )
    for translate in (library.to_own, library.to_absolute):
        assert translate(7, 0, 0) == translate(1, 0, 0) == Error.BAD_PLAYERS
        assert translate(3, 3, 0) == translate(3, -1, 0) == Error.BAD_SEAT
        assert translate(3, 2, N_ACTIONS) == translate(3, 2, -1) == Error.ILLEGAL_ACTION


# --- Records -------------------------------------------------------------------------------------


def test_a_record_of_python_goes_on_in_c(library):
    game, _ = middle(library, SETTINGS[1], 4)
    ours = np.zeros(1, GAME)
    ours["record"][0] = game.state
    assert library.resume(ours) == 0
    assert ours["record"][0].tobytes() == game.state.tobytes()
    assert ours["actions"][0, : ours["count"][0]].tolist() == game.legal_actions()
    assert ours["seat"][0] == game.seat


def test_an_impossible_record_is_an_error(library):
    _, ours = middle(library, SETTINGS[0], 4)
    ours["record"]["hand_count"][0, 0] = 0
    ours["record"]["known_count"][0, 0] = 5
    drawn = np.zeros(1, GAME)
    assert library.determinize(ours, 1, 3, drawn) == Error.FAILED


def test_a_truncated_game_has_no_winner(library):
    game = library.game(1, max_turns=1)
    while game["count"][0]:
        assert library.step(game, int(game["actions"][0, 0])) >= 0
    assert library.status(game) == TRUNCATED
    assert library.winners(game) == 0
    assert game["seat"][0] == NOBODY
