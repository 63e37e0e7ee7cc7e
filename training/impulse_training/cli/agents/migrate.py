"""The command `impulse agents migrate`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from impulse_agents.checkpoints import path_of
from impulse_env.files import check_output
from impulse_training.cli.framework.command import Command

COMMAND = Command(
    examples=(
        "impulse agents migrate runs/old/policy.safetensors --out new.safetensors",
        "impulse agents migrate old.safetensors --removed gems=count:20",
    ),
    has_json=True,
    extra="train",
)


@dataclass(frozen=True)
class Args:
    """Adapt a trained agent to a changed observation.

    Sections of the observation match by name, at any position. Weights for a new section are 0, so
    the agent plays as before. Weights for a removed section are dropped.
    """

    checkpoint: str
    """Path of the trained agent's checkpoint."""
    removed: tuple[str, ...] = ()
    """Old layout of sections that were removed or changed their length, as NAME=KIND:HIGH. KIND is
    count, flag, card, place, … or faces (a count of each face); HIGH is the largest value. Example:
    gems=count:20."""
    out: Path = Path("runs/migrated.safetensors")
    """File to write."""


def main(args: Args) -> dict[str, Any]:
    """Migrate and save the agent, and print the path."""
    from impulse_training.run.migrate import migrate_file, removed_sections
    from impulse_training.run.terminal.screen import Screen

    removed = removed_sections(args.removed)
    check_output("--out", args.out)
    migrate_file(path_of(args.checkpoint), removed, args.out)
    Screen().print(f"saved the migrated agent in {args.out}")
    return {"path": str(args.out)}
