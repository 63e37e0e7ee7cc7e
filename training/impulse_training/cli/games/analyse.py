"""The command `impulse games analyse`: a decision as a search sees it.

Plays a game between two agents to a decision, prints what is to be decided there, and the lines
that the search looked at most, with visits and the chance to win.
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
