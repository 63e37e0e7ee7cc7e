"""Simulations that a network guides: it gives priors, and optionally values, to leaves.

A compiled network is part of the search. It gives a leaf its priors only when a second simulation
gets there, from the observation of the first. So the tree is the same as if it did at once, which
any other network does.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.network.compiled import run_network
from impulse_agents.search.playout import BY_RULES, chance_to_win, play_out
from impulse_agents.search.simulation import Guide, descend, draw_world
from impulse_agents.search.tree import (
    NONE,
    Buffers,
    Tree,
    back_up,
    is_settled,
    list_edges,
    plant,
    set_priors,
)
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.engine.decisions import deciding_seat
from impulse_env.observation import encode

ENDS_AT_ONCE: Final = 8
"""Number of consecutive simulations to the end of the game before another game gets its turn."""


@jit_internal
def weigh(
    game: np.void, seat: Seat, chance: float, weight: float, scratch: NDArray[np.float32]
) -> None:
    """Write each side's chance at the end of a playout: a mix of the rules' and the network's.

    Args:
        game: The game at the end of the playout.
        seat: The seat of the network's chance; `NONE` if the network was not asked.
        chance: The network's chance for that seat's side, 0 to 1.
        weight: The share of the network's chance.
        scratch: Shape ``(3, SIZE)``; the last row receives the chances.
    """
    win_probabilities(game, scratch[0], scratch[2])
    if seat == NONE:
        return
    sides = int(game["teams"])
    side = seat % sides
    by_rules = scratch[2, side]
    mixed = weight * chance + (1 - weight) * by_rules
    for other in range(sides):
        scratch[2, other] *= (1 - mixed) / max(1 - by_rules, np.float32(1e-6))
    scratch[2, side] = mixed


@jit_internal
def simulate_to_leaf(
    games: np.ndarray,
    seat: Seat,
    tree: Tree,
    streams: NDArray[np.uint64],
    row: int,
    config: np.void,
    style: NDArray[np.float32],
    horizon: int,
    guide: Guide,
    observations: NDArray[np.uint8],
    buffers: Buffers,
) -> bool:
    """Simulate down to a leaf for the network, then play out; return whether a leaf was reached.

    The leaf's observation is then in the tree, or in the first row of `observations` without a
    compiled network. If values count, the second row is that of the end of the playout, `games[1]`.
    If the game ends before, or the tree has no room for a leaf, the simulation is complete.
    """
    game, leaf, scratch = games[1], tree.state[0], buffers.scratch
    count = draw_world(games, seat, streams, row, buffers.options)
    count = descend(game, count, tree, config, style, guide, buffers)
    node = int(leaf["leaf"])
    if node == NONE:
        win_probabilities(game, scratch[0], scratch[2])
        back_up(tree, scratch[2])
        return False
    is_stored = tree.observations.shape[1] > 0
    observed = tree.observations[node] if is_stored else observations[0]
    encode(game, int(tree.nodes[node]["unguided"]), observed)
    last_turn = max(horizon, int(game["turn"]) + 1)
    play_out(game, count, BY_RULES, last_turn, style, streams, row, buffers)
    leaf["end_seat"] = NONE
    if config["value_weight"] > 0 and game["status"] == RUNNING:
        leaf["end_seat"] = deciding_seat(game)
        encode(game, int(leaf["end_seat"]), observations[1])
    return True


@jit_internal
def search_with_network(
    view: np.void,
    seat: int,
    pair: np.ndarray,
    tree: Tree,
    row: int,
    config: np.void,
    style: NDArray[np.float32],
    is_fresh: bool,
    left: int,
    streams: NDArray[np.uint64],
    guide: Guide,
    meaning: np.void,
    logits: NDArray[np.float32],
    chance: float,
    observations: NDArray[np.uint8],
    buffers: Buffers,
) -> int:
    """Search with a network until a leaf needs outside evaluation; return the finished simulations.

    With a compiled network, the search continues until no simulations are left, or too few to
    change the most visited action.
    """
    leaf, own, scratch = tree.state[0], buffers.own, buffers.scratch
    frames, network, work = guide
    is_here = len(network.features.bias) > 0
    horizon = int(view["turn"]) + int(config["turns"])
    ended = 0
    without_leaf = 0
    if is_fresh:
        if leaf["nodes"] == 0:  # no tree from an earlier decision
            plant(tree, 0)
        pair[0] = view
    left = min(left, len(tree.nodes) - int(leaf["nodes"]))
    while True:
        if leaf["leaf"] != NONE:
            end_seat = int(leaf["end_seat"])
            if not is_here:
                node = int(leaf["leaf"])
                count = list_edges(tree, node, frames[1, int(tree.nodes[node]["unguided"])], own)
                for k in range(count):
                    scratch[1, k] = logits[own[k]]
                set_priors(tree, node, scratch[1], count, config["temperature"])
            elif end_seat != NONE:
                value = run_network(network, observations[1], own, 0, True, work, scratch[1])
                chance = chance_to_win(pair[1], end_seat, value, meaning)
            leaf["leaf"] = NONE
            weigh(pair[1], end_seat, chance, config["value_weight"], scratch)
            back_up(tree, scratch[2])
            ended += 1
        if ended >= left or (config["early_stop"] and is_settled(tree, left - ended)):
            break
        if simulate_to_leaf(
            pair, seat, tree, streams, row, config, style, horizon, guide, observations, buffers
        ):
            if not is_here:
                break
        else:
            ended += 1
            without_leaf += 1
            if not is_here and without_leaf == ENDS_AT_ONCE:
                break
    return ended
