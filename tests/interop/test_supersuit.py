"""SuperSuit wraps both forms of the environment."""

import numpy as np
import pytest

from impulse_env import impulse_v0, observation

supersuit = pytest.importorskip("supersuit")
pytestmark = pytest.mark.interop
FORMS = [impulse_v0.env, impulse_v0.parallel_env]


def test_the_page_wraps_dicts_and_plays_many_games(shown):
    space = shown["env"].observation_space("player_0")
    seen = shown["env"].observe("player_0")
    assert space.contains(seen)
    assert 0 < seen["observation"].max() <= 1
    assert shown["observations"]["observation"].shape[0] == 8
    assert shown["played"] == shown["won"].sum() >= 8


@pytest.mark.parametrize("form", FORMS)
def test_wrappers_of_boxes_fail_with_a_dict(form):
    """`flatten_v0`, `frame_stack_v1`, `dtype_v0` and `normalize_obs_v0`, which are for boxes, fail
    with a dict.
    """
    for wrap, arguments in (
        (supersuit.flatten_v0, ()),
        (supersuit.frame_stack_v1, (4,)),
        (supersuit.dtype_v0, (np.float32,)),
        (supersuit.normalize_obs_v0, ()),
    ):
        with pytest.raises((AttributeError, AssertionError), match="Dict"):
            wrap(form(), *arguments).reset(seed=1)


def test_wrappers_of_rewards_and_functions_take_dicts():
    """`reward_lambda_v0`, `clip_reward_v0` and, with a function for the space,
    `observation_lambda_v0` work.
    """
    plain = [impulse_v0.env(target_score=4) for _ in range(3)]
    same = supersuit.observation_lambda_v0(plain[0], lambda seen, *_: seen, lambda space: space)
    assert paid(same) == {-1, 1}
    assert paid(supersuit.reward_lambda_v0(plain[1], lambda reward: 3 * reward)) == {-3, 3}
    assert paid(supersuit.clip_reward_v0(plain[2], -0.5, 0.5)) == {-0.5, 0.5}


def paid(env):
    """Play a game at random; return what it pays, without 0."""
    env.reset(seed=1)
    rewards = set()
    for agent in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        rewards.add(reward)
        ended = terminated or truncated
        env.step(None if ended else env.action_space(agent).sample(seen["action_mask"]))
    return rewards - {0}


def test_the_step_that_ends_a_game_has_the_infos_of_the_next():
    """If it fails, the page is to be changed: results could be taken from the infos."""
    table = supersuit.pettingzoo_env_to_vec_env_v1(impulse_v0.parallel_env(target_score=4))
    games = supersuit.concat_vec_envs_v1(table, num_vec_envs=2)
    rng, ends = np.random.default_rng(1), 0
    seen, _ = games.reset(seed=1)
    while ends < 3:
        masks = seen["action_mask"]
        actions = np.where(masks, rng.random(masks.shape), -1).argmax(axis=1)
        seen, rewards, terminated, _, infos = games.step(actions)
        for row in np.flatnonzero(terminated):
            ends += 1
            assert abs(rewards[row]) == 1
            assert (infos[row]["end"], infos[row]["winners"].any()) == (0, False)
            last = infos[row]["terminal_observation"]["observation"]
            assert observation.section(last, "score", 2).max() >= 4
            now = seen["observation"][row]
            assert observation.section(now, "score", 2).max() < 4
