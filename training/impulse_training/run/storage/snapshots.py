"""The policies of a training on the way, as files, of which only so many are kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impulse_agents.checkpoints import SUFFIX

FOLDER: Final = "snapshots"
"""The folder's name in that of a training."""


def snapshot_path(run: Path, steps: int) -> Path:
    """Return where the policy after so many steps is kept."""
    return run / FOLDER / f"{steps:012d}{SUFFIX}"


def snapshots_of(run: Path) -> list[Path]:
    """Return the snapshots of a training, the oldest first; other files there do not count."""
    found = (run / FOLDER).glob(f"*{SUFFIX}")
    return sorted((path for path in found if path.stem.isdigit()), key=_steps)


def thin_out(run: Path, most: int) -> None:
    """Remove snapshots until there are no more than `most`, so that the rest stay spread.

    The latest stays, and with two or more the first, too. Of the others, the one goes first that
    leaves the smallest gap.
    """
    left = snapshots_of(run)
    while len(left) > max(most, 0):
        superfluous = left[_nearest([_steps(path) for path in left]) if most > 1 else 0]
        superfluous.unlink(missing_ok=True)
        left.remove(superfluous)


def _nearest(steps: Sequence[int]) -> int:
    """Return the index, neither first nor last, whose neighbours are nearest to one another."""
    return min(range(1, len(steps) - 1), key=lambda i: steps[i + 1] - steps[i - 1])


def _steps(path: Path) -> int:
    return int(path.stem)
