"""A search's lines at one decision: `impulse games analyse ismcts:1000 --seed 3 --decision 40`.

An agent plays a game up to a decision. Then the command prints the decision, and the search's most
visited lines with visits and the chance to win.
"""

from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import ObservationBatch
from impulse_agents.explanation import Variation
from impulse_agents.rng import RngStreams
from impulse_env.game import Game
from impulse_env.options import check_least, check_range


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


@dataclass(frozen=True)
class Args:
    """Let a search look at a decision of a game, and print what it found."""

    agent: str
    """Who searches, such as ismcts:1000 or policy+search:2p:300."""
    players: int = 2
    """Players of the game, 2 to 6."""
    seed: int = 0
    """Of the game and the search."""
    decision: int = 40
    """Which decision of the game."""
    played_by: str = "greedy"
    """Who plays up to there."""
    lines: int = 5
    """How many lines."""
    depth: int = 6
    """Actions of a line."""


def main(args: Args) -> dict[str, Any]:
    """Print the analysis.

    Raises:
        AgentError: There is no such agent, or it does not search.
        OptionError: There is no such game or decision, or a number is too small.
    """
    check_least(args, 0, "seed")
    check_least(args, 1, "lines", "depth")
    game, player = Game(args.players, args.seed), registry.make(args.played_by)
    rng = np.random.default_rng(args.seed)
    taken = 0
    while game.seat is not None and taken != args.decision:
        game.step(ask_in_game(player, game, rng))
        taken += 1
    if game.seat is None:
        check_range("decision", args.decision, taken - 1, f"the game has {taken} decisions")
    began = perf_counter()
    found = analyse(game, args.agent, args.seed, args.lines, args.depth)
    seconds = perf_counter() - began
    print(f"Turn {game.turn}, points {'-'.join(map(str, game.scores))}, seat {game.seat} decides")
    print(f"{game.decision.prompt}\n")
    print(" visits share  result     line")
    for line in found:
        print(line)
        print(f"{'':27}{game.describe(line.actions[0])}")
    print(f"\n{args.agent}, {seconds:.2f} s with the loading of compiled code")
    return {
        "turn": game.turn,
        "scores": game.scores,
        "seat": game.seat,
        "prompt": game.decision.prompt,
        "lines": [asdict(line) for line in found],
    }
