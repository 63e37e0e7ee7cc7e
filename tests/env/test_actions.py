"""An action is one integer, in whatever form a library hands it out, and nothing else is one."""

from contextlib import suppress
from functools import partial

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from impulse_env import GameBatch, Options, impulse_v0
from impulse_env.actions import (
    CARD_NUMBERS,
    N_ACTIONS,
    NAMES,
    UnknownActionError,
    action_of,
    name_of,
)
from impulse_env.batch import _run
from impulse_env.engine.cards import CARD_BY_NUMBER
from impulse_env.environments.aec import RawEnv
from impulse_env.environments.self_play import SelfPlayBatch
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.errors import IllegalActionError
from impulse_env.game import Game

FORMS = [
    *(int, np.int64, np.int32, np.uint8, np.array, lambda n: np.array(n, np.int32)),
    lambda n: np.array([n]),
]
"""What an action may be given as: Python's numbers, numpy's, and arrays of one."""
OUTSIDE = [-1, N_ACTIONS, 10**30, np.int64(-1), np.array([N_ACTIONS])]
"""Integers that no action has."""
NO_INTEGERS = [
    *(2.0, 23.5, float("nan"), True, None, [23], (23,), {}, b"23"),
    *(np.float64(23), np.bool_(True), np.array(23.0), np.array([2, 3]), np.ma.masked),
]
"""What is no action: other numbers, and what only holds one."""

each_form = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
everything_else = pytest.mark.parametrize("wrong", NO_INTEGERS, ids=repr)
outside = pytest.mark.parametrize("wrong", OUTSIDE, ids=repr)


def legal_of(mask):
    return int(np.flatnonzero(mask)[-1])


def play(env, games=10):
    """Take the first decision of some games, of one environment or of several side by side."""
    for seed in range(games):
        env.reset(seed=seed)
        masks = env.action_masks()
        env.step(legal_of(masks) if masks.ndim == 1 else masks.argmax(1))


# --- Names ---------------------------------------------------------------------------------------


def test_names_and_numbers_are_pairs_over_all_actions():
    assert [action_of(name_of(action)) for action in range(N_ACTIONS)] == list(range(N_ACTIONS))
    assert [name_of(action_of(name)) for name in NAMES] == list(NAMES)


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        ("card 200", "'card' is followed by 1 to 109 without 21"),
        ("card 21", "'card' is followed by 1 to 109 without 21"),
        ("cell 20", "'cell' is followed by 1 to 19"),
        ("gate 10-5", "'gate' is followed by two cells that touch, the lower one first, such as"),
        ("ships 0", "'ships' is followed by 1 to 12"),
        ("color pink", "'color' is followed by red, blue, green, yellow"),
        ("tech 2", "'tech' is followed by 0 to 1"),
        ("seat 6", "'seat' is followed by 0 to 5"),
        ("race elves", "'race' is followed by [a-z, ]+"),
        ("basic trade", "'basic' is followed by command, build"),
        ("copy 6", "'copy' is followed by 1 to 5"),
        ("pass 1", "nothing follows 'pass'"),
        ("fly", "actions are named pass, use, card …"),
        (7, "actions are named pass"),
    ],
)
def test_an_unknown_name_lists_the_allowed_ones(name, allowed):
    with pytest.raises(UnknownActionError, match=f"^unknown action {name!r}; {allowed}"):
        action_of(name)


def test_the_cards_are_those_that_are_named():
    assert CARD_NUMBERS == "1 to 109 without 21"
    assert sorted(CARD_BY_NUMBER) == [number for number in range(1, 110) if number != 21]


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


STRICT = [partial(Game, seed=3), RawEnv, partial(ImpulseEnv, illegal="raise")]
LENIENT = [impulse_v0.env, ImpulseEnv]


def begun(make):
    """A game or an environment at a decision, and what copies its game."""
    one = make()
    if isinstance(one, Game):
        return one, one.copy
    one.reset(seed=3)
    return one, lambda: one.game


@everything_else
@pytest.mark.parametrize("make", [*STRICT, *LENIENT])
def test_everything_else_is_refused_in_a_sentence_and_changes_nothing(make, wrong):
    one, now = begun(make)
    before = now()
    calls = [one.step, one.describe] if isinstance(one, Game) else [one.step]
    for call in calls:
        with pytest.raises(IllegalActionError, match=r"^action must be an integer from 0 to"):
            call(wrong)
    assert now() == before
    if not isinstance(one, Game):
        assert one.end == ""
        one.step(legal_of(one.unwrapped._mask))


@outside
@pytest.mark.parametrize("make", STRICT)
def test_an_integer_that_no_action_has_is_illegal_and_changes_nothing(make, wrong):
    one, now = begun(make)
    before = now()
    with pytest.raises(IllegalActionError, match=r"^illegal action -?\d+ \(not from 0 to 179\)"):
        one.step(wrong)
    assert now() == before
    with pytest.raises(UnknownActionError, match="action must be an integer from 0 to 179, not"):
        name_of(wrong)


@pytest.mark.parametrize("wrong", [*OUTSIDE, None], ids=repr)
@pytest.mark.parametrize("make", LENIENT)
def test_an_illegal_integer_ends_the_game_with_a_warning(make, wrong, recwarn, caplog):
    env, _ = begun(make)
    env.step(int(env.unwrapped._mask.argmin()) if wrong is None else wrong)
    assert env.end == "illegal"
    if make is ImpulseEnv:
        (warning,) = recwarn
        assert "an illegal action ended an episode with reward -1: the" in str(warning.message)
        assert not caplog.messages
    else:
        (message,) = caplog.messages
        assert message.startswith("[WARNING]: Illegal move made, game terminating")
        assert not recwarn


@pytest.mark.filterwarnings("ignore:.*converting a masked element")  # numpy's, of the list
@everything_else
def test_a_batch_refuses_arrays_of_everything_else_and_changes_nothing(wrong):
    batch, self_play = GameBatch(Options(), range(4)), SelfPlayBatch(4)
    for games in (batch, self_play):
        states = batch.states if games is batch else self_play.batch.states
        before = states.tobytes()
        good = games.masks.argmax(1)
        for actions in ([wrong] * 4, good.astype(float), good[:3], good[:, None], good > 0, wrong):
            with pytest.raises(IllegalActionError, match=r"^actions must be integers of shape \(4"):
                games.step(actions)
        assert states.tobytes() == before


@pytest.mark.parametrize("wrong", [*NO_INTEGERS, *OUTSIDE], ids=repr)
def test_an_opponent_that_hands_out_anything_else_is_an_error_that_names_it(wrong):
    class OfGames:
        def act_in_game(self, game, rng):
            return wrong

    for opponent in (lambda seen, mask, rng: wrong, OfGames()):
        for make in (partial(ImpulseEnv, seat=1), partial(ImpulseVectorEnv, 3, seat=1)):
            env = make(opponents=opponent)
            said = r"^opponent: action of player_\d must be an integer from 0 to 179, not"
            with pytest.raises(IllegalActionError, match=said):
                play(env)
            with pytest.raises(ResetNeeded):
                env.step(0 if isinstance(env, ImpulseEnv) else np.zeros(3, int))
