"""The command `impulse games analyse`: the lines that a search considers at a decision.

It plays a game up to a decision, and prints that decision and the most visited lines of the search,
each with its visits and its win probability.
"""

from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

import numpy as np

from impulse_agents import registry
from impulse_agents.advice.analyse import analyse
from impulse_agents.asking.ask import ask_in_game
from impulse_env.game import Game
from impulse_env.options import check_least, check_range
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=("impulse games analyse ismcts:1000 --seed 3 --decision 60",), has_json=True
)


@dataclass(frozen=True)
class Args:
    """Search from a decision of a game, and print the most visited lines."""

    agent: str
    """Searching agent, such as ismcts:1000 or policy+search:2p:300."""
    players: int = 2
    """Players of the game, 2 to 6."""
    seed: int = 0
    """Random seed for the game and the search."""
    decision: int = 40
    """Index of the decision in the game, from 0."""
    played_by: str = "greedy"
    """Agent that plays the game up to that decision."""
    lines: int = 5
    """Number of lines to print."""
    depth: int = 6
    """Actions per line."""


def main(args: Args) -> dict[str, Any]:
    """Print the analysis.

    Raises:
        AgentError: An agent does not exist, or does not search.
        OptionError: The game or the decision does not exist, or a number is too small.
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
    lines = analyse(game, args.agent, args.seed, args.lines, args.depth)
    seconds = perf_counter() - began
    print(f"Turn {game.turn}, points {'-'.join(map(str, game.scores))}, seat {game.seat} decides")
    print(f"{game.decision.prompt}\n")
    print(" visits share  result     line")
    for line in lines:
        print(line)
        print(f"{'':27}{game.describe(line.actions[0])}")
    print(f"\n{args.agent}, {seconds:.2f} s including the loading of compiled code")
    return {
        "turn": game.turn,
        "scores": game.scores,
        "seat": game.seat,
        "prompt": game.decision.prompt,
        "lines": [asdict(line) for line in lines],
    }
