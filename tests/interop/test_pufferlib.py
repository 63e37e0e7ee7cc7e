"""PufferLib steps the games over its own buffers, as Gymnasium's vector environment has them."""

import subprocess
import sys

import numpy as np
import pytest

from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.options import OptionError

pytest.importorskip("pufferlib")
vector = pytest.importorskip("pufferlib.vector")

from impulse_env.environments.pufferlib import ImpulsePufferEnv  # noqa: E402 - needs PufferLib

pytestmark = pytest.mark.interop
TABLES = [
    {"players": 2, "target_score": 3},
    {"players": 3, "target_score": 2, "reward": "score", "opponents": ["greedy", "random"]},
]


def choose(env, rng):
    masks = env.observations[:, env.driver_env.vector_size :]
    return np.where(masks, rng.random(masks.shape), -1).argmax(1)


def test_the_page_of_pufferlib_runs(shown):
    assert shown["observations"].shape[0] == 128
    legal = shown["observations"][:, shown["where"] :]
    assert legal[np.arange(128), shown["actions"].numpy()].all()


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_buffers_hold_what_the_vector_environment_returns(table):
    env = ImpulsePufferEnv(5, seed=3, **table)
    plain = ImpulseVectorEnv(5, autoreset_mode="SameStep", **table)
    env.reset()
    seen, info = plain.reset(seed=3)
    rng, ends = np.random.default_rng(0), 0
    returns, buffers = np.zeros(5), (env.observations, env.rewards, env.terminals)
    for _ in range(200):
        where = env.vector_size
        np.testing.assert_array_equal(env.observations[:, :where], seen)
        np.testing.assert_array_equal(env.observations[:, where:], info["action_mask"])
        actions = choose(env, rng)
        told = env.step(actions)[4]
        seen, rewards, terminations, truncations, info = plain.step(actions)
        np.testing.assert_array_equal(env.rewards, rewards.astype(np.float32))
        np.testing.assert_array_equal(env.terminals, terminations)
        np.testing.assert_array_equal(env.truncations, truncations)
        returns += rewards
        over = terminations | truncations
        assert len(told) == bool(over.any())
        if over.any():
            assert told[0]["episode_return"] == pytest.approx(returns[over].mean())
            own = info["final_info"]["seat"][over]
            won = info["final_info"]["winners"][over, own]
            assert told[0]["win_rate"] == won.mean()
        returns[over] = 0
        ends += over.sum()
    assert ends > 5
    now = env.observations, env.rewards, env.terminals
    assert all(one is then for one, then in zip(now, buffers, strict=True))


@pytest.mark.parametrize("backend", [vector.Serial, vector.Multiprocessing])
def test_games_of_several_environments_share_the_buffers(backend):
    """`PufferEnv` and `pufferlib.vector` work with the newer ones, so tell pip not to look."""
    kwargs = {"num_games": 4, "target_score": 3}
    several = {"num_workers": 2} if backend is vector.Multiprocessing else {}
    env = vector.make(
        ImpulsePufferEnv, env_kwargs=kwargs, num_envs=2, backend=backend, seed=5, **several
    )
    first, _ = env.reset(seed=5)
    alone = ImpulsePufferEnv(**kwargs)
    np.testing.assert_array_equal(first[:4], alone.reset(seed=5)[0])
    rng, where = np.random.default_rng(0), alone.vector_size
    seen = first
    for _ in range(20):
        masks = seen[:, where:]
        actions = np.where(masks, rng.random(masks.shape), -1).argmax(1)
        seen, rewards, *_ = env.step(actions)
        np.testing.assert_array_equal(seen[:4], alone.step(actions[:4])[0])
        assert rewards.shape == (8,)
    env.close()


def test_options_are_checked():
    with pytest.raises(OptionError, match="no option 'player'; did you mean players"):
        ImpulsePufferEnv(2, player=3)


def test_the_package_does_not_need_pufferlib():
    script = "import impulse_env, impulse_agents, sys; sys.exit('pufferlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0
