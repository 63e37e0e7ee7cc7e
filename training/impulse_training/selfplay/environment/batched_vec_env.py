"""Base of a `VecEnv` that steps all games in one call."""

from typing import Any

from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices


class WholeVecEnv(VecEnv):
    """A `VecEnv` whose games share its attributes, methods and wrappers."""

    render_mode = None

    def close(self) -> None:
        """Do nothing: there are no open resources."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return the attribute once for each index."""
        value = getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of this environment, which all games share."""
        setattr(self, attr_name, value)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: VecEnvIndices = None,
        **method_kwargs: Any,
    ) -> Any:
        """Call a method that returns a row for each game, such as `action_masks`."""
        answer = getattr(self, method_name)(*method_args, **method_kwargs)
        return answer if indices is None else [answer[i] for i in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: type, indices: VecEnvIndices = None) -> list[bool]:
        """Return False for each game: games have no wrappers of their own."""
        return [False for _ in self._get_indices(indices)]
