"""What an agent thinks of a decision: its likeliest actions, with what it knows to say of them.

A trained network gives probabilities, a search gives visits and chances to win, and of every other
agent there is what it would do. All of them see what the seat that decides may know.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import SearchAgent
from impulse_agents.search.tree import Forest
from impulse_agents.search.variations import principal_variations
from impulse_env.actions import name_of
from impulse_env.frame import absolute_frame
from impulse_env.game import Game

if TYPE_CHECKING:
    from impulse_agents.network.agent import PolicyAgent

_NETWORKS: Final = ("policy:", "policy+search:")


@dataclass(frozen=True)
class Suggestion:
    """An action that an agent would take.

    Attributes:
        action: Its stable name, absolute.
        share: The probability with which a policy takes it, or its share of a search's
            simulations, 0 to 1; None of an agent that names one action and nothing else.
        visits: Simulations that began with it; None without a search.
        wins: The chance to win that the search found for it, 0 to 1; None without a search.
    """

    action: str
    share: float | None = None
    visits: int | None = None
    wins: float | None = None


@dataclass(frozen=True)
class Advice:
    """What an agent thinks of a decision.

    Attributes:
        by: The agent's name.
        suggestions: The best first.
        value: What a policy expects to be paid in the end, 1 for a win; None of other agents.
    """

    by: str
    suggestions: tuple[Suggestion, ...]
    value: float | None = None


def advise(agent: Agent, game: Game, rng: np.random.Generator, count: int = 3) -> Advice:
    """Ask an agent about the decision of a running game.

    Args:
        agent: Any agent.
        game: The game, or the view of the seat that decides: no more is looked at.
        rng: Chance for the agent.
        count: How many suggestions at most.

    Raises:
        AgentError: The game is over, or the agent does not play such games.
    """
    seen, streams = ObservationBatch.from_game(game), RngStreams.from_generator(rng, 1)
    policy = _as_policy(agent)
    if policy is not None:
        return _of_policy(policy, seen, game.players, count)
    forest = searched(agent, seen, streams)
    if forest is not None:
        lines = principal_variations(forest, count, depth=1)
        found = (
            Suggestion(line.actions[0], line.share, line.visits, line.value)
            for line in lines
            if line.visits
        )
        return Advice(agent.name, tuple(found))
    action = int(absolute_frame(game.players)[seen.seats[0], agent.act(seen, streams)[0]])
    return Advice(agent.name, (Suggestion(name_of(action)),))


def searched(agent: Agent, seen: ObservationBatch, streams: RngStreams) -> Forest | None:
    """Let an agent search one decision and return the tree; None if it does not search."""
    if isinstance(agent, SearchAgent):
        agent.act(seen, streams)
        return agent.forest
    if not agent.name.startswith(_NETWORKS):
        return None
    from impulse_agents.search.network_agent import PolicySearchAgent

    if isinstance(agent, PolicySearchAgent):
        agent.policy.check(seen.observations)
        return agent.search(seen, streams).forest
    return None


def _as_policy(agent: Agent) -> "PolicyAgent | None":
    """Return the agent if it is a trained network that does not search."""
    if not agent.name.startswith(_NETWORKS):
        return None  # torch takes seconds to import
    from impulse_agents.network.agent import PolicyAgent

    return agent if isinstance(agent, PolicyAgent) else None


def _of_policy(policy: "PolicyAgent", seen: ObservationBatch, players: int, count: int) -> Advice:
    policy.check(seen.observations)
    logits, values = policy.evaluate(seen.observations)
    legal = np.flatnonzero(seen.masks[0])
    weights = np.exp(logits[0, legal] - logits[0, legal].max())
    shares = weights / weights.sum()
    absolute = absolute_frame(players)[seen.seats[0]]
    best = np.argsort(-shares, kind="stable")[:count]
    return Advice(
        policy.name,
        tuple(Suggestion(name_of(int(absolute[legal[row]])), float(shares[row])) for row in best),
        float(values[0]),
    )
