"""The environment's PettingZoo module: `impulse_v0.env(players=2, reward="win", …)`.

The version in the name rises whenever the same actions could give other results, or the spaces
change.
"""

from typing import TYPE_CHECKING, Any

from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.env import ParallelEnv

from impulse_env.environments.aec import RawEnv
from impulse_env.environments.vector import ImpulseVectorEnv

if TYPE_CHECKING:
    from impulse_env.gpu import GpuVectorEnv

raw_env = RawEnv
"""The environment's class, for callers that add their own wrappers."""


def env(**arguments: Any) -> RawEnv:
    """Return the AEC environment; for the arguments see `RawEnv`.

    By default an illegal action ends the game with a loss for the agent, as in PettingZoo's own
    games; `illegal` changes that. `raw_env` raises an error instead.

    The result is a `RawEnv` without a wrapper. PettingZoo's own games add three wrappers, which
    read the mask again for every action and pass every attribute through three objects. That takes
    longer than the game; `RawEnv` makes the same checks itself.
    """
    return RawEnv(**{"illegal": "terminate"} | arguments)


def parallel_env(**arguments: Any) -> ParallelEnv:
    """Return the parallel environment, which uses only the action of the agent to act.

    `infos[agent]["active_agent"]` names that agent after the first step.
    """
    return turn_based_aec_to_parallel(env(**arguments))


def vector_env(
    *arguments: Any, device: Any = None, **keywords: Any
) -> "ImpulseVectorEnv | GpuVectorEnv":
    """Return the environment for one seat of many games, which `gymnasium.make_vec` makes.

    Args:
        *arguments: As in `ImpulseVectorEnv`, or with `device` in `GpuVectorEnv`.
        device: "cuda", "cuda:N" or "cpu": observations and all else are tensors of torch on this
            device. None: arrays of NumPy.
        **keywords: Like `arguments`.

    Raises:
        MissingExtraError: There is a device, and torch is not installed.
    """
    if device is None:
        return ImpulseVectorEnv(*arguments, **keywords)
    from impulse_env.gpu import GpuVectorEnv

    return GpuVectorEnv(*arguments, device=device, **keywords)
