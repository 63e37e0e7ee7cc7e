"""Games on a device, here the processor, compared with `GameBatch` step by step."""

import numpy as np
import pytest
from scipy.stats import chisquare

from gpu_reference import ARGUMENTS, NAMES, Reference, generators
from impulse_env import observation
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, GameBatch, play_at_random, random_actions
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE, plain
from impulse_env.engine.rng import xorshift
from impulse_env.engine.state import STATE
from impulse_env.errors import ArgumentError, IllegalActionError, ImpulseError
from impulse_env.information import determinize_all, redact_all
from impulse_env.options import Options

torch = pytest.importorskip("torch")

from impulse_env.gpu import HOLD, GpuBatch  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
GAMES = 12


def made(count=GAMES, **arguments):
    return GpuBatch(count, device="cpu", **{"players": 3, **arguments})


def reference_of(count=GAMES, seed=0, reward="win", auto_reset=True, **options):
    return Reference(Options(**options), count, seed, reward, auto_reset)


def tensor(array):
    """Return an int64 tensor with a copy of an array."""
    return torch.from_numpy(array.astype(np.int64))


def spread(tensor):
    """Return the same numbers as a view of every second place."""
    return tensor.repeat_interleave(2)[::2]


def bytes_of(states):
    return torch.from_numpy(states.copy().view(np.uint8).reshape(len(states), -1))


def after(batch, steps, first=0):
    """Play at random with `step`; return the batch."""
    randomness = tensor(generators(len(batch), first))
    for _ in range(steps):
        batch.step(batch.random_actions(randomness))
    return batch


def contents(batch):
    """Return copies of every tensor of a batch that a step writes."""
    names = (
        *("states", "seeds", "seats", "kinds", "masks", "observations", "rewards", "status"),
        *("terminations", "truncations", "winners", "scores", "turns", "illegal"),
    )
    return {name: getattr(batch, name).clone() for name in names}


def assert_equal(mine, theirs, games=slice(None)):
    assert mine.keys() == theirs.keys()
    for name, values in mine.items():
        assert torch.equal(values[games], theirs[name][games]), name


# --- Steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ARGUMENTS, ids=NAMES)
def test_every_step_is_that_of_a_game_batch(arguments):
    batch, reference = made(seed=40, **arguments), reference_of(seed=40, **arguments)
    randomness = generators(GAMES)
    mine = tensor(randomness)
    reference.assert_describes(batch)
    for _ in range(400):
        runs = reference.games.seats != NOBODY
        if not runs.any():
            break
        actions = np.zeros(GAMES, np.int64)
        drawn, masks = randomness[runs], reference.games.masks[runs]
        actions[runs] = random_actions(masks, drawn)
        randomness[runs] = drawn
        assert batch.random_actions(mine).tolist() == actions.tolist()
        assert mine.tolist() == randomness.view(np.int64).tolist()
        reference.step(actions)
        batch.step(torch.from_numpy(actions))
        reference.assert_describes(batch)
    if "max_turns" in arguments or "target_score" in arguments:
        assert reference.ends >= GAMES // 2


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=NAMES)
def test_a_thousand_games_end_as_those_of_the_processor(arguments):
    """With the ten entries of the table: ten thousand games."""
    count = 1000
    arguments = {**arguments, "auto_reset": False}
    batch = made(count, seed=10**6, observe=False, **arguments)
    randomness = tensor(generators(count, 7))
    traces = []
    while (batch.seats != NOBODY).any():
        traces.append(batch.random_actions(randomness))
        batch.step(traces[-1])
    reference = reference_of(count, 10**6, **arguments)
    for actions in traces:
        reference.step(actions.numpy())
    assert reference.ends == count
    assert batch.records().tobytes() == reference.games.states.tobytes()
    for name in ("winners", "scores", "turns"):
        assert getattr(batch, name).tolist() == getattr(reference, name).tolist()


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("auto_reset", [True, False])
def test_random_play_is_as_many_steps_with_legal_actions(reward, auto_reset):
    """Its first action is that of `random_actions`; the others are drawn in another order."""
    arguments = {"target_score": 2, "max_turns": 6, "reward": reward, "auto_reset": auto_reset}
    whole, single = made(**arguments), made(**arguments)
    randomness = tensor(generators(GAMES))
    whole.play_at_random(0, randomness)
    assert_equal(contents(whole), contents(single))
    for _ in range(60):
        copied = randomness.clone()
        whole.play_at_random(2, randomness)
        single.step(single.random_actions(copied))
        decides = single.seats != NOBODY
        copied = torch.where(decides, after_one_draw(copied), copied)
        assert torch.equal(randomness, copied)
        single.step(whole._actions)
        assert not single.illegal.any()
        assert_equal(contents(whole), contents(single))
    assert (whole.turns > 0).sum() > GAMES // 2


