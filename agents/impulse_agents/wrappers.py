"""Agents that play as another one does, except in some kinds of decision.

They show which decisions make an agent strong. `impulse match
impulse_agents.wrappers:delegating:AGENT,OTHER,KIND+KIND warrior` plays one that leaves some kinds
to another agent, where AGENT and OTHER are any agents' names and the kinds are those of
`impulse_env.Game.decision`.
"""

from collections.abc import Collection
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from impulse_agents import registry
from impulse_agents.base import Agent, AgentError, ObservationBatch
from impulse_agents.identity import identity_of
from impulse_agents.rng import RngStreams
from impulse_agents.selection import one_of
from impulse_env.engine.constants import Op
from impulse_env.engine.ops import KINDS
from impulse_env.engine.state import OP


class _Wrapper(Agent):
    """Plays as another agent does, but for some kinds of decision.

    Raises:
        ValueError: There is no such kind.
    """

    needs_views: ClassVar[bool] = True  # they tell what is decided

    def __init__(self, agent: Agent, kinds: Collection[str], name: str) -> None:
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"kinds of decision are {', '.join(KINDS)}; not {kind!r}")
        self.agent, self.name = agent, name
        self._ops = np.array([Op[kind.upper()] for kind in kinds], np.int64)

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless the agent plays games of so many players."""
        self.agent.check_players(players)

    def _is_of_kinds(self, seen: ObservationBatch) -> NDArray[np.bool_]:
        """Return whether the decision in each game is of one of the kinds, shape ``(n,)``."""
        views = seen.views
        assert views is not None
        tops = views["stack_count"].astype(np.int64) - 1
        frames = views["stack"][np.arange(len(views)), np.maximum(tops, 0), OP]
        return np.isin(np.where(tops >= 0, frames, views["phase"]), self._ops)


class Noisy(_Wrapper):
    """Plays as another agent does, but for some kinds of decision, where it draws a legal action.

    Args:
        agent: Whom it plays as.
        kinds: Some of `KINDS`.
        name: The agent's name.

    Raises:
        ValueError: There is no such kind.
    """

    def __init__(self, agent: Agent, kinds: Collection[str], name: str = "") -> None:
        super().__init__(agent, kinds, name or f"{agent.name}, random in {', '.join(kinds)}")

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose an action in every game."""
        actions = self.agent.act(seen, streams).copy()
        rows = np.flatnonzero(self._is_of_kinds(seen))
        own = streams.take(rows)
        actions[rows] = one_of(seen.masks[rows] != 0, own)
        streams.put(rows, own)
        return actions


class Delegating(_Wrapper):
    """Plays as one agent, but for some kinds of decision, which another takes.

    Args:
        agent: Takes the other decisions.
        other: Takes those of the kinds.
        kinds: Some of `KINDS`.
        name: The agent's name.

    Raises:
        ValueError: There is no such kind.
    """

    def __init__(self, agent: Agent, other: Agent, kinds: Collection[str], name: str = "") -> None:
        default = f"{agent.name}, delegating {', '.join(kinds)} to {other.name}"
        super().__init__(agent, kinds, name or default)
        self.other = other
        self.version = " ".join(identity_of(one).digest for one in (agent, other))

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless both play such games."""
        super().check_players(players)
        self.other.check_players(players)

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose an action in every game."""
        is_delegated = self._is_of_kinds(seen)
        actions = np.zeros(len(seen), np.int64)
        for agent, is_own in ((self.agent, ~is_delegated), (self.other, is_delegated)):
            rows = np.flatnonzero(is_own)
            if len(rows):
                own = streams.take(rows)
                actions[rows] = agent.act(seen.take(rows), own)
                streams.put(rows, own)
        return actions


def delegating(argument: str) -> Delegating:
    """Return the agent of ``AGENT,OTHER,KIND+KIND``.

    Raises:
        AgentError: It is not written so, or there is no such agent or kind.
    """
    names = argument.split(",")
    if len(names) != 3:
        raise AgentError(f"name two agents and kinds as AGENT,OTHER,KIND+KIND, not {argument!r}")
    agent, other = map(registry.make, names[:2])
    try:
        return Delegating(agent, other, names[2].split("+"))
    except ValueError as error:
        raise AgentError(str(error)) from None
