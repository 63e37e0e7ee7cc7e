"""A decision as a search sees it: `python -m impulse_agents.advice.analyse ismcts:1000 --seed 3 --decision 40`.

Plays a game between two agents to a decision, prints what is to be decided there, and the lines
that the search looked at most, with visits and the chance to win.
"""

import argparse
import sys
from time import perf_counter

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.advice import searched
from impulse_agents.base import AgentError, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_agents.search.variations import Variation, principal_variations
from impulse_env.game import Game
from impulse_env.options import OptionError


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
    agent, seen, streams = (
        registry.make(name),
        ObservationBatch.from_game(game),
        RngStreams.from_seeds([seed]),
    )
    forest = searched(agent, seen, streams)
    if forest is None:
        raise AgentError(f"{name} does not search; use ismcts:BUDGET or policy+search:PATH:BUDGET")
    return principal_variations(forest, lines, depth)


def main() -> int:
    """Print the analysis; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m impulse_agents.advice.analyse", description=__doc__
    )
    parser.add_argument("agent", help="who searches, such as ismcts:1000")
    parser.add_argument("--players", type=int, default=2, help="2 to 6")
    parser.add_argument("--seed", type=int, default=0, help="of the game and the search")
    parser.add_argument("--decision", type=int, default=40, help="which decision of the game")
    parser.add_argument("--played-by", default="greedy", help="who plays up to there")
    parser.add_argument("--lines", type=int, default=5, help="how many lines")
    parser.add_argument("--depth", type=int, default=6, help="actions of a line")
    args = parser.parse_args()
    try:
        game, player = Game(args.players, args.seed), registry.make(args.played_by)
        rng = np.random.default_rng(args.seed)
        for _ in range(args.decision):
            if game.seat is not None:
                game.step(player.act_in_game(game, rng))
        began = perf_counter()
        found = analyse(game, args.agent, args.seed, args.lines, args.depth)
    except (AgentError, OptionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    seconds = perf_counter() - began
    print(f"Turn {game.turn}, points {'-'.join(map(str, game.scores))}, seat {game.seat} decides")
    print(f"{game.decision.prompt}\n")
    print(" visits share  result     line")
    for line in found:
        print(line)
        print(f"{'':27}{game.describe(line.actions[0])}")
    print(f"\n{args.agent}, {seconds:.2f} s with the loading of compiled code")
    return 0


if __name__ == "__main__":
    sys.exit(main())
