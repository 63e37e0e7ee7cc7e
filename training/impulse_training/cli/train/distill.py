"""The command `impulse train distill`."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_training.cli.framework.command import Command
from impulse_training.imitation.imitation_options import DistillArgs as Args

COMMAND = Command(
    examples=("impulse train distill --teacher 5p --bfloat16",), has_json=True, extra="train"
)


def main(args: Args) -> dict[str, Any]:
    """Distill the teacher and print the agent's name."""
    from impulse_training.imitation.distillation import distill

    made = distill(args)
    name = f"policy:{typed(made.folder)}"
    print(f"{made.steps:,} decisions in {made.seconds:.0f} s; the agent is {name}")
    return made.summary()
