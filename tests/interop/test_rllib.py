"""RLlib's own wrapper of PettingZoo takes the game as it is, and a masked module learns from it."""

import numpy as np
import pytest

pytest.importorskip("ray.rllib", exc_type=ImportError)

from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

from impulse_env import impulse_v0

pytestmark = [
    pytest.mark.interop,
    # RLlib warns of what it is going to change, and Ray leaves sockets and pipes to the end.
    pytest.mark.filterwarnings("ignore"),
]


def test_the_page_trains_without_an_illegal_action(shown):
    """With `raw_env` one would have ended the training."""
    assert shown["result"]["env_runners"]["num_env_steps_sampled_lifetime"] >= 512
    learner = shown["result"]["learners"]["all"]
    assert learner["num_module_steps_trained_lifetime"] >= 512
    assert np.isfinite(learner["total_loss"])


@pytest.mark.parametrize("reward", ["win", "score"])
def test_the_wrapper_pays_each_agent_what_pettingzoo_does(reward):
    wrapped = PettingZooEnv(impulse_v0.raw_env(players=3, reward=reward, target_score=5))
    plain = impulse_v0.raw_env(players=3, reward=reward, target_score=5)
    seen, _ = wrapped.reset(seed=1)
    plain.reset(seed=1)
    paid, ended = dict.fromkeys(plain.possible_agents, 0.0), False
    expected, rng = dict(paid), np.random.default_rng(1)
    while not ended:
        ((agent, observation),) = seen.items()
        action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        seen, rewards, terminated, truncated, _ = wrapped.step({agent: action})
        plain.step(action)
        for name, reward_of in rewards.items():
            paid[name] += reward_of
        for name, reward_of in plain.rewards.items():
            expected[name] += reward_of
        ended = terminated["__all__"] or truncated["__all__"]
    assert set(seen) == set(plain.possible_agents)
    assert paid == pytest.approx(expected)


def test_a_game_that_is_cut_short_is_truncated_agent_by_agent():
    wrapped = PettingZooEnv(impulse_v0.raw_env(max_turns=1))
    seen, _ = wrapped.reset(seed=1)
    truncated = {"__all__": False}
    while not truncated["__all__"]:
        ((agent, observation),) = seen.items()
        action = int(observation["action_mask"].argmax())
        seen, _, terminated, truncated, _ = wrapped.step({agent: action})
    assert truncated == {"player_0": True, "player_1": True, "__all__": True}
    assert not any(terminated.values())
