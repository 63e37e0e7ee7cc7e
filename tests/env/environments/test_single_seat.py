"""The Gymnasium environment keeps Gymnasium's contract; the others play inside `step`."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env

import impulse_env  # noqa: F401 - registers
from impulse_agents import make
from impulse_env import impulse_v0, observation
from impulse_env.actions import N_ACTIONS
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.environments import opponents
from impulse_env.environments.aec import ILLEGAL_REWARD
from impulse_env.environments.opponents import random_opponent
from impulse_env.environments.outcome_arrays import ENDS
from impulse_env.environments.single_seat import ImpulseEnv
from impulse_env.errors import IllegalActionError, ImpulseError
from impulse_env.options import OptionError

TABLES = [{"players": 2}, {"players": 3}, {"players": 4, "team_size": 2}, {"players": 6}]
MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=str)


def legal_action(env, rng):
    return random_opponent(None, env.unwrapped.action_masks(), rng)


def play(env, seed, steps=10**9):
    """Play with random legal actions; return every transition."""
    rng = np.random.default_rng(seed)
    transitions = []
    for _ in range(steps):
        transitions.append(env.step(legal_action(env, rng)))
        if transitions[-1][2] or transitions[-1][3]:
            break
    return transitions


# --- Gymnasium's contract ----------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["win", "score"])
@EVERY_TABLE
def test_check_env_passes(table, reward, display):
    env = gymnasium.make("impulse_env:Impulse-v0", **table, reward=reward)
    check_env(env.unwrapped)


@MANY_STEPS
def test_stable_baselines_trains_without_masks_and_takes_no_vector_environment():
    """An illegal action ends the episode with reward -1, so checkers that try any
    action and agents without masks work.

    `evaluate_policy` has to be that of sb3-contrib: the one of
    Stable-Baselines3 does not support masks.
    `PPO` and `DQN` do not support masks either.
    """
    sb3 = pytest.importorskip("stable_baselines3")
    maskable = pytest.importorskip("sb3_contrib").MaskablePPO
    from stable_baselines3.common.evaluation import evaluate_policy
    from stable_baselines3.common.monitor import Monitor

    few = {"n_steps": 64, "batch_size": 64, "n_epochs": 1}
    for kind, options in ((sb3.PPO, few), (sb3.DQN, {"learning_starts": 20, "buffer_size": 99})):
        model = kind("MlpPolicy", ImpulseEnv(), seed=1, **options).learn(64)
        assert {episode["r"] for episode in model.ep_info_buffer} == {ILLEGAL_REWARD}
        with pytest.raises(ValueError, match="not a Gymnasium environment"):
            kind("MlpPolicy", gymnasium.make_vec("impulse_env:Impulse-v0", num_envs=2))
    model = maskable("MlpPolicy", ImpulseEnv(), seed=1, **few)
    assert evaluate_policy(model, Monitor(ImpulseEnv()), n_eval_episodes=5) == (ILLEGAL_REWARD, 0)


def test_check_env_of_stable_baselines_passes():
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    checker.check_env(gymnasium.make("impulse_env:Impulse-v0"))


def test_sb3_contrib_finds_the_masks():
    masking = pytest.importorskip("sb3_contrib.common.maskable.utils")
    env = gymnasium.make("impulse_env:Impulse-v0")
    env.reset(seed=1)
    assert masking.is_masking_supported(env)
    np.testing.assert_array_equal(masking.get_action_masks(env), env.unwrapped.action_masks())


@MANY_STEPS
def test_gymnasium_makes_several_at_once():
    envs = gymnasium.make_vec(
        "impulse_env:Impulse-v0",
        num_envs=3,
        vectorization_mode="sync",
        players=3,
        target_score=5,
    )
    envs.reset(seed=5)
    space = envs.single_action_space
    ends = 0
    for _ in range(600):
        masks = envs.call("action_masks")
        seen, _, terminated, _, info = envs.step([space.sample(mask) for mask in masks])
        assert seen.shape == (3, observation.size(3))
        ends += terminated.sum()
        assert [ENDS[end] == "score" for end in info["end"]] == terminated.tolist()
        assert info["action_mask"].shape == (3, N_ACTIONS)
    assert ends
    envs.close()


def test_the_spaces_are_a_plain_vector_and_a_number():
    env = ImpulseEnv(players=3)
    assert env.observation_space.shape == (observation.size(3),)
    assert env.observation_space.dtype == np.uint8
    assert env.action_space == spaces.Discrete(N_ACTIONS)


# --- The same game as the AEC environment ------------------------------------------------------


def assert_told(info, mirror, mask):
    """The info of seat 1 is that of the AEC environment, with mask and seat."""
    told = {"action_mask": mask, "seat": 1, **mirror.infos["player_1"]}
    assert list(info) == list(told)
    for name, value in told.items():
        np.testing.assert_array_equal(info[name], value)


@MANY_STEPS
@pytest.mark.parametrize("reward", ["win", "score"])
@EVERY_TABLE
def test_it_is_the_game_of_the_aec_environment_seen_from_one_seat(table, reward):
    """Mirror every opponent's action into an AEC environment and compare."""
    taken = []

    def opponent(seen, mask, rng):
        taken.append(random_opponent(seen, mask, rng))
        return taken[-1]

    arguments = {**table, "reward": reward, "target_score": 6}
    env = ImpulseEnv(seat=1, opponents=opponent, **arguments)
    mirror = impulse_v0.env(**arguments)
    seen, info = env.reset(seed=3)
    # The first number of the environment's generator is the seed of the game.
    mirror.reset(seed=int(np.random.default_rng(3).integers(1 << 63)))
    rng = np.random.default_rng(3)
    is_over = False
    while not is_over:
        while taken:
            assert mirror.agent_selection != "player_1"
            mirror.step(taken.pop(0))
        expected = mirror.observe("player_1")
        np.testing.assert_array_equal(seen, expected["observation"])
        np.testing.assert_array_equal(env.action_masks(), expected["action_mask"])
        assert mirror.agent_selection == "player_1"
        assert_told(info, mirror, expected["action_mask"])
        action = legal_action(env, rng)
        mirror.step(action)
        seen, given, terminated, truncated, info = env.step(action)
        is_over = terminated or truncated
    while taken:
        mirror.step(taken.pop(0))
    assert env.game == mirror.game
    assert given == pytest.approx(mirror._cumulative_rewards["player_1"])
    assert_told(info, mirror, np.zeros(N_ACTIONS))
    assert env.end == mirror.end
    assert not env.action_masks().any()


