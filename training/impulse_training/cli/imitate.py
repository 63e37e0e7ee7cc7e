"""The command `impulse train imitate`."""

from impulse_agents.checkpoints import typed
from impulse_training.imitation.behavior_cloning import imitate
from impulse_training.imitation.imitation_options import Args
from impulse_training.run.screen import Screen


def main(args: Args) -> dict[str, str]:
    """Imitate and say where the result is."""
    checkpoint = imitate(args, Screen())
    print(f"the agent is policy:{typed(args.out)}")
    return {"checkpoint": str(checkpoint)}
