"""The vector environment on a device: here the processor, one thread after the other."""

import subprocess
import sys

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from scipy.stats import chisquare

from impulse_env import observation
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import NOBODY, step_games
from impulse_env.compiled.compilation import IS_COMPILED, LINKS_LATE
from impulse_env.engine.constants import RUNNING
from impulse_env.environments import opponents as by_name
from impulse_env.environments.aec import ILLEGAL_REWARD
from impulse_env.environments.outcome_arrays import ENDS, ILLEGAL_END, no_outcomes
from impulse_env.environments.rewards import outcome_rewards, score_margins
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.errors import ArgumentError, IllegalActionError, ImpulseError
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.observation import observe_all
from impulse_env.options import OptionError

torch = pytest.importorskip("torch")

from impulse_env.gpu import HOLD, GpuBatch, GpuVectorEnv, OwnSeats  # noqa: E402
from recordable import recordable  # noqa: E402

pytestmark = pytest.mark.skipif(
    not (IS_COMPILED and LINKS_LATE), reason="kernels are compiled from numba's own IR"
)
GAMES = 8
NEXT, SAME, DISABLED = AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP, AutoresetMode.DISABLED
SHORT = {"players": 3, "target_score": 2, "max_turns": 6}


def made(num_envs=GAMES, **arguments):
    return gymnasium.make_vec("Impulse-v0", num_envs, device="cpu", **arguments)


def choose(seen, masks):
    """Choose a legal action that depends on what is seen, and on nothing else."""
    place = seen.long().sum(1) * 7919 % masks.long().sum(1).clamp(min=1)
    return (masks.long().cumsum(1) == place[:, None] + 1).long().argmax(1)


def play(env, steps, seed=0):
    """Play from a reset on; return what it returned and every transition."""
    seen, info = env.reset(seed=seed)
    returned = [(seen, info)]
    for _ in range(steps):
        returned.append(env.step(choose(seen, env.action_masks())))
        seen = returned[-1][0]
    return returned


def assert_equal(mine, theirs):
    """Two answers of an environment are equal, with all tensors of their infos."""
    assert len(mine) == len(theirs)
    for one, other in zip(mine[:-1], theirs[:-1], strict=True):
        assert torch.equal(one, other)
    assert set(mine[-1]) == set(theirs[-1])
    for name, values in mine[-1].items():
        if name == "final_info":
            assert_equal((values,), (theirs[-1][name],))
        else:
            assert torch.equal(values, theirs[-1][name]), name


class Choosing:
    """An opponent that draws as "random" does, and notes the places of the seats that ask it."""

    def __init__(self, env=None):
        self.places, self.asked = set(), 0

    def act(self, batch, waits, randomness):
        self.asked += 1
        places = (batch.seats.long() - self.own) % batch.options.players
        self.places |= set(places[waits].tolist())
        assert batch.masks[waits].any(1).all()
        return batch.random_actions(randomness)


def against(opponent, **arguments):
    env = made(opponents=opponent, **arguments)
    for one in opponent if isinstance(opponent, list) else [opponent]:
        if isinstance(one, Choosing):
            one.own = env.seats
    return env


# --- Gymnasium -----------------------------------------------------------------------------------


def test_with_a_device_the_id_makes_it_and_without_one_nothing_changes():
    env = made(5, players=3)
    assert isinstance(env, GpuVectorEnv)
    assert env.spec.id == "Impulse-v0"
    assert env.device == torch.device("cpu")
    assert isinstance(gymnasium.make_vec("Impulse-v0", 2), ImpulseVectorEnv)
    assert env.metadata["autoreset_mode"] is NEXT
    env.close()
    assert env.closed


