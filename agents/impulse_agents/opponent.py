"""Opponents by name for the environments of `impulse_env`, which knows no agent itself.

The package's entry point ``agents`` of the group ``impulse.opponents`` is `make_opponent`.
"""

from impulse_agents.base import Agent
from impulse_agents.registry import make


def make_opponent(name: str) -> Agent:
    """Return the agent of a name, as of `impulse_agents.make`; raises `AgentError`."""
    return make(name)
