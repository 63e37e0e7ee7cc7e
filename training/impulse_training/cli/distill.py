"""The command `impulse train distill`."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_training.imitation.distillation import distill
from impulse_training.imitation.imitation_options import DistillArgs


def main(args: DistillArgs) -> dict[str, Any]:
    """Distill and say where the result is."""
    made = distill(args)
    name = f"policy:{typed(made.folder)}"
    print(f"{made.steps:,} decisions in {made.seconds:.0f} s; the agent is {name}")
    return made.summary()
