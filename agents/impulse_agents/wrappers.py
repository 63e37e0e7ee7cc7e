"""An agent that asks another for some kinds of decision, to see which of them make it stronger.

`impulse match impulse_agents.wrappers:asking:AGENT,OTHER,KIND+KIND warrior` plays such a
one, where AGENT and OTHER are any agents' names and the kinds are those of
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
from impulse_agents.noisy import ops_of, pending_kinds


class Asking(Agent):
    """Plays as one agent, but for some kinds of decision, which another takes.

    Args:
        agent: Takes the others.
        other: Takes those kinds.
        kinds: Some of `impulse_agents.noisy.KINDS`.
        name: The agent's name.

    Raises:
        ValueError: There is no such kind.
    """

    needs_views: ClassVar[bool] = True  # they tell what is decided

    def __init__(self, agent: Agent, other: Agent, kinds: Collection[str], name: str = "") -> None:
        self.ops = ops_of(kinds)
        self.agent, self.other = agent, other
        self.name = name or f"{agent.name}, asking {other.name} for {', '.join(kinds)}"
        self.version = " ".join(identity_of(one).digest for one in (agent, other))

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless both play such games."""
        self.agent.check_players(players)
        self.other.check_players(players)

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Choose an action in every game."""
        assert seen.views is not None
        is_asked = np.isin(pending_kinds(seen.views, np.arange(len(seen))), self.ops)
        actions = np.zeros(len(seen), np.int64)
        for agent, rows in ((self.agent, ~is_asked), (self.other, is_asked)):
            at = np.flatnonzero(rows)
            if len(at):
                own = streams.take(at)
                actions[at] = agent.act(seen.take(at), own)
                streams.put(at, own)
        return actions


def asking(argument: str) -> Asking:
    """Return the agent of ``AGENT,OTHER,KIND+KIND``.

    Raises:
        AgentError: It is not written so, or there is no such agent or kind.
    """
    names = argument.split(",")
    if len(names) != 3:
        raise AgentError(f"name two agents and kinds as AGENT,OTHER,KIND+KIND, not {argument!r}")
    agent, other = map(registry.make, names[:2])
    try:
        return Asking(agent, other, names[2].split("+"))
    except ValueError as error:
        raise AgentError(str(error)) from None
