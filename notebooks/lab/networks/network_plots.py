"""Plots of what a network learned: strength, probes, parts of its observation, chances to win."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import shorten
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from impulse_agents.base import Advice
from impulse_env.game import Game
from impulse_env.records.record import Record
from lab.networks.network_tables import BEYOND, COUNTING, RAW, UNTRAINED
from lab.session import COLORS

BLUE, ORANGE, GREEN, PURPLE = COLORS[:4]
LOOKS: Final = {"greedy": (BLUE, "o"), "warrior": (ORANGE, "s"), "policy:2p": (GREEN, "^")}
"""Colour and mark of each opponent."""
_LABEL: Final = 64
"""Letters of an action beside its bar."""


def draw_advice(axes: Axes, game: Game, advice: Advice, color: str = COLORS[0]) -> None:
    """Draw a network's likeliest actions at a decision, in words, as bars of their probability.

    Args:
        axes: Where.
        game: At that decision.
        advice: From `impulse_agents.advice.advice.advise`, by an agent that gives shares.
        color: Of the bars.
    """
    named = [s for s in advice.suggestions if s.share is not None]
    words = [shorten(game.describe(s.action), _LABEL, placeholder=" …") for s in named]
    shares = [100 * (s.share or 0) for s in named]
    places = range(len(named))
    axes.barh(places, shares, color=color)
    axes.set_yticks(places, words)
    axes.invert_yaxis()
    for place, share in enumerate(shares):
        axes.annotate(
            f"{share:.0f}", (share, place), (3, 0), textcoords="offset points", va="center"
        )
    wins = "" if advice.wins is None else f", wins {100 * advice.wins:.0f} %"
    axes.set(xlim=(0, 108), xlabel="probability, %", title=f"{advice.by}{wins}")
    axes.spines[["top", "right"]].set_visible(False)


def draw_values(axes: Sequence[Axes], table: pd.DataFrame, record: Record) -> None:
    """Draw what each seat expected, above, and its points, below, turn by turn.

    Args:
        axes: Two, the one for the values first; they share the turns.
        table: What `policy_table` returned for one network; of some or all decisions.
        record: The game.
    """
    first = table.groupby(["seat", "turn"])[["value", "score"]].first().reset_index()
    for seat, rows in first.groupby("seat"):
        color, marker = COLORS[int(seat)], "osD^vP"[int(seat)]
        name = f"seat {seat}: {record.header.agents[int(seat)].name}"
        turns, points = [*rows.turn], [*rows.score]
        if record.result is not None:
            turns, points = (
                [*turns, record.result.turns],
                [*points, record.result.scores[int(seat)]],
            )
        axes[0].plot(rows.turn, rows.value, marker, color=color, markersize=4, linestyle="-")
        axes[1].step(turns, points, where="post", color=color, label=name)
        axes[1].plot(turns[-1], points[-1], marker, color=color, markersize=4)
    axes[0].axhline(0, color="0.6", linewidth=1)
    axes[0].set(ylabel="value")
    axes[1].set(xlabel="turn", ylabel="points")
    axes[1].legend(frameon=False)
    for one in axes:
        one.grid(alpha=0.3)


def draw_training(
    axes: Axes,
    curves: Sequence[pd.DataFrame],
    ends: Mapping[int, float],
    found: pd.DataFrame,
) -> None:
    """Draw the training curves, and the win rates of the stages in fresh games.

    Args:
        axes: Where.
        curves: For each stage: ``millions`` of decisions since the beginning, ``win/NAME``.
        ends: Millions of decisions at the end of each stage by its number, in order, 0 first.
        found: From `estimates.estimate` by ``leg`` (its number, 0 for none) and ``against``.
    """
    for name, (color, mark) in LOOKS.items():
        for curve in curves:
            if f"win/{name}" in curve:
                shares = 100 * curve[f"win/{name}"]
                axes.plot(curve.millions, shares, color=color, alpha=0.35, linewidth=1.2)
        rows = found.xs(name, level="against") * 100
        at = [ends[stage] for stage in rows.index]
        lengths = [rows["mean"] - rows.low, rows.high - rows["mean"]]
        style: dict[str, Any] = {"fmt": mark, "color": color, "capsize": 3, "label": name}
        axes.errorbar(at, rows["mean"], lengths, markersize=6, **style)
    # Upright and above what is drawn: the last stages are short.
    upright: dict[str, Any] = {"rotation": 90, "ha": "center", "va": "bottom", "fontsize": 8}
    for (_, start), (number, end) in pairwise(ends.items()):
        axes.axvline(end, color="0.85", linewidth=1, zorder=0)
        axes.text((start + end) / 2, 102, f"leg {number}", color="0.4", **upright)
    axes.set(xlabel="million decisions learned from", ylabel="games won, %", ylim=(0, 120))
    axes.set_yticks(range(0, 101, 20))
    axes.legend(title="against", loc="lower right")


def draw_probes(panels: Sequence[Axes], table: pd.DataFrame, concepts: Sequence[str]) -> None:
    """Draw how well each concept is read off from each network, a panel for each concept.

    Args:
        panels: One for each concept.
        table: From `network_tables.probed`.
        concepts: In the order of the panels.
    """
    networks = [name for name in table.source.unique() if name not in (RAW, COUNTING, BEYOND)]
    labels = [*("0" if name == UNTRAINED else name.split()[-1] for name in networks), "P", "V"]
    looks = {"features": (BLUE, "o"), "policy": (ORANGE, "s"), "value": (GREEN, "^")}
    for axes, concept in zip(panels, concepts, strict=True):
        rows = table[table.concept == concept]
        for layer, (color, mark) in looks.items():
            some = rows[(rows.layer == layer) & rows.source.isin(networks)]
            last = len(networks) + ["policy", "value"].index(layer) if layer != "features" else -1
            at = [networks.index(name) if last < 0 else last for name in some.source]
            lengths = [some["value"] - some.low, some.high - some["value"]]
            axes.errorbar(at, some["value"], lengths, fmt=mark, color=color, capsize=2)
        bare = rows[rows.source == RAW].iloc[0]
        axes.axhspan(bare.low, bare.high, color="0.85", zorder=0, linewidth=0)
        axes.axhline(bare["value"], color="0.5", linewidth=1, zorder=0)
        counted = rows[rows.source == COUNTING]
        if len(counted):
            axes.axhline(counted["value"].iloc[0], color=PURPLE, linestyle="--", linewidth=1.5)
            top = counted["value"].iloc[0] + 0.01
            axes.text(len(labels) - 0.5, top, "counting", color=PURPLE, ha="right", va="bottom")
        chance = 0.5 if rows.measure.iloc[0] == "AUC" else 0
        axes.set(title=concept, ylabel=rows.measure.iloc[0], ylim=(chance - 0.03, 1.03))
        axes.set_xticks(range(len(labels)), labels, fontsize=8)
        axes.set_xlim(-0.6, len(labels) - 0.4)


def draw_parts(axes: Axes, found: pd.DataFrame, color: str, most: int = 10) -> None:
    """Draw the parts of an observation with the largest means, the largest at the top.

    Args:
        axes: Where.
        found: ``mean``, ``low`` and ``high`` by part, in what the axis shows.
        color: Of the bars.
        most: How many.
    """
    some = found.sort_values("mean", ascending=False).head(most)
    places = range(len(some))
    lengths = [some["mean"] - some.low, some.high - some["mean"]]
    axes.barh(places, some["mean"], xerr=lengths, color=color, error_kw={"capsize": 2})
    axes.set_yticks(places, list(some.index))
    axes.invert_yaxis()
    axes.axvline(0, color="0.4", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def draw_reliability(axes: Axes, bins: Mapping[str, pd.DataFrame]) -> None:
    """Draw how often games were won by the chance that was given.

    Args:
        axes: Where.
        bins: By name, rows with ``expected`` and ``mean``, ``low``, ``high``, all 0 to 1.
    """
    axes.plot([0, 100], [0, 100], color="0.6", linewidth=1)
    for (name, rows), color, mark in zip(bins.items(), (BLUE, ORANGE), "os", strict=False):
        lengths = [100 * (rows["mean"] - rows.low), 100 * (rows.high - rows["mean"])]
        style: dict[str, Any] = {"color": color, "fmt": f"{mark}-", "capsize": 2, "label": name}
        axes.errorbar(100 * rows.expected, 100 * rows["mean"], lengths, linewidth=1, **style)
    axes.set(xlabel="chance by the network, %", ylabel="games won, %", aspect="equal")
    axes.set(xlim=(0, 100), ylim=(0, 100))
    axes.legend(loc="upper left")


def draw_gaps(axes: Axes, gaps: pd.DataFrame) -> None:
    """Draw by how much more often games were won than the network says, group by group.

    Args:
        axes: Where.
        gaps: ``mean``, ``low`` and ``high``, 0 to 1, by ``games``, ``by`` (what groups them) and
            ``group``.
    """
    labels = gaps.reset_index()[["by", "group"]].drop_duplicates().reset_index(drop=True)
    shifts = dict(zip(gaps.index.unique("games"), (-0.16, 0.16), strict=False))
    for (games, shift), color, mark in zip(shifts.items(), (BLUE, ORANGE), "os", strict=False):
        rows = labels.merge(gaps.xs(games, level="games").reset_index(), on=["by", "group"])
        places = labels.reset_index().merge(rows, on=["by", "group"])["index"] + shift
        lengths = [100 * (rows["mean"] - rows.low), 100 * (rows.high - rows["mean"])]
        style: dict[str, Any] = {"color": color, "fmt": mark, "capsize": 2, "label": games}
        axes.errorbar(100 * rows["mean"], places, xerr=lengths, markersize=4, **style)
    axes.axvline(0, color="0.4", linewidth=1)
    firsts = np.flatnonzero(labels.by != labels.by.shift())
    for first in firsts[1:]:
        axes.axhline(first - 0.5, color="0.85", linewidth=1)
    axes.set_yticks(range(len(labels)), [f"{by}: {group}" for by, group in labels.to_numpy()])
    axes.invert_yaxis()
    axes.set_xlabel("won more often than the network says, percentage points")
    axes.legend(loc="best")


def draw_second_look(axes: Axes, found: pd.DataFrame) -> None:
    """Draw what choices gained where they were selected, and what they gain again.

    Args:
        axes: Where.
        found: From `network_tables.second_thoughts`.
    """
    rows = found[found.again_mean.notna()]
    lengths = [100 * (rows.again_mean - rows.again_low), 100 * (rows.again_high - rows.again_mean)]
    is_clear = rows.again_low > 0
    for some, color, mark, label in (
        (is_clear, GREEN, "o", "confirmed"),
        (~is_clear, "0.5", "s", "not confirmed"),
    ):
        part = [length[some] for length in lengths]
        style: dict[str, Any] = {"fmt": mark, "color": color, "label": label, "capsize": 2}
        axes.errorbar(100 * rows["mean"][some], 100 * rows.again_mean[some], part, **style)
    most = 100 * max(rows["mean"].max(), rows.again_high.max()) + 2
    axes.plot([0, most], [0, most], color="0.6", linewidth=1, linestyle="--")
    axes.axhline(0, color="0.4", linewidth=0.8)
    axes.set(xlabel="gain where it was selected, percentage points", ylabel="gain played again")
    axes.legend(loc="upper left")
