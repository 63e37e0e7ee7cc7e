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
    """Carry a trained agent over a change of the observation.

    A section of the observation is known by its name, wherever it stands. What reads a section that
    was added has weights of 0, so the agent plays as it did. One that was removed is forgotten.
    """

    checkpoint: str
    """The trained agent: a path."""
    removed: tuple[str, ...] = ()
    """What sections held that are not there any more, or have another length: NAME=KIND:HIGH with
    the kind in the old layout (count, flag, card, place, …; faces for a count of each face) and the
    largest number, such as gems=count:20."""
    out: Path = Path("runs/migrated.safetensors")
    """File to write."""


def main(args: Args) -> dict[str, Any]:
    """Migrate and save, and say where."""
    from impulse_training.run.migrate import migrate_file, removed_sections
    from impulse_training.run.terminal.screen import Screen

    removed = removed_sections(args.removed)
    check_output("--out", args.out)
    migrate_file(path_of(args.checkpoint), removed, args.out)
    Screen().print(f"{args.out} observes what is observed here")
    return {"path": str(args.out)}