def after_one_draw(randomness):
    return tensor(plain(xorshift)(randomness.numpy().view(np.uint64).copy()))


def test_random_play_draws_uniformly():
    """The second action of a call, given the first."""
    count = 4000
    batch = made(count, players=2, observe=False)
    one = after(made(1, players=2), 31)
    batch.replace(one.states.expand(count, -1))
    randomness = tensor(generators(count))
    first = batch.random_actions(randomness.clone())
    batch.play_at_random(2, randomness)
    second = batch._actions
    tried = 0
    for action in first.unique():
        seconds = second[first == action]
        one_of = made(1, players=2)
        one_of.replace(one.states)
        one_of.step(action[None])
        legal = one_of.masks[0].nonzero()[:, 0]
        counts = (seconds[:, None] == legal).sum(0)
        assert counts.sum() == len(seconds)
        if len(legal) > 1:
            assert chisquare(counts.numpy()).pvalue > 1e-6
            tried += 1
    assert tried > 0
    assert chisquare(first.unique(return_counts=True)[1].numpy()).pvalue > 1e-6


def test_a_game_does_not_depend_on_its_neighbours():
    arguments = {"players": 4, "target_score": 2, "max_turns": 9, "reward": "score"}
    many, few = made(9, seed=20, **arguments), made(4, seed=25, **arguments)
    randomness = tensor(generators(9))
    fewer = randomness[5:].clone()
    for _ in range(150):
        many.step(many.random_actions(randomness))
        few.step(few.random_actions(fewer))
        mine = {name: values[5:] for name, values in contents(many).items()}
        assert_equal(mine, contents(few))
    assert (many.seeds != torch.arange(20, 29)).any()


def test_results_do_not_depend_on_the_order_of_the_threads():
    """On a GPU they run in the order of decisions, and no order is certain within a block."""
    arguments = {"players": 4, "target_score": 2, "max_turns": 7, "reward": "score"}
    usual, shuffled = made(**arguments), made(**arguments)
    mixer = torch.Generator().manual_seed(3)
    randomness = tensor(generators(GAMES))
    for _ in range(150):
        actions = usual.random_actions(randomness)
        usual.step(actions)
        shuffled._order.copy_(torch.randperm(GAMES, generator=mixer))
        shuffled.step(actions)
        assert_equal(contents(shuffled), contents(usual))
    assert (usual.turns > 0).any()


def test_a_step_without_observations_writes_none():
    seen, blind = after(made(), 30), after(made(observe=False), 30)
    assert not blind.observations.any()
    assert torch.equal(blind.observe(blind.seats), seen.observations)
    assert torch.equal(blind.states, seen.states)


def test_a_step_writes_into_the_same_tensors():
    batch = made(target_score=2)
    before = {n: t.data_ptr() for n, t in vars(batch).items() if is_tensor(t)}
    after(batch, 100)
    batch.replace(batch.states.clone())
    batch.deal(batch.seats == 0)
    assert before == {n: t.data_ptr() for n, t in vars(batch).items() if is_tensor(t)}
    assert len(before) > 20


def is_tensor(thing):
    return isinstance(thing, torch.Tensor)


# --- Illegal actions and HOLD --------------------------------------------------------------------


@pytest.mark.parametrize("wrong", [-2, N_ACTIONS, N_ACTIONS + 12, 2**40, -(2**63), None])
def test_an_illegal_action_leaves_its_game_and_no_other(wrong):
    batch, other = after(made(), 25), after(made(), 25)
    action = int(batch.masks[3].argmin()) if wrong is None else wrong
    actions = batch.masks.argmax(1)
    before = contents(batch)
    other.step(actions)
    actions[3] = action
    batch.step(actions)
    assert batch.illegal.tolist() == [game == 3 for game in range(GAMES)]
    for name, values in contents(batch).items():
        if name != "illegal":
            assert torch.equal(values[3], before[name][3]), name
    rest = torch.arange(GAMES) != 3
    assert_equal(contents(batch), contents(other), rest)
    legal = batch.masks[3].nonzero()[:, 0].tolist()
    with pytest.raises(IllegalActionError) as caught:
        batch.check_actions()
    assert str(caught.value) == (
        f"illegal action {action} in game 3, seat {int(batch.seats[3])}; legal are {legal} "
        "(1 games had an illegal action)"
    )
    batch.step(batch.masks.argmax(1))
    batch.check_actions()


