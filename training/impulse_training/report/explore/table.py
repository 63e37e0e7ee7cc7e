"""The top of the tree as a table for the terminal, and the whole tree for `--json`."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.tree import ROOT, Tree
from impulse_training.report.table import percent
from impulse_training.statistics.intervals import wilson


@dataclass(frozen=True)
class Row:
    """A node: its last choice and its results.

    Attributes:
        node: Its number; 0 is the root, before any choice.
        parent: The parent node; -1 for the root.
        turn: The seat's turn of the choice, from 1; 0 in setup.
        step: The part of that turn.
        choice: The name of the choice.
        played: Number of lines through the node.
        share: Their share of the lines through the parent, 0 to 1.
        won: Share of these lines that won, 0 to 1.
        low: Lower end of Wilson's 95 % interval of `won`.
        high: Upper end.
        par: The expected `won` if all sides were equally strong.
        before: Mean chance to win before the choice, 0 to 1; None if unknown.
        after: Mean chance to win after it.
    """

    node: int
    parent: int
    turn: int
    step: str
    choice: str
    played: int
    share: float
    won: float
    low: float
    high: float
    par: float
    before: float | None
    after: float | None


def rows_of(found: Openings) -> list[Row]:
    """Return a row for each node, in the order of their numbers."""
    tree, counts = found.tree, found.tree.visits(found.lines)
    sums = np.zeros((len(tree), 2))
    judged = np.zeros((len(tree), 2, 2))  # before and after: sum, number
    for line in found.lines:
        sums[[ROOT, *line.nodes]] += line.won, line.par
        for side, chances in enumerate((line.before, line.after)):
            known = [(n, c) for n, c in zip(line.nodes, chances, strict=True) if c == c]
            for node, chance in known:
                judged[node, side] += chance, 1
    return [_row(tree, node, counts, sums[node], judged[node]) for node in range(len(tree))]


def _row(tree: Tree, node: int, counts: Sequence[int], sums: np.ndarray, judged: np.ndarray) -> Row:
    choice, parent, played = tree.choices[node], tree.parents[node], counts[node]
    won = float(sums[0])
    before, after = (float(total / number) if number else None for total, number in judged)
    return Row(
        node,
        parent,
        0 if choice is None else choice.turn,
        "" if choice is None else choice.step,
        "" if choice is None else choice.text,
        played,
        played / counts[max(parent, ROOT)],
        won / played,
        *wilson(won, played),
        float(sums[1]) / played,
        before,
        after,
    )


def as_json(found: Openings) -> dict[str, Any]:
    """Return all nodes."""
    return {
        "games": len(found.games),
        "read": found.count,
        "left_out": found.left_out,
        "lines": len(found.lines),
        "nodes": [asdict(row) for row in rows_of(found)],
    }


def top(found: Openings, most: int) -> list[tuple[int, list[int]]]:
    """Return the most played chains of nodes: the depth of each, and its nodes.

    They are in the order of the tree and include all chains above them.
    """
    tree, counts = found.tree, found.tree.visits(found.lines)
    waiting: list[tuple[int, int]] = []

    def offer(node: int) -> None:
        for child in tree.children(node):
            heappush(waiting, (-counts[child], child))

    chosen: dict[int, int] = {}
    offer(ROOT)
    while waiting and len(chosen) < most:
        _, node = heappop(waiting)
        chosen[node] = tree.end_of_chain(node, counts)
        offer(chosen[node])
    listed: list[tuple[int, list[int]]] = []

    def walk(node: int, depth: int) -> None:
        for child in tree.children(node):
            if child in chosen:
                listed.append((depth, tree.chain(child, chosen[child])))
                walk(chosen[child], depth + 1)

    walk(ROOT, 0)
    return listed


def show(found: Openings, most: int, console: Console) -> None:
    """Print the top of the tree."""
    console.print(Text(summary(found)))
    rows, listed = rows_of(found), top(found, most)
    if not listed:
        console.print("No choice was made that often: try a smaller --least.")
        return
    table = Table(box=None, padding=(0, 1), pad_edge=False)
    table.add_column("Move", overflow="fold")
    for name in ("Played", "Share", "Won", "95 %", "Par"):
        table.add_column(name, justify="right", no_wrap=True)
    if found.has_chances:
        table.add_column("Chance", justify="right", no_wrap=True)
    for depth, chain in listed:
        table.add_row(*_cells(depth, [rows[node] for node in chain], found.has_chances))
    console.print(table)


def summary(found: Openings) -> str:
    """Return the counts of games, lines and choices in a line."""
    games = f"{len(found.games):,}"
    if len(found.games) < found.count:
        games += f" of {found.count:,}"
    left = f" ({found.left_out:,} more begin in the middle)" if found.left_out else ""
    return (
        f"Games: {games}{left}; lines, each of one seat: {len(found.lines):,}; "
        f"choices: {len(found.tree) - 1:,}"
    )


def _cells(depth: int, chain: Sequence[Row], has_chances: bool) -> list[Padding | str]:
    first, last = chain[0], chain[-1]
    where = first.step if first.turn == 0 else f"{first.turn} {first.step}"
    move = Text(f"{where}: " + ", ".join(row.choice for row in chain))
    cells: list[Padding | str] = [
        Padding(move, (0, 0, 0, 2 * depth)),
        f"{last.played:,}",
        percent(first.share, 0),
        percent(last.won, 0),
        f"{100 * last.low:.0f}-{100 * last.high:.0f}",
        percent(last.par, 0),
    ]
    if has_chances:
        cells.append(f"{percent(first.before, 0)} to {percent(last.after, 0)}")
    return cells
