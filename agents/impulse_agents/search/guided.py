"""Simulations that a network guides: its leaves get their edges and their worth from it."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.network.compiled import run_network
from impulse_agents.network.compiled_layers import Workspace
from impulse_agents.network.compiled_weights import CompiledNetwork
from impulse_agents.rng import next_bits
from impulse_agents.search.leaf_chance import chance_to_win
from impulse_agents.search.playout import BY_RULES, play_out
from impulse_agents.search.simulation import PRIOR_FLOOR, descend
from impulse_agents.search.tree import NONE, add_edge, back_up, is_settled, plant
from impulse_env.engine.compilation import jit_internal
from impulse_env.engine.constants import Seat
from impulse_env.engine.decisions import advance
from impulse_env.information import determinize
from impulse_env.observation import encode

ENDS_AT_ONCE: Final = 8
"""Simulations to the end of the game in a row before another game gets its turn."""


@jit_internal
def expand(
    game: np.void,
    tree: np.void,
    nodes: np.ndarray,
    edges: np.ndarray,
    logits: NDArray[np.float32],
    value: float,
    config: np.void,
    style: NDArray[np.float32],
    horizon: int,
    options: NDArray[np.int16],
    streams: NDArray[np.uint64],
    row: int,
    scratch: NDArray[np.float32],
) -> None:
    """Give the leaf its edges, and back up what the network and a playout by rules expect there.

    Args:
        game: The game at the leaf; it is played on.
        tree: The tree.
        nodes: Its nodes.
        edges: Its edges.
        logits: Of the leaf's options, in their order; may be the second row of `scratch`.
        value: The chance of that seat's side, 0 to 1.
        config: A record of `SEARCH_CONFIG`.
        style: A row of `STYLES`, for the playout.
        horizon: The turn at whose beginning it ends, if the leaf's own turn has ended by then.
        options: Room for actions, shape ``(SIZE,)``.
        streams: Generators.
        row: Which of them is used.
        scratch: Shape ``(3, SIZE)``.
    """
    seat = int(tree["leaf_seat"])
    count = int(tree["options"])
    highest = np.float32(-np.inf)
    for k in range(count):
        highest = max(highest, logits[k])
    for k in range(count):
        action = int(tree["option"][k])
        prior = np.exp((logits[k] - highest) / config["temperature"])
        if add_edge(tree, nodes, edges, int(tree["leaf"]), action, max(prior, PRIOR_FLOOR)) == NONE:
            break
    sides = int(game["teams"])
    side = seat % sides
    options[:count] = tree["option"][:count]
    last_turn = max(horizon, int(game["turn"]) + 1)
    if config["value_weight"] < 1:
        play_out(game, options, count, BY_RULES, last_turn, style, streams, row, scratch)
    else:
        win_probabilities(game, scratch[0], scratch[2])
    stands = scratch[2, side]
    mixed = config["value_weight"] * value + (1 - config["value_weight"]) * stands
    for other in range(sides):
        scratch[2, other] *= (1 - mixed) / max(1 - stands, np.float32(1e-6))
    scratch[2, side] = mixed
    back_up(tree, edges, scratch[2])
    tree["leaf"] = NONE


@jit_internal
def descend_to_leaf(
    games: np.ndarray,
    seat: Seat,
    options: NDArray[np.int16],
    tree: np.void,
    nodes: np.ndarray,
    edges: np.ndarray,
    streams: NDArray[np.uint64],
    row: int,
    config: np.void,
    style: NDArray[np.float32],
    edge_of: NDArray[np.int32],
    scratch: NDArray[np.float32],
) -> bool:
    """Simulate down to a leaf for the network, which is `games[1]` then; return whether it is one.

    Where the game ends, or there is no room for a leaf, the simulation is complete.
    """
    game = games[1]
    games[1] = games[0]
    determinize(game, seat, next_bits(streams, row))
    count = advance(game, np.int64(-1), options)
    descend(game, options, count, tree, nodes, edges, edge_of, scratch[0], config, style)
    if tree["leaf"] != NONE:
        return True
    win_probabilities(game, scratch[0], scratch[2])
    back_up(tree, edges, scratch[2])
    return False


@jit_internal
def search_with_network(
    view: np.void,
    seat: int,
    pair: np.ndarray,
    forest: tuple[np.ndarray, np.ndarray, np.ndarray],
    row: int,
    config: np.void,
    style: NDArray[np.float32],
    frames: NDArray[np.int64],
    is_fresh: bool,
    left: int,
    streams: NDArray[np.uint64],
    network: CompiledNetwork,
    meaning: np.void,
    work: Workspace,
    logits: NDArray[np.float32],
    chance: float,
    observation: NDArray[np.uint8],
    own: NDArray[np.int16],
    options: NDArray[np.int16],
    edge_of: NDArray[np.int32],
    scratch: NDArray[np.float32],
) -> int:
    """Search with a network until its leaf is to be evaluated elsewhere; return those ended.

    A network in compiled code evaluates the leaves here and now, so that the search goes on until
    no simulations are left, or too few to change which action is tried most.
    """
    tree, nodes, edges = forest[0][row], forest[1][row], forest[2][row]
    is_here = len(network.features.bias) > 0
    horizon = int(view["turn"]) + int(config["turns"])
    ended = 0
    without_leaf = 0
    if is_fresh:
        if tree["nodes"] == 0:  # nothing was found out before
            plant(tree, nodes, 0)
        pair[0] = view
    left = min(left, len(nodes) - int(tree["nodes"]))
    while True:
        if tree["leaf"] != NONE:
            leaf_seat = int(tree["leaf_seat"])
            count = int(tree["options"])
            for k in range(count):
                own[k] = frames[1, leaf_seat, tree["option"][k]]
                scratch[1, k] = logits[own[k]]
            if is_here:
                is_wanted = config["value_weight"] > 0
                value = run_network(network, observation, own, count, is_wanted, work, scratch[1])
                chance = chance_to_win(pair[1], leaf_seat, value, meaning)
            expand(
                pair[1],
                tree,
                nodes,
                edges,
                scratch[1],
                chance,
                config,
                style,
                horizon,
                options,
                streams,
                row,
                scratch,
            )
            ended += 1
        if ended >= left or (config["early_stop"] and is_settled(nodes, edges, left - ended)):
            break
        if descend_to_leaf(
            pair, seat, options, tree, nodes, edges, streams, row, config, style, edge_of, scratch
        ):
            encode(pair[1], int(tree["leaf_seat"]), observation)
            if not is_here:
                break
        else:
            ended += 1
            without_leaf += 1
            if not is_here and without_leaf == ENDS_AT_ONCE:
                break
    return ended
