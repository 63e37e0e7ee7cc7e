"""Agents by name: ``impulse_agents.make("greedy")``, ``impulse_agents.make("policy:runs/demo/policy.pt")``.

To add one, write a file with one class and a line in `_MAKERS` or `_MAKERS_WITH_ARGUMENT`.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from impulse_agents import checkpoints
from impulse_agents.base import Agent, AgentError
from impulse_agents.heuristics.agent import RuleAgent
from impulse_agents.heuristics.random_agent import RandomAgent
from impulse_agents.search.agent import Budget, GreedyAgent, SearchAgent

if TYPE_CHECKING:
    from impulse_agents.network.agent import PolicyAgent

__all__ = ["RULE_BASED", "Agent", "AgentError", "make", "names"]

RULE_BASED: Final = ("greedy", "core_rush", "warrior", "miner", "trader")
"""Names of the rule-based agents."""


def _make_ismcts(argument: str) -> Agent:
    budget, _, playout = argument.partition(":")
    given = (playout,) if playout else ()
    return SearchAgent(f"ismcts:{argument}", Budget.read(budget), *given)


def _make_policy(checkpoint: str) -> "PolicyAgent":
    from impulse_agents.network.agent import PolicyAgent  # torch takes seconds to import

    agent = PolicyAgent.load(checkpoints.path_of(checkpoint))
    agent.name = f"policy:{checkpoint}"  # by which it is made again; the path may be another
    return agent


def _make_policy_search(argument: str) -> Agent:
    from impulse_agents.search.network_agent import PolicySearchAgent

    checkpoint, _, budget = argument.rpartition(":")
    searching = Budget.read(budget)
    return PolicySearchAgent(_make_policy(checkpoint), searching)


_MAKERS: Final[dict[str, Callable[[], Agent]]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    **{style: partial(RuleAgent, style) for style in RULE_BASED[1:]},
}
_MAKERS_WITH_ARGUMENT: Final[dict[str, tuple[str, Callable[[str], Agent]]]] = {
    "ismcts": ("BUDGET[:PLAYOUT]", _make_ismcts),
    "policy": ("PATH", _make_policy),
    "policy+search": ("PATH:BUDGET", _make_policy_search),
}


def names() -> list[str]:
    """Return what `make` understands; a word in capitals stands for what you fill in.

    A BUDGET is a number of simulations, such as 1000, or seconds, such as 0.5s; a PATH is that of a
    checkpoint, in whose place the name of a shipped one may stand.
    """
    patterns = (f"{kind}:{word}" for kind, (word, _) in _MAKERS_WITH_ARGUMENT.items())
    return [*_MAKERS, *(f"policy:{name}" for name in checkpoints.shipped()), *patterns]


def make(name: str) -> Agent:
    """Return the agent of that name; raises `AgentError`, which lists the names that exist."""
    kind, colon, argument = name.partition(":")
    if not colon and kind in _MAKERS:
        return _MAKERS[kind]()
    if argument and kind in _MAKERS_WITH_ARGUMENT:
        return _MAKERS_WITH_ARGUMENT[kind][1](argument)
    raise AgentError(f"unknown agent {name!r}; there are {', '.join(names())}")
