"""All seats from one batch: rewards, ends and games are those of the AEC environment."""

import copy
import pickle

import numpy as np
import pytest

from impulse_env import observation
from impulse_env.compiled.compilation import IS_COMPILED
from impulse_env.environments.aec import RawEnv
from impulse_env.environments.self_play import SelfPlayBatch, seat_advantages
from impulse_env.errors import IllegalActionError
from impulse_env.options import OptionError

MANY_STEPS = pytest.mark.skipif(not IS_COMPILED, reason="plays too long for uncompiled code")
GAMES = 4
TABLES = [
    {"players": 2, "target_score": 4},
    {"players": 3, "max_turns": 8, "target_score": 2},
    {"players": 4, "team_size": 2, "target_score": 2},
    {"players": 6, "team_size": 3, "target_score": 2, "max_turns": 20},
]
EVERY_TABLE = pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table['players']}p")
REWARDS = pytest.mark.parametrize("reward", ["win", "score"])


def choose(games, rng):
    return np.where(games.masks, rng.random(games.masks.shape), -1).argmax(1)


def rollout(games, steps, seed=0):
    """Play at random; return who acted, and every step."""
    rng, seats, done = np.random.default_rng(seed), [], []
    for _ in range(steps):
        seats.append(games.seats.copy())
        done.append(games.step(choose(games, rng)))
    return np.stack(seats), done


def stacked(steps):
    """The rewards and the two ends of steps, for `seat_advantages`."""
    return tuple(np.stack([step[part] for step in steps]) for part in range(3))


@MANY_STEPS
@REWARDS
@EVERY_TABLE
def test_each_game_is_that_of_the_aec_environment_reset_again_and_again(table, reward):
    games = SelfPlayBatch(GAMES, seed=11, reward=reward, **table)
    alone = [RawEnv(reward=reward, **table) for _ in range(GAMES)]
    for game, env in enumerate(alone):
        env.reset(seed=11 + game)
    rng, ends = np.random.default_rng(1), 0
    for _ in range(350):
        actions = choose(games, rng)
        for game, env in enumerate(alone):
            seen = env.observe(f"player_{games.seats[game]}")
            np.testing.assert_array_equal(games.observations[game], seen["observation"])
            np.testing.assert_array_equal(games.masks[game], seen["action_mask"])
            env.step(actions[game])
        step = games.step(actions)
        over = step.terminations | step.truncations
        assert step.ended.tolist() == np.flatnonzero(over).tolist()
        for game, env in enumerate(alone):
            np.testing.assert_allclose(step.rewards[game], list(env.rewards.values()), atol=1e-6)
            assert step.terminations[game] == any(env.terminations.values())
            assert step.truncations[game] == any(env.truncations.values())
            if over[game]:
                ends += 1
                assert step.final_states[step.ended.tolist().index(game)] == env.game.state
                env.reset()
    assert ends > GAMES


@MANY_STEPS
@REWARDS
@EVERY_TABLE
def test_rewards_of_a_step_add_up_to_nothing(table, reward):
    _, steps = rollout(SelfPlayBatch(16, reward=reward, **table), 200)
    paid = np.stack([step.rewards for step in steps])
    assert paid.any()
    np.testing.assert_allclose(paid.sum(2), 0, atol=1e-6)


def test_nothing_is_copied():
    games = SelfPlayBatch(GAMES)
    before = games.seats, games.masks, games.observations
    rollout(games, 3)
    for mine, whole, then in zip(
        (games.seats, games.masks, games.observations),
        (games.batch.seats, games.batch.masks, games.batch.observations),
        before,
        strict=True,
    ):
        assert mine is whole is then
    assert games.observations.shape == (len(games), observation.size(2))


@MANY_STEPS
def test_restarts_follow_from_the_seed_and_not_from_the_games_beside():
    few, many = SelfPlayBatch(2, seed=5, target_score=3), SelfPlayBatch(9, seed=3, target_score=3)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(400):
        actions = choose(many, rng)
        np.testing.assert_array_equal(few.observations, many.observations[2:4])
        ends += len(few.step(actions[2:4]).ended)
        many.step(actions)
    assert ends > 2


# --- Whose return ------------------------------------------------------------------------------


