"""The command `impulse agents weaknesses`."""

from dataclasses import asdict
from typing import Any

from impulse_agents.checkpoints import path_of
from impulse_env.files import check_output
from impulse_env.options import check_least
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import WeaknessesArgs as Args
from impulse_training.run.terminal.command_line import command
from impulse_training.run.terminal.interrupt import resumable

COMMAND = Command(
    examples=("impulse agents weaknesses 2p --opponent warrior",),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Find, print and save the weaknesses for the model card."""
    from impulse_training.evaluation.results import name_of
    from impulse_training.evaluation.weaknesses import find
    from impulse_training.evaluation.weaknesses_report import default_folder
    from impulse_training.report.printing import print_table
    from impulse_training.run.terminal.screen import Screen

    check_least(args, 1, "games", "workers")
    check_least(args, 0, "seed")
    path_of(args.checkpoint)
    folder = args.out or default_folder(args.checkpoint)
    check_output("--out", folder, is_folder=True)
    console = Screen()
    with resumable(folder):
        weaknesses = find(args, folder, console, command())
    weaknesses.write(folder)
    print_table(console, weaknesses.table())
    for number, example in enumerate(weaknesses.examples, 1):
        console.print(f"{number}. {example.sentence()}")
    console.print(
        f"weaknesses.json and the pictures are in {folder}; `impulse agents model-card "
        f"{args.checkpoint}` adds them to the card of {name_of(args.checkpoint)}"
    )
    return {**asdict(weaknesses), "folder": str(folder)}