def test_replaced_games_have_no_illegal_action():
    batch = made()
    batch.step(torch.full((GAMES,), N_ACTIONS))
    assert batch.illegal.all()
    batch.replace(batch.states.clone())
    batch.check_actions()


def test_hold_leaves_games_as_they_are():
    batch = after(made(reward="score"), 40)
    before = contents(batch)
    batch.step(torch.full((GAMES,), HOLD))
    batch.check_actions()
    before["rewards"].zero_()
    assert_equal(contents(batch), before)


# --- Dealing and records -------------------------------------------------------------------------


def test_deal_replaces_the_marked_games_by_those_of_the_next_seeds():
    batch, reference = made(seed=3), reference_of(seed=3, players=3)
    games = torch.tensor([game in (0, 1, 5, 11) for game in range(GAMES)])
    batch.deal(games)
    reference.deal(np.array([0, 1, 5, 11]))
    reference.assert_describes(batch)
    batch.deal(torch.zeros(GAMES, dtype=torch.bool))
    reference.assert_describes(batch)
    batch.deal(torch.ones(GAMES, dtype=torch.bool))
    reference.deal(np.arange(GAMES))
    reference.assert_describes(batch)


def test_deal_replaces_a_game_that_is_over():
    batch = made(auto_reset=False, max_turns=2)
    while (batch.seats != NOBODY).any():
        batch.step(batch.masks.argmax(1))
    assert not batch.masks.any()
    assert not batch.random_actions(tensor(generators(GAMES))).any()
    batch.deal(torch.arange(GAMES) % 2 == 0)
    assert (batch.seats != NOBODY).tolist() == [game % 2 == 0 for game in range(GAMES)]
    assert batch.masks.any(1).tolist() == (batch.seats != NOBODY).tolist()


def test_replaced_games_continue_as_their_originals():
    batch = after(made(), 30)
    order = torch.arange(GAMES).flip(0)
    kept = contents(batch)
    batch.replace(batch.states[order])
    for name in ("states", "seats", "kinds", "masks", "observations"):
        assert torch.equal(getattr(batch, name), kept[name][order]), name
    assert not batch.rewards.any()
    assert not batch.status.any()
    assert torch.equal(batch.seeds, kept["seeds"])
    batch.step(batch.masks.argmax(1))
    batch.replace(kept["states"])
    assert torch.equal(batch.masks, kept["masks"])


def test_records_and_a_batch_of_them_are_the_same_games():
    options = Options(4, team_size=2)
    batch = after(made(players=4, team_size=2), 60)
    records = batch.records()
    assert records.dtype == STATE
    again = GpuBatch.of_states(options, records, device="cpu")
    for name in ("states", "seats", "kinds", "masks", "observations"):
        assert torch.equal(getattr(again, name), getattr(batch, name)), name
    usual = GameBatch.of_states(options, records)
    assert usual.states.tobytes() == again.records().tobytes()
    assert (usual.observations == again.observations.numpy()).all()
    records["score"] = 1
    assert batch.records().tobytes() == again.records().tobytes()


def test_a_batch_of_undealt_games_deals_them():
    options = Options(3)
    batch = GpuBatch.of_states(options, options.new_states(range(7, 7 + GAMES)), device="cpu")
    assert torch.equal(batch.states, made(seed=7).states)


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (Options(4).new_states([]), r"1 record or more of dtype STATE, not STATE of shape \(0,\)"),
        (np.zeros((2, STATE.itemsize), np.uint8), r"not uint8 of shape \(2, 2432\)"),
        (Options(4).new_states([0, 1]).reshape(2, 1), r"not STATE of shape \(2, 1\)"),
        (Options(5).new_states([0]), "4 players in 2 sides, and a game has 5 players in 5 sides"),
        (Options(4).new_states([0]), "4 players in 2 sides, and a game has 4 players in 4 sides"),
    ],
)
def test_games_that_do_not_fit_the_options_are_refused(states, words):
    with pytest.raises(ArgumentError, match=words) as caught:
        GpuBatch.of_states(Options(4, team_size=2), states, device="cpu")
    assert "\n" not in str(caught.value)


def test_fields_are_views_of_the_records():
    batch = after(made(players=5), 50)
    records = batch.records()
    for name in ("score", "turn", "status", "players", "stack"):
        field = batch.field(name)
        assert field.numpy().dtype == records[name].dtype
        np.testing.assert_array_equal(field.numpy(), records[name])
    batch.field("score")[2, 1] = 17
    assert batch.records()["score"][2, 1] == 17


