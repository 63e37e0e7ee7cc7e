"""Agents' advice on the decisions of a record.

Each agent sees only what the deciding seat knew.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.advice import advise
from impulse_agents.base import Agent, AgentError
from impulse_env.actions import N_ACTIONS
from impulse_env.game import Game
from impulse_env.records.record import Annotation, Record

_LEAST: Final = 0.0005
"""Probabilities below are left out: they round to 0."""


def note_of(agent: Agent, game: Game, rng: np.random.Generator, by: str = "") -> Annotation:
    """Return an agent's note on the decision of a running game.

    Args:
        agent: A policy, or an agent that searches; a search's shares of simulations serve as
            probabilities.
        game: The game; the agent sees only what the deciding seat may know.
        rng: Random generator for the agent.
        by: Its name; empty if it plays the seat.

    Raises:
        AgentError: The agent gives no probabilities, or does not play such games.
    """
    advice = advise(agent, game, rng, N_ACTIONS)
    shares = {}
    for suggestion in advice.suggestions:
        if suggestion.share is None:
            raise AgentError(f"{agent.name} gives no probabilities: name a policy or a search")
        if suggestion.share >= _LEAST:
            shares[suggestion.action] = round(suggestion.share, 4)
    wins = None if advice.wins is None else round(advice.wins, 4)
    return Annotation(by, shares, wins)


def annotated(record: Record, by: str | None = None, seed: int = 0) -> Record:
    """Return a record with agents' notes on its decisions.

    Args:
        record: A whole game, which is not changed. New notes replace existing ones.
        by: The agent to ask about every decision. None: each agent that played is asked about its
            own decisions, if it gives probabilities. Code that a record names is not loaded.
        seed: Random seed of the agents.

    Raises:
        AgentError: The agent does not exist, or cannot evaluate such games.
    """
    names = [agent.name if by is None else by for agent in record.header.agents]
    asked = _policies_of(names) if by is None else {by: registry.make(by)}
    if not asked:
        raise AgentError(
            f"no player of this game gives probabilities: {', '.join(names)}; name an agent to ask"
        )
    rng = np.random.default_rng(seed)
    moves = []
    for move, game in zip(record.moves, record.games(), strict=False):
        name = names[move.seat]
        if name in asked:
            note = note_of(asked[name], game, rng, "" if by is None else name)
            known = move.note.seconds if by is None and move.note is not None else None
            move = replace(move, note=replace(note, seconds=known))
        moves.append(move)
    return Record(record.header, moves, record.result)


def _policies_of(names: list[str]) -> dict[str, Agent]:
    """Return the agents that give probabilities, without others and names such as "human"."""
    kinds = {name.partition(":")[0] for name in registry.names()}
    known = [name for name in names if name.partition(":")[0] in kinds]
    made = {name: registry.make(name) for name in known if not registry.is_code(name)}
    return {name: agent for name, agent in made.items() if agent.gives_probabilities}