def test_spaces_shapes_and_types():
    env, usual = made(5, players=3), ImpulseVectorEnv(5, 3)
    for name in ("", "single_"):
        for space in ("observation_space", "action_space"):
            assert getattr(env, name + space) == getattr(usual, name + space)
    returned = play(env, 3)
    kinds = {
        **dict.fromkeys(("end", "seat"), ((5,), torch.int8)),
        **dict.fromkeys(("winners",), ((5, 3), torch.int8)),
        **dict.fromkeys(("scores",), ((5, 3), torch.int16)),
        **dict.fromkeys(("turns",), ((5,), torch.int16)),
        **dict.fromkeys(("action_mask",), ((5, N_ACTIONS), torch.int8)),
        **dict.fromkeys(("illegal",), ((5,), torch.bool)),
    }
    for answer in returned:
        assert {name: (v.shape, v.dtype) for name, v in answer[-1].items()} == kinds
        assert (answer[0].shape, answer[0].dtype) == ((5, observation.size(3)), torch.uint8)
        assert answer[0].numpy() in env.observation_space
    wanted = [torch.float32, torch.bool, torch.bool]
    assert [part.dtype for part in returned[1][1:4]] == wanted
    assert all(part.shape == (5,) for part in returned[1][1:4])
    for name, values in no_outcomes(5, 3).items():
        assert kinds[name] == (values.shape, torch.from_numpy(values).dtype)


def test_what_was_returned_stays_as_it_was():
    env = made(**SHORT)
    returned = env.reset(seed=1)
    seen, mask = returned[0].clone(), returned[1]["action_mask"].clone()
    env.step(choose(*returned[:1], mask))
    assert torch.equal(returned[0], seen)
    assert torch.equal(returned[1]["action_mask"], mask)


# --- Games ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", [SHORT, {"players": 4, "team_size": 2, "target_score": 3}])
def test_a_step_is_that_of_compiled_games_with_random_opponents(table):
    env = made(32, autoreset_mode=DISABLED, **table)
    seen, info = env.reset(seed=11)
    players = table["players"]
    frames = absolute_frame(players), own_frame(players)
    ends = 0
    for _ in range(40):
        states, own = env.batch.records(), env.seats.numpy().copy()
        seats, masks = env.batch.seats.numpy().copy(), env.action_masks().numpy()
        assert set((seats == own) | (seats == NOBODY)) == {True}
        randomness = env._randomness.numpy().view(np.uint64).copy()
        rows = np.flatnonzero(seats != NOBODY)
        actions = choose(seen, torch.from_numpy(masks))
        seen, rewards, terminations, truncations, info = env.step(actions)
        part = [np.ascontiguousarray(one[rows]) for one in (states, actions.numpy(), masks, seats)]
        observations = seen.numpy()[rows]
        drawn = randomness[rows]
        step_games(*part, observations, frames, drawn, own[rows])
        assert env.batch.records()[rows].tobytes() == part[0].tobytes()
        np.testing.assert_array_equal(info["action_mask"][rows], part[2])
        np.testing.assert_array_equal(env.batch.seats[rows], part[3])
        np.testing.assert_array_equal(env._randomness.numpy().view(np.uint64)[rows], drawn)
        np.testing.assert_array_equal(seen[rows], observations)
        assert not rewards[seats == NOBODY].any()
        over = (terminations | truncations).numpy()
        np.testing.assert_array_equal(over, env.batch.records()["status"] != RUNNING)
        final = observe_all(env.batch.records(), own)
        np.testing.assert_array_equal(seen[over], final[over])
        ends += over.sum()
        seen, _ = env.reset(options={"reset_mask": over})
    assert ends > 20


@pytest.mark.parametrize("reward", ["win", "score"])
def test_rewards_add_up_to_those_of_the_records(reward):
    env = made(12, autoreset_mode=DISABLED, reward=reward, **SHORT)
    seen, _ = env.reset(seed=3)
    margins = score_margins(env.batch.records(), env.seats.long().numpy())
    total = torch.zeros(12)
    for _ in range(150):
        seen, rewards, terminations, truncations, _ = env.step(choose(seen, env.action_masks()))
        total += rewards
    assert (terminations | truncations).all()
    assert terminations.any()
    assert truncations.any()
    states, own = env.batch.records(), env.seats.long().numpy()
    expected = outcome_rewards(states, own)
    if reward == "score":
        expected = expected + score_margins(states, own) - margins
    np.testing.assert_allclose(total, expected, atol=1e-5)
    assert set(np.sign(expected)) == {-1, 0, 1}


