"""The game as RLlib's `MultiAgentEnv`: one agent for each seat, over the PettingZoo environment.

RLlib stores an agent's action until that agent gets its next observation. So an agent gets an
observation only when it has to decide and when the game is over. Its rewards since its last action
come with its next observation, so each transition belongs to one seat.

RLlib's own wrapper of PettingZoo does the same. But it reports every agent as truncated. RLlib
(2.60) then treats the episode as terminated, with the value 0 at its end. The wrapper also has no
seats for agents that do not learn. Here they play inside `step`, and RLlib does not see them.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent
from impulse_env.arguments import checked_seed
from impulse_env.environments.aec import Observation, RawEnv
from impulse_env.errors import IllegalActionError
from impulse_env.frame import to_own
from impulse_training.rllib.rllib_options import SeatsConfig


class SeatsEnv(MultiAgentEnv):
    """A game in which RLlib plays the seats.

    Agents are ``player_0`` and so on, with the spaces of the PettingZoo environment. An observation
    is a dict with ``observation`` and ``action_mask``. Exactly one agent acts at a time. All agents
    end together with the game; an eliminated agent does not act and is not done earlier. At the
    end, each agent that has acted gets its last observation and the info of the PettingZoo
    environment.

    Args:
        config: ``table``, a `SeatsConfig`; RLlib adds ``worker_index``, which changes the games.

    Raises:
        OptionError: An option has a value that is not allowed.
        AgentError: A name is not the name of an agent.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        table: SeatsConfig = config["table"]
        self.env = RawEnv(**table.options)
        self.possible_agents = list(self.env.possible_agents)
        self.agents = list(self.possible_agents)
        self.observation_spaces = {a: self.env.observation_space(a) for a in self.agents}
        self.action_spaces = {a: self.env.action_space(a) for a in self.agents}
        self._fixed = [registry.make(name) for name in table.fixed]
        chances = list(table.fixed.values())
        self._chances = [*chances, 1.0 - sum(chances)]  # the last one: RLlib
        # RLlib gives workers overlapping seeds.
        self._worker = int(getattr(config, "worker_index", 0) or 0)
        self._rng = np.random.default_rng()
        self._seated: dict[str, Agent] = {}
        self._has_acted: set[str] = set()
        super().__init__()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Deal a game and play it to RLlib's first decision.

        Raises:
            ArgumentError: The seed is not an integer of 0 or more.
        """
        seed = checked_seed(seed)
        if seed is not None:
            self._rng = np.random.default_rng([seed, self._worker])
        while True:
            self.env.reset(seed=int(self._rng.integers(2**63)))
            self._has_acted.clear()
            self._seat_fixed()
            self._play_fixed()
            if not self._is_over:
                break
        agent = self.env.agent_selection
        return {agent: self.env.observe(agent)}, {agent: {}}

    def step(self, action_dict: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Take the action of the agent to act, then those of agents that RLlib does not play.

        Returns:
            Observations, rewards, terminations, truncations and infos, by agent.

        Raises:
            IllegalActionError: The action is not an integer or not legal, or the dict does not hold
                exactly the action of the agent to act. The game is unchanged.
        """
        agent = self.env.agent_selection
        if list(action_dict) != [agent]:
            acting = ", ".join(map(str, action_dict)) or "nobody"
            raise IllegalActionError(f"{agent} is to act, not {acting}")
        self.env.step(action_dict[agent])
        self._has_acted.add(agent)
        self._play_fixed()
        if self._is_over:
            return self._end()
        agent = self.env.agent_selection
        observation, paid, *_ = self.env.last()
        # Rewards before the first action of an agent belong to no transition.
        reward = paid if agent in self._has_acted else 0.0
        running = {"__all__": False}
        return {agent: observation}, {agent: reward}, running, dict(running), {agent: {}}

    @property
    def _is_over(self) -> bool:
        agent = self.env.agent_selection
        return bool(self.env.terminations[agent] or self.env.truncations[agent])

    def _end(self) -> tuple[dict[str, Any], ...]:
        """Return the last observation and reward of each agent that has acted."""
        observations: dict[str, Observation] = {}
        rewards: dict[str, float] = {}
        infos: dict[str, dict[str, Any]] = {}
        is_truncated = any(self.env.truncations.values())
        for agent in self.env.agent_iter():
            if agent in self._has_acted:
                observations[agent] = self.env.observe(agent)
                _, rewards[agent], _, _, infos[agent] = self.env.last(observe=False)
            self.env.step(None)
        # Only for all together, not for each: see the module's docstring.
        ended, cut = {"__all__": not is_truncated}, {"__all__": is_truncated}
        return observations, rewards, ended, cut, infos

    # --- Seats that RLlib does not play ------------------------------------------------------

    def _seat_fixed(self) -> None:
        """Choose at random the seats that RLlib does not play in this game."""
        left_to_rllib = self._rng.integers(len(self.possible_agents))
        drawn = self._rng.choice(
            len(self._chances), size=len(self.possible_agents), p=self._chances
        )
        self._seated = {
            agent: self._fixed[drawn[seat]]
            for seat, agent in enumerate(self.possible_agents)
            if seat != left_to_rllib and drawn[seat] < len(self._fixed)
        }

    def _play_fixed(self) -> None:
        """Play the fixed agents until RLlib has to decide or the game is over."""
        while not self._is_over and (agent := self.env.agent_selection) in self._seated:
            seat = self.possible_agents.index(agent)
            action = ask_in_game(self._seated[agent], self.env.game, self._rng)
            self.env.step(to_own(action, len(self.possible_agents), seat))
