"""The learning curve: the results of evaluations, as a file and as a picture."""

import csv
from collections.abc import Sequence
from io import StringIO
from math import isnan, nan
from pathlib import Path
from typing import TYPE_CHECKING, Final

from impulse_env.errors import ImpulseError
from impulse_env.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Point = dict[str, float]
"""A point of the curve: a row of ``curve.csv``; training/README.md describes the columns."""
_ALWAYS: Final = ("steps", "seconds")
"""Columns of every point."""
_WIN, _LOW, _HIGH = "win/", "low/", "high/"
"""Column prefixes of win rates and of the ends of their 95 % intervals."""


class CurveError(ImpulseError, ValueError):
    """A file is not a learning curve; the message says why."""


def write(path: Path, curve: Sequence[Point]) -> None:
    """Write the points as CSV; `curve` must not be empty.

    Missing values stay empty: a resumed run may have other evaluation opponents.
    """
    lines = StringIO(newline="")
    writer = csv.DictWriter(lines, _columns(curve), restval="")
    writer.writeheader()
    for point in curve:
        known = {name: value for name, value in point.items() if not isnan(value)}
        writer.writerow({name: round(value, 4) for name, value in known.items()})
    write_atomically(path, lines.getvalue())


def _columns(curve: Sequence[Point]) -> list[str]:
    """Return the columns of all points; each follows the column that preceded it first."""
    columns: list[str] = []
    for point in curve:
        place = 0
        for name in point:
            if name in columns:
                place = columns.index(name) + 1
            else:
                columns.insert(place, name)
                place += 1
    return columns


def read(path: Path) -> list[Point]:
    """Return the points that `write` saved, with NaN for missing values; raises `CurveError`."""
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        points = [
            {name: float(value) if value else nan for name, value in row.items()} for row in rows
        ]
        if not points or any(isnan(point.get(name, nan)) for point in points for name in _ALWAYS):
            raise ValueError("it has no points with steps and seconds")
    except (OSError, TypeError, ValueError) as error:
        raise CurveError(f"{path} is not a learning curve: {error}") from error
    return points


def joined(curves: Sequence[Sequence[Point]]) -> list[Point]:
    """Return the concatenated curves of stages.

    Each stage counts its steps and seconds from 0; here they continue from the previous stage.
    """
    points: list[Point] = []
    for curve in curves:
        before = {name: points[-1][name] if points else 0.0 for name in _ALWAYS}
        points += [
            {name: value + before.get(name, 0.0) for name, value in point.items()}
            for point in curve
        ]
    return points


def draw(path: Path, curve: Sequence[Point], title: str) -> None:
    """Draw the win rate against each opponent, over the decisions of the learner.

    A band shows the 95 % intervals where the points have them.

    Args:
        path: File of the picture; its suffix selects the format.
        curve: The points, at least one.
        title: The title; the training time is appended.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    draw_on(axes, curve, title)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def draw_on(axes: "Axes", curve: Sequence[Point], title: str) -> None:
    """Draw the curve on existing axes; see `draw`."""
    most = max(point["steps"] for point in curve)
    unit, word = (1e6, "million") if most >= 2e6 else (1e3, "thousand")
    steps = [point["steps"] / unit for point in curve]
    columns = _columns(curve)
    names = [n.removeprefix(_WIN) for n in columns if n.startswith(_WIN) and n != "win/past"]
    for name, marker in zip(names, "osD^vP*X" * len(names), strict=False):
        rates, low, high = (
            [100 * point.get(what + name, nan) for point in curve] for what in (_WIN, _LOW, _HIGH)
        )
        (line,) = axes.plot(steps, rates, marker=marker, markersize=3, linewidth=1, label=name)
        axes.fill_between(steps, low, high, color=line.get_color(), alpha=0.15, linewidth=0)
    minutes = curve[-1]["seconds"] / 60
    took = f"{minutes / 60:.1f} hours" if minutes >= 100 else f"{minutes:.1f} minutes"
    axes.set(
        xlabel=f"{word} decisions of the learner",
        ylabel="games won against …, %",
        ylim=(0, 100),
        title=f"{title}, {took}",
    )
    axes.grid(alpha=0.3)
    axes.legend(ncols=2 if len(names) > 4 else 1)
