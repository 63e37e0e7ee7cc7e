"""The command `impulse train sb3`."""

from typing import Any

from impulse_agents.checkpoints import typed
from impulse_training.cli.framework.command import Command
from impulse_training.sb3.sb3_options import Args

COMMAND = Command(
    examples=(
        "impulse train sb3 --minutes 10",
        "impulse train sb3 --players 4 --opponents greedy warrior core_rush --minutes 60",
    ),
    has_json=True,
    extra="train",
)


def main(args: Args) -> dict[str, Any]:
    """Train and print the agent's name."""
    from impulse_training.sb3.train import train

    trained = train(args.with_default_budget())
    wins = {
        name.removeprefix("win/"): rate
        for name, rate in trained.curve[-1].items()
        if name.startswith("win/")
    }
    print("wins against " + ", ".join(f"{name} {rate:.0%}" for name, rate in wins.items()))
    print(
        f"{trained.steps:,} steps in {trained.seconds:.0f} s; "
        f"the agent is policy:{typed(trained.folder)}"
    )
    return trained.summary()
