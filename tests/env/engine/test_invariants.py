"""What holds at every decision of every game, whatever is played."""

import numpy as np
import pytest

from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch, random_playouts
from impulse_env.engine.cards import COPIES_BY_CARD
from impulse_env.engine.constants import GATES
from impulse_env.engine.sector_map import CELLS_OF_GATE_PAIRS
from impulse_env.engine.state import STATE
from impulse_env.engine.validity.check import find_faults
from impulse_env.engine.validity.faults import FAULT_NUMBERS, FIELD, NO_FAULT
from impulse_env.errors import IllegalActionError
from impulse_env.game import Game
from impulse_env.options import Options
from impulse_env.testing.signature import SETTINGS
from impulse_env.validation import sentence_of
from printed import cards_by_face

GAMES = 96
MOST_DECISIONS = 6000


def faults(states):
    """What is wrong with each record at a decision or after the end, in words."""
    found = np.zeros((len(states), FAULT_NUMBERS), np.int64)
    find_faults(states, True, found)
    return [sentence_of(fault) for fault in found if fault[FIELD] != NO_FAULT]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_invariants_hold_at_every_decision_of_random_games(settings):
    options = Options(**settings)
    rng = np.random.default_rng(7)
    games = GameBatch(options, range(GAMES))
    scores = games.states["score"].copy()
    for _ in range(MOST_DECISIONS):
        playing = games.seats != NOBODY
        if not playing.any():
            break
        assert faults(games.states) == []
        assert (games.masks.sum(1) > 0)[playing].all(), "somebody can always do something"
        if options.auto_forced:
            assert (games.masks.sum(1) > 1)[playing].all(), "forced choices are the engine's"
        noise = rng.random(games.masks.shape, dtype=np.float32)
        games.step((noise + games.masks).argmax(1))
        assert (games.states["score"] >= scores).all(), "scores never fall"
        scores = games.states["score"].copy()
    assert faults(games.states) == []
    assert (games.states["status"] > 0).all(), "every game ends"
    winner = games.states["winner"]
    assert ((winner >= 0) == (games.states["status"] != 3)).all()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_thousands_of_playouts_end_with_every_card_in_one_place(settings):
    options = dict(settings)
    playouts = random_playouts(500, seed=3, **options)
    states = playouts.states
    assert (cards_by_face(states) == COPIES_BY_CARD).all()
    assert (playouts.points.sum(2) == states["score"][:, : options["players"]]).all()
    won = playouts.ended != "truncation"
    size = options.get("team_size", 1)
    assert (playouts.winners.sum(1) == np.where(won, size, 0)).all()
    reached = states["score"].max(1) >= 20
    assert (reached == (playouts.ended == "score")).all()


def test_the_same_actions_on_a_copy_give_the_same_bytes():
    game = Game(3, seed=5)
    rng = np.random.default_rng(0)
    while not game.is_over:
        twin = game.copy()
        assert twin == game
        assert hash(twin) == hash(game)
        action = int(rng.choice(game.legal_actions()))
        game.step(action)
        assert twin != game, "a copy is independent"
        twin.step(action)
        assert twin == game


@pytest.mark.parametrize("players", [2, 6])
def test_every_masked_out_action_is_refused_and_changes_nothing(players):
    game = Game(players, seed=11)
    rng = np.random.default_rng(1)
    for _ in range(120):
        if game.is_over:
            break
        before = game.to_bytes()
        mask = game.legal_mask()
        assert np.flatnonzero(mask).tolist() == game.legal_actions()
        for action in (-1, N_ACTIONS, *np.flatnonzero(mask == 0)):
            with pytest.raises(IllegalActionError, match="legal are"):
                game.step(action)
        assert game.to_bytes() == before
        game.step(int(rng.choice(game.legal_actions())))


def test_a_batch_with_one_illegal_action_is_refused_whole():
    games = GameBatch(Options(), range(4))
    actions = games.masks.argmax(1)
    actions[2] = int((games.masks[2] == 0).argmax())
    before = games.states.copy()
    with pytest.raises(IllegalActionError, match="game 2"):
        games.step(actions)
    assert games.states.tobytes() == before.tobytes()


def test_batch_and_single_game_play_the_same():
    options = Options(players=4)
    games = GameBatch(options, range(8))
    singles = [Game(4, seed=seed) for seed in range(8)]
    rng = np.random.default_rng(2)
    for _ in range(200):
        noise = rng.random(games.masks.shape)
        actions = (noise + games.masks).argmax(1)
        absolute = games.absolute_actions(actions)
        for single, action in zip(singles, absolute, strict=True):
            if not single.is_over:
                assert int(games.seats[singles.index(single)]) == single.seat
                single.step(int(action))
        games.step(actions)
    for state, single in zip(games.states, singles, strict=True):
        assert state.tobytes() == single.state.tobytes()


def test_the_record_is_small_and_its_layout_is_pinned():
    # A moved field makes old bytes unreadable: raise the version in game.py when this changes.
    assert STATE.itemsize == 2432
    assert STATE.fields["deck"][1] == 364


def test_the_record_has_no_padding_that_could_make_equal_games_differ():
    assert sum(STATE[name].itemsize for name in STATE.names) == STATE.itemsize


def test_the_map_has_as_many_gates_as_the_record():
    assert len(CELLS_OF_GATE_PAIRS) == GATES
