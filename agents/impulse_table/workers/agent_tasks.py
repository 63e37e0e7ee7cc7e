"""What agents are asked in processes of their own: the far side of `pool`.

A question carries a seat's view and nothing else of the game, so an agent cannot see more.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent, AgentError
from impulse_agents.explanation import Advice
from impulse_env.actions import name_of
from impulse_env.engine.state import STATE
from impulse_env.game import Game

_SUGGESTIONS: Final = 4
_COMPILED: Final = ("core_rush", "greedy")
"""Agents that between them need all that there is to compile."""

_allowed: set[str] = set()
"""Agents whose code may be loaded: named by whoever started the server, not by a page."""


@lru_cache(maxsize=16)
def agent_of(name: str) -> Agent:
    """Return the agent of a name; it keeps nothing between decisions, so one is enough.

    Raises:
        AgentError: There is no such agent, or its code was not named at the start.
    """
    if registry.is_code(name) and name not in _allowed:
        raise AgentError(
            f"{name} is code, which a page cannot have loaded: start with "
            f"`impulse play --agents {name}`"
        )
    return registry.make(name)


def choose(name: str, view: bytes, seed: tuple[int, ...]) -> str:
    """Return what an agent decides.

    Args:
        name: The agent.
        view: The record of the view of the seat that decides.
        seed: Of the agent's chance.

    Raises:
        AgentError: There is no such agent, it does not play such games, or it fails.
    """
    game = _game(view)
    return name_of(ask_in_game(agent_of(name), game, np.random.default_rng(seed)))


def suggest(name: str, view: bytes, seed: tuple[int, ...]) -> Advice:
    """Return what an agent thinks of the decision; arguments and errors as of `choose`."""
    return advise(agent_of(name), _game(view), np.random.default_rng(seed), _SUGGESTIONS)


def check(names: list[str], players: int) -> None:
    """Make these agents; raises `AgentError` if one does not exist or needs another table."""
    for name in names:
        agent_of(name).check_players(players)


def warm_up(allowed: tuple[str, ...] = ()) -> None:
    """Load everything compiled, or compile it, so that the first question need not wait.

    Args:
        allowed: Agents of other authors, given as module:Class or file.py:Class, that may be used.
    """
    _allowed.update(allowed)
    for name in _COMPILED:
        agent_of(name).act_in_game(Game(seed=0), np.random.default_rng(0))


def _game(view: bytes) -> Game:
    return Game.from_state(np.frombuffer(view, STATE)[0])
