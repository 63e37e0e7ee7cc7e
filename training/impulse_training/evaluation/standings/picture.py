"""Plots strength against milliseconds per decision, with a panel for each kind of table."""

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any, Final

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, NullFormatter

from impulse_agents.standings import Standing
from impulse_env.files import write_atomically
from impulse_training.evaluation.standings.protocol import TABLES, trained_for
from impulse_training.evaluation.standings.table import word_of
from impulse_training.report.plots import PALETTE, png, styled, svg

_COLUMNS: Final = 3
_KINDS: Final = {
    "policy+search": ("network with search, by simulations", PALETTE[4], "D"),
    "policy": ("network", PALETTE[2], "o"),
    "ismcts": ("search, by simulations", PALETTE[0], "s"),
}
_OTHERS: Final = ("rules of thumb", PALETTE[5], "^")
_SPAN: Final = (0.0007, 30)
"""Milliseconds on the axis, with room on the left for the names of the fastest agents."""
_QUICK: Final = 0.015
"""Agents below this many milliseconds have their names on the left, one below the other."""
_ARROW: Final = 18
"""Length of the arrow for an open interval, in points."""
_LINE: Final = 62
"""Height of a line of a name, in Elo points."""
_WORDS: Final[dict[str, Any]] = {"textcoords": "offset points", "fontsize": "x-small"}
_OUTSIDE: Final = ("random",)
"""Left out: it is so weak that it would take half of the picture."""


def draw(rows: Sequence[Standing], path: Path) -> None:
    """Write the picture, as SVG or PNG by the file's name."""
    figure = strength_against_time(rows)
    write_atomically(path, svg(figure) if path.suffix == ".svg" else png(figure))


def strength_against_time(rows: Sequence[Standing]) -> Figure:
    """Return the picture; the best agents for their time are joined by a line."""
    rows = [row for row in rows if row.agent not in _OUTSIDE]
    tables = [table for table in TABLES if any(row.table == table for row in rows)]
    height = -(-len(tables) // _COLUMNS)
    with styled():
        figure = Figure(figsize=(11, 0.8 + 3.2 * height), layout="constrained")
        panels = figure.subplots(
            height, min(_COLUMNS, len(tables)), sharex=True, sharey=True, squeeze=False
        )
        for axes in panels.flat[len(tables) :]:
            axes.remove()
        for axes, table in zip(panels.flat, tables, strict=False):
            there = [row for row in rows if row.table == table]
            front = _front(there)
            axes.plot(
                [row.milliseconds for row in front],
                [row.rating for row in front],
                color="0.75",
                linewidth=1,
                zorder=0,
            )
            for row in there:
                _, colour, mark = _kind(row)
                for end, away in ((row.low, -_ARROW), (row.high, _ARROW)):
                    _draw_end(axes, row, end, away, colour)
                axes.plot(row.milliseconds, row.rating, marker=mark, color=colour, markersize=6)
            _name(axes, there)
            axes.set_xscale("log")
            axes.set_xlim(*_SPAN)
            axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
            axes.xaxis.set_minor_formatter(NullFormatter())
            axes.set_title(word_of(table))
            axes.grid(color="0.92")
        figure.supxlabel("milliseconds per decision on one core")
        figure.supylabel("Elo points; 0 is the mean of the panel")
        shown = dict.fromkeys(_kind(row) for row in rows)
        handles = [
            panels.flat[0].plot([], [], marker=mark, color=colour, linestyle="", label=label)[0]
            for label, colour, mark in shown
        ]
        figure.legend(
            handles=handles, loc="outside upper center", ncols=len(handles), frameon=False
        )
        return figure


def _kind(row: Standing) -> tuple[str, str, str]:
    return _KINDS.get(row.agent.partition(":")[0], _OTHERS)


def _draw_end(axes: Axes, row: Standing, end: float | None, away: int, colour: str) -> None:
    """Draw an interval from the rating to an end; an arrow if it has none."""
    if end is not None:
        axes.plot([row.milliseconds] * 2, [row.rating, end], color=colour, linewidth=1.5)
        return
    arrow = {"arrowstyle": "<-", "color": colour, "linewidth": 1.5}
    at = row.milliseconds, row.rating
    axes.annotate("", at, (0, away), textcoords="offset points", arrowprops=arrow)


def _name(axes: Axes, rows: Sequence[Standing]) -> None:
    """Label each mark with an agent's name or a search's simulations; the table's network has none.

    A network that is not the table's own, such as a baseline, is labelled with its checkpoint.
    """
    quick = sorted((row for row in rows if row.milliseconds < _QUICK), key=lambda row: row.rating)
    left = min((row.milliseconds for row in quick), default=_QUICK)
    height = -inf
    for row in quick:
        height = max(row.rating, height + _LINE)
        axes.annotate(
            row.agent,
            (left, height),
            (-7, 0),
            **_WORDS,
            horizontalalignment="right",
            verticalalignment="center",
        )
    for row in rows:
        kind, _, settings = row.agent.partition(":")
        if row in quick or (kind == "policy" and settings == trained_for(row.table)):
            continue
        is_guided = kind == "policy+search"
        axes.annotate(
            settings.rpartition(":")[2] or kind,
            (row.milliseconds, row.rating),
            (-6, 4) if is_guided else (5, -9),
            **_WORDS,
            horizontalalignment="right" if is_guided else "left",
        )


def _front(rows: Sequence[Standing]) -> list[Standing]:
    """Return the Pareto front: agents stronger than every faster one, the fastest first."""
    front: list[Standing] = []
    for row in sorted(rows, key=lambda row: (row.milliseconds, -row.rating)):
        if not front or row.rating > front[-1].rating:
            front.append(row)
    return front
