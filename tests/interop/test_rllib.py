"""RLlib's own wrapper of PettingZoo takes the game as it is, and a masked module learns from it."""

from importlib.metadata import requires

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete

pytest.importorskip("ray.rllib", exc_type=ImportError)

from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.rllib.utils.pre_checks.env import check_multiagent_environments

from impulse_env import IllegalActionError, impulse_v0

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
    """And RLlib takes the episode for terminated. If it fails, the page is to be changed."""
    wrapped = PettingZooEnv(impulse_v0.raw_env(max_turns=1))
    seen, _ = wrapped.reset(seed=1)
    episode, truncated = MultiAgentEpisode(), {"__all__": False}
    episode.add_env_reset(observations=seen)
    while not truncated["__all__"]:
        ((agent, observation),) = seen.items()
        actions = {agent: int(observation["action_mask"].argmax())}
        seen, rewards, terminated, truncated, _ = wrapped.step(actions)
        episode.add_env_step(seen, actions, rewards, terminateds=terminated, truncateds=truncated)
    assert truncated == {"player_0": True, "player_1": True, "__all__": True}
    assert not any(terminated.values())
    assert episode.is_terminated


def test_its_check_of_environments_plays_illegal_actions():
    """Its check of environments draws actions without a mask and fails with `raw_env`."""
    wrapped = PettingZooEnv(impulse_v0.raw_env())
    wrapped.get_action_space("player_0").seed(1)
    with pytest.raises(ValueError, match="`step\\(\\)` method seems to be faulty") as found:
        check_multiagent_environments(wrapped)
    assert isinstance(found.value.__cause__, IllegalActionError)


def test_what_it_asks_for_is_what_the_page_says():
    """If it fails, the page is to be changed."""
    wanted = [one for one in requires("ray") if one.startswith("gymnasium") and "rllib" in one]
    assert wanted == ['gymnasium==1.2.2; extra == "rllib"']
    spaces = {"action_mask": Box(0, 1, (3,)), "observation": Box(0, 1, (2,))}
    with pytest.raises((KeyError, ValueError), match="observations"):
        ActionMaskingTorchRLModule(observation_space=Dict(spaces), action_space=Discrete(3))
