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
    """Find out by games how much of the luck that a judge sees to take out of results.

    `impulse match --adjust` and `impulse tournament --adjust` use what was found. Results are right
    on average with any factors that were there before the games; with fitted ones fewer games are
    enough.
    """

    judge: str
    """Who sees the luck: rules, or a calibrated agent, a shipped name such as 2p or a path. Its
    checkpoint is written anew."""
    players: int | None = None
    """With rules: players of a game, two if not given."""
    team_size: int | None = None
    """With rules: players per team."""
    games: int = 4000
    """How many, each of a deal of its own; half of them are fitted to."""
    seed: int = 0
    """Of the deals and the agents."""
    agents: tuple[str, ...] = RULE_BASED
    """Who plays, drawn for each side, beside the judge itself if that plays."""


def main(args: Args) -> dict[str, Any]:
    """Fit, write the factors down, and print them.

    Raises:
        AgentError: There is no such agent, or it is not calibrated.
    """
    from impulse_training.evaluation.calibration.fit_luck import factors_of, fit_judge, table
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 20, "games")
    check_least(args, 0, "seed")
    console = Screen()
    found, path, name = fit_judge(
        args.judge, args.agents, args.games, args.seed, args.players, args.team_size
    )
    print_table(console, table(found, name))
    console.print(f"{path} says from now on what is taken out")
    return {"path": str(path), "worth": found.worth, **factors_of(found)}
