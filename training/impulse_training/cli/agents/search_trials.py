"""The command `impulse agents search-trials`."""

from dataclasses import asdict
from typing import Any

from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import SearchTrialsArgs as Args

COMMAND = Command(
    examples=(
        "impulse agents search-trials exploration=0.5 exploration=2 --equal simulations",
        "impulse agents search-trials value_weight=1 --agent policy+search:2p:300",
        "impulse agents search-trials policy+search:2p:300 --agent ismcts:1000",
    ),
    has_json=True,
    extra="tournament",
)


def main(args: Args) -> dict[str, Any]:
    """Run the trials and print the table."""
    from impulse_training.evaluation.search_trials import check, table
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    console = Screen()
    check(args)
    result = table(args, console)
    print_table(console, result)
    return asdict(result)
