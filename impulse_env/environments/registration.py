"""The names under which PettingZoo and Gymnasium find the environment.

Neither library searches other packages: `import impulse_env` calls `register_all`.
"""

from typing import Final

import gymnasium
import pettingzoo

PETTINGZOO_ID: Final = "impulse/impulse-v0"
"""``pettingzoo.make("aec", PETTINGZOO_ID, players=4)``, or "parallel"."""
GYMNASIUM_ID: Final = "Impulse-v0"
"""``gymnasium.make("impulse_env:Impulse-v0", players=4)`` imports the package by itself;
``gymnasium.make_vec`` takes the same id and steps all its games in one call. With ``device`` the
games and all tensors are on a GPU."""


def register_all() -> None:
    """Register every environment that is not registered yet."""
    # PettingZoo has a registry since 1.27.
    if hasattr(pettingzoo, "register"):
        if PETTINGZOO_ID not in pettingzoo.aec_registry:
            pettingzoo.register("aec", PETTINGZOO_ID, "impulse_env.impulse_v0:env")
        if PETTINGZOO_ID not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", PETTINGZOO_ID, "impulse_env.impulse_v0:parallel_env")
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            GYMNASIUM_ID,
            entry_point="impulse_env.environments.single_seat:ImpulseEnv",
            vector_entry_point="impulse_env.impulse_v0:vector_env",
        )
