"""What a search found, for a person to read: its top lines, with visits and values."""

from dataclasses import dataclass

import numpy as np

from impulse_agents.search.tree import NONE, Forest
from impulse_env.actions import name_of


@dataclass(frozen=True)
class Variation:
    """A root action and what follows it most often in the tree.

    Attributes:
        actions: Stable names in the absolute frame, the root's action first. Later ones may belong
            to other seats, and hold only as far as what is hidden allows.
        visits: Simulations that began with the first action.
        share: Their share of all.
        value: The chance to win of the side that decides, 0 to 1, as far as it was tried.
    """

    actions: tuple[str, ...]
    visits: int
    share: float
    value: float

    def __str__(self) -> str:
        return (
            f"{self.visits:>7} {self.share:>5.0%}  wins {self.value:>4.0%}  "
            f"{' '.join(self.actions)}"
        )


def principal_variations(
    forest: Forest, count: int = 3, depth: int = 6, row: int = 0
) -> list[Variation]:
    """Return the lines of the root's actions tried most.

    Args:
        forest: From a search that was run.
        count: How many lines at most.
        depth: How many actions of each at most.
        row: Which of the forest's trees.
    """
    nodes, edges = forest.nodes[row], forest.edges[row]
    found = _by_visits(nodes, edges, 0)
    total = sum(int(edges[edge]["visits"]) for edge in found)
    return [
        Variation(
            tuple(_follow(nodes, edges, edge, depth)),
            int(edges[edge]["visits"]),
            int(edges[edge]["visits"]) / max(total, 1),
            float(edges[edge]["value"]) / max(int(edges[edge]["visits"]), 1),
        )
        for edge in found[:count]
    ]


def root_visits(forest: Forest, row: int = 0) -> dict[int, int]:
    """Return how many simulations began with each of the root's actions, absolute."""
    nodes, edges = forest.nodes[row], forest.edges[row]
    found = _by_visits(nodes, edges, 0)
    return {int(edges[edge]["action"]): int(edges[edge]["visits"]) for edge in found}


def _by_visits(nodes: np.ndarray, edges: np.ndarray, node: int) -> list[int]:
    """Return the edges of a node, the one tried most first."""
    found = []
    edge = int(nodes[node]["first_edge"])
    while edge != NONE:
        found.append(edge)
        edge = int(edges[edge]["next_edge"])
    return sorted(found, key=lambda e: (-int(edges[e]["visits"]), -float(edges[e]["value"])))


def _follow(nodes: np.ndarray, edges: np.ndarray, edge: int, depth: int) -> list[str]:
    """Return the names of the actions from an edge on, each the one tried most."""
    actions = [name_of(int(edges[edge]["action"]))]
    while len(actions) < depth:
        best, most = NONE, 0
        node = int(edges[edge]["first_outcome"])
        while node != NONE:
            for below in _by_visits(nodes, edges, node)[:1]:
                if edges[below]["visits"] > most:
                    best, most = below, int(edges[below]["visits"])
            node = int(nodes[node]["next_outcome"])
        if best == NONE:
            return actions
        edge = best
        actions.append(name_of(int(edges[edge]["action"])))
    return actions
