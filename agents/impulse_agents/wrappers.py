"""Agents that play like another one, except in some kinds of decision.

They show which decisions make an agent strong. `impulse match
impulse_agents.wrappers:delegating:AGENT,OTHER,KIND+KIND warrior` plays an agent that leaves some
kinds to another one. AGENT and OTHER are agents' names; the kinds are those of
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
    """Plays like another agent, except in some kinds of decision.

    Raises:
        ValueError: A kind does not exist.
    """

    needs_views: ClassVar[bool] = True  # they contain the kind of decision

    def __init__(self, agent: Agent, kinds: Collection[str], name: str) -> None:
        for kind in kinds:
            if kind not in KINDS:
                raise ValueError(f"the kinds of decision are {', '.join(KINDS)}; not {kind!r}")
        self.agent, self.name = agent, name
        self._ops = np.array([Op[kind.upper()] for kind in kinds], np.int64)

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless the agent plays games with this number of players."""
        self.agent.check_players(players)

    def _is_of_kinds(self, seen: ObservationBatch) -> NDArray[np.bool_]:
        """Return whether each game's decision is of one of the kinds, shape ``(n,)``."""
        views = seen.views
        assert views is not None
        tops = views["stack_count"].astype(np.int64) - 1
        frames = views["stack"][np.arange(len(views)), np.maximum(tops, 0), OP]
        return np.isin(np.where(tops >= 0, frames, views["phase"]), self._ops)


class Noisy(_Wrapper):
    """Plays like another agent, but takes a random legal action in some kinds of decision.

    Args:
        agent: The agent for all other decisions.
        kinds: Some of `KINDS`.
        name: Name of the new agent.

    Raises:
        ValueError: A kind does not exist.
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
    """Plays like one agent, and leaves some kinds of decision to another.

    Args:
        agent: The agent for all other decisions.
        other: The agent for decisions of the kinds.
        kinds: Some of `KINDS`.
        name: Name of the new agent.

    Raises:
        ValueError: A kind does not exist.
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
        AgentError: The text has another form, or an agent or a kind does not exist.
    """
    names = argument.split(",")
    if len(names) != 3:
        raise AgentError(f"name two agents and kinds as AGENT,OTHER,KIND+KIND, not {argument!r}")
    agent, other = map(registry.make, names[:2])
    try:
        return Delegating(agent, other, names[2].split("+"))
    except ValueError as error:
        raise AgentError(str(error)) from None
