"""The command `impulse games complexity`."""

from dataclasses import asdict, dataclass
from typing import Any

from impulse_env.options import check_least
from impulse_training.bench.complexity import measure
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse games complexity",
        "impulse games complexity --agent policy:2p --players 2",
    ),
    has_json=True,
    extra="tournament",
)


@dataclass(frozen=True)
class Args:
    """Measure the game's complexity: length, choices, hidden cards and chance."""

    players: tuple[int, ...] = (2, 3, 4, 5, 6)
    """Numbers of players, each from 2 to 6; one column each."""
    agent: str = "greedy"
    """Agent on every seat."""
    games: int = 200
    """Games for each number of players."""
    seed: int = 1
    """Random seed for the deals and the agent."""


def main(args: Args) -> dict[str, Any]:
    """Play the games, measure and print."""
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 1, "games")
    check_least(args, 0, "seed")
    table = measure(args.agent, args.players, args.games, args.seed)
    print_table(Screen(), table)
    return asdict(table)
