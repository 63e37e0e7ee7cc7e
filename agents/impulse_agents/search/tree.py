"""The tree of a search: sequences of actions and their results.

A node stands for the actions that lead to it, and for a decision: its seat and its kind. Chance may
lead the same actions to different decisions, which are then different nodes below the same edge. An
edge is an action at a node. The legal actions differ between simulations, so an edge is added when
its action first occurs at the node.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import Action, Seat

NONE: Final = -1
MAX_DEPTH: Final = 256
"""Longest path; a deeper simulation ends there."""
EDGES_PER_NODE: Final = 16
"""Room for edges per node; a decision has four options on average."""

NODE: Final = np.dtype(
    [
        ("first_edge", np.int32),
        ("next_outcome", np.int32),  # the next node below the same edge
        ("decision", np.int32),  # from `decision_of`
    ]
)
EDGE: Final = np.dtype(
    [
        ("next_edge", np.int32),  # the next edge of the same node
        ("first_outcome", np.int32),  # the first node below
        ("visits", np.int32),
        ("value", np.float32),  # sum over the visits of the deciding side's chance
        ("prior", np.float32),  # prior of the action, not normalised
        ("action", np.int16),
    ],
    align=True,
)
TREE: Final = np.dtype(
    [
        ("nodes", np.int32),
        ("edges", np.int32),
        # The path of the current simulation: its edges, and the side that decided at each.
        ("depth", np.int32),
        ("path", np.int32, (MAX_DEPTH,)),
        ("side", np.int8, (MAX_DEPTH,)),
        # The leaf that waits for a network's evaluation; NONE without one.
        ("leaf", np.int32),
        ("leaf_seat", np.int32),  # the deciding seat there
        ("end_seat", np.int32),  # the deciding seat at the end of the playout; NONE: no evaluation
        ("options", np.int32),
        ("option", np.int16, (SIZE,)),
    ],
    align=True,
)
"""One tree without its nodes and edges, which are rows of two other arrays."""


class Tree(NamedTuple):
    """One tree of a forest.

    Attributes:
        state: A record of `TREE`, shape ``(1,)``.
        nodes: Dtype `NODE`; the root is the first.
        edges: Dtype `EDGE`.
    """

    state: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray


class Buffers(NamedTuple):
    """Memory for the actions and the scores of a decision.

    Attributes:
        options: Legal actions, absolute, int16, ``(SIZE,)``.
        own: The same in a seat's own frame, int16, ``(SIZE,)``.
        edge_of: The edge of each action, see `index_edges`; int32, ``(SIZE,)``.
        scratch: Scores and chances, float32, ``(3, SIZE)``.
    """

    options: NDArray[np.int16]
    own: NDArray[np.int16]
    edge_of: NDArray[np.int32]
    scratch: NDArray[np.float32]


@jit_internal
def make_buffers() -> Buffers:
    """Return the memory for a decision."""
    return Buffers(
        np.empty(SIZE, np.int16),
        np.empty(SIZE, np.int16),
        np.empty(SIZE, np.int32),
        np.zeros((3, SIZE), np.float32),
    )


@jit_internal
def tree_of(forest: tuple[np.ndarray, np.ndarray, np.ndarray], row: int) -> Tree:
    """Return the tree of a row; `forest` is `Forest.arrays`."""
    return Tree(forest[0][row : row + 1], forest[1][row], forest[2][row])


@jit_internal
def plant(tree: Tree, decision: int) -> None:
    """Reset the tree to a root without edges."""
    tree.state[0]["nodes"] = 1
    tree.state[0]["edges"] = 0
    tree.state[0]["depth"] = 0
    tree.state[0]["leaf"] = NONE
    tree.nodes[0]["first_edge"] = NONE
    tree.nodes[0]["next_outcome"] = NONE
    tree.nodes[0]["decision"] = decision


@jit_internal
def find_outcome(tree: Tree, edge: int, decision: int) -> int:
    """Return the node of a decision below an edge, `NONE` if it does not exist."""
    nodes = tree.nodes
    node = int(tree.edges[edge]["first_outcome"])
    while node != NONE and nodes[node]["decision"] != decision:
        node = int(nodes[node]["next_outcome"])
    return node


@jit_internal
def add_outcome(tree: Tree, edge: int, decision: int) -> int:
    """Add a node below an edge and return it, `NONE` without room."""
    nodes, edges = tree.nodes, tree.edges
    node = int(tree.state[0]["nodes"])
    if node == len(nodes):
        return NONE
    tree.state[0]["nodes"] = node + 1
    nodes[node]["first_edge"] = NONE
    nodes[node]["next_outcome"] = edges[edge]["first_outcome"]
    nodes[node]["decision"] = decision
    edges[edge]["first_outcome"] = node
    return node


@jit_internal
def index_edges(tree: Tree, node: int, edge_of: NDArray[np.int32]) -> None:
    """Write the edge of each action, `NONE` for an action without one; shape ``(SIZE,)``."""
    nodes, edges = tree.nodes, tree.edges
    edge_of[:] = NONE
    edge = int(nodes[node]["first_edge"])
    while edge != NONE:
        edge_of[edges[edge]["action"]] = edge
        edge = int(edges[edge]["next_edge"])


@jit_internal
def add_edge(tree: Tree, node: int, action: int, prior: float) -> int:
    """Add an action to a node and return its edge, `NONE` without room."""
    nodes, edges = tree.nodes, tree.edges
    edge = int(tree.state[0]["edges"])
    if edge == len(edges):
        return NONE
    tree.state[0]["edges"] = edge + 1
    edges[edge]["next_edge"] = nodes[node]["first_edge"]
    edges[edge]["first_outcome"] = NONE
    edges[edge]["visits"] = 0
    edges[edge]["value"] = 0
    edges[edge]["prior"] = prior
    edges[edge]["action"] = action
    nodes[node]["first_edge"] = edge
    return edge


@jit_internal
def select(edges: np.ndarray, buffers: Buffers, count: int, exploration: float) -> int:
    """Return the index of the option to try, by PUCT over the legal actions.

    The value of an unvisited action is the mean over all visits of the others.

    Args:
        edges: The tree's edges.
        buffers: The legal actions, and the edge of each from `index_edges`.
        count: The number of legal actions.
        exploration: Weight of the priors relative to the values.
    """
    options, edge_of = buffers.options, buffers.edge_of
    visits = 0
    value = np.float32(0)
    total_prior = np.float32(0)
    for k in range(count):
        edge = edges[edge_of[options[k]]]
        visits += edge["visits"]
        value += edge["value"]
        total_prior += edge["prior"]
    untried = value / visits if visits > 0 else np.float32(0.5)
    scale = exploration * np.sqrt(np.float32(visits + 1)) / total_prior
    best = 0
    highest = np.float32(-1)
    for k in range(count):
        edge = edges[edge_of[options[k]]]
        tried = edge["visits"]
        mean = edge["value"] / tried if tried > 0 else untried
        score = mean + scale * edge["prior"] / (1 + tried)
        if score > highest:
            highest = score
            best = k
    return best


@jit_internal
def follow(tree: Tree, edge: int, side: int) -> bool:
    """Append an edge to the path; return whether there is room for another."""
    depth = int(tree.state[0]["depth"])
    tree.state[0]["path"][depth] = edge
    tree.state[0]["side"][depth] = side
    tree.state[0]["depth"] = depth + 1
    return depth + 1 < MAX_DEPTH


@jit_internal
def back_up(tree: Tree, chances: NDArray[np.float32]) -> None:
    """Credit every edge of the path with the chance of the side that chose it; end the path."""
    for step in range(int(tree.state[0]["depth"])):
        edge = int(tree.state[0]["path"][step])
        tree.edges[edge]["visits"] += 1
        tree.edges[edge]["value"] += chances[tree.state[0]["side"][step]]
    tree.state[0]["depth"] = 0


@jit_internal
def keep_leaf(tree: Tree, node: int, seat: Seat, options: NDArray[np.int16], count: int) -> None:
    """Store the leaf and its options until its evaluation."""
    tree.state[0]["leaf"] = node
    tree.state[0]["leaf_seat"] = seat
    tree.state[0]["options"] = count
    for k in range(count):
        tree.state[0]["option"][k] = options[k]


@jit_internal
def most_visited(tree: Tree) -> Action:
    """Return the root's most visited action; among equals, the one with the highest value."""
    edges = tree.edges
    best = int(tree.nodes[0]["first_edge"])
    edge = int(edges[best]["next_edge"])
    while edge != NONE:
        lead = edges[edge]["visits"] - edges[best]["visits"]
        if lead > 0 or (lead == 0 and edges[edge]["value"] > edges[best]["value"]):
            best = edge
        edge = int(edges[edge]["next_edge"])
    return int(edges[best]["action"])


