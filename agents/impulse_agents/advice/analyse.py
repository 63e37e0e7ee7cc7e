"""A decision as a search sees it: the lines that it looked at most."""

from impulse_agents import registry
from impulse_agents.base import ObservationBatch
from impulse_agents.explanation import Variation
from impulse_agents.rng import RngStreams
from impulse_env.game import Game


def analyse(
    game: Game, name: str, seed: int = 0, lines: int = 5, depth: int = 6
) -> list[Variation]:
    """Search for the seat that decides in a running game, and return the top lines.

    Args:
        game: The game; the search sees what that seat may know.
        name: An agent that searches, such as ``ismcts:1000`` or ``policy+search:PATH:300``.
        seed: Of the search.
        lines: How many lines at most.
        depth: How many actions of each at most.

    Raises:
        AgentError: There is no such agent, it does not search, or the game is over.
    """
    seen, streams = ObservationBatch.from_game(game), RngStreams.from_seeds([seed])
    return registry.make(name).variations(seen, streams, lines, depth)
