"""A search's most visited lines at a decision."""

from impulse_agents import registry
from impulse_agents.base import ObservationBatch, Variation
from impulse_agents.rng import RngStreams
from impulse_env.game import Game


def analyse(
    game: Game, name: str, seed: int = 0, lines: int = 5, depth: int = 6
) -> list[Variation]:
    """Search for the deciding seat of a running game, and return the top lines.

    Args:
        game: The game; the search sees only what that seat may know.
        name: An agent that searches, such as ``ismcts:1000`` or ``policy+search:PATH:300``.
        seed: Random seed of the search.
        lines: Largest number of lines.
        depth: Largest number of actions in a line.

    Raises:
        AgentError: The agent does not exist, does not search, or the game is over.
    """
    seen, streams = ObservationBatch.from_game(game), RngStreams.from_seeds([seed])
    return registry.make(name).variations(seen, streams, lines, depth)
