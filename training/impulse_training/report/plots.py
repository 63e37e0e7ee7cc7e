"""The figures of a tournament's report, drawn without a screen.

The colours suit the colour-blind: Okabe and Ito's palette, and orange to purple for shares below
and above par.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import isinf
from typing import Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from impulse_env.outcomes import SOURCES
from impulse_training.report.tournament_tables import numbered, source_name
from impulse_training.statistics.intervals import Share
from impulse_training.statistics.summary import Statistics

PALETTE: Final = ("#0072B2", "#56B4E9", "#E69F00", "#F0E442", "#D55E00", "#009E73")
"""Okabe and Ito's palette, one colour for each of `SOURCES`."""

INK: Final = "#0072B2"
_WIDTH: Final = 8.5
_BINS: Final = 40
_LINE: Final = 28

_STYLE: Final = {
    # Names are literal text: "$" does not begin a formula.
    "text.parse_math": False,
    # A fixed salt, so that the same figure gives the same file.
    "svg.hashsalt": "tournament",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "axes.titlesize": "medium",
}


def figures(statistics: Statistics) -> dict[str, Figure]:
    """Return the figures by title, without empty ones."""
    with styled():
        drawn = {
            "Ratings": ratings(statistics),
            "Who beats whom": matrix(statistics),
        }
        if any(row.points is not None for row in statistics.agents):
            drawn["Points by source"] = points(statistics)
        if statistics.seats:
            drawn["Seats"] = seats(statistics)
        if statistics.games_by_rounds:
            drawn["Length of the games"] = lengths(statistics)
        if any(row.mean for row in statistics.thinking):
            drawn["Thinking time"] = thinking(statistics)
        return drawn


def svg(figure: Figure) -> bytes:
    """Return a figure as SVG without a date; letters are outlines, so it needs no font."""
    with styled():
        file = BytesIO()
        figure.savefig(file, format="svg", metadata={"Date": None})
        return file.getvalue()


def png(figure: Figure) -> bytes:
    """Return a figure as PNG."""
    with styled():
        file = BytesIO()
        figure.savefig(file, format="png", dpi=130)
        return file.getvalue()


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the style of the project's figures."""
    with mpl.rc_context(_STYLE):  # type: ignore[arg-type]  # whose keys are literals there
        yield


def _figure(height: float, width: float = _WIDTH) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, figure.subplots()