def test_the_own_seat_is_drawn_uniformly_or_given():
    env = made(2000, players=3)
    _, info = env.reset(seed=5)
    first = info["seat"].clone()
    assert chisquare(np.bincount(first.numpy(), minlength=3)).pvalue > 0.01
    _, info = env.reset()
    pairs = np.bincount((3 * first + info["seat"]).numpy(), minlength=9)
    assert chisquare(pairs).pvalue > 0.01
    env = made(players=3, seat=2)
    assert env.reset(seed=1)[1]["seat"].tolist() == [2] * GAMES
    assert (env.batch.seats == 2).all()


def test_a_batch_plays_for_the_other_seats_from_records():
    env = made(16, players=3)
    env.reset(seed=7)
    randomness = torch.arange(1, 17)
    own = OwnSeats(torch.full((16,), 1, dtype=torch.int8), randomness.clone())
    batch = GpuBatch.of_states(env.options, env.batch.records(), device="cpu", own=own)
    states, seats = env.batch.records(), np.full(16, NOBODY, np.int8)
    masks, drawn = np.zeros((16, N_ACTIONS), np.int8), randomness.numpy().view(np.uint64)
    frames = absolute_frame(3), own_frame(3)
    nothing = np.empty((0, 0), np.uint8)
    step_games(
        *(states, np.zeros(16, np.int64), masks, seats, nothing, frames, drawn),
        own.seats.numpy(),
    )
    assert batch.records().tobytes() == states.tobytes()
    np.testing.assert_array_equal(batch.masks, masks)
    assert torch.equal(own.randomness, randomness)


# --- Seeds and resets ----------------------------------------------------------------------------


def test_a_seed_determines_all_episodes():
    first, again = (play(made(**SHORT), 60, seed=7) for _ in range(2))
    for mine, theirs in zip(first, again, strict=True):
        assert_equal(mine, theirs)
    env = made(**SHORT)
    play(env, 10, seed=3)
    for mine, theirs in zip(first, play(env, 60, seed=range(7, 7 + GAMES)), strict=True):
        assert_equal(mine, theirs)
    assert env.np_random_seed == tuple(range(7, 7 + GAMES))
    assert not torch.equal(first[0][0], env.reset(seed=8)[0])
    assert torch.equal(first[0][0][1:], env.reset(seed=8)[0][:-1])


def test_a_reset_without_a_seed_continues_and_begins_anywhere():
    env, other = made(), made()
    for one in (env, other):
        one.reset(seed=4)
    assert torch.equal(env.reset()[0], other.reset(seed=[None] * GAMES)[0])
    assert not torch.equal(made().reset()[0], made().reset()[0])
    seeds = [9, *[None] * (GAMES - 1)]
    mixed, after = env.reset(seed=seeds)[0], other.reset()[0]
    assert torch.equal(mixed[1:], after[1:])
    assert torch.equal(mixed[0], other.reset(seed=9)[0][0])
    assert env.np_random_seed == (9, *range(5, 4 + GAMES))


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
def test_some_games_alone_are_reset(mode):
    env = made(autoreset_mode=mode)
    before, _ = env.reset(seed=4)
    mask = torch.arange(GAMES) % 2 == 0
    seen, _ = env.reset(seed=40, options={"reset_mask": mask})
    assert torch.equal(seen[~mask], before[~mask])
    assert torch.equal(seen[mask], made().reset(seed=40)[0][mask])
    assert env.np_random_seed[:3] == (40, 5, 42)


# --- Ends of episodes ----------------------------------------------------------------------------


def episodes(returned, mode):
    """Return for each game what its own seat saw and got, without steps that only deal."""
    traces = [[returned[0][0][game].tolist()] for game in range(GAMES)]
    dealt = torch.zeros(GAMES, dtype=torch.bool)
    for seen, rewards, terminations, truncations, info in returned[1:]:
        over = terminations | truncations
        for game, trace in enumerate(traces):
            if dealt[game]:
                assert (rewards[game], over[game]) == (0, False)
                trace.append(seen[game].tolist())
                continue
            is_final = mode is SAME and bool(over[game])
            final, its = (info["final_obs"], info["final_info"]) if is_final else (seen, info)
            names = ("end", "winners", "scores", "turns", "seat", "action_mask")
            trace.append([rewards[game].item(), final[game].tolist(), over[game].item()])
            trace.append([its[name][game].tolist() for name in names])
            trace += [seen[game].tolist()] * is_final
        dealt = over if mode is NEXT else dealt
    return traces