@jit_internal
def is_settled(tree: Tree, left: int) -> bool:
    """Whether the root's most visited action leads by more than the remaining simulations."""
    edges = tree.edges
    most = 0
    second = 0
    edge = int(tree.nodes[0]["first_edge"])
    while edge != NONE:
        visits = int(edges[edge]["visits"])
        if visits > most:
            second = most
            most = visits
        elif visits > second:
            second = visits
        edge = int(edges[edge]["next_edge"])
    return most - second > left


def _edges(simulations: int) -> int:
    return EDGES_PER_NODE * (simulations + 1) + SIZE


class Forest:
    """Memory for a number of trees.

    Attributes:
        room: The number of simulations that a tree can hold.
        trees: Shape ``(n,)``, dtype `TREE`; a tree without nodes has no root yet.
        nodes: Shape ``(n, simulations + 1)``, dtype `NODE`; the root is the first.
        edges: Shape ``(n, m)``, dtype `EDGE`.
    """

    def __init__(self, count: int, simulations: int) -> None:
        """Allocate `count` trees for `simulations` each."""
        self.room = simulations
        self.trees = np.zeros(count, TREE)
        self.nodes = np.zeros((count, simulations + 1), NODE)
        self.edges = np.zeros((count, _edges(simulations)), EDGE)

    @staticmethod
    def size(simulations: int) -> int:
        """Return the bytes of a full tree; the system allocates most of them only when used."""
        return NODE.itemsize * (simulations + 1) + EDGE.itemsize * _edges(simulations)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The trees, the nodes and the edges."""
        return self.trees, self.nodes, self.edges
