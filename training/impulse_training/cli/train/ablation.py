"""The command `impulse train ablation`."""

from dataclasses import asdict
from typing import Any

from impulse_env.files import check_output
from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import AblationArgs as Args

COMMAND = Command(
    examples=("impulse train ablation --timesteps 1000000",),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Train, print, and write the table beside the trainings."""
    from impulse_training.evaluation.ablation import table
    from impulse_training.report.printing import print_and_keep
    from impulse_training.run.terminal.screen import Screen

    check_output("--out", args.out, is_folder=True)
    console = Screen()
    found = table(args, console)
    print_and_keep(console, found, args.out / "ablation.md")
    return asdict(found)
