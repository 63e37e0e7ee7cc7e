"""AgileRL trains with the masks of the info, in many games at once, and plays all seats."""

import inspect
import subprocess
import sys
from importlib.metadata import requires

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Discrete

from impulse_env import IllegalActionError, impulse_v0

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


NAME = "impulse_env:Impulse-v0"


@pytest.mark.parametrize("games", [1, 4])
def test_q_learning_plays_legal_actions(games):
    """DQN works with one game and with many."""
    from agilerl.algorithms import DQN
    from agilerl.components.replay_buffer import ReplayBuffer
    from agilerl.training.train_off_policy import train_off_policy

    if games == 1:
        env = gymnasium.make(NAME, illegal="raise")
        spaces = env.observation_space, env.action_space
    else:
        env = gymnasium.make_vec(NAME, num_envs=games, illegal="raise", autoreset_mode="SameStep")
        spaces = env.single_observation_space, env.single_action_space
    agent = DQN(*spaces, batch_size=16)
    train_off_policy(
        env, NAME, "DQN", [agent], ReplayBuffer(200), max_steps=80, evo_steps=80, eval_steps=8,
        verbose=False,
    )  # fmt: skip
    assert agent.steps == 80


def test_ppo_needs_a_vector_environment():
    """PPO's trainer fails with an environment of one game: it hands `step` an array, with any
    `Discrete` space.
    """
    from agilerl.algorithms import PPO
    from agilerl.rollouts import collect_rollouts

    for name in (NAME, "CartPole-v1"):
        alone = gymnasium.make(name, **({"illegal": "raise"} if name == NAME else {}))
        agent = PPO(alone.observation_space, alone.action_space, num_envs=1, learn_step=16)
        with pytest.raises((AssertionError, IllegalActionError), match=r"array\(\[\d+\]"):
            collect_rollouts(agent, alone)
    games = gymnasium.make_vec(NAME, num_envs=1, illegal="raise", autoreset_mode="SameStep")
    spaces = games.single_observation_space, games.single_action_space
    collect_rollouts(PPO(*spaces, num_envs=1, learn_step=16), games)


def test_what_the_page_says_does_not_work_does_not(shown):
    """The parallel form has the mask in the observation, as PettingZoo's own games do, and
    `get_action` refuses it.
    """
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


# MADDPG imports torch's compiler, which warns of itself.
@pytest.mark.filterwarnings("ignore:.*script_method.* is deprecated:DeprecationWarning")
def test_of_several_agents_maddpg_alone_takes_arrays_of_masks():
    """IPPO 2.58.0 fails with masks that are arrays, in the info too, and drops those of many games
    as lists.
    """
    from agilerl.algorithms import IPPO, MADDPG

    agents, games = ["a", "b"], 64
    spaces = [Box(0, 1, (3,))] * 2, [Discrete(4)] * 2
    seen = {agent: np.zeros((games, 3), np.float32) for agent in agents}
    masks = np.tile([0, 0, 1, 0], (games, 1))

    def chosen(kind, seen, mask):
        infos = {agent: {"action_mask": mask} for agent in agents}
        actions = kind(*spaces, agent_ids=agents).get_action(seen, infos)[0]
        return {int(action) for part in actions.values() for action in np.ravel(part)}

    assert chosen(MADDPG, seen, masks) == {2}
    with pytest.raises(ValueError, match="truth value of an array"):
        chosen(IPPO, seen, masks)
    assert chosen(IPPO, seen, masks.tolist()) != {2}
    alone = {agent: rows[0] for agent, rows in seen.items()}
    assert {2} == chosen(IPPO, alone, [0, 0, 1, 0]) == chosen(MADDPG, alone, masks[0])
    assert "mask" not in inspect.getsource(IPPO.learn) + inspect.getsource(IPPO._learn_individual)


def test_it_needs_what_it_does_not_ask_for():
    """AgileRL 2.58.0 does not ask for `peft`, but cannot import its algorithms without it."""
    assert not any(one.startswith("peft") and "extra" not in one for one in requires("agilerl"))
    script = "import sys; sys.modules['peft'] = None; import agilerl.algorithms"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert "No module named 'peft" in done.stderr
    assert "pettingzoo<1.27,>=1.23.1" in requires("agilerl")


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
