"""The command `impulse train fit-evaluation`.

It prints the coefficients of the evaluation function, and how well they foretell the winner of
games that were not fitted.
"""

from dataclasses import dataclass
from math import log
from typing import Any

from impulse_env.options import check_least, check_once
from impulse_training.cli.framework.command import Command
from impulse_training.run.common_options import ConfigError

COMMAND = Command(
    examples=("impulse train fit-evaluation --games 4000",), has_json=True, extra="tournament"
)


@dataclass(frozen=True)
class Args:
    """Fit what the rule-based agents and the search think of a position."""

    games: int = 4000
    """Games for each number of players."""
    players: tuple[int, ...] = (2, 3, 4)
    """Numbers of players."""
    agents: tuple[str, ...] = (
        "core_rush",
        "warrior",
        "miner",
        "trader",
        "greedy",
    )
    """Who plays, drawn for each seat."""
    ridge: float = 1e-4
    """Weight of the squared coefficients."""
    seed: int = 0
    """Of the games."""


def main(args: Args) -> dict[str, Any]:
    """Fit and print; return the coefficients, and the log-likelihoods for games not fitted."""
    from impulse_training.evaluation.calibration.fit_evaluation import fit, sample

    check_once(args, "players")
    check_least(args, 10, "games")  # half of them are not fitted
    check_least(args, 0, "seed", "ridge")
    if not (args.players and args.agents):
        raise ConfigError("a fit takes one number of players and one agent, or more")
    data = [sample(args.agents, players, args.games, args.seed) for players in args.players]
    found = fit(data, args.ridge)
    for players, turns, fitted, present in found.likelihoods:
        print(
            f"{players} players, {turns:,} turns: log-likelihood of the winner {fitted:.4f}, with "
            f"the present coefficients {present:.4f}, knowing nothing {-log(players):.4f}"
        )
    for name, value in found.coefficients.items():
        print(f"    {value:.3f},  # {name}")
    return {
        "coefficients": found.coefficients,
        "log_likelihoods": [
            {"players": one.players, "fitted": one.fitted, "present": one.present}
            for one in found.likelihoods
        ],
    }
