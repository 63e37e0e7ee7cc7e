"""Agents in another process, or on another machine: they are the same as here, or none play."""

from collections.abc import Sequence

from impulse_agents.base import Agent
from impulse_agents.identity import identity_of
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.workers.play import make_agents


def digests_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return what agents are, as digests of their identities; raises `AgentError`."""
    return tuple(identity_of(agent).digest for agent in make_agents(names))


def make_same_agents(names: Sequence[str], digests: Sequence[str]) -> list[Agent]:
    """Return the agents, made in another process than the one that asked what they are.

    Raises:
        TournamentError: One of them is not the same here.
    """
    made = make_agents(names)
    for agent, digest in zip(made, digests, strict=True):
        found = identity_of(agent)
        if found.digest != digest:
            raise TournamentError(
                f"{agent.name} was {digest[: len(found.short)]} when the tournament began, and is "
                f"{found.short} here: its files have changed, or are not the same everywhere"
            )
    return made