# --- Hidden information --------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [{"players": 2}, {"players": 6, "team_size": 3}])
def test_views_and_determinized_games_are_those_of_the_processor(arguments):
    batch = after(made(auto_reset=False, max_turns=14, **arguments), 110)
    seats = batch.seats.numpy().astype(np.int64)
    views, records = batch.records(), batch.records()
    redact_all(views, seats)
    assert torch.equal(batch.views(), bytes_of(views))
    assert batch.records().tobytes() == records.tobytes()
    runs = np.flatnonzero(seats != NOBODY)
    assert len(runs) > 0
    seeds = generators(GAMES, 5)
    games = records[runs]
    determinize_all(games, seats[runs], seeds[runs])
    mine = batch.determinized(tensor(seeds))
    assert torch.equal(mine[torch.from_numpy(runs)], bytes_of(games))
    assert batch.records().tobytes() == records.tobytes()


def test_observations_of_any_seats():
    batch = after(made(players=4), 45)
    seats = torch.arange(GAMES, dtype=torch.int8) % 5 - 1
    seen = batch.observe(seats)
    shown = seats != NOBODY
    assert not seen[~shown].any()
    records, who = batch.records()[shown.numpy()], seats[shown].numpy().astype(np.int64)
    assert seen[shown].tolist() == observation.observe_all(records, who).tolist()
    assert torch.equal(batch.observe(batch.seats), batch.observations)


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"players": 7}, "players must be an integer from 2 to 6, not 7"),
        ({"num_games": 0}, "num_games must be an integer of 1 or more, not 0"),
        ({"seed": -1}, "seed must be an integer of 0 or more, not -1"),
        ({"reward": "none"}, "reward must be one of 'win', 'score'"),
        ({"device": "tpu"}, 'device must be "cuda", "cuda:N" or "cpu", not \'tpu\''),
        ({"auto_resets": True}, "there is no option 'auto_resets'; did you mean auto_reset"),
    ],
)
def test_arguments_are_checked(arguments, words):
    with pytest.raises(ImpulseError, match=words) as caught:
        GpuBatch(**{"num_games": 3, "device": "cpu", **arguments})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.step([0] * GAMES), "actions must be a tensor of torch, not list"),
        (lambda b: b.step(b.masks[:, 0]), r"actions must be int64 of shape \(12,\) .* not int8"),
        (lambda b: b.random_actions(b.seats), "randomness must be int64"),
        (lambda b: b.play_at_random(3, b.seeds[:2]), r"randomness must be .* not int64 .* \(2,\)"),
        (lambda b: b.play_at_random(-1, b.seeds), "steps must be an integer of 0 or more, not -1"),
        (lambda b: b.deal(b.seats), "games must be bool"),
        (lambda b: b.observe(b.seeds), "seats must be int8"),
        (lambda b: b.replace(b.states[1:]), r"states must be uint8 of shape \(12, 2432\)"),
        (lambda b: b.determinized(b.seats), "seeds must be int64"),
        (lambda b: b.random_actions(spread(b.seeds)), r"randomness must be contiguous, .* \(2,\)"),
        (lambda b: b.play_at_random(1, spread(b.seeds)), "randomness must be contiguous"),
        (lambda b: b.observe(spread(b.seats)), "seats must be contiguous"),
        (lambda b: b.determinized(spread(b.seeds)), "seeds must be contiguous"),
    ],
)
def test_a_wrong_tensor_changes_nothing(call, words):
    batch = made()
    before = contents(batch)
    with pytest.raises(ArgumentError, match=words) as caught:
        call(batch)
    assert "\n" not in str(caught.value)
    assert_equal(contents(batch), before)


def test_random_games_of_the_batch_end_as_often_as_those_of_random_play():
    """Scores of a batch that deals again have the mean of `play_at_random`."""
    options = Options(2, max_turns=12)
    states = options.new_states(range(400))
    play_at_random(states, generators(400, 1))
    batch = GpuBatch(400, 2, seed=10**5, max_turns=12, device="cpu", auto_reset=False)
    batch.play_at_random(400, tensor(generators(400, 2)))
    assert (batch.seats == NOBODY).all()
    mine, theirs = batch.scores.numpy().astype(float), states["score"][:, :2].astype(float)
    error = np.sqrt((mine.var() + theirs.var()) / 400)
    assert abs(mine.mean() - theirs.mean()) < 5 * error
