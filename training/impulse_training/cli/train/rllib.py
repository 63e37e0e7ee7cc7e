"""The command `impulse train rllib`."""

import logging
import warnings
from typing import Any

from impulse_agents.checkpoints import typed
from impulse_training.cli.framework.command import Command
from impulse_training.rllib.rllib_options import Args

COMMAND = Command(
    examples=(
        "impulse train rllib --minutes 2",
        "impulse train rllib --address auto --env-runners 64 --timesteps 50000000",
    ),
    has_json=True,
    extra="ray",
)


def main(args: Args) -> dict[str, Any]:
    """Train and print the agent's name."""
    from impulse_training.rllib.train import train

    warnings.simplefilter("ignore")  # RLlib's deprecations
    for name in ("ray", "ray.rllib"):
        logging.getLogger(name).setLevel(logging.ERROR)
    trained = train(args.with_default_budget())
    if trained.restarts:
        print(f"restarted processes after a failure: {trained.restarts}")
    print(
        f"{trained.steps:,} steps, {trained.seconds:.0f} s; the agent is "
        f"policy:{typed(trained.folder)}; continue with --resume {trained.folder}/checkpoint"
    )
    return {**trained.summary(), "restarts": trained.restarts}
