"""The snapshots of a run's policy on disk, whose number is limited."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impulse_agents.checkpoints import SUFFIX

FOLDER: Final = "snapshots"
"""The subfolder's name in the folder of a run."""


def snapshot_path(run: Path, steps: int) -> Path:
    """Return the file of the policy after a number of steps."""
    return run / FOLDER / f"{steps:012d}{SUFFIX}"


def snapshots_of(run: Path) -> list[Path]:
    """Return the snapshots of a run, oldest first, without other files of the folder."""
    paths = (run / FOLDER).glob(f"*{SUFFIX}")
    return sorted((path for path in paths if path.stem.isdigit()), key=_steps)


def thin_out(run: Path, most: int) -> None:
    """Remove snapshots until at most `most` remain, spread over the run.

    The latest stays; if `most` is 2 or more, the first stays, too. Each removal leaves the smallest
    possible gap.
    """
    remaining = snapshots_of(run)
    while len(remaining) > max(most, 0):
        superfluous = remaining[_nearest([_steps(path) for path in remaining]) if most > 1 else 0]
        superfluous.unlink(missing_ok=True)
        remaining.remove(superfluous)


def _nearest(steps: Sequence[int]) -> int:
    """Return the inner index whose two neighbours are closest to each other."""
    return min(range(1, len(steps) - 1), key=lambda i: steps[i + 1] - steps[i - 1])


def _steps(path: Path) -> int:
    return int(path.stem)
