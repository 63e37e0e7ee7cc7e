"""The command `impulse bench agents`."""

from dataclasses import asdict
from typing import Any

from impulse_env.options import check_least
from impulse_training.bench.agents import network_times, search_times, speeds
from impulse_training.bench.bench_options import AgentsArgs as Args
from impulse_training.cli.framework.command import Command

COMMAND = Command(examples=("impulse bench agents",), has_json=True, extra="tournament")


def main(args: Args) -> dict[str, Any]:
    """Measure and print."""
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 1, "games", "searches", "simulations", "repeats")
    check_least(args, 0, "seed")
    check_least(args, 0.001, "seconds")
    console = Screen()
    tables = speeds(args), search_times(args), *network_times(args)
    for table in tables:
        print_table(console, table)
    return {
        "speeds": asdict(tables[0]),
        "searches": asdict(tables[1]),
        "networks": [asdict(table) for table in tables[2:]],
    }
