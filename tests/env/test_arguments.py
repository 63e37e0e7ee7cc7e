"""An integer is one in whatever form a library hands it out; one sentence refuses all else."""

from functools import partial

import numpy as np
import pytest

from impulse_env import (
    GameBatch,
    Options,
    analysis,
    dataset,
    impulse_v0,
    observation,
    random_playouts,
)
from impulse_env.analysis.odds import chance_to_win
from impulse_env.arguments import checked_integer, checked_integers, integer_of
from impulse_env.engine.constants import NO_SEAT
from impulse_env.environments.aec import RawEnv
from impulse_env.environments.self_play import SelfPlayBatch
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.errors import ArgumentError, IllegalActionError
from impulse_env.frame import absolute_frame, own_frame, to_absolute, to_own
from impulse_env.game import Game
from impulse_env.information import as_seen, determinized, view_of
from impulse_env.options import OptionError
from impulse_env.records.record import Header, SeatedAgent

FORMS = [
    *(int, np.int64, np.int32, np.uint8, np.array, lambda n: np.array(n, np.int32)),
    *(lambda n: np.array([n]), lambda n: np.array([[n]], np.uint8), np.ma.array),
]
NO_INTEGERS = [
    *(2.0, float("nan"), True, None, "3", b"3", [23], (23,), {}, 3 + 0j, np.float64(23)),
    *(np.bool_(True), np.array(True), np.array(23.0), np.array([2, 3]), np.array([], int)),
    *(np.ma.array(3, mask=True), np.ma.masked, np.array(None), np.array(["3"])),
]


@pytest.mark.parametrize("form", FORMS)
def test_an_integer_is_one_in_every_form(form):
    assert [integer_of(form(number)) for number in range(200)] == list(range(200))
    assert type(integer_of(form(23))) is int
    assert integer_of(10**30) == 10**30
    assert integer_of(np.array(-4)) == -4


@pytest.mark.parametrize("wrong", NO_INTEGERS, ids=repr)
def test_everything_else_is_refused(wrong):
    assert integer_of(wrong) is None
    with pytest.raises(ArgumentError, match=r"^seat must be an integer from 0 to 5, not .+"):
        checked_integer("seat", wrong, 0, 5)


def test_tensors_are_read_as_arrays_are():
    torch = pytest.importorskip("torch")
    assert integer_of(torch.tensor(3)) == integer_of(torch.tensor([3], dtype=torch.uint8)) == 3
    for wrong in (torch.tensor(3.0), torch.tensor(True), torch.tensor([1, 2])):
        assert integer_of(wrong) is None
    assert checked_integers("actions", torch.tensor([1, 2]), (2,)).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("given", "limits", "said"),
    [
        (-1, (0, 5), "from 0 to 5, not -1"),
        (6, (0, 5), "from 0 to 5, not 6"),
        (0, (1, None), "of 1 or more, not 0"),
        (1.0, (), r", not 1\.0 \(float\)"),
        ("x" * 999, (), f", not '{'x' * 79}"),
        (np.zeros((2, 2)), (), r", not array\(\[\[0\., 0\.\], \[0\., 0\.\]\]\) \(ndarray\)"),
        (10**5000, (0, 5), "from 0 to 5, not one of type int that is too long to show"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_the_sentence_says_what_came_and_what_is_allowed(given, limits, said):
    with pytest.raises(IllegalActionError, match=f"^count must be an integer ?{said}$"):
        checked_integer("count", given, *limits, error=IllegalActionError)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (np.zeros(3), r"float64 of shape \(3,\)"),
        (np.zeros(3, bool), r"bool of shape \(3,\)"),
        (np.zeros(2, int), r"int64 of shape \(2,\)"),
        ([1, 2, 10**30], r"object of shape \(3,\)"),
        (np.ma.array([1, 2, 3], mask=[0, 0, 1]), r"int64 of shape \(3,\) with masked elements"),
        ([[1, 2], [3]], r"\[\[1, 2\], \[3\]\] \(list\)"),
        (None, r"object of shape \(\)"),
    ],
)
def test_an_array_must_have_integers_and_the_shape(wrong, said):
    assert checked_integers("actions", np.arange(6, dtype=np.uint8)[::2], (3,)).dtype == np.int64
    with pytest.raises(ArgumentError, match=rf"integers of shape \(3,\), not {said}$"):
        checked_integers("actions", wrong, (3,))