@MANY_STEPS
@EVERY_TABLE
def test_an_episode_returns_what_the_outcome_is_worth(table):
    for seat in range(table["players"]):
        env = ImpulseEnv(**table, seat=seat, target_score=4)
        env.reset(seed=seat)
        returned = sum(transition[1] for transition in play(env, seat))
        winners = env.game.winners
        lost = -len(winners) / (table["players"] - len(winners))
        assert returned == pytest.approx(1.0 if seat in winners else lost)


def test_a_truncated_episode_says_so():
    env = ImpulseEnv(players=3, max_turns=4)
    env.reset(seed=1)
    _, reward, terminated, truncated, info = play(env, 1)[-1]
    assert (reward, terminated, truncated) == (0.0, False, True)
    assert ENDS[info["end"]] == env.end == "truncation"


@MANY_STEPS
def test_an_episode_ends_only_when_the_game_does():
    """An eliminated player's team may still win."""
    for seed in range(60):
        env = ImpulseEnv(players=6, team_size=3, seat=0, ships=3, target_score=12)
        env.reset(seed=seed)
        *_, info = play(env, seed)[-1]
        assert env.game.is_over
        if env.game.state["eliminated"][0]:
            assert ENDS[info["end"]] in ("score", "elimination", "truncation")
            return
    pytest.fail("seat 0 was never eliminated")


# --- Seats, seeds, opponents -------------------------------------------------------------------


def test_the_seat_is_drawn_for_every_episode_unless_it_is_given():
    env = ImpulseEnv(players=4)
    env.reset(seed=0)
    seats = []
    for _ in range(60):
        env.reset()
        seats.append(env.seat)
        assert env._env.agent_selection == f"player_{env.seat}"
    assert set(seats) == {0, 1, 2, 3}
    fixed = ImpulseEnv(players=4, seat=2)
    for seed in range(5):
        fixed.reset(seed=seed)
        assert fixed.seat == 2


