"""The compiled entry point of all searches.

There is a single one, because each compiles the whole engine once more.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.rng import RngStreams, next_bits
from impulse_agents.search.one_ply import look_ahead
from impulse_agents.search.simulation import (
    BY_NETWORK,
    SEARCH_CONFIG,
    descend_to_leaf,
    expand,
    simulate,
)
from impulse_agents.search.tree import NONE, Forest, is_settled, most_visited, plant
from impulse_agents.selection import list_legal, pick_best
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.compilation import call, jit, jit_internal
from impulse_env.engine.state import STATE
from impulse_env.frame import absolute_frame, own_frame
from impulse_env.information import determinize
from impulse_env.observation import encode

ENDS_AT_ONCE: Final = 8
"""Simulations to the end of the game in a row before another game gets its turn."""


@jit_internal
def _advance_leaf(
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
    logits: NDArray[np.float32],
    value: float,
    observation: NDArray[np.uint8],
    options: NDArray[np.int16],
    edge_of: NDArray[np.int32],
    scratch: NDArray[np.float32],
) -> int:
    """Take a step of a search with a network: finish a leaf, find the next; return those ended.

    There is no next one if no simulations are left, or too few to change which action is tried
    most.
    """
    tree, nodes, edges = forest[0][row], forest[1][row], forest[2][row]
    ended = 0
    if is_fresh:
        plant(tree, nodes, 0)
        pair[0] = view
    elif tree["leaf"] != NONE:
        horizon = int(view["turn"]) + int(config["turns"])
        expand(
            pair[1],
            tree,
            nodes,
            edges,
            logits,
            value,
            frames[1],
            config,
            style,
            horizon,
            options,
            streams,
            row,
            scratch,
        )
        ended = 1
    for _ in range(ENDS_AT_ONCE):
        if ended >= left or (config["early_stop"] and is_settled(nodes, edges, left - ended)):
            break
        if descend_to_leaf(
            pair, seat, options, tree, nodes, edges, streams, row, config, style, edge_of, scratch
        ):
            encode(pair[1], int(tree["leaf_seat"]), observation)
            break
        ended += 1
    return ended


@jit
def _decide(
    views: np.ndarray,
    seats: NDArray[np.int8],
    frames: NDArray[np.int64],
    masks: NDArray[np.int8],
    games: np.ndarray,
    forest: tuple[np.ndarray, np.ndarray, np.ndarray],
    config: np.ndarray,
    style: NDArray[np.float32],
    simulations: int,
    is_fresh: bool,
    streams: NDArray[np.uint64],
    evaluation: tuple[NDArray[np.float32], NDArray[np.float32]],
    observations: NDArray[np.uint8],
    actions: NDArray[np.int64],
    done: NDArray[np.int64],
) -> None:
    """Decide by a look one step ahead, by a search, or take a step of searches with a network.

    Without trees it looks one step ahead. With a network in charge every tree gets one more leaf,
    unless `simulations` are complete or settle the matter, and `observations` shows what is to be
    evaluated; otherwise the first tree serves one game after another. `done` counts the simulations
    that are complete.
    """
    own = np.empty(SIZE, np.int16)
    options = np.empty(SIZE, np.int16)
    next_options = np.empty(SIZE, np.int16)
    edge_of = np.empty(SIZE, np.int32)
    scores = np.empty(SIZE, np.float32)
    scratch = np.zeros((3, SIZE), np.float32)
    trees, nodes, edges = forest
    for row in range(len(views)):
        seat = int(seats[row])
        if len(trees) == 0:
            count = list_legal(masks[row], frames[0, seat], own, options)
            games[0] = views[row]
            determinize(games[0], seat, next_bits(streams, row))
            look_ahead(games, seat, options, count, style, next_options, scores, scratch)
            actions[row] = own[pick_best(scores, count, streams, row)]
            continue
        tree = 0
        if config[0]["policy"] == BY_NETWORK:
            tree = row
            done[row] += _advance_leaf(
                views[row],
                seat,
                games[2 * row : 2 * row + 2],
                forest,
                row,
                config[0],
                style,
                frames,
                is_fresh,
                simulations - done[row],
                streams,
                evaluation[0][row],
                evaluation[1][row],
                observations[row],
                options,
                edge_of,
                scratch,
            )
        else:
            games[0] = views[row]
            if is_fresh:
                plant(trees[0], nodes[0], 0)
            done[row] += simulate(
                games,
                seat,
                options,
                trees[0],
                nodes[0],
                edges[0],
                streams,
                row,
                simulations,
                config[0],
                style,
                edge_of,
                scratch,
            )
        if nodes[tree, 0]["first_edge"] != NONE:
            actions[row] = frames[1, seat, most_visited(nodes[tree], edges[tree])]


_NO_FOREST: Final = Forest(0, 0)
_NO_EVALUATION: Final = (np.empty((0, SIZE), np.float32), np.empty(0, np.float32))
_NO_OBSERVATIONS: Final = np.empty((0, 0), np.uint8)
_ANY_SEARCH: Final = np.zeros(1, SEARCH_CONFIG)


def _frames(views: np.ndarray) -> NDArray[np.int64]:
    """Return the tables to the absolute frame and back, shape ``(2, 6, SIZE)``."""
    players = int(views["players"][0])
    return np.stack([absolute_frame(players), own_frame(players)])


def search_one_ply(
    seen: ObservationBatch, style: NDArray[np.float32], streams: RngStreams
) -> NDArray[np.int64]:
    """Return the actions that lead to the best positions, in the own frame, shape ``(n,)``."""
    assert seen.views is not None
    actions = np.empty(len(seen), np.int64)
    call(
        _decide,
        *(seen.views, seen.seats, _frames(seen.views), seen.masks, np.zeros(2, STATE)),
        *(_NO_FOREST.arrays, _ANY_SEARCH, style, 0, True, streams.states),
        *(_NO_EVALUATION, _NO_OBSERVATIONS, actions, np.zeros(len(seen), np.int64)),
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
        seen: What is known, with views.
        config: One record of `SEARCH_CONFIG`, shape ``(1,)``.
        style: A row of `STYLES`.
        simulations: How many at most for each row.
        streams: A generator for each row.
        forest: Has room for the simulations; holds the tree of the last row afterwards.
        is_fresh: Whether to begin anew, not to go on with the tree (of the only row).

    Returns:
        The actions tried most, in the own frame, and the simulations run; shape ``(n,)`` each.
    """
    assert seen.views is not None
    actions = np.zeros(len(seen), np.int64)
    done = np.zeros(len(seen), np.int64)
    call(
        _decide,
        *(seen.views, seen.seats, _frames(seen.views), seen.masks, np.zeros(2, STATE)),
        *(forest.arrays, config, style, simulations, is_fresh, streams.states),
        *(_NO_EVALUATION, _NO_OBSERVATIONS, actions, done),
    )
    return actions, done