@pytest.mark.parametrize("reward", ["win", "score"])
def test_both_modes_have_the_same_episodes(reward):
    both = [
        episodes(play(made(autoreset_mode=mode, reward=reward, **SHORT), 100, seed=5), mode)
        for mode in (NEXT, SAME)
    ]
    for mine, theirs in zip(*both, strict=True):
        assert len(mine) > 190
        assert mine == theirs[: len(mine)]
        assert sum(entry[2] for entry in mine[1:] if len(entry) == 3) > 2


def test_the_final_info_describes_the_old_game_and_the_info_the_new_one():
    env = made(autoreset_mode="SameStep", **SHORT)
    ends, before = set(), env.reset(seed=2)[1]
    for _, rewards, terminations, truncations, info in play(env, 120, seed=2)[1:]:
        over = terminations | truncations
        final = info["final_info"]
        assert torch.equal(info["_final_obs"], over)
        assert torch.equal(info["_final_info"], over)
        assert torch.equal(final["end"] != 0, over)
        assert not info["final_obs"][~over].any()
        assert info["final_obs"][over].any(1).all()
        assert not any(info[name].any() for name in ("end", "winners", "scores", "turns"))
        assert info["action_mask"].any(1).all()
        for game in over.nonzero()[:, 0].tolist():
            ends.add(ENDS[final["end"][game]])
            assert final["winners"][game].sum() == int(terminations[game])
            assert final["seat"][game] == before["seat"][game]
            assert (final["turns"][game] == 6) == truncations[game]
            has_won = final["winners"][game, final["seat"][game].long()] == 1
            assert (rewards[game] > 0) == has_won
        before = info
    assert ends >= {"score", "truncation"}


def test_without_autoreset_an_episode_that_is_over_stays_as_it_is():
    env = made(autoreset_mode="Disabled", **SHORT)
    returned = play(env, 150)
    seen, _, terminations, truncations, info = returned[-1]
    assert (terminations ^ truncations).all()
    records = env.batch.records()
    again = env.step(choose(seen, env.action_masks()))
    assert_equal(again, (seen, torch.zeros(GAMES), terminations, truncations, info))
    assert env.batch.records().tobytes() == records.tobytes()
    mask = np.arange(GAMES) == 2
    _, info = env.reset(options={"reset_mask": mask})
    assert (info["end"] == 0).tolist() == mask.tolist()
    _, _, terminations, truncations, _ = env.step(info["action_mask"].long().argmax(1))
    assert (terminations | truncations).tolist() == (~mask).tolist()


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
def test_a_limit_of_steps_truncates_games_that_are_not_over(mode):
    env = made(max_episode_steps=3, autoreset_mode=mode, target_score=2)
    returned = play(env, 8)
    truncated = [answer[3].all().item() for answer in returned[1:]]
    period = {NEXT: [False] * 2 + [True, False], SAME: [False] * 2 + [True]}
    stays = [False] * 2 + [True] * 6
    assert truncated == (stays if mode is DISABLED else (period[mode] * 3)[:8])
    _, rewards, terminations, _, info = returned[3]
    final = info["final_info"] if mode is SAME else info
    assert not terminations.any()
    assert not rewards.any()
    assert not final["end"].any()
    assert final["action_mask"].any(1).all()


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
def test_an_illegal_action_ends_its_episode(mode):
    env = made(autoreset_mode=mode, reward="score")
    seen, info = env.reset(seed=1)
    actions = choose(seen, info["action_mask"])
    actions[2], actions[4], actions[5] = info["action_mask"][2].argmin(), -2, N_ACTIONS
    _, rewards, terminations, truncations, info = env.step(actions)
    wrong = torch.tensor([game in (2, 4, 5) for game in range(GAMES)])
    assert torch.equal(info["illegal"], wrong)
    assert torch.equal(terminations, wrong)
    assert not truncations.any()
    assert (rewards[wrong] == ILLEGAL_REWARD).all()
    final = info["final_info"] if mode is SAME else info
    assert torch.equal(final["end"] == ENDS.index(ILLEGAL_END), wrong)
    assert not final["winners"].any()
    assert torch.equal(final["action_mask"].any(1), ~wrong)
    if mode is SAME:
        assert info["action_mask"].any(1).all()
        return
    before = env.batch.records()
    _, rewards, terminations, _, info = env.step(info["action_mask"].long().argmax(1))
    assert not rewards.any()
    assert not info["illegal"].any()
    assert torch.equal(terminations, wrong if mode is DISABLED else torch.zeros_like(wrong))
    after = env.batch.records()
    is_same = [one.tobytes() == two.tobytes() for one, two in zip(before, after, strict=True)]
    assert is_same == (wrong.tolist() if mode is DISABLED else [False] * GAMES)


