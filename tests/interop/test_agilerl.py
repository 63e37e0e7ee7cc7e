"""AgileRL trains with the masks of the info, in many games at once, and plays all seats."""

import gymnasium
import numpy as np
import pytest

from impulse_env import impulse_v0

torch = pytest.importorskip("torch")
pytest.importorskip("agilerl")
pytestmark = [
    pytest.mark.interop,
    # Of its own classes and those of TensorDict, which it uses.
    pytest.mark.filterwarnings("ignore:MakeEvolvable will be deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:TensorDict.to_module:FutureWarning"),
]


def test_the_page_trains_with_legal_actions_alone(shown):
    """An illegal one would have raised; the buffer still has the last of those taken."""
    from agilerl.algorithms import PPO

    agent, games = shown["agent"], shown["games"]
    assert agent.steps == 1024
    taken = agent.rollout_buffer.buffer
    assert taken["action_masks"].shape == (64, 8, 180)
    assert taken["action_masks"].gather(-1, taken["actions"].long()).all()
    torch.manual_seed(1)
    spaces = games.single_observation_space, games.single_action_space
    before = PPO(*spaces, num_envs=8).actor.state_dict()
    after = agent.actor.state_dict()
    assert all(not torch.equal(before[name], after[name]) for name in before)
    assert shown["table"].end
    assert shown["decisions"] > 20


def test_q_learning_takes_the_masks_of_the_info_as_well():
    from agilerl.algorithms import DQN

    games = gymnasium.make_vec("impulse_env:Impulse-v0", num_envs=16)
    observations, info = games.reset(seed=1)
    agent = DQN(games.single_observation_space, games.single_action_space)
    for epsilon in (0.0, 1.0):
        actions = agent.get_action(observations, epsilon, action_mask=info["action_mask"])
        assert info["action_mask"][np.arange(16), actions].all()


def test_what_the_page_says_does_not_work_does_not(shown):
    from agilerl.algorithms import IPPO

    parallel = impulse_v0.parallel_env()
    observations, infos = parallel.reset(seed=1)
    agents = parallel.possible_agents
    spaces = [parallel.observation_space(agent) for agent in agents]
    several = IPPO(spaces, [parallel.action_space(agent) for agent in agents], agent_ids=agents)
    with pytest.raises(AssertionError, match="masks to be defined in the information dictionary"):
        several.get_action(observations, infos)
    games = shown["games"]
    observations, info = games.reset(seed=1)
    actions = np.stack([shown["agent"].get_action(observations)[0] for _ in range(20)])
    assert not info["action_mask"][np.arange(8), actions].all()


def test_with_nextstep_it_keeps_the_steps_that_only_deal():
    """The page says so; if it fails, the page is to be changed."""
    from agilerl.algorithms import PPO
    from agilerl.rollouts import collect_rollouts

    kept = {}
    for mode in ("NextStep", "SameStep"):
        games = gymnasium.make_vec(
            "impulse_env:Impulse-v0", num_envs=4, autoreset_mode=mode, target_score=2
        )
        spaces = games.single_observation_space, games.single_action_space
        agent = PPO(*spaces, num_envs=4, learn_step=800)
        scores, *_ = collect_rollouts(agent, games)
        masks = agent.rollout_buffer.buffer["action_masks"]
        assert len(scores) > 3
        kept[mode] = bool((masks.sum(-1) == 0).any())
    assert kept == {"NextStep": True, "SameStep": False}
