"""One step ahead, and the compiled entry point of all searches.

There is only one, because each entry point compiles the whole engine again.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.heuristics.action_scores import score_options
from impulse_agents.heuristics.evaluation import win_probabilities
from impulse_agents.network.compiled import NO_NETWORK, CompiledNetwork, make_workspace
from impulse_agents.rng import RngStreams
from impulse_agents.search.guided import search_with_network
from impulse_agents.search.playout import LEAF_VALUE
from impulse_agents.search.reuse import look_beyond
from impulse_agents.search.simulation import BY_NETWORK, SEARCH_CONFIG, Guide, simulate
from impulse_agents.search.tree import (
    NONE,
    Buffers,
    Forest,
    ForestArrays,
    make_buffers,
    most_visited,
    plant,
    tree_of,
)
from impulse_agents.selection import list_legal, pick_best
from impulse_env.compiled.compilation import call, jit, jit_internal
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import RUNNING, Seat, State
from impulse_env.engine.decisions import advance, deciding_seat
from impulse_env.engine.rng import next_bits
from impulse_env.engine.state import STATE
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.information import determinize

CERTAINTY: Final = 12.0
"""Value in points of the step from no chance to a certain victory."""
ROUTINE: Final = 1.0
"""Weight of the rules of thumb beside that of the outcome."""


@jit_internal
def look_ahead(
    games: np.ndarray,
    seat: Seat,
    count: int,
    style: NDArray[np.float32],
    buffers: Buffers,
    next_options: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> None:
    """Score each option by the position that it leads to.

    If the same seat must decide again within the effect, the rule-based score of its best next
    action counts, too.

    Args:
        games: Two states: a possible full game at the decision, and one to try actions in.
        seat: The deciding seat.
        count: The number of legal actions.
        style: A row of `STYLES`.
        buffers: The legal actions, and memory.
        next_options: Room for actions, shape ``(SIZE,)``.
        scores: Output: the first `count` scores.
    """
    options, scratch = buffers.options, buffers.scratch
    side = seat % int(games[0]["teams"])
    score_options(games[0], seat, options, count, style, scores)
    trial = games[1]
    for k in range(count):
        games[1] = games[0]
        following = advance(trial, np.int64(options[k]), next_options)
        win_probabilities(trial, scratch[0], scratch[2])
        scores[k] = ROUTINE * scores[k] + CERTAINTY * scratch[2, side]
        if trial["status"] == RUNNING and trial["stack_count"] > 0 and deciding_seat(trial) == seat:
            score_options(trial, seat, next_options, following, style, scratch[1])
            best = scratch[1, 0]
            for j in range(1, following):
                best = max(best, scratch[1, j])
            scores[k] += best


@jit_internal
def act_one_ply(
    view: State,
    seat: Seat,
    mask: NDArray[np.int8],
    to_absolute: NDArray[np.int64],
    games: np.ndarray,
    style: NDArray[np.float32],
    streams: NDArray[np.uint64],
    row: int,
    buffers: Buffers,
    next_options: NDArray[np.int16],
    scores: NDArray[np.float32],
) -> int:
    """Return the legal action that leads to the best position, in the own frame.

    Args:
        view: The view of the seat.
        seat: The deciding seat.
        mask: Its legal actions in its own frame, shape ``(SIZE,)``.
        to_absolute: The seat's row of `absolute_frame`.
        games: Room for two states.
        style: A row of `STYLES`.
        streams: Generators.
        row: The row of the generator to use.
        buffers: Memory.
        next_options: Room for actions, shape ``(SIZE,)``.
        scores: Room for their scores, shape ``(SIZE,)``.
    """
    own = buffers.own
    count = list_legal(mask, to_absolute, own, buffers.options)
    games[0] = view
    determinize(games[0], seat, next_bits(streams, row), next_options)
    look_ahead(games, seat, count, style, buffers, next_options, scores)
    return int(own[pick_best(scores, count, streams, row)])


@jit
def decide(
    views: np.ndarray,
    seats: NDArray[np.int8],
    frames: NDArray[np.int64],
    masks: NDArray[np.int8],
    games: np.ndarray,
    forest: ForestArrays,
    config: np.ndarray,
    style: NDArray[np.float32],
    simulations: int,
    is_fresh: bool,
    streams: NDArray[np.uint64],
    network: CompiledNetwork,
    meaning: np.ndarray,
    evaluation: tuple[NDArray[np.float32], NDArray[np.float32]],
    observations: NDArray[np.uint8],
    actions: NDArray[np.int64],
    done: NDArray[np.int64],
    kept: ForestArrays,
    next_views: np.ndarray,
) -> None:
    """Decide by looking one step ahead or by a search, or take a step of searches with a network.

    Without trees it looks one step ahead. With the policy `BY_NETWORK` every game has its own tree.
    If `network` is compiled, the search runs until `simulations` are complete or settle the
    decision. Otherwise every tree gets one more leaf, and `observations` contains what the caller
    must evaluate: the leaf, and the end of a playout from there.

    Without a network the first tree serves one game after another. `done` counts the complete
    simulations. With `next_views` the subtrees of the actions are stored, see `look_beyond`.
    """
    next_options = np.empty(SIZE, np.int16)
    scores = np.empty(SIZE, np.float32)
    buffers = make_buffers()
    options = buffers.options
    guide = Guide(frames, network, make_workspace(network))
    for row in range(len(views)):
        seat = int(seats[row])
        if len(forest[0]) == 0:
            actions[row] = act_one_ply(
                views[row],
                seat,
                masks[row],
                frames[0, seat],
                games,
                style,
                streams,
                row,
                buffers,
                next_options,
                scores,
            )
            continue
        if config[0]["policy"] == BY_NETWORK:
            tree = tree_of(forest, row)
            done[row] += search_with_network(
                views[row],
                seat,
                games[2 * row : 2 * row + 2],
                tree,
                row,
                config[0],
                style,
                is_fresh,
                simulations - done[row],
                streams,
                guide,
                meaning[0],
                evaluation[0][row],
                evaluation[1][row],
                observations[row],
                buffers,
            )
        else:
            tree = tree_of(forest, 0)
            games[0] = views[row]
            if is_fresh:
                plant(tree, 0)
            done[row] += simulate(
                games, seat, tree, streams, row, simulations, config[0], style, buffers
            )
        if tree.nodes[0]["first_edge"] != NONE:
            action = most_visited(tree)
            actions[row] = frames[1, seat, action]
            if len(next_views) > 0:
                look_beyond(
                    games[2 * row : 2 * row + 2],
                    seat,
                    action,
                    tree,
                    tree_of(kept, row),
                    row,
                    next_views,
                    options,
                    streams,
                )


NO_FOREST: Final = Forest(0, 0)
"""For calls without a search, or without stored trees."""
NO_VIEWS: Final = np.zeros(0, STATE)
_NO_EVALUATION: Final = (np.empty((0, SIZE), np.float32), np.empty(0, np.float32))
_NO_OBSERVATIONS: Final = np.empty((0, 2, 0), np.uint8)
_ANY_SEARCH: Final = np.zeros(1, SEARCH_CONFIG)
NO_MEANING: Final = np.zeros(1, LEAF_VALUE)
"""For a search that uses no values."""


def frames_of(views: np.ndarray) -> NDArray[np.int64]:
    """Return the tables to the absolute frame and back, shape ``(2, 6, SIZE)``; see `frame`."""
    players = int(views["players"][0])
    return np.stack([absolute_frame(players), own_frame(players)])


def search_one_ply(
    seen: ObservationBatch, style: NDArray[np.float32], streams: RngStreams
) -> NDArray[np.int64]:
    """Return the actions that lead to the best positions, in the own frame, shape ``(n,)``."""
    assert seen.views is not None
    actions = np.empty(len(seen), np.int64)
    call(
        decide,
        *(seen.views, seen.seats, frames_of(seen.views), seen.masks, np.zeros(2, STATE)),
        *(NO_FOREST.arrays, _ANY_SEARCH, style, 0, True, streams.states),
        *(NO_NETWORK, NO_MEANING),
        *(_NO_EVALUATION, _NO_OBSERVATIONS, actions, np.zeros(len(seen), np.int64)),
        *(NO_FOREST.arrays, NO_VIEWS),
    )
    return actions


def search(
    seen: ObservationBatch,
    config: np.ndarray,
    style: NDArray[np.float32],
    simulations: int,
    streams: RngStreams,
    forest: Forest,
    is_fresh: bool = True,
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Search each view in turn in the first tree of a forest.

    Args:
        seen: The observations, with views.
        config: One record of `SEARCH_CONFIG`, shape ``(1,)``.
        style: A row of `STYLES`.
        simulations: Largest number of simulations for each row.
        streams: A generator for each row.
        forest: Has room for the simulations; contains the tree of the last row afterwards.
        is_fresh: Whether to start a new tree; otherwise continue the tree of the only row.

    Returns:
        The most visited actions, in the own frame, and the numbers of simulations; shape ``(n,)``
        each.
    """
    assert seen.views is not None
    actions = np.zeros(len(seen), np.int64)
    done = np.zeros(len(seen), np.int64)
    call(
        decide,
        *(seen.views, seen.seats, frames_of(seen.views), seen.masks, np.zeros(2, STATE)),
        *(forest.arrays, config, style, simulations, is_fresh, streams.states),
        *(NO_NETWORK, NO_MEANING),
        *(_NO_EVALUATION, _NO_OBSERVATIONS, actions, done),
        *(NO_FOREST.arrays, NO_VIEWS),
    )
    return actions, done
