"""Agents by name: ``agents.make("greedy")``, ``agents.make("policy:runs/demo/policy.pt")``.

To add one, write a file with one class and a line in `_MAKERS`.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from agents.base import Agent, AgentError
from agents.random_agent import RandomAgent
from agents.rules.agent import GreedyAgent, RuleAgent
from agents.rules.styles import STYLE_NAMES

__all__ = ["Agent", "AgentError", "make", "names"]


def _make_policy(path: str) -> Agent:
    from agents.policy import PolicyAgent  # torch takes seconds to import

    return PolicyAgent.load(path)


_MAKERS: Final[dict[str, Callable[[], Agent]]] = {
    "random": RandomAgent,
    "greedy": GreedyAgent,
    **{style: partial(RuleAgent, style) for style in STYLE_NAMES},
}
_MAKERS_WITH_ARGUMENT: Final[dict[str, tuple[str, Callable[[str], Agent]]]] = {
    "policy": ("PATH", _make_policy)
}


def names() -> list[str]:
    """Return what `make` understands; a word in capitals stands for what you fill in."""
    return [*_MAKERS, *(f"{kind}:{word}" for kind, (word, _) in _MAKERS_WITH_ARGUMENT.items())]


def make(name: str) -> Agent:
    """Return the agent of that name; raises `AgentError`, which lists the names that exist."""
    kind, colon, argument = name.partition(":")
    if not colon and kind in _MAKERS:
        return _MAKERS[kind]()
    if argument and kind in _MAKERS_WITH_ARGUMENT:
        return _MAKERS_WITH_ARGUMENT[kind][1](argument)
    raise AgentError(f"unknown agent {name!r}; there are {', '.join(names())}")
