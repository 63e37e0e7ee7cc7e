"""Checks that agents in another process or on another machine are the same as here."""

from collections.abc import Sequence

from impulse_agents.base import Agent
from impulse_agents.identity import identity_of
from impulse_training.tournament.settings import TournamentError
from impulse_training.tournament.workers.play import make_agents


def digests_of(names: Sequence[str]) -> tuple[str, ...]:
    """Return the digests of agents' identities; raises `AgentError`."""
    return tuple(identity_of(agent).digest for agent in make_agents(names))


def make_same_agents(names: Sequence[str], digests: Sequence[str]) -> list[Agent]:
    """Return agents whose identities have the same digests as in the main process.

    Raises:
        TournamentError: An agent differs.
    """
    made = make_agents(names)
    for agent, digest in zip(made, digests, strict=True):
        found = identity_of(agent)
        if found.digest != digest:
            raise TournamentError(
                f"{agent.name} was {digest[: len(found.short)]} when the tournament began, and is "
                f"{found.short} here: its files have changed, or differ between machines"
            )
    return made
