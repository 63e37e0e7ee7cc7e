"""The game for PufferLib: many games with its buffers, and a row for the own seat of each game.

Only this module needs PufferLib.
"""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from impulse_env import observation
from impulse_env.actions import N_ACTIONS
from impulse_env.arguments import checked_integer
from impulse_env.environments.vector import ImpulseVectorEnv
from impulse_env.errors import ImpulseError


class MissingPufferLibError(ImpulseError, ImportError):
    """PufferLib is not installed."""


try:
    from pufferlib import PufferEnv
except ImportError as error:
    raise MissingPufferLibError(
        f"impulse_env.environments.pufferlib needs PufferLib 3 ({error}); "
        "docs/libraries/pufferlib.md describes how to install it"
    ) from error


class ImpulsePufferEnv(PufferEnv):
    """`ImpulseVectorEnv` with the buffers of PufferLib; the step that ends a game deals the next.

    A row of an observation is the own seat's observation, followed by its mask of legal actions,
    because PufferLib has no other place for the mask. A game here is an agent in PufferLib's terms.

    Attributes:
        num_agents: Number of games.
        vector_size: Index of the mask in a row.
        games: The vector environment.
    """

    def __init__(
        self,
        num_games: int = 1024,
        players: int = 2,
        *,
        buf: dict[str, NDArray[Any]] | None = None,
        seed: int = 0,
        **arguments: Any,
    ) -> None:
        """Check the options; `reset` deals.

        Args:
            num_games: Number of games.
            players: Number of players, 2 to 6.
            buf: The buffers that ``pufferlib.vector`` passes; None: new ones.
            seed: The seed of the first game, 0 or more; the seed of `reset` overrides it.
            **arguments: opponents, seat, reward, illegal, max_episode_steps and the options of the
                game, as in `ImpulseVectorEnv`.

        Raises:
            OptionError: An option has a value that is not allowed.
            ArgumentError: The seed is not an integer of 0 or more.
        """
        self._seed = checked_integer("seed", seed, 0)
        self.games = ImpulseVectorEnv(
            num_games, players, autoreset_mode=AutoresetMode.SAME_STEP, copy=False, **arguments
        )
        players = self.games.options.players
        self.vector_size = observation.size(players)
        high = np.append(observation.high(players), np.ones(N_ACTIONS)).astype(np.uint8)
        self.single_observation_space = spaces.Box(np.zeros_like(high), high, dtype=np.uint8)
        self.single_action_space = spaces.Discrete(N_ACTIONS)
        self.num_agents = self.games.num_envs
        self._returns = np.zeros(self.num_agents)
        self._lengths = np.zeros(self.num_agents, np.int64)
        super().__init__(buf)

    def reset(self, seed: int | None = None) -> tuple[NDArray[np.uint8], list[dict[str, float]]]:
        """Deal new games and fill the buffers."""
        self._write(*self.games.reset(seed=self._seed if seed is None else seed))
        self.rewards[:] = 0
        self.terminals[:] = False
        self.truncations[:] = False
        self.masks[:] = True
        self._returns[:] = 0
        self._lengths[:] = 0
        return self.observations, []

    def step(
        self, actions: NDArray[np.integer[Any]]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        list[dict[str, float]],
    ]:
        """Take the decisions, fill the buffers and return them.

        If episodes ended, the list holds one dict with their means: ``episode_return``,
        ``episode_length`` and ``win_rate``. Otherwise it is empty.
        """
        observations, rewards, terminations, truncations, info = self.games.step(actions)
        self._write(observations, info)
        self.rewards[:], self.terminals[:], self.truncations[:] = rewards, terminations, truncations
        self._returns += rewards
        self._lengths += 1
        over = np.flatnonzero(terminations | truncations)
        means = [self._episodes(over, info["final_info"])] if len(over) else []
        self._returns[over] = 0
        self._lengths[over] = 0
        return self.observations, self.rewards, self.terminals, self.truncations, means

    def close(self) -> None:
        """Do nothing: the environment holds no open resources."""

    def _write(self, observations: NDArray[np.uint8], info: dict[str, Any]) -> None:
        self.observations[:, : self.vector_size] = observations
        self.observations[:, self.vector_size :] = info["action_mask"]

    def _episodes(self, over: NDArray[np.intp], final: dict[str, Any]) -> dict[str, float]:
        has_won = final["winners"][over, final["seat"][over]]
        return {
            "episode_return": float(self._returns[over].mean()),
            "episode_length": float(self._lengths[over].mean()),
            "win_rate": float(has_won.mean()),
        }
