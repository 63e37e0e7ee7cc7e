"""How fast the environments are, with observations, masks, rewards and new games.

Of many games, as of the peers, `step` alone is on the clock; choosing the actions, at random, is
not.
"""

from time import perf_counter
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from impulse_env.actions import N_ACTIONS
from impulse_env.environments.registration import GYMNASIUM_ID
from impulse_env.environments.self_play import SelfPlayBatch

SEED = 7
_WARM_UP = 100
"""Steps after which the games have drifted apart."""


def vector_env_rate(size: int, seconds: float) -> float:
    """Return the steps a second of `gymnasium.make_vec` with `size` games on one core.

    A step is a decision of the own seat. The random opponent's, as many on average, are on the
    clock and do not count.
    """
    rng = np.random.default_rng(SEED)
    env = gymnasium.make_vec(f"impulse_env:{GYMNASIUM_ID}", num_envs=size, copy=False)
    info = env.reset(seed=SEED)[1]
    for _ in range(_WARM_UP):
        info = env.step(random_legal(info["action_mask"], rng))[4]
    steps, elapsed = 0, 0.0
    while elapsed < seconds:
        actions = random_legal(info["action_mask"], rng)
        began = perf_counter()
        _, _, terminations, truncations, info = env.step(actions)
        elapsed += perf_counter() - began
        steps += size - int(np.count_nonzero(terminations | truncations))  # the next only deals
    return steps / elapsed


def self_play_rate(size: int, seconds: float) -> float:
    """Return the steps a second of `SelfPlayBatch` with `size` games on one core.

    A step is a decision of whoever is to act, as of EnvPool's games for two; rewards are "score".
    """
    rng = np.random.default_rng(SEED)
    games = SelfPlayBatch(size, seed=SEED, reward="score")
    for _ in range(_WARM_UP):
        games.step(random_legal(games.masks, rng))
    steps, elapsed = 0, 0.0
    while elapsed < seconds:
        actions = random_legal(games.masks, rng)
        began = perf_counter()
        games.step(actions)
        elapsed += perf_counter() - began
        steps += size
    return steps / elapsed


def random_legal(masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a uniform legal action for each row of masks; where none is, any."""
    draws = rng.random((len(masks), N_ACTIONS), dtype=np.float32)
    return (draws + masks).argmax(axis=1)


def aec_decisions(env: Any, seconds: float) -> tuple[int, float]:
    """Play an environment of PettingZoo in the loop of its documentation, for so long.

    The loop is `last()`, a random legal action from `action_space(agent).sample(mask)`, `step`.

    Returns:
        The actions played and the seconds. Resets and the two `step(None)` after a game's end take
        time and do not count.
    """
    env.reset(seed=SEED)
    for number, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(SEED + number)
    decisions, elapsed, began = 0, 0.0, perf_counter()
    while elapsed < seconds:
        env.reset()
        for agent in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(env.action_space(agent).sample(observation["action_mask"]))
                decisions += 1
        elapsed = perf_counter() - began
    return decisions, elapsed
