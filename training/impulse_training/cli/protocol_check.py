"""The command `impulse protocol-check`: whether a bot in any language obeys the protocol."""

from dataclasses import asdict, dataclass
from typing import Any

from impulse_agents.serving.conformance import checks
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse protocol-check ./my_bot",
        'impulse protocol-check "python3 my_bot.py --fast" --games 20',
    ),
    has_json=True,
)


@dataclass(frozen=True)
class Args:
    """Check whether a bot in any language obeys the protocol; it needs no other opponent."""

    command: str
    """Command that starts the bot, in quotes if it has arguments."""
    games: int = 1
    """Games to play for each kind of table."""


def main(args: Args) -> dict[str, Any]:
    """Run the checks and print them; the exit code is 1 if one fails.

    Raises:
        AgentError: There is no such program.
        OptionError: The number of games is too small.
    """
    check_least(args, 1, "games")
    results = []
    for check in checks(args.command, args.games):
        word = "ok" if check.passed else "FAILED" if check.is_needed else "no"
        print(f"{word:<7} {check.name}{': ' * bool(check.detail)}{check.detail}", flush=True)
        results.append(check)
    passed = all(check.passed for check in results if check.is_needed)
    print("the bot obeys the protocol" if passed else "the bot does not obey the protocol")
    return {"passed": passed, "checks": [asdict(check) for check in results]}