class NetworkSearch:
    """Searches of many games in step, so that a network evaluates all their leaves at once.

    Attributes:
        waiting: The rows whose search waits for its leaf to be evaluated; the others have ended.
        actions: The actions tried most so far, in the own frame, shape ``(n,)``.
        done: Simulations that are complete, shape ``(n,)``.
        forest: The trees.
    """

    def __init__(
        self,
        seen: ObservationBatch,
        config: np.ndarray,
        style: NDArray[np.float32],
        streams: RngStreams,
        simulations: int,
    ) -> None:
        """Go down to the first leaf of each game; there will be so many simulations at most."""
        assert seen.views is not None
        self._seen, self._config, self._style, self._streams = seen, config, style, streams
        self._frames = _frames(seen.views)
        self._pairs = np.zeros(2 * len(seen), STATE)
        self._observations = np.zeros_like(seen.observations)
        self._logits = np.zeros((len(seen), SIZE), np.float32)
        self._values = np.zeros(len(seen), np.float32)
        self.forest = Forest(len(seen), simulations)
        self.actions = np.zeros(len(seen), np.int64)
        self.done = np.zeros(len(seen), np.int64)
        self._advance(simulations, is_fresh=True)

    @property
    def observations(self) -> NDArray[np.uint8]:
        """What the seats at the leaves of `waiting` see, shape ``(k, size(players))``."""
        return self._observations[self.waiting]

    @property
    def games(self) -> np.ndarray:
        """The games at those leaves, shape ``(k,)``, dtype `STATE`."""
        return self._pairs[2 * self.waiting + 1]

    @property
    def seats(self) -> NDArray[np.int32]:
        """The seats that decide there, shape ``(k,)``."""
        return self.forest.trees["leaf_seat"][self.waiting]

    def step(
        self, logits: NDArray[np.float32], values: NDArray[np.float32], simulations: int
    ) -> None:
        """Finish the simulations under way, and go down to the next leaves.

        Args:
            logits: The network's, for `observations`, shape ``(k, SIZE)``.
            values: The chance of each leaf's seat to win, 0 to 1, shape ``(k,)``.
            simulations: Begin no more than so many, from the first one.
        """
        self._logits[self.waiting], self._values[self.waiting] = logits, values
        self._advance(simulations, is_fresh=False)

    def _advance(self, simulations: int, is_fresh: bool) -> None:
        seen = self._seen
        call(
            _decide,
            *(seen.views, seen.seats, self._frames, seen.masks, self._pairs),
            *(self.forest.arrays, self._config, self._style, simulations, is_fresh),
            *(self._streams.states, (self._logits, self._values), self._observations),
            *(self.actions, self.done),
        )
        self.waiting = np.flatnonzero(self.forest.trees["leaf"] != NONE)
