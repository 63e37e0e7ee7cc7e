"""The command `impulse train imitate`."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_training.cli.framework.command import Command
from impulse_training.imitation.imitation_options import Args

COMMAND = Command(
    examples=("impulse train imitate --teacher ismcts:300 --decisions 500000",),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Train the imitation and print the agent's name."""
    from impulse_training.imitation.behavior_cloning import imitate
    from impulse_training.run.terminal.screen import Screen

    checkpoint = imitate(args, Screen())
    print(f"the agent is policy:{typed(args.out)}")
    return {"checkpoint": str(checkpoint)}
