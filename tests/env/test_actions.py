"""An action is one integer, in whatever form a library hands it out, and nothing else is one."""

from contextlib import suppress

import numpy as np
import pytest

from impulse_env import GameBatch, Options
from impulse_env.actions import N_ACTIONS, NAMES, action_of, name_of, number_of
from impulse_env.batch import _run
from impulse_env.environments.aec import RawEnv
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.errors import IllegalActionError
from impulse_env.game import Game

FORMS = [int, np.int64, np.int32, np.uint8, np.array, lambda n: np.array(n, np.int32)]
"""What an action may be given as: Python's numbers, numpy's, and arrays of one without an axis."""
NO_ACTIONS = [
    *(-1, N_ACTIONS, 2.0, 23.5, True, None, [23], (23,), {}),
    *(np.float64(23), np.bool_(True), np.array(23.0), np.array([23]), np.array([[23]])),
]
"""What is no action: other numbers, and what only holds one."""

each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
everything_else = pytest.mark.parametrize("wrong", NO_ACTIONS, ids=repr)


def legal_of(mask):
    return int(np.flatnonzero(mask)[-1])


def play(env, games=10):
    """Take the first decision of some games."""
    for seed in range(games):
        env.reset(seed=seed)
        env.step(legal_of(env.action_masks()))


# --- Numbers -------------------------------------------------------------------------------------


@each_form
def test_a_number_is_one_in_every_form(form):
    assert [number_of(form(action)) for action in range(N_ACTIONS)] == list(range(N_ACTIONS))
    assert type(number_of(form(23))) is int


@everything_else
def test_everything_else_is_none(wrong):
    assert number_of(wrong) is None


def test_names_and_numbers_are_pairs_over_all_actions():
    assert [action_of(name_of(action)) for action in range(N_ACTIONS)] == list(range(N_ACTIONS))
    assert [name_of(action_of(name)) for name in NAMES] == list(NAMES)


# --- Games and environments ----------------------------------------------------------------------


@each_form
def test_a_game_takes_it(form):
    game, other = Game(seed=3), Game(seed=3)
    action = game.legal_actions()[-1]
    assert game.describe(form(action)) == game.describe(action)
    game.step(form(action))
    other.step(action)
    assert game == other


@each_form
def test_the_environment_of_all_agents_takes_it(form):
    env, other = RawEnv(players=3), RawEnv(players=3)
    env.reset(seed=5)
    other.reset(seed=5)
    for _ in range(30):
        action = legal_of(env.last()[0]["action_mask"])
        env.step(form(action))
        other.step(action)
    assert env.game == other.game
    assert env.agent_selection == other.agent_selection


@each_form
def test_the_environment_for_one_seat_takes_it_from_the_agent_and_from_opponents(form):
    def opponent(seen, mask, rng):
        return form(legal_of(mask))

    def plain(seen, mask, rng):
        return legal_of(mask)

    env, other = ImpulseEnv(seat=0, opponents=opponent), ImpulseEnv(seat=0, opponents=plain)
    env.reset(seed=5)
    other.reset(seed=5)
    for _ in range(30):
        action = legal_of(env.action_masks())
        seen, *rest = env.step(form(action))
        theirs, *others = other.step(action)
        assert (seen == theirs).all()
        np.testing.assert_equal(rest, others)
    assert env.game == other.game


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
def test_a_batch_takes_arrays_of_integers_of_any_width(dtype):
    batch, other = GameBatch(Options(), range(4)), GameBatch(Options(), range(4))
    for _ in range(10):
        actions = batch.masks.shape[1] - 1 - batch.masks[:, ::-1].argmax(1)
        batch.step(actions.astype(dtype))
        other.step(actions)
    assert (batch.states == other.states).all()


def test_no_kind_of_actions_is_compiled_for_again():
    batch = GameBatch(Options(), range(4))
    read_only = np.zeros(4, np.int64)
    read_only.flags.writeable = False
    before = len(getattr(_run, "signatures", ()))
    for actions in (np.zeros(4, np.int16), np.zeros(8, np.int64)[::2], read_only):
        with suppress(IllegalActionError):
            batch.step(actions)
    assert len(getattr(_run, "signatures", ())) == before
    with pytest.raises(TypeError, match="float64"):
        batch.step(np.zeros(4))


@everything_else
def test_a_game_refuses_everything_else_and_changes_nothing(wrong):
    game = Game(seed=3)
    before = game.copy()
    with pytest.raises(IllegalActionError, match=r"illegal action .* legal are: "):
        game.step(wrong)
    with pytest.raises(IllegalActionError, match=r"illegal action .* legal are: "):
        game.describe(wrong)
    assert game == before


@everything_else
def test_environments_refuse_everything_else_and_change_nothing(wrong):
    for env in (RawEnv(illegal="raise"), ImpulseEnv(illegal="raise")):
        env.reset(seed=3)
        before = env.game
        with pytest.raises(IllegalActionError, match=r"not an integer from 0 to 179|illegal"):
            env.step(wrong)
        assert env.game == before


@everything_else
def test_an_opponent_that_hands_out_anything_else_is_an_error_that_names_it(wrong):
    env = ImpulseEnv(seat=1, opponents=lambda seen, mask, rng: wrong)
    with pytest.raises(IllegalActionError, match="opponent: illegal action"):
        play(env)