def _name_rows(axes: Axes, names: Sequence[str]) -> None:
    """Label the rows with the agents, the first at the top; wrap long names."""
    axes.set_yticks(range(len(names)), [_wrapped(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)


def _wrapped(name: str) -> str:
    """Wrap a long name into at most three lines, between words if possible."""
    lines = [""]
    for word in re.findall(rf"[^/:, ]{{1,{_LINE - 1}}}[/:, ]*|[/:, ]+", name):
        if len(lines[-1]) + len(word) > _LINE:
            lines.append("")
        lines[-1] += word
    return "\n".join(lines[:3])


def _dot(axes: Axes, x: float, y: float, text: str) -> None:
    """Draw a point with a text above it."""
    axes.plot(x, y, marker="o", color=INK, markersize=8)
    axes.annotate(text, (x, y), (0, 7), textcoords="offset points", ha="center")


def ratings(statistics: Statistics) -> Figure:
    """Draw the ratings with their intervals; an arrow marks an infinite end."""
    figure, axes = _figure(1.0 + 0.5 * len(statistics.agents))
    table = [row.rating for row in statistics.agents]
    known = [x for r in table for x in (r.rating, r.low, r.high) if not isinf(x)]
    margin = max(20.0, 0.06 * (max(known) - min(known)))
    left, right = min(known) - margin, max(known) + margin
    for y, rating in enumerate(table):
        low, high = max(rating.low, left), min(rating.high, right)
        axes.plot((low, high), (y, y), color=INK, linewidth=2, solid_capstyle="butt")
        axes.plot(low, y, "<" if isinf(rating.low) else "|", color=INK, clip_on=False)
        axes.plot(high, y, ">" if isinf(rating.high) else "|", color=INK, clip_on=False)
        _dot(axes, rating.rating, y, f"{rating.rating:z.0f}")
    axes.axvline(0, color="0.6", linewidth=1, linestyle=":")
    _name_rows(axes, numbered(statistics))
    axes.set(xlim=(left, right), xlabel="Elo points, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    return figure


def matrix(statistics: Statistics) -> Figure:
    """Draw the shares won as numbers, and their distance from par as colours."""
    names = numbered(statistics)
    n = len(names)
    figure, axes = _figure(1.2 + 0.55 * n, min(_WIDTH, 4.2 + 0.8 * n))
    above = np.full((n, n), np.nan)
    for i, row in enumerate(statistics.matrix):
        for j, share in enumerate(row):
            if share.share is None or share.par is None:
                continue
            above[i, j] = share.share - share.par
            color = "white" if abs(above[i, j]) > 0.3 else "black"
            size = 10 if n <= 10 else 8
            text = f"{100 * share.share:.1f}"
            axes.text(j, i, text, ha="center", va="center", color=color, fontsize=size)
    image = axes.imshow(above, cmap="PuOr", vmin=-0.5, vmax=0.5, aspect="auto")
    _name_rows(axes, names)
    axes.set_xticks(range(n), [str(rank) for rank in range(1, n + 1)])
    axes.tick_params(axis="x", length=0, labeltop=True, labelbottom=False)
    axes.spines[:].set_visible(False)
    axes.set_xlabel("% of the games won by the agent of the row")
    bar = figure.colorbar(image, ax=axes, ticks=(-0.5, 0, 0.5), extend="both", shrink=0.8)
    bar.ax.set_yticklabels(("-50", "par", "+50"))
    return figure


def points(statistics: Statistics) -> Figure:
    """Draw the mean points of a game, stacked by source."""
    rows = [row for row in statistics.agents if row.points is not None]
    values = np.array([row.points for row in rows])
    figure, axes = _figure(1.5 + 0.45 * len(rows))
    left = np.zeros(len(rows))
    widest = max(values.sum(axis=1).max(), 1e-9)
    for source in range(len(SOURCES)):
        axes.barh(
            range(len(rows)),
            values[:, source],
            left=left,
            color=PALETTE[source],
            edgecolor="white",
            label=source_name(source),
            height=0.7,
        )
        for y, value in enumerate(values[:, source]):
            if value > 0.045 * widest:
                color = "white" if source in (0, 4, 5) else "black"
                x, text = left[y] + value / 2, f"{value:.1f}"
                axes.text(x, y, text, ha="center", va="center", fontsize=9, color=color)
        left += values[:, source]
    _name_rows(axes, [row.name for row in rows])
    axes.set_xlabel("points of a seat in a game")
    figure.legend(loc="outside upper center", ncols=len(SOURCES), frameon=False, fontsize=9)
    return figure


def seats(statistics: Statistics) -> Figure:
    """Draw the share of the games won on each seat."""
    figure, axes = _figure(3.0, 6.0)
    par = 100 * np.array([share.par or 0 for share in statistics.seats])
    places = np.arange(len(par))
    axes.hlines(par, places - 0.4, places + 0.4, color="0.5", linestyle="--", label="par")
    for seat, share in enumerate(statistics.seats):
        _whisker(axes, seat, share)
    axes.set_xticks(places)
    axes.set(xlabel="seat", ylabel="games won, %", xlim=(-0.6, len(par) - 0.4))
    axes.grid(axis="y", alpha=0.3)
    axes.legend(frameon=False)
    return figure


def _whisker(axes: Axes, x: float, share: Share) -> None:
    """Draw a share with its interval."""
    if share.share is None:
        return
    axes.errorbar(
        x,
        100 * share.share,
        yerr=[[100 * (share.share - share.low)], [100 * (share.high - share.share)]],
        fmt="o",
        color=INK,
        capsize=5,
        markersize=8,
        linewidth=2,
    )


def lengths(statistics: Statistics) -> Figure:
    """Draw the number of games by length in rounds; a few much longer games are only counted."""
    figure, axes = _figure(3.0, 6.0)
    rounds = np.array(list(statistics.games_by_rounds))
    games = np.array(list(statistics.games_by_rounds.values()))
    assert statistics.rounds is not None
    is_shown = rounds <= max(2 * statistics.rounds.high, rounds.min())
    longest = rounds[is_shown].max()
    step = -(-(longest - rounds.min() + 1) // _BINS)
    edges = np.arange(rounds.min(), longest + step + 1, step) - 0.5
    bars = rounds[is_shown], edges.tolist()
    axes.hist(*bars, weights=games[is_shown], color=INK, edgecolor="white")
    if longer := int(games[~is_shown].sum()):
        text = f"{longer:,} more took up to {rounds.max():,} rounds"
        axes.text(0.99, 0.97, text, transform=axes.transAxes, ha="right", va="top")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(xlabel="rounds" if step == 1 else f"rounds, {step} to a bar", ylabel="games")
    axes.grid(axis="y", alpha=0.3)
    return figure


def thinking(statistics: Statistics) -> Figure:
    """Draw the time per decision, with the range of 90 % of the games."""
    rows = [row for row in statistics.thinking if row.mean and row.per_game]
    figure, axes = _figure(1.0 + 0.45 * len(rows))
    for y, row in enumerate(rows):
        assert row.mean is not None
        assert row.per_game is not None
        axes.plot((row.per_game.low, row.per_game.high), (y, y), color=INK, linewidth=2)
        _dot(axes, row.mean, y, f"{row.mean:.3g}")
    _name_rows(axes, [row.name for row in rows])
    axes.set(xscale="log", xlabel="ms per decision: mean, and 5 to 95 % of the games")
    left, right = axes.get_xlim()
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if right < 100 * left else (1,)))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda ms, _: f"{ms:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(axis="x", alpha=0.3)
    return figure