def test_an_illegal_action_can_be_ignored():
    env = made(illegal="ignore")
    seen, info = env.reset(seed=1)
    actions, before = choose(seen, info["action_mask"]), env.batch.records()
    actions[3] = info["action_mask"][3].argmin()
    after, rewards, terminations, _, later = env.step(actions)
    assert later["illegal"].tolist() == [game == 3 for game in range(GAMES)]
    assert not terminations.any()
    assert not rewards.any()
    assert env.batch.records()[3].tobytes() == before[3].tobytes()
    assert torch.equal(after[3], seen[3])
    assert torch.equal(later["action_mask"][3], info["action_mask"][3])


def test_hold_is_no_action_of_the_own_seat():
    """`HOLD` leaves a game as it is, in a step of the environment as in one of the batch."""
    env = made()
    seen, _ = env.reset(seed=1)
    after, _, terminations, _, later = env.step(torch.full((GAMES,), HOLD))
    assert torch.equal(after, seen)
    assert not (terminations | later["illegal"]).any()


# --- Opponents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
@pytest.mark.parametrize("reward", ["win", "score"])
def test_opponents_that_draw_alike_play_as_random_ones_in_the_kernel(mode, reward):
    table = {"autoreset_mode": mode, "reward": reward, "max_episode_steps": 25, **SHORT}
    alone = play(made(**table), 60)
    for opponent in (Choosing(), ["random", Choosing()]):
        for mine, theirs in zip(alone, play(against(opponent, **table), 60), strict=True):
            assert_equal(mine, theirs)


def test_each_opponent_is_asked_for_its_own_seats():
    first, last = Choosing(), Choosing()
    env = against([first, last, first], players=4, target_score=3)
    assert len(env._opponents) == 2
    play(env, 40)
    assert first.places == {1, 3}
    assert last.places == {2}


def test_with_rounds_the_own_seat_has_the_same_episodes_after_more_steps():
    def decisions(env, steps):
        traces, total = [[] for _ in range(GAMES)], torch.zeros(GAMES)
        returned = play(env, steps)
        for seen, *outcome, info in [(returned[0][0], total, returned[0][1]), *returned[1:]]:
            total = total + outcome[0]
            decides = info.get("decides", info["action_mask"].any(1))
            assert torch.equal(decides, info["action_mask"].any(1))
            for game in decides.nonzero()[:, 0].tolist():
                traces[game].append([seen[game].tolist(), round(total[game].item(), 4)])
        return traces

    table = {"reward": "score", "players": 3, "target_score": 2}
    for mode in (NEXT, SAME):
        whole = decisions(made(autoreset_mode=mode, **table), 120)
        few = decisions(against(Choosing(), rounds=2, autoreset_mode=mode, **table), 300)
        for mine, theirs in zip(few, whole, strict=True):
            both = min(len(mine), len(theirs))
            assert both > 40
            assert mine[:both] == theirs[:both]


