"""One simulation after another: draw a game, go down the tree, add a leaf, back up."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.rules.options import score_options
from agents.search.playout import AT_RANDOM, next_bits, play_out
from agents.search.tree import (
    NONE,
    add_edge,
    add_outcome,
    back_up,
    find_outcome,
    follow,
    index_edges,
    plant,
    select,
)
from impulse_env.engine._jit import jit, jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING, Op
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.stack import current_op
from impulse_env.information import determinize

FLOOR: Final = 0.02
"""Least weight of an action beside the likeliest, whose weight is 1."""


@jit_internal
def decision_of(game: np.void) -> int:
    """Return a number for who decides what: the seat, the kind, and the card it is about."""
    op = current_op(game)
    card = -1
    if op == Op.KEEP_REVEALED or op == Op.USE_EXECUTED:
        card = int(game["table"][int(game["table_count"]) - 1])
    return (deciding_seat(game) * 64 + op) * 128 + card + 1


@jit_internal
def weigh(
    game: np.void,
    options: NDArray[np.int16],
    count: int,
    policy: int,
    temperature: float,
    rules: NDArray[np.float32],
    weights: NDArray[np.float32],
) -> None:
    """Write how likely each option looks beforehand: 1 for the best, at least `FLOOR`."""
    if policy == AT_RANDOM:
        weights[:count] = 1
        return
    score_options(game, deciding_seat(game), options, count, rules, weights)
    best = weights[0]
    for k in range(1, count):
        best = max(best, weights[k])
    for k in range(count):
        weights[k] = max(np.float32(FLOOR), np.exp((weights[k] - best) / temperature))


@jit_internal
def descend(
    game: np.void,
    options: NDArray[np.int16],
    count: int,
    tree: np.void,
    nodes: np.ndarray,
    edges: np.ndarray,
    edge_of: NDArray[np.int32],
    weights: NDArray[np.float32],
    rules: NDArray[np.float32],
    policy: int,
    temperature: float,
    exploration: float,
) -> int:
    """Go down the tree to a decision that is new, or to the end of the game.

    The new node is added with all its edges. Returns the number of its options, 0 at the end.
    """
    node = 0
    is_new = nodes[0]["first_edge"] == NONE
    while True:
        index_edges(nodes, edges, node, edge_of)
        missing = 0
        for k in range(count):
            missing += edge_of[options[k]] == NONE
        if missing > 0:
            weigh(game, options, count, policy, temperature, rules, weights)
            for k in range(count):
                if edge_of[options[k]] == NONE:
                    edge = add_edge(tree, nodes, edges, node, options[k], weights[k])
                    if edge == NONE:
                        return count
                    edge_of[options[k]] = edge
        if is_new and node != 0:
            return count
        choice = select(edges, edge_of, options, count, exploration)
        edge = int(edge_of[options[choice]])
        side = deciding_seat(game) % int(game["teams"])
        has_room = follow(tree, edge, side)
        count = advance(game, np.int64(options[choice]), options)
        if count == 0 or not has_room:
            return count
        decision = decision_of(game)
        node = find_outcome(nodes, edges, edge, decision)
        is_new = node == NONE
        if is_new:
            node = add_outcome(tree, nodes, edges, edge, decision)
            if node == NONE:
                return count


@jit
def _simulate(
    views: np.ndarray,
    seat: int,
    games: np.ndarray,
    tree: np.ndarray,
    nodes: np.ndarray,
    edges: np.ndarray,
    stream: NDArray[np.uint64],
    simulations: int,
    is_fresh: bool,
    policy: int,
    turns: int,
    rules: NDArray[np.float32],
    temperature: float,
    exploration: float,
) -> int:
    """Run simulations from a view; see `Search.run`. Returns how many were run.

    It stops early once no further simulation could change which action has the most visits.
    """
    game = games[0]
    options = np.empty(SIZE, np.int16)
    edge_of = np.empty(SIZE, np.int32)
    weights = np.empty(SIZE, np.float32)
    scratch = np.empty(SIZE, np.float32)
    chances = np.zeros(8, np.float32)
    if is_fresh:
        plant(tree[0], nodes, 0)
    last_turn = int(views[0]["turn"]) + turns
    for done in range(simulations):
        games[0] = views[0]
        determinize(game, seat, next_bits(stream))
        count = advance(game, np.int64(-1), options)
        count = descend(
            game,
            options,
            count,
            tree[0],
            nodes,
            edges,
            edge_of,
            weights,
            rules,
            policy,
            temperature,
            exploration,
        )
        play_out(
            game, options, count, policy, last_turn, rules, stream, weights, scratch, chances
        )
        back_up(tree[0], edges, chances)
        if _is_settled(nodes, edges, simulations - done - 1):
            return done + 1
    return simulations


@jit_internal
def _is_settled(nodes: np.ndarray, edges: np.ndarray, left: int) -> bool:
    """Whether the root's most visited action leads by more than the simulations left."""
    most = 0
    second = 0
    edge = int(nodes[0]["first_edge"])
    while edge != NONE:
        visits = int(edges[edge]["visits"])
        if visits > most:
            second = most
            most = visits
        elif visits > second:
            second = visits
        edge = int(edges[edge]["next_edge"])
    return most - second > left
