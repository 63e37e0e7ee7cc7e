"""The command `impulse train ablation`."""

from functools import partial
from typing import Any

from impulse_training.cli.framework.command import Command
from impulse_training.evaluation.evaluation_options import AblationArgs as Args

COMMAND = Command(
    examples=("impulse train ablation --arms learn_share=1 learn_share=0.25 --response 1000000",),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Train with the settings, and print and save the table."""
    from impulse_training.evaluation.ablation import table
    from impulse_training.report.printing import print_and_keep

    return print_and_keep(partial(table, args), args.out / "ablation.md")