def by_hand(seats, rewards, over, values, gamma, lam):
    """The advantage of every decision, seat by seat and episode by episode."""
    found = {}
    for game in range(seats.shape[1]):
        starts = [0, *(np.flatnonzero(over[:, game]) + 1)]
        for start, end in zip(starts, [*starts[1:], len(seats)], strict=True):
            is_ended = end > start and over[end - 1, game]
            for seat in range(rewards.shape[2]):
                mine = [t for t in range(start, end) if seats[t, game] == seat]
                after = (0.0, 0.0) if is_ended else None
                for t, following in reversed(list(zip(mine, [*mine[1:], end], strict=False))):
                    if after is None:
                        after = (values[t, game], 0.0)
                        continue
                    paid = rewards[t:following, game, seat].sum()
                    one = paid + gamma * (after[0] + lam * after[1]) - values[t, game]
                    found[t, game] = one
                    after = (values[t, game], one)
    return found


@MANY_STEPS
@REWARDS
@EVERY_TABLE
def test_every_decision_is_judged_by_what_its_own_seat_was_paid(table, reward):
    table = {**table, "max_turns": 300}
    games = SelfPlayBatch(8, reward=reward, **table)
    seats, steps = rollout(games, 300)
    rewards, terminations, truncations = stacked(steps)
    assert terminations.sum() > 2
    assert not truncations.any()
    values = np.random.default_rng(0).random(seats.shape)
    found, known = seat_advantages(seats, rewards, terminations, truncations, values, 0.9, 0.8)
    expected = by_hand(seats, rewards, terminations, values, 0.9, 0.8)
    assert {(t, game) for t, game in np.argwhere(known)} == set(expected)
    for place, advantage in expected.items():
        assert found[place] == pytest.approx(advantage, abs=1e-4)
    assert not found[~known].any()


@MANY_STEPS
@EVERY_TABLE
def test_without_values_the_return_is_what_the_outcome_is_worth_to_the_seat(table):
    table = {**table, "max_turns": 300}
    seats, steps = rollout(SelfPlayBatch(8, **table), 300)
    rewards, terminations, truncations = stacked(steps)
    returns, _ = seat_advantages(seats, rewards, terminations, truncations, np.zeros(seats.shape))
    for game in range(8):
        start = 0
        for end in np.flatnonzero(terminations[:, game]):
            for t in range(start, end + 1):
                assert returns[t, game] == rewards[end, game, seats[t, game]] != 0
            start = end + 1


def test_what_a_cut_off_game_would_have_led_to_is_not_guessed():
    seats = np.array([[0], [0], [1], [0], [1]])
    rewards = np.zeros((5, 1, 2))
    rewards[:, 0, 0] = [1, 2, 4, 8, 16]
    no_end, cut = np.zeros((5, 1), bool), np.zeros((5, 1), bool)
    cut[2] = True
    values = np.array([[10.0], [20.0], [30.0], [40.0], [50.0]])
    found, known = seat_advantages(seats, rewards, no_end, cut, values)
    assert known[:, 0].tolist() == [True, False, False, False, False]
    assert found[0, 0] == 1 + 20 - 10
    won = cut
    found, known = seat_advantages(seats, rewards, won, no_end, values)
    assert known[:, 0].tolist() == [True, True, True, False, False]
    assert found[:3, 0].tolist() == [1 + 20 - 10 - 14, 2 + 4 - 20, 0 - 30]


# --- Edges -------------------------------------------------------------------------------------


def test_an_illegal_action_changes_nothing():
    games = SelfPlayBatch(GAMES)
    before = games.batch.states.copy()
    actions = games.masks.argmax(1)
    actions[2] = games.masks[2].argmin()
    with pytest.raises(IllegalActionError, match=r"illegal action \d+ in game 2"):
        games.step(actions)
    for wrong in (actions[:2], actions.astype(float), None):
        with pytest.raises(IllegalActionError, match=r"integers of shape \(4,\)"):
            games.step(wrong)
    assert (games.batch.states == before).all()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"num_games": 0}, "num_games must be an integer of 1 or more, not 0"),
        ({"num_games": 2, "seed": -1}, "seed must be an integer of 0 or more, not -1"),
        ({"num_games": 2, "reward": "all"}, "reward must be one of 'win', 'score'; not 'all'"),
        ({"num_games": 2, "ship": 3}, "no option 'ship'; did you mean ships"),
    ],
)
def test_arguments_are_checked(arguments, told):
    with pytest.raises(OptionError, match=told):
        SelfPlayBatch(**arguments)


@MANY_STEPS
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_continues_alike(copied):
    games = SelfPlayBatch(GAMES, 3, reward="score", target_score=4)
    rollout(games, 50)
    other = copied(games)
    assert other.seats is other.batch.seats
    mine, theirs = rollout(games, 150, 1), rollout(other, 150, 1)
    np.testing.assert_array_equal(mine[0], theirs[0])
    np.testing.assert_array_equal(stacked(mine[1])[0], stacked(theirs[1])[0])
