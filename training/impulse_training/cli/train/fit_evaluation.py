"""The command `impulse train fit-evaluation`.

It prints the coefficients of the evaluation function, and the log-likelihood of the winner on
held-out games.
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
    """Fit the evaluation function of the rule-based agents and the search."""

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
    """Agents to sample from for each seat."""
    ridge: float = 1e-4
    """Weight of the L2 penalty on the coefficients."""
    seed: int = 0
    """Random seed for the games."""


def main(args: Args) -> dict[str, Any]:
    """Fit and print; return the coefficients and the log-likelihoods on held-out games."""
    from impulse_training.evaluation.calibration.fit_evaluation import fit, sample

    check_once(args, "players")
    check_least(args, 10, "games")  # half of them are held out
    check_least(args, 0, "seed", "ridge")
    if not (args.players and args.agents):
        raise ConfigError("a fit needs at least one number of players and one agent")
    data = [sample(args.agents, players, args.games, args.seed) for players in args.players]
    result = fit(data, args.ridge)
    for players, turns, fitted, present in result.likelihoods:
        print(
            f"{players} players, {turns:,} turns: log-likelihood of the winner {fitted:.4f}; "
            f"current coefficients {present:.4f}; uniform guess {-log(players):.4f}"
        )
    for name, value in result.coefficients.items():
        print(f"    {value:.3f},  # {name}")
    return {
        "coefficients": result.coefficients,
        "log_likelihoods": [
            {"players": one.players, "fitted": one.fitted, "present": one.present}
            for one in result.likelihoods
        ],
    }
