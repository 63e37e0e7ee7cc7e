"""`gymnasium.make_vec` as a `VecEnv`, the only vector environment of Stable-Baselines3."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from impulse_env.environments.registration import GYMNASIUM_ID


class ImpulseVecEnv(VecEnv):
    """Many games of one seat, stepped in one compiled call.

    sb3-contrib's `MaskablePPO` finds the masks of legal actions. `VecMonitor` around it counts
    episodes.

    Args:
        num_envs: Number of games.
        options: Further arguments of `ImpulseVectorEnv`, such as ``players`` and ``opponents``.
    """

    render_mode = None

    def __init__(self, num_envs: int, **options: Any) -> None:
        name = f"impulse_env:{GYMNASIUM_ID}"
        self.envs = gymnasium.make_vec(
            name, num_envs=num_envs, autoreset_mode="SameStep", **options
        )
        self._actions = np.zeros(num_envs, np.int64)
        spaces = self.envs.single_observation_space, self.envs.single_action_space
        super().__init__(num_envs, *spaces)

    def reset(self) -> NDArray[np.uint8]:
        """Deal all games, from the seed of `seed` if it was called."""
        observations: NDArray[np.uint8] = self.envs.reset(seed=self._seeds[0])[0]
        self._reset_seeds()
        return observations

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Take the actions, and let the opponents play until the own seats decide again."""
        seen, rewards, terminated, truncated, info = self.envs.step(self._actions)
        ended = terminated | truncated
        infos: list[dict[str, Any]] = [{} for _ in ended]
        for game in np.flatnonzero(ended):
            infos[game]["terminal_observation"] = info["final_obs"][game]
            infos[game]["TimeLimit.truncated"] = bool(truncated[game] and not terminated[game])
        return seen, rewards.astype(np.float32), ended, infos

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> Any:
        """Call a method that returns a row for each game, such as `action_masks`."""
        rows = list(getattr(self.envs, method_name)(*method_args, **method_kwargs))
        return [rows[index] for index in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute once for each index."""
        value = getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute, which all games share."""
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game: games have no wrappers of their own."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the games."""
        self.envs.close()
