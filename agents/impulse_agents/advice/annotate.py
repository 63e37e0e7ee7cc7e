"""What agents think of the decisions of a record.

Each is shown what the seat that decided knew, and no more.
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
    """Return what an agent thinks of the decision of a running game.

    Args:
        agent: A policy, or an agent that searches: its shares of the simulations then stand for
            probabilities.
        game: The game; the agent is shown what the seat that decides may know.
        rng: Chance for the agent.
        by: Its name, empty if it sits on the seat.

    Raises:
        AgentError: The agent does not say, or does not play such games.
    """
    advice = advise(agent, game, rng, N_ACTIONS)
    shares = {}
    for suggestion in advice.suggestions:
        if suggestion.share is None:
            raise AgentError(f"{agent.name} gives no probabilities: it is no policy or search")
        if suggestion.share >= _LEAST:
            shares[suggestion.action] = round(suggestion.share, 4)
    wins = None if advice.wins is None else round(advice.wins, 4)
    return Annotation(by, shares, wins)


def annotated(record: Record, by: str | None = None, seed: int = 0) -> Record:
    """Return the record with what agents think of its decisions.

    Args:
        record: A whole game; not changed. What it says already stays unless it is said anew.
        by: An agent to be asked about every decision; None: those that played about their own, if
            they give probabilities. Code that a record names is not loaded.
        seed: Of the agents' chance.

    Raises:
        AgentError: There is no such agent, or it has nothing to say of these games.
    """
    names = [agent.name if by is None else by for agent in record.header.agents]
    asked = _policies_of(names) if by is None else {by: registry.make(by)}
    if not asked:
        raise AgentError(f"nobody here gives probabilities: {', '.join(names)}; say by whom")
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
    """Return those agents that give probabilities; others, such as "human", are passed over."""
    known = {name.partition(":")[0] for name in registry.names()}
    made = {name: registry.make(name) for name in names if name.partition(":")[0] in known}
    return {name: agent for name, agent in made.items() if agent.gives_probabilities}
