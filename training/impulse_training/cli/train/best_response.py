"""The command `impulse train best-response`."""

from functools import partial
from typing import Any

from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import BestResponseArgs as Args

COMMAND = Command(
    examples=(
        "impulse train best-response 2p warrior --timesteps 2000000",
        "impulse train best-response 3p --players 3 --coalition --warm-start 3p --search 100",
        "impulse train best-response 2p --timesteps 0 --search 100 300",
    ),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Train the best responses, and print and save the table."""
    from impulse_training.evaluation.best_response import table
    from impulse_training.report.printing import print_and_keep

    return print_and_keep(partial(table, args), args.out / "exploit.md")
