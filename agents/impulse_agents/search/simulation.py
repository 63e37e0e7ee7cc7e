"""Simulations: draw a game, go down the tree, add a leaf, back up the result."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.network.compiled import CompiledNetwork, Workspace, run_network
from impulse_agents.search.playout import AT_RANDOM, play_out
from impulse_agents.search.tree import (
    NONE,
    PRIOR_FLOOR,
    Buffers,
    Tree,
    add_edge,
    add_leaf,
    add_outcome,
    back_up,
    find_outcome,
    follow,
    index_edges,
    is_settled,
    list_edges,
    select,
    set_priors,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import Op, Seat
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import next_bits
from impulse_env.engine.stack import current_op
from impulse_env.information import determinize

BY_NETWORK: Final = 2
"""A third policy beside `AT_RANDOM` and `BY_RULES`: a network guides the tree."""

SEARCH_CONFIG: Final = np.dtype(
    [
        ("policy", np.int64),  # AT_RANDOM, BY_RULES or BY_NETWORK
        # Player turns from the root to the end of a playout; below a deeper leaf, the playout goes
        # to the end of the leaf's turn.
        ("turns", np.int64),
        # Difference, in points of the rules or in logits, that makes an action e times as likely.
        ("temperature", np.float32),
        ("exploration", np.float32),  # PUCT's constant
        # Share of the network in the evaluation at the end of a playout; the rest is by rules.
        ("value_weight", np.float32),
        # Size of a tree, in multiples of a decision's simulations; the subtree of the chosen action
        # stays for the next decision. 1: every search starts with a new tree.
        ("reuse", np.int32),
        ("early_stop", np.int32),  # 1: end once the remaining simulations could change nothing
    ],
    align=True,
)
"""The settings of a search."""


@jit_internal
def decision_of(game: np.void) -> int:
    """Return a number for a decision, from its seat, its kind and the card that it is about."""
    op = current_op(game)
    card = -1
    if op == Op.KEEP_REVEALED or op == Op.USE_EXECUTED:
        card = int(game["table"][int(game["table_count"]) - 1])
    return (deciding_seat(game) * 64 + op) * 128 + card + 1


@jit_internal
def action_priors(
    game: np.void,
    options: NDArray[np.int16],
    count: int,
    config: np.void,
    style: NDArray[np.float32],
    priors: NDArray[np.float32],
) -> None:
    """Write the prior of each option: 1 for the best, at least `PRIOR_FLOOR` for the others."""
    if config["policy"] == AT_RANDOM:
        priors[:count] = 1
        return
    score_options(game, deciding_seat(game), options, count, style, priors)
    best = priors[0]
    for k in range(1, count):
        best = max(best, priors[k])
    for k in range(count):
        priors[k] = max(np.float32(PRIOR_FLOOR), np.exp((priors[k] - best) / config["temperature"]))


@jit_internal
def add_missing_edges(
    game: np.void,
    count: int,
    tree: Tree,
    node: int,
    config: np.void,
    style: NDArray[np.float32],
    buffers: Buffers,
) -> bool:
    """Add edges for legal actions without one; return whether there was room."""
    options, edge_of, priors = buffers.options, buffers.edge_of, buffers.scratch[0]
    missing = 0
    for k in range(count):
        missing += edge_of[options[k]] == NONE
    if missing == 0:
        return True
    action_priors(game, options, count, config, style, priors)
    for k in range(count):
        if edge_of[options[k]] == NONE:
            edge = add_edge(tree, node, options[k], priors[k])
            if edge == NONE:
                return False
            edge_of[options[k]] = edge
    return True


class Guide(NamedTuple):
    """A compiled network that guides a search.

    Attributes:
        frames: From `frames_of`.
        network: The network.
        work: Its memory, from `make_workspace`.
    """

    frames: NDArray[np.int64]
    network: CompiledNetwork
    work: Workspace


@jit_internal
def ask_network(tree: Tree, node: int, config: np.void, guide: Guide, buffers: Buffers) -> None:
    """Give a node's edges the network's priors, from what the seat observed there."""
    own, logits = buffers.own, buffers.scratch[1]
    seat = int(tree.nodes[node]["unguided"])
    count = list_edges(tree, node, guide.frames[1, seat], own)
    observation = tree.observations[node]
    run_network(guide.network, observation, own, count, False, guide.work, logits)
    set_priors(tree, node, logits, count, config["temperature"])


@jit_internal
def descend(
    game: np.void,
    count: int,
    tree: Tree,
    config: np.void,
    style: NDArray[np.float32],
    guide: Guide | None,
    buffers: Buffers,
) -> int:
    """Go down the tree to a new decision, or to the end of the game.

    The new node gets its edges. With the policy `BY_NETWORK` it becomes the tree's leaf, and its
    edges get priors later: a compiled network is asked when the node is visited again, since most
    leaves never are. Returns the number of options there, 0 at the end of the game.
    """
    options, edge_of = buffers.options, buffers.edge_of
    node = 0
    is_new = tree.nodes[0]["first_edge"] == NONE
    while True:
        if is_new and config["policy"] == BY_NETWORK:
            add_leaf(tree, node, deciding_seat(game), options, count)
            return count
        if guide is not None and tree.nodes[node]["unguided"] != NONE:
            ask_network(tree, node, config, guide, buffers)
        index_edges(tree, node, edge_of)
        if not add_missing_edges(game, count, tree, node, config, style, buffers):
            return count
        if is_new and node != 0:
            return count
        choice = select(tree.edges, buffers, count, config["exploration"])
        edge = int(edge_of[options[choice]])
        has_room = follow(tree, edge, deciding_seat(game) % int(game["teams"]))
        count = advance(game, np.int64(options[choice]), options)
        if count == 0 or not has_room:
            return count
        decision = decision_of(game)
        node = find_outcome(tree, edge, decision)
        is_new = node == NONE
        if is_new:
            node = add_outcome(tree, edge, decision)
            if node == NONE:
                return count


@jit_internal
def draw_world(
    games: np.ndarray,
    seat: Seat,
    streams: NDArray[np.uint64],
    row: int,
    options: NDArray[np.int16],
) -> int:
    """Make `games[1]` a world that agrees with the view `games[0]`; return its option count."""
    games[1] = games[0]
    determinize(games[1], seat, next_bits(streams, row), options)
    return int(advance(games[1], np.int64(-1), options))


@jit_internal
def simulate(
    games: np.ndarray,
    seat: Seat,
    tree: Tree,
    streams: NDArray[np.uint64],
    row: int,
    simulations: int,
    config: np.void,
    style: NDArray[np.float32],
    buffers: Buffers,
) -> int:
    """Search without a network; return the number of simulations.

    It stops early once the remaining simulations could not change the most visited action.

    Args:
        games: Two states: the view, and one to play in.
        seat: The seat of the view.
        tree: The tree, with a root.
        streams: Generators.
        row: The row of the generator to use.
        simulations: Largest number of simulations.
        config: A record of `SEARCH_CONFIG`.
        style: A row of `STYLES`.
        buffers: Memory for a decision.
    """
    game = games[1]
    horizon = int(games[0]["turn"]) + int(config["turns"])
    for done in range(simulations):
        count = draw_world(games, seat, streams, row, buffers.options)
        count = descend(game, count, tree, config, style, None, buffers)
        # Within a turn it is too early to evaluate the result of the turn.
        last_turn = max(horizon, int(game["turn"]) + 1)
        play_out(game, count, int(config["policy"]), last_turn, style, streams, row, buffers)
        back_up(tree, buffers.scratch[2])
        if config["early_stop"] and is_settled(tree, simulations - done - 1):
            return done + 1
    return simulations
