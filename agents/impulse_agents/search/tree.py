"""The tree of a search: sequences of actions and their results.

A node stands for the actions that lead to it, and for a decision: its seat and its kind. Chance may
lead the same actions to different decisions, which are then different nodes below the same edge. An
edge is an action at a node. The legal actions differ between simulations, so an edge is added when
its action first occurs at the node.
"""

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import Action, Seat

NONE: Final = -1
MAX_DEPTH: Final = 256
"""Longest path; a deeper simulation ends there."""
PRIOR_FLOOR: Final = 0.02
"""Smallest prior of an action; the likeliest has 1."""
EDGES_PER_NODE: Final = 16
"""Room for edges per node; a decision has four options on average."""

NODE: Final = np.dtype(
    [
        ("first_edge", np.int32),
        ("next_outcome", np.int32),  # the next node below the same edge
        ("decision", np.int32),  # from `decision_of`
        # The deciding seat until a network gives the priors of the edges; NONE without a network.
        ("unguided", np.int32),
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
        ("leaf", np.int32),  # the leaf of the current simulation with a network; NONE without one
        ("end_seat", np.int32),  # the deciding seat at the end of the playout; NONE: no evaluation
    ],
    align=True,
)
"""One tree without its nodes, edges and observations, which are rows of other arrays."""
ForestArrays: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, NDArray[np.uint8]]
"""See `Forest.arrays`."""


class Tree(NamedTuple):
    """One tree of a forest.

    Attributes:
        state: A record of `TREE`, shape ``(1,)``.
        nodes: Dtype `NODE`; the root is the first.
        edges: Dtype `EDGE`.
        observations: What the seat observed at each node when the node was added, shape
            ``(n, size(players))``, uint8; empty without a compiled network.
    """

    state: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray
    observations: NDArray[np.uint8]


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
def tree_of(forest: ForestArrays, row: int) -> Tree:
    """Return the tree of a row; `forest` is `Forest.arrays`."""
    return Tree(forest[0][row : row + 1], forest[1][row], forest[2][row], forest[3][row])


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
    tree.nodes[0]["unguided"] = NONE


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
    nodes[node]["unguided"] = NONE
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
def add_leaf(tree: Tree, node: int, seat: Seat, options: NDArray[np.int16], count: int) -> None:
    """Make a node the leaf: add an edge for each option, as far as there is room, without prior."""
    tree.state[0]["leaf"] = node
    tree.nodes[node]["unguided"] = seat
    for k in range(count):
        if add_edge(tree, node, int(options[k]), np.float32(0)) == NONE:
            break


@jit_internal
def list_edges(tree: Tree, node: int, to_own: NDArray[np.int64], own: NDArray[np.int16]) -> int:
    """List the actions of a node's edges, and return their number.

    Args:
        tree: The tree.
        node: The node.
        to_own: A row of `own_frame`.
        own: Output: the actions in that frame.
    """
    edges = tree.edges
    count = 0
    edge = int(tree.nodes[node]["first_edge"])
    while edge != NONE:
        own[count] = to_own[edges[edge]["action"]]
        count += 1
        edge = int(edges[edge]["next_edge"])
    return count


@jit_internal
def set_priors(
    tree: Tree, node: int, logits: NDArray[np.float32], count: int, temperature: float
) -> None:
    """Give a node's edges their priors: 1 for the best, at least `PRIOR_FLOOR` for the others.

    Args:
        tree: The tree.
        node: The node.
        logits: The logits of its edges, in their order.
        count: The number of edges.
        temperature: Divisor of the logits.
    """
    edges = tree.edges
    highest = np.float32(-np.inf)
    for k in range(count):
        highest = max(highest, logits[k])
    edge = int(tree.nodes[node]["first_edge"])
    for k in range(count):
        prior = np.exp((logits[k] - highest) / temperature)
        edges[edge]["prior"] = max(prior, PRIOR_FLOOR)
        edge = int(edges[edge]["next_edge"])
    tree.nodes[node]["unguided"] = NONE


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
        observations: See `Tree`; shape ``(n, simulations + 1, features)``, uint8.
    """

    def __init__(self, count: int, simulations: int, features: int = 0) -> None:
        """Allocate `count` trees for `simulations` each.

        Args:
            count: The number of trees.
            simulations: The number of simulations that a tree can hold.
            features: The length of a node's observation; 0 without a compiled network.
        """
        self.room = simulations
        self.trees = np.zeros(count, TREE)
        self.nodes = np.zeros((count, simulations + 1), NODE)
        self.edges = np.zeros((count, _edges(simulations)), EDGE)
        self.observations = np.zeros((count, simulations + 1, features), np.uint8)

    @staticmethod
    def size(simulations: int, features: int = 0) -> int:
        """Return the bytes of a full tree; the system allocates most of them only when used."""
        of_node = NODE.itemsize + features
        return of_node * (simulations + 1) + EDGE.itemsize * _edges(simulations)

    @property
    def arrays(self) -> ForestArrays:
        """The trees, the nodes, the edges and the observations."""
        return self.trees, self.nodes, self.edges, self.observations
