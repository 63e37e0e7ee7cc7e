"""What agents are asked in processes of their own: the far side of `thinkers`.

A question carries a seat's view and nothing else of the game, so an agent cannot see more.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.advice import Advice, advise
from impulse_agents.base import Agent, AgentError
from impulse_env.actions import name_of
from impulse_env.engine.state import STATE
from impulse_env.game import Game
from impulse_env.observation import observe

_SUGGESTIONS: Final = 4
_COMPILED: Final = ("core_rush", "greedy")
"""Agents that between them need all that there is to compile."""

agent_of = lru_cache(maxsize=16)(registry.make)
"""Agents keep nothing between decisions, so one of each name is enough."""


def choose(name: str, view: bytes, seed: tuple[int, ...]) -> str:
    """Return what an agent decides.

    Args:
        name: The agent.
        view: The record of the view of the seat that decides.
        seed: Of the agent's chance.

    Raises:
        AgentError: There is no such agent, or it does not play such games.
    """
    game = _game(view)
    return name_of(agent_of(name).act_in_game(game, np.random.default_rng(seed)))


def suggest(name: str, view: bytes, seed: tuple[int, ...]) -> Advice:
    """Return what an agent thinks of the decision; arguments and errors as of `choose`."""
    return advise(agent_of(name), _game(view), np.random.default_rng(seed), _SUGGESTIONS)


def check(names: list[str], players: int) -> None:
    """Make these agents; raises `AgentError` if one does not exist or needs another table."""
    for name in names:
        agent = agent_of(name)
        if name.startswith("policy"):
            _check_network(agent, players)


def warm_up() -> None:
    """Load everything compiled, or compile it, so that the first question need not wait."""
    for name in _COMPILED:
        agent_of(name).act_in_game(Game(seed=0), np.random.default_rng(0))


def _game(view: bytes) -> Game:
    return Game.from_state(np.frombuffer(view, STATE)[0])


def _check_network(agent: Agent, players: int) -> None:
    from impulse_agents.network.agent import PolicyAgent
    from impulse_agents.search.network_agent import PolicySearchAgent

    policy = agent.policy if isinstance(agent, PolicySearchAgent) else agent
    if not isinstance(policy, PolicyAgent):
        raise AgentError(f"{agent.name} is no trained network")
    policy.check(observe(Game(players, seed=0), 0)[None])
