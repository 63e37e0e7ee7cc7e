"""Agents that play Impulse: random, rule-based, searching and trained ones.

>>> import impulse_agents
>>> impulse_agents.make("greedy").name
'greedy'

`make` finds an agent by its name; `names` lists the names. What an agent is says `Agent`.
"""

from impulse_agents.base import Agent, AgentError
from impulse_agents.registry import RULE_BASED, make, names

__all__ = ["RULE_BASED", "Agent", "AgentError", "make", "names"]
