"""An agent's advice on a decision: its likeliest actions, with its figures.

A trained network gives probabilities, a search gives visits and chances to win, and every other
agent names one action, see `Agent.advise`. All of them see only what the deciding seat may know.
"""

import numpy as np

from impulse_agents.asking.ask import ask
from impulse_agents.base import Advice, Agent, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env.game import Game


def advise(agent: Agent, game: Game, rng: np.random.Generator, count: int = 3) -> Advice:
    """Ask an agent about the decision of a running game.

    Args:
        agent: Any agent.
        game: The game, or the deciding seat's view; only the view is used.
        rng: Random generator for the agent.
        count: Largest number of suggestions.

    Raises:
        AgentError: The game is over, or the agent does not play such games, or fails.
    """
    seen, streams = ObservationBatch.from_game(game), RngStreams.from_generator(rng, 1)
    return ask(agent, lambda: agent.advise(seen, streams, count))
