"""The learning curve: what evaluations found, as a file."""

import csv
from collections.abc import Sequence
from pathlib import Path

Point = dict[str, float]
"""A point of the curve: a row of ``curve.csv``; training/README.md says what is in it."""


def write(path: Path, curve: Sequence[Point]) -> None:
    """Write the points, which have the same keys, as CSV; there must be one."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(curve[0]), restval="")
        writer.writeheader()
        for point in curve:
            writer.writerow({name: round(value, 4) for name, value in point.items()})