# --- Every entry point ---------------------------------------------------------------------------

NO_SEEDS = [-1, 1.0, "7", True, [7], np.array([1.0])]
NO_SEATS = [-1, 2, None, 1.0, True, "1", [0], 10**30]
NO_PLAYERS = [7, 1, 2.0, True, "2", None, [2]]
NO_COUNTS = [-1, 0.5, "3", True, None]
GAME, VECTOR = Game(seed=1), np.zeros(observation.size(2), np.uint8)
GAME_STATES = np.stack([GAME.state] * 2)


def begun(make):
    env = make()
    env.reset(seed=1)
    return env


@pytest.mark.parametrize("wrong", NO_SEEDS, ids=repr)
@pytest.mark.parametrize(
    "make",
    [RawEnv, ImpulseEnv, impulse_v0.parallel_env, partial(ImpulseVectorEnv, 2)],
)
def test_an_invalid_seed_changes_nothing(make, wrong):
    env, other = begun(make), begun(make)
    with pytest.raises(ArgumentError, match=r"^seed must be"):
        env.reset(seed=wrong)
    env.reset()
    other.reset()
    states = [
        one.batch.states.tobytes() if hasattr(one, "batch") else one.unwrapped.game.to_bytes()
        for one in (env, other)
    ]
    assert states[0] == states[1]


@pytest.mark.parametrize("wrong", [1.0, "7", "abc", True, [7], float("nan")], ids=repr)
@pytest.mark.parametrize(
    "deal",
    [
        lambda seed: Game(seed=seed),
        lambda seed: GameBatch(Options(), [1, seed]),
        lambda seed: GameBatch(Options(), range(2)).restart([0], [seed]),
        lambda seed: random_playouts(1, seed=seed),
        lambda seed: SelfPlayBatch(1, seed=seed),
        lambda seed: ImpulseVectorEnv(2).reset(seed=[1, seed]),
        lambda seed: SeatedAgent("greedy", seed),
        lambda seed: Header(Options(), (SeatedAgent("greedy"),) * 2, seed),
    ],
)
def test_every_deal_refuses_an_invalid_seed(deal, wrong):
    with pytest.raises(ArgumentError, match=r"seed.* must be an integer.*, not "):
        deal(wrong)


def test_seeds_are_of_any_size_and_from_numpy():
    assert Game(seed=2**70 + 5) == Game(seed=np.int64(5)) == Game(seed=np.array([5]))
    for make in (RawEnv, ImpulseEnv):
        env, other = make(), make()
        env.reset(seed=np.int64(2**40))
        other.reset(seed=2**40)
        assert env.game == other.game
        env.reset(seed=2**70)
    np.testing.assert_array_equal(
        ImpulseVectorEnv(3).reset(seed=np.arange(3, 6))[0],
        ImpulseVectorEnv(3).reset(seed=np.int64(3))[0],
    )
    for wrong in (3, np.array(1.5), None):
        with pytest.raises(ArgumentError, match="seeds must be integers, not"):
            GameBatch(Options(), wrong)


