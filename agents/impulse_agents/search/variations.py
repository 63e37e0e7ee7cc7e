"""The result of a search for people: its top lines, with visits and values."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Variation
from impulse_agents.search.tree import NONE, Forest
from impulse_env.actions import N_ACTIONS, name_of
from impulse_env.engine.constants import State
from impulse_env.frame import own_frame


def principal_variations(forest: Forest, count: int = 3, depth: int = 6) -> list[Variation]:
    """Return the lines of the most visited actions in the first tree of a forest.

    Args:
        forest: The forest of a search.
        count: Largest number of lines.
        depth: Largest number of actions in a line.
    """
    nodes, edges = forest.nodes[0], forest.edges[0]
    sorted_edges = _by_visits(nodes, edges, 0)
    total = sum(int(edges[edge]["visits"]) for edge in sorted_edges)
    return [
        Variation(
            tuple(_follow(nodes, edges, edge, depth)),
            int(edges[edge]["visits"]),
            int(edges[edge]["visits"]) / max(total, 1),
            float(edges[edge]["value"]) / max(int(edges[edge]["visits"]), 1),
        )
        for edge in sorted_edges[:count]
    ]


def root_visits(forest: Forest, row: int = 0) -> dict[int, int]:
    """Return the number of simulations that began with each of the root's actions, absolute."""
    nodes, edges = forest.nodes[row], forest.edges[row]
    sorted_edges = _by_visits(nodes, edges, 0)
    return {int(edges[edge]["action"]): int(edges[edge]["visits"]) for edge in sorted_edges}


def visit_shares(
    forest: Forest, row: int, view: State, seat: int, chosen: int
) -> NDArray[np.float32]:
    """Return the share of a tree's simulations that began with each action.

    Args:
        forest: The forest of a search.
        row: The tree's row in the forest.
        view: The deciding seat's view.
        seat: That seat.
        chosen: The action that the search chose, in the seat's own frame. Among actions with
            equally many visits it gets an advantage of half a simulation.

    Returns:
        Shape ``(N_ACTIONS,)``, in the seat's own frame.
    """
    shares = np.zeros(N_ACTIONS, np.float32)
    in_own_frame = own_frame(int(view["players"]))[seat]
    for action, visits in root_visits(forest, row).items():
        shares[in_own_frame[action]] = visits
    shares[chosen] += 0.5
    shares /= shares.sum()
    return shares


def _by_visits(nodes: np.ndarray, edges: np.ndarray, node: int) -> list[int]:
    """Return the edges of a node, the most visited first."""
    own = []
    edge = int(nodes[node]["first_edge"])
    while edge != NONE:
        own.append(edge)
        edge = int(edges[edge]["next_edge"])
    return sorted(own, key=lambda e: (-int(edges[e]["visits"]), -float(edges[e]["value"])))


def _follow(nodes: np.ndarray, edges: np.ndarray, edge: int, depth: int) -> list[str]:
    """Return the names of the actions from an edge on, each the most visited one."""
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
