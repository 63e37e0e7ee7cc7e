"""Reuse of a search tree: the part below the chosen action starts the next search.

A turn is a sequence of decisions of one seat, and most of them reveal nothing hidden. After such a
decision, the next search starts with the subtree of the chosen action.
"""

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.search.simulation import decision_of, draw_world
from impulse_agents.search.tree import NONE, Forest, Tree, find_outcome
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import Seat
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.information import redact

MOST_KEPT: Final = 1 << 29
"""Bytes for stored trees."""


@jit_internal
def copy_below(tree: Tree, node: int, kept: Tree) -> None:
    """Copy the subtree of a node to a new tree, whose root is that node."""
    nodes, edges = tree.nodes, tree.edges
    kept_nodes, kept_edges = kept.nodes, kept.edges
    origin = np.empty(len(nodes), np.int32)  # the original of each copied node
    origin[0] = node
    kept_nodes[0]["decision"] = 0
    kept_nodes[0]["next_outcome"] = NONE
    copied = 1
    made = 0
    at = 0
    while at < copied:
        edge = int(nodes[origin[at]]["first_edge"])
        kept_nodes[at]["first_edge"] = made if edge != NONE else NONE
        kept_nodes[at]["unguided"] = nodes[origin[at]]["unguided"]
        if kept_nodes[at]["unguided"] != NONE:
            kept.observations[at] = tree.observations[origin[at]]
        while edge != NONE:
            kept_edges[made] = edges[edge]
            outcome = int(edges[edge]["first_outcome"])
            kept_edges[made]["first_outcome"] = copied if outcome != NONE else NONE
            while outcome != NONE:
                origin[copied] = outcome
                kept_nodes[copied]["decision"] = nodes[outcome]["decision"]
                outcome = int(nodes[outcome]["next_outcome"])
                kept_nodes[copied]["next_outcome"] = copied + 1 if outcome != NONE else NONE
                copied += 1
            edge = int(edges[edge]["next_edge"])
            kept_edges[made]["next_edge"] = made + 1 if edge != NONE else NONE
            made += 1
        at += 1
    kept.state[0]["nodes"] = copied
    kept.state[0]["edges"] = made
    kept.state[0]["depth"] = 0
    kept.state[0]["leaf"] = NONE


@jit_internal
def are_all_legal(tree: Tree, node: int, options: NDArray[np.int16], count: int) -> bool:
    """Return whether a node's actions are among the options.

    They may not be if different worlds, with different observations, have led to the same node.
    """
    edge = int(tree.nodes[node]["first_edge"])
    while edge != NONE:
        if not _has(options, count, int(tree.edges[edge]["action"])):
            return False
        edge = int(tree.edges[edge]["next_edge"])
    return True


@jit_internal
def _has(options: NDArray[np.int16], count: int, action: int) -> bool:
    # A loop, because numba's comparison of whole arrays puts an address into the machine code.
    for index in range(count):
        if options[index] == action:
            return True
    return False


@jit_internal
def look_beyond(
    games: np.ndarray,
    seat: Seat,
    action: int,
    tree: Tree,
    kept: Tree,
    row: int,
    next_views: np.ndarray,
    options: NDArray[np.int16],
    streams: NDArray[np.uint64],
) -> None:
    """Store the subtree of an action, if the same seat decides next.

    Also write the seat's next view to `next_views`. It is valid if the action reveals nothing: then
    it is the same in all worlds, and comes from any of them.

    Args:
        games: The seat's view, and room for a game.
        seat: The deciding seat.
        action: Its action.
        tree: The tree.
        kept: Output: a tree that gets the subtree, or no nodes.
        row: Row of the view and of the generator.
        next_views: Output, shape ``(n,)``, dtype `STATE`.
        options: Room for actions, shape ``(SIZE,)``.
        streams: Generators.
    """
    kept.state[0]["nodes"] = 0
    edge = int(tree.nodes[0]["first_edge"])
    while edge != NONE and tree.edges[edge]["action"] != action:
        edge = int(tree.edges[edge]["next_edge"])
    if edge == NONE:
        return
    world = games[1]
    draw_world(games, seat, streams, row, options)
    count = advance(world, np.int64(action), options)
    if count == 0 or deciding_seat(world) != seat:
        return
    node = find_outcome(tree, edge, decision_of(world))
    if node != NONE and are_all_legal(tree, node, options, count):
        copy_below(tree, node, kept)
        redact(world, seat)
        next_views[row] = world


@dataclass(frozen=True)
class _Kept:
    view: bytes  # digest of the view that the seat must have
    tree: np.ndarray
    nodes: np.ndarray
    edges: np.ndarray
    observations: NDArray[np.uint8]  # of the nodes without priors, in their order

    @property
    def size(self) -> int:
        """Number of bytes."""
        parts = self.tree, self.nodes, self.edges, self.observations
        return sum(part.nbytes for part in parts)


class KeptTrees:
    """Stored trees for coming decisions, each with the state of its game's generator as its key.

    So a search depends only on its own game. If the view differs from the expected one, for example
    after a card was drawn, the tree is not used.

    Args:
        most: Number of bytes. If trees exceed it, the oldest are dropped.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most, self._size = most, 0
        self._kept: dict[bytes, _Kept] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def put(self, forest: Forest, next_views: np.ndarray, states: NDArray[np.uint64]) -> None:
        """Store the trees of a forest that have nodes.

        Args:
            forest: A tree for each row.
            next_views: The expected views, shape ``(n,)``, dtype `STATE`.
            states: The present states of the generators, shape ``(n,)``.
        """
        for row in np.flatnonzero(forest.trees["nodes"]):
            tree = forest.trees[row : row + 1].copy()
            nodes = forest.nodes[row, : int(tree["nodes"][0])].copy()
            edges = forest.edges[row, : int(tree["edges"][0])].copy()
            observed = forest.observations[row, np.flatnonzero(nodes["unguided"] != NONE)]
            self._pop(states[row].tobytes())
            kept = _Kept(_digest(next_views[row]), tree, nodes, edges, observed)
            self._kept[states[row].tobytes()] = kept
            self._size += kept.size
        while self._size > self._most:
            self._pop(next(iter(self._kept)))

    def take(self, forest: Forest, views: np.ndarray, states: NDArray[np.uint64]) -> None:
        """Move the stored trees of some games into a forest.

        Args:
            forest: New trees, one for each row.
            views: The seats' views.
            states: The states of the generators, shape ``(n,)``.
        """
        if not self._kept:
            return
        for row, state in enumerate(states):
            stored = self._pop(state.tobytes())
            if stored is not None and stored.view == _digest(views[row]):
                forest.trees[row] = stored.tree[0]
                forest.nodes[row, : len(stored.nodes)] = stored.nodes
                forest.edges[row, : len(stored.edges)] = stored.edges
                unguided = np.flatnonzero(stored.nodes["unguided"] != NONE)
                forest.observations[row, unguided] = stored.observations

    def _pop(self, state: bytes) -> _Kept | None:
        kept = self._kept.pop(state, None)
        self._size -= 0 if kept is None else kept.size
        return kept


def _digest(view: np.void) -> bytes:
    return blake2b(view.tobytes(), digest_size=16).digest()
