"""The board at the nodes of the tree, each from one game that reached the node."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from impulse_env import drawing
from impulse_env.drawing.elements import element, group
from impulse_env.drawing.style import style_sheet
from impulse_env.engine.constants import State
from impulse_env.engine.sector_map import HOMES, TURNS_TO_LEFT
from impulse_training.report.explore.explore_options import Eyes
from impulse_training.report.explore.lines import Openings
from impulse_training.report.explore.tree import ROOT, Line


@dataclass(frozen=True)
class Example:
    """The decision that shows a node.

    Attributes:
        node: The node.
        line: Row of the line.
        step: Number of decisions in the record before it.
    """

    node: int
    line: int
    step: int


def examples(found: Openings, most: int) -> list[Example]:
    """Return a line for each of the most played nodes, in the order of the lines.

    Lines whose home is on the left are preferred: their drawings match the names in the tree.
    """
    counts = found.tree.visits(found.lines)
    order = sorted(range(len(found.tree)), key=lambda node: (-counts[node], node))
    missing = set(order[:most])
    chosen = []
    for row in sorted(range(len(found.lines)), key=lambda row: not is_on_left(found, row)):
        line = found.lines[row]
        for node, step in ((ROOT, 0), *zip(line.nodes, line.steps, strict=True)):
            if node in missing:
                missing.remove(node)
                chosen.append(Example(node, row, step))
        if not missing:
            break
    return sorted(chosen, key=lambda example: (example.line, example.step))


def is_on_left(found: Openings, row: int) -> bool:
    """Whether the seat of a line has its home on the left of the map."""
    line = found.lines[row]
    players = found.games[line.game].header.options.players
    return int(TURNS_TO_LEFT[HOMES[players, line.seat]]) == 0


def drawn(found: Openings, chosen: Iterable[Example], eyes: Eyes) -> dict[str, Any]:
    """Return the drawings, JSON-able.

    ``nodes`` has, by node, ``line``, ``step``, ``own`` (whether names on the board match the tree),
    ``size`` and ``parts``, which are indices into ``fragments``, a list without duplicates.
    """
    fragments: dict[str, int] = {}
    style = group(element("style", style_sheet(has_dark=True)), id="part-style")
    nodes = {}
    for example, state, line in _positions(found, chosen):
        by = line.seat if eyes == "seat" else None
        parts = drawing.parts(state, by) | {"style": style}
        nodes[example.node] = {
            "line": example.line,
            "step": example.step,
            "own": is_on_left(found, example.line),
            "size": drawing.size(state, by),
            "parts": [fragments.setdefault(part, len(fragments)) for part in parts.values()],
        }
    return {"nodes": nodes, "fragments": list(fragments)}


def _positions(found: Openings, chosen: Iterable[Example]) -> Iterable[tuple[Example, State, Line]]:
    """Yield the game at each example, grouped by line, earlier steps first."""
    row, taken = -1, 0
    for example in chosen:
        line = found.lines[example.line]
        play = found.games[line.game]
        if example.line != row:
            row, taken, game = example.line, 0, play.header.new_game()
        for action in play.actions[taken : example.step]:
            game.step(int(action))
        taken = example.step
        yield example, game.state, line
