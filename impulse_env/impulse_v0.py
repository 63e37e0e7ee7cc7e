"""The environment's PettingZoo module: `impulse_v0.env(players=2, reward="win", …)`.

The version in the name rises whenever the same actions could give other results, or the spaces
change.
"""

from typing import Any

from pettingzoo.utils import turn_based_aec_to_parallel
from pettingzoo.utils.env import ParallelEnv

from impulse_env.environments.aec import RawEnv

raw_env = RawEnv
"""The class itself, for those who wrap it on their own."""


def env(**arguments: Any) -> RawEnv:
    """Return the AEC environment; for the arguments see `RawEnv`.

    An illegal action ends the game with a loss for the agent, as in PettingZoo's own games, unless
    `illegal` says otherwise; `raw_env` raises.

    It is `raw_env` without any wrapper. Those that PettingZoo's own games put around it look the
    mask up anew for every action and pass every attribute through three objects, which takes
    longer than the game; `RawEnv` makes the same checks itself.
    """
    return RawEnv(**{"illegal": "terminate"} | arguments)


def parallel_env(**arguments: Any) -> ParallelEnv:
    """Return the parallel environment: of all actions only that of the agent to act counts.

    `infos[agent]["active_agent"]` names that agent after the first step.
    """
    return turn_based_aec_to_parallel(env(**arguments))
