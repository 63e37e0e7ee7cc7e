"""The command `impulse agents fit-luck`."""

from dataclasses import dataclass
from typing import Any

from impulse_agents.registry import RULE_BASED
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=("impulse agents fit-luck rules --players 3", "impulse agents fit-luck 2p"),
    has_json=True,
    extra="train",
)


@dataclass(frozen=True)
class Args:
    """Fit the weights of the luck adjustment (AIVAT) from games.

    `impulse match --adjust` and `impulse tournament --adjust` use these weights. Any weights that
    were fixed before the games give unbiased results; fitted weights need fewer games.
    """

    judge: str
    """Judge of the luck: rules, or a calibrated agent by shipped name such as 2p or by path. The
    command rewrites the agent's checkpoint."""
    players: int | None = None
    """With rules: players of a game, 2 by default."""
    team_size: int | None = None
    """With rules: players per team."""
    games: int = 4000
    """Number of games, each with a different deal; half of them are for the fit."""
    seed: int = 0
    """Random seed for deals and agents."""
    agents: tuple[str, ...] = RULE_BASED
    """Agents to sample from for each side, in addition to the judge if it plays."""


def main(args: Args) -> dict[str, Any]:
    """Fit, save and print the weights.

    Raises:
        AgentError: An agent does not exist, or the judge is not calibrated.
    """
    from impulse_training.evaluation.calibration.fit_luck import factors_of, fit_judge, table
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 20, "games")
    check_least(args, 0, "seed")
    console = Screen()
    fitted, path, name = fit_judge(
        args.judge, args.agents, args.games, args.seed, args.players, args.team_size
    )
    print_table(console, table(fitted, name))
    console.print(f"saved the luck adjustment in {path}")
    return {"path": str(path), "worth": fitted.worth, **factors_of(fitted)}
