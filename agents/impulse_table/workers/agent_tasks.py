"""Questions to agents at a table, answered in the processes of `pool`.

A question contains only a seat's view of the game, so an agent cannot see more.
"""

import shlex
from functools import lru_cache
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Advice, Agent, AgentError
from impulse_env.actions import name_of
from impulse_env.engine.state import STATE
from impulse_env.game import Game

_SUGGESTIONS: Final = 4
_COMPILED: Final = ("core_rush", "greedy")
"""Agents that together need all compiled code."""

_allowed: set[str] = set()
"""Agents whose code may run: those in the server's options, not those that a page names."""


@lru_cache(maxsize=16)
def agent_of(name: str) -> Agent:
    """Return the agent of a name. Agents have no memory between decisions, so one is enough.

    Raises:
        AgentError: The agent does not exist, or the server's options do not name its code.
    """
    if registry.is_code(name) and name not in _allowed:
        raise AgentError(
            f"{name} is code, which a page cannot run: start with "
            f"`impulse play --agents {shlex.quote(name)}`"
        )
    return registry.make(name)


def choose(name: str, view: bytes, seed: tuple[int, ...]) -> str:
    """Return the name of the action that an agent chooses.

    Args:
        name: The agent.
        view: The view of the deciding seat, as the bytes of its state.
        seed: Seed of the agent's random generator.

    Raises:
        AgentError: The agent does not exist, does not play such games, or fails.
    """
    game = _game(view)
    return name_of(ask_in_game(agent_of(name), game, np.random.default_rng(seed)))


def suggest(name: str, view: bytes, seed: tuple[int, ...]) -> Advice:
    """Return an agent's advice on the decision; arguments and errors as in `choose`."""
    return advise(agent_of(name), _game(view), np.random.default_rng(seed), _SUGGESTIONS)


def check(names: list[str], players: int) -> None:
    """Load agents; raises `AgentError` if one does not exist or cannot play at such a table."""
    for name in names:
        agent_of(name).check_players(players)


def warm_up(allowed: tuple[str, ...] = ()) -> None:
    """Load or compile all compiled code, so that the first question need not wait.

    Args:
        allowed: Agents of other authors, as module:Class, file.py:Class or cmd:COMMAND, whose code
            may run.
    """
    _allowed.update(allowed)
    for name in _COMPILED:
        agent_of(name).act_in_game(Game(seed=0), np.random.default_rng(0))


def _game(view: bytes) -> Game:
    return Game.from_state(np.frombuffer(view, STATE)[0])
