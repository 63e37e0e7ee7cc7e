"""What an agent thinks of a decision: its likeliest actions, with what it knows to say of them.

A trained network gives probabilities, a search gives visits and chances to win, and of every other
agent there is what it would do, see `Agent.advise`. All of them see what the seat that decides may
know.
"""

import numpy as np

from impulse_agents.asking.ask import ask
from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.explanation import Advice
from impulse_agents.rng import RngStreams
from impulse_env.game import Game


def advise(agent: Agent, game: Game, rng: np.random.Generator, count: int = 3) -> Advice:
    """Ask an agent about the decision of a running game.

    Args:
        agent: Any agent.
        game: The game, or the view of the seat that decides: no more is looked at.
        rng: Chance for the agent.
        count: How many suggestions at most.

    Raises:
        AgentError: The game is over, or the agent does not play such games, or fails.
    """
    seen, streams = ObservationBatch.from_game(game), RngStreams.from_generator(rng, 1)
    return ask(agent, lambda: agent.advise(seen, streams, count))
