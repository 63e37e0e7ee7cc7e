"""The command `impulse evaluate`."""

from dataclasses import asdict
from typing import Any

from impulse_env.files import check_output
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import EvaluateArgs as Args
from impulse_training.run.terminal.command_line import command
from impulse_training.run.terminal.interrupt import resumable

COMMAND = Command(
    examples=("impulse evaluate 2p --games 2000", "impulse evaluate runs/demo"),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Play the missing games and print the results; return ``results.json``."""
    from impulse_training.evaluation.evaluate import evaluate
    from impulse_training.evaluation.results import default_folder
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    folder = args.out or default_folder(args.checkpoint)
    check_output("--out", folder, is_folder=True)
    console = Screen()
    with resumable(folder):
        evaluation = evaluate(args, folder, console, command())
    print_table(console, evaluation.table())
    console.print(f"{folder} has results.md, results.json and a folder for each match")
    console.print("show the games of a match: impulse tournament report FOLDER --replays notable")
    return {**asdict(evaluation), "folder": str(folder)}