def test_rounds_are_as_many_decisions_and_a_waiting_own_seat_has_no_action():
    opponent = Choosing()
    env = against(opponent, rounds=3, players=6)
    _, info = env.reset(seed=1)
    assert opponent.asked == 3
    waits = ~info["decides"]
    assert waits.any()
    env.step(torch.full((GAMES,), N_ACTIONS + 5))
    assert opponent.asked == 6
    assert torch.equal(env._refused, ~waits)


class Quick:
    """An opponent that waits for nothing."""

    def act(self, batch, waits, randomness):
        return batch.masks.long().argmax(1)


@pytest.mark.parametrize("mode", [*AutoresetMode], ids=str)
@pytest.mark.parametrize("rounds", [None, 2], ids=["random", "rounds"])
def test_a_step_waits_for_nothing(mode, rounds):
    chosen = {} if rounds is None else {"opponents": Quick(), "rounds": rounds}
    env = made(autoreset_mode=mode, max_episode_steps=9, **chosen, **SHORT)
    _, info = env.reset(seed=1)
    with recordable():
        for _ in range(12):
            actions = info["action_mask"].long().argmax(1)
            _, _, terminations, truncations, info = env.step(actions)
        env.reset(options={"reset_mask": terminations | truncations})


def test_without_rounds_a_step_waits_for_the_opponents():
    env = made(opponents=Quick())
    env.reset(seed=1)
    with recordable(), pytest.raises(AssertionError, match="waits"):
        env.step(env.action_masks().long().argmax(1))


def test_a_step_changes_the_contents_of_tensors_and_not_the_tensors():
    """A CUDA graph knows their addresses."""

    def addresses(thing):
        return {k: v.data_ptr() for k, v in vars(thing).items() if isinstance(v, torch.Tensor)}

    env = made(autoreset_mode=SAME, max_episode_steps=9, **SHORT)
    env.reset(seed=1)
    before = addresses(env), addresses(env.batch)
    for _ in range(12):
        env.step(env.action_masks().long().argmax(1))
    assert (addresses(env), addresses(env.batch)) == before


def test_names_are_looked_up_in_the_entry_points_for_the_device(monkeypatch):
    class Maker:
        def load(self):
            return lambda name, device: asked.append((name, device)) or Choosing()

    asked = []
    groups = {"impulse.gpu_opponents": [Maker()]}
    monkeypatch.setattr(by_name, "entry_points", lambda group: groups.get(group, []))
    env = made(players=4, opponents=["clever", "random", "clever"])
    assert asked == [("clever", torch.device("cpu"))]
    assert [type(one).__name__ for one in env._opponents] == ["Choosing", "_Random"]
    assert env._number_by_place.tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda batch: batch.masks.long().argmin(1), r"illegal action in game \d, seat \d; legal"),
        (lambda batch: torch.full((GAMES,), HOLD), r"illegal action in game \d, seat \d; legal"),
        (lambda batch: batch.masks.argmax(1).int(), r"actions must be int64 .* not int32"),
        (lambda batch: None, "actions must be a tensor of torch, not NoneType"),
    ],
)
def test_an_opponent_that_errs_is_refused_in_one_sentence(answer, words):
    class Wrong:
        def act(self, batch, waits, randomness):
            return answer(batch)

    env = made(opponents=Wrong())
    with pytest.raises(ImpulseError, match=f"opponent: {words}") as caught:
        env.reset(seed=1)
    assert "\n" not in str(caught.value)
    if caught.type is IllegalActionError:
        with pytest.raises(gymnasium.error.ResetNeeded):
            env.action_masks()


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"device": "tpu"}, "device must be"),
        ({"num_envs": 0}, "num_envs must be an integer of 1 or more, not 0"),
        ({"max_episode_steps": 0}, "max_episode_steps must be an integer of 1 or more, not 0"),
        ({"rounds": 0}, "rounds must be an integer of 1 or more, not 0"),
        ({"seat": 2}, "seat must be one of None, 0, 1; not 2"),
        ({"illegal": "raise"}, "illegal must be one of 'terminate', 'ignore'; not 'raise'"),
        ({"autoreset_mode": "never"}, "autoreset_mode must be one of 'NextStep', 'SameStep'"),
        ({"render_mode": "ansi"}, "render_mode must be one of None; not 'ansi'"),
        ({"reward": "none"}, "reward must be one of 'win', 'score'"),
        ({"opponents": ["random"] * 2}, "opponents must be one, or one for each of 1; not 2"),
        ({"opponents": 3}, r"opponents must be a name or have act\(batch, waits, randomness\)"),
        ({"opponents": [print]}, r"must be names or have act\(batch, waits, randomness\), not <"),
        ({"targetscore": 3}, "there is no option 'targetscore'; did you mean target_score"),
        ({"max_turn": 3}, "there is no option 'max_turn'"),
    ],
)
def test_arguments_are_checked(arguments, words):
    with pytest.raises(ImpulseError, match=words) as caught:
        GpuVectorEnv(**({"device": "cpu"} | arguments))
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU")
def test_without_a_gpu_the_error_names_the_device_that_needs_none():
    with pytest.raises(ArgumentError, match=r'needs an NVIDIA GPU .*"cpu" runs the same kernels'):
        GpuVectorEnv()