@MANY_STEPS
@EVERY_TABLE
def test_a_seed_determines_the_episode(table):
    episodes = []
    for noise in (1, 2):
        np.random.seed(noise)  # noqa: NPY002 - nobody may listen to it
        env = ImpulseEnv(**table)
        env.reset(seed=9)
        play(env, 9)
        env.reset()
        episodes.append((play(env, 9, 20)[-1][1:], env.seat, env.game))
    np.testing.assert_equal(episodes[0], episodes[1])


def test_each_opponent_plays_its_own_seat():
    seats = []

    def playing(place):
        def opponent(seen, mask, rng):
            assert seen.shape == (observation.size(3),)
            seats.append((place, int(env._env.agent_selection[-1])))
            return random_opponent(seen, mask, rng)

        return opponent

    env = ImpulseEnv(players=3, seat=2, opponents=[playing(0), playing(1)])
    env.reset(seed=4)
    play(env, 4, 30)
    assert set(seats) == {(0, 0), (1, 1)}


def test_opponents_are_checked():
    with pytest.raises(OptionError, match="opponents must be one, or one for each of 2; not 1"):
        ImpulseEnv(players=3, opponents=["random"])
    with pytest.raises(ImpulseError, match="unknown agent 'clever'; there are random, greedy"):
        ImpulseEnv(opponents="clever")
    with pytest.raises(OptionError, match="must be names of agents, functions or agents, not 7"):
        ImpulseEnv(players=3, opponents=["random", 7])
    for wrong in (7, None, 0.5):
        with pytest.raises(OptionError, match="opponents must be a name, a function or an agent,"):
            ImpulseEnv(opponents=wrong)
        with pytest.raises(ImpulseError, match="the name of an agent must be"):
            make(wrong)
    with pytest.raises(OptionError, match="seat must be one of None, 0, 1; not 2"):
        ImpulseEnv(seat=2)
    with pytest.raises(OptionError, match="max_turns"):
        ImpulseEnv(max_turns=0)


def test_without_packages_of_agents_random_and_functions_play(monkeypatch):
    monkeypatch.setattr(opponents, "entry_points", lambda group: ())
    assert ImpulseEnv(opponents=["random", random_opponent], players=3)
    with pytest.raises(OptionError, match="no opponent 'greedy': beside 'random', no installed"):
        ImpulseEnv(opponents="greedy")


def test_an_opponents_illegal_action_is_an_error_that_names_it():
    is_fair = True

    def opponent(seen, mask, rng):
        return random_opponent(seen, mask, rng) if is_fair else int(mask.argmin())

    env = ImpulseEnv(seat=0, opponents=opponent)
    env.reset(seed=1)
    is_fair = False
    with pytest.raises(IllegalActionError, match=r"opponent: illegal action \d+ .* of player_1"):
        play(env, 0, 200)


# --- Illegal actions, order, copies ------------------------------------------------------------


def test_an_illegal_action_ends_the_episode_or_is_refused():
    """`illegal="raise"` refuses it instead."""
    env, strict = ImpulseEnv(seat=0), ImpulseEnv(seat=0, illegal="raise")
    env.reset(seed=1)
    strict.reset(seed=1)
    wrong = int(env.action_masks().argmin())
    _, reward, terminated, truncated, info = env.step(wrong)
    assert (reward, terminated, truncated) == (ILLEGAL_REWARD, True, False)
    assert ENDS[info["end"]] == env.end == "illegal"
    assert not env.action_masks().any()
    before = strict.game
    with pytest.raises(IllegalActionError, match="of player_0"):
        strict.step(wrong)
    assert strict.game == before
    strict.step(int(strict.action_masks().argmax()))


def test_a_step_outside_an_episode_is_refused():
    env = ImpulseEnv(target_score=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    play(env, 1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset()


@MANY_STEPS
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_continues_alike(copied):
    env = ImpulseEnv(players=3, target_score=5)
    env.reset(seed=6)
    play(env, 6, 15)
    other = copied(env)
    theirs = play(other, 7, 400)
    ours = play(env, 7, 400)
    assert len(ours) == len(theirs)
    for one, two in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(one[0], two[0])
        np.testing.assert_equal(one[1:], two[1:])
    assert env.game == other.game
