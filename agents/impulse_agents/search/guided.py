"""Simulations that a network guides: it gives priors, and optionally values, to leaves."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.network.compiled import CompiledNetwork, Workspace, run_network
from impulse_agents.search.playout import BY_RULES, chance_to_win, play_out
from impulse_agents.search.simulation import PRIOR_FLOOR, descend, draw_world
from impulse_agents.search.tree import NONE, Buffers, Tree, add_edge, back_up, is_settled, plant
from impulse_env.compiled.compilation import jit_internal
from impulse_env.engine.constants import RUNNING, Seat
from impulse_env.engine.decisions import deciding_seat
from impulse_env.observation import encode

ENDS_AT_ONCE: Final = 8
"""Number of consecutive simulations to the end of the game before another game gets its turn."""


@jit_internal
def expand(tree: Tree, logits: NDArray[np.float32], temperature: float) -> None:
    """Add the edges of the leaf.

    Args:
        tree: The tree.
        logits: Logits of the leaf's options, in order.
        temperature: Divisor of the logits.
    """
    leaf = tree.state[0]
    count = int(leaf["options"])
    highest = np.float32(-np.inf)
    for k in range(count):
        highest = max(highest, logits[k])
    for k in range(count):
        action = int(leaf["option"][k])
        prior = np.exp((logits[k] - highest) / temperature)
        if add_edge(tree, int(leaf["leaf"]), action, max(prior, PRIOR_FLOOR)) == NONE:
            break
    leaf["leaf"] = NONE


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
    observations: NDArray[np.uint8],
    buffers: Buffers,
) -> bool:
    """Simulate down to a leaf for the network, then play out; return whether a leaf was reached.

    `observations` then contains the leaf and, if values count, the end of the playout, which is
    `games[1]`. If the game ends before, or the tree has no room for a leaf, the simulation is
    complete.
    """
    game, leaf, scratch = games[1], tree.state[0], buffers.scratch
    count = draw_world(games, seat, streams, row, buffers.options)
    count = descend(game, count, tree, config, style, buffers)
    if leaf["leaf"] == NONE:
        win_probabilities(game, scratch[0], scratch[2])
        back_up(tree, scratch[2])
        return False
    encode(game, int(leaf["leaf_seat"]), observations[0])
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
    frames: NDArray[np.int64],
    is_fresh: bool,
    left: int,
    streams: NDArray[np.uint64],
    network: CompiledNetwork,
    meaning: np.void,
    work: Workspace,
    logits: NDArray[np.float32],
    chance: float,
    observations: NDArray[np.uint8],
    buffers: Buffers,
) -> int:
    """Search with a network until a leaf needs outside evaluation; return the finished simulations.

    A compiled network evaluates leaves here. Then the search continues until no simulations are
    left, or too few to change the most visited action.
    """
    leaf, own, scratch = tree.state[0], buffers.own, buffers.scratch
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
            count = int(leaf["options"])
            end_seat = int(leaf["end_seat"])
            for k in range(count):
                own[k] = frames[1, int(leaf["leaf_seat"]), leaf["option"][k]]
                scratch[1, k] = logits[own[k]]
            if is_here:
                run_network(network, observations[0], own, count, False, work, scratch[1])
                if end_seat != NONE:
                    value = run_network(network, observations[1], own, 0, True, work, scratch[1])
                    chance = chance_to_win(pair[1], end_seat, value, meaning)
            expand(tree, scratch[1], config["temperature"])
            weigh(pair[1], end_seat, chance, config["value_weight"], scratch)
            back_up(tree, scratch[2])
            ended += 1
        if ended >= left or (config["early_stop"] and is_settled(tree, left - ended)):
            break
        if simulate_to_leaf(
            pair, seat, tree, streams, row, config, style, horizon, observations, buffers
        ):
            if not is_here:
                break
        else:
            ended += 1
            without_leaf += 1
            if not is_here and without_leaf == ENDS_AT_ONCE:
                break
    return ended