def test_an_opponent_without_a_package_is_refused(monkeypatch):
    monkeypatch.setattr(by_name, "entry_points", lambda group: [])
    with pytest.raises(
        OptionError, match=r"no opponent 'clever': .* points impulse\.gpu_opponents"
    ):
        made(opponents="clever")


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (torch.zeros(GAMES), r"int64 of shape \(8,\) on cpu, not float32 of shape \(8,\) on cpu"),
        (torch.zeros(3, dtype=torch.int64), r"int64 of shape \(8,\) on cpu, not int64 .* \(3,\)"),
        (np.zeros(GAMES, np.int64), "a tensor of torch, not ndarray"),
        (torch.zeros(GAMES, dtype=torch.int64, device="meta"), ".* on cpu, not .* on meta"),
    ],
)
def test_actions_are_integers_on_the_device(actions, words):
    env = made()
    env.reset(seed=1)
    before = env.batch.records()
    with pytest.raises(ArgumentError, match=f"actions must be {words}"):
        env.step(actions)
    assert env.batch.records().tobytes() == before.tobytes()


@pytest.mark.parametrize("mask", [[True] * GAMES, torch.ones(GAMES), torch.ones(3).bool()])
def test_a_mask_is_one_bool_for_each_game(mask):
    env = made()
    env.reset(seed=1)
    with pytest.raises(ArgumentError, match=r"options\['reset_mask'\] must be"):
        env.reset(options={"reset_mask": mask})


def test_before_the_first_reset_nothing_is_answered():
    env = made()
    for wrong in (
        lambda: env.step(torch.zeros(GAMES, dtype=torch.int64)),
        env.action_masks,
        lambda: env.reset(options={"reset_mask": torch.ones(GAMES, dtype=torch.bool)}),
    ):
        with pytest.raises(gymnasium.error.ResetNeeded):
            wrong()
    with pytest.raises(ArgumentError, match="seed must be one, or one for each of 8; not 2"):
        env.reset(seed=[1, 2])


def test_own_seats_are_tensors_on_the_device():
    fine = OwnSeats(torch.zeros(2, dtype=torch.int8), torch.ones(2, dtype=torch.int64))
    GpuBatch(2, device="cpu", own=fine)
    with pytest.raises(ArgumentError, match=r"own\.seats must be int8 of shape \(3,\) on cpu"):
        GpuBatch(3, device="cpu", own=fine)
    wrong = OwnSeats(fine.seats, fine.seats)
    with pytest.raises(ArgumentError, match=r"own\.randomness must be int64 .* not int8"):
        GpuBatch(2, device="cpu", own=wrong)


def test_without_torch_the_error_names_the_extra():
    script = (
        "import sys; sys.modules['torch'] = None\n"
        "import gymnasium, impulse_env\n"
        "gymnasium.make_vec('Impulse-v0', 2)\n"
        "gymnasium.make_vec('Impulse-v0', 2, device='cpu')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith("impulse_env.extras.MissingExtraError: ")
    assert last.endswith(
        'a game on a GPU needs torch, which is not installed: pip install "impulse-env[gpu]"'
    )
