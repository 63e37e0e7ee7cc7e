"""Agents that play Impulse: random, rule-based, searching and trained ones.

>>> import impulse_agents
>>> impulse_agents.make("greedy").name
'greedy'

`make` returns an agent by its name, `names` lists the names, `register` adds one. `Agent` is the
base class of all agents.
"""

from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.registry import RULE_BASED, make, names, register
from impulse_agents.rng import RngStreams

__all__ = [
    "RULE_BASED",
    "Agent",
    "AgentError",
    "ObservationBatch",
    "RngStreams",
    "make",
    "names",
    "register",
]