ASKED_FOR_A_SEAT = [
    GAME.view,
    lambda seat: GAME.determinize(seat, np.random.default_rng(0)),
    lambda seat: observation.observe(GAME, seat),
    lambda seat: determinized(GAME.state, seat, np.random.default_rng(0)),
    lambda seat: view_of(GAME.state, 2 if integer_of(seat) == NO_SEAT else seat),
    lambda seat: as_seen(GAME.state, -1 if seat is None else seat),
    lambda seat: to_own(5, 2, seat),
    lambda seat: to_absolute(5, 2, seat),
    lambda seat: Options(start_player=-1 if seat is None else seat),
    lambda seat: ImpulseEnv(seat=-1 if seat is None else seat),
    lambda seat: ImpulseVectorEnv(2, seat=-1 if seat is None else seat),
    lambda seat: RawEnv(render_seat=-1 if seat is None else seat),
    lambda seat: observation.observe_all(GAME_STATES, [2 if seat == -1 else seat] * 2),
]
ASKED_FOR_PLAYERS = [
    Game,
    Options,
    RawEnv,
    ImpulseEnv,
    partial(ImpulseVectorEnv, 2),
    partial(SelfPlayBatch, 2),
    partial(random_playouts, 2),
    observation.sections,
    observation.size,
    observation.high,
    observation.table,
    own_frame,
    absolute_frame,
    partial(observation.unflatten, VECTOR),
    partial(observation.explain, VECTOR),
    lambda players: observation.section(VECTOR, "turn", players),
    lambda players: to_own(5, players, 0),
]
ASKED_FOR_A_COUNT = [
    random_playouts,
    ImpulseVectorEnv,
    SelfPlayBatch,
    lambda count: next(dataset.stream([], count)),
    lambda count: next(analysis.stream([], count)),
    lambda count: chance_to_win(count, 1),
    lambda count: observation.explain(VECTOR, 2, -1 if count is None else count),
    lambda count: ImpulseVectorEnv(2, max_episode_steps=0 if count in (-1, None) else count),
    lambda count: Options(target_score=count),
    lambda count: GameBatch(Options(), [1]).restart([0 if count == -1 else count], [1, 2]),
]
REFUSED = [
    (ask, wrong, said)
    for asked, given, said in (
        (ASKED_FOR_A_SEAT, NO_SEATS, r"(seats?|by|start_player) must be"),
        (ASKED_FOR_PLAYERS, NO_PLAYERS, r"^players must be an integer from 2 to 6, not "),
        (ASKED_FOR_A_COUNT, NO_COUNTS, r" must be (an integer|integers of shape)"),
    )
    for ask in asked
    for wrong in given
]


@pytest.mark.parametrize(("ask", "wrong", "said"), REFUSED)
def test_an_invalid_seat_number_of_players_or_count_is_refused(ask, wrong, said):
    with pytest.raises(ArgumentError, match=said):
        ask(wrong)


def test_numbers_of_numpy_become_those_of_python():
    given = Options(np.int64(4), np.array(2), target_score=np.uint8(5), auto_forced=np.bool_(True))
    assert given == Options(4, 2, target_score=5)
    assert {type(value) for value in (given.players, given.team_size, given.target_score)} == {int}
    assert random_playouts(0).winners.shape == (0, 2)


@pytest.mark.parametrize("wrong", [2.0, True, np.float64(2), "2", 3], ids=repr)
def test_a_team_size_is_an_integer(wrong):
    with pytest.raises(OptionError, match=r"team_size .* must be one of None, 2; not"):
        Options(4, wrong)


def test_games_are_restarted_where_there_are_any_and_each_with_a_seed():
    batch = GameBatch(Options(), range(3))
    before = batch.states.tobytes()
    for games, seeds in (([0, 3], [1, 2]), ([-1], [1]), ([0, 1], [5]), ([True], [1]), ([0.0], [1])):
        with pytest.raises(ArgumentError, match=r"^games must be"):
            batch.restart(games, seeds)
    assert batch.states.tobytes() == before
    batch.restart([2, 0], [0, 2])
    assert (batch.states == GameBatch(Options(), [2, 1, 0]).states).all()


def test_actions_in_the_absolute_frame_are_those_of_the_space():
    batch = GameBatch(Options(), range(2))
    for wrong in ([-1, 0], [0, 180], [0.0, 1.0], [1]):
        with pytest.raises(IllegalActionError, match=r"^actions must be"):
            batch.absolute_actions(wrong)
    for wrong in (-1, 180, 2.0, True, None):
        with pytest.raises(IllegalActionError, match=r"^action must be an integer from 0 to 179"):
            to_own(wrong, 2, 0)
