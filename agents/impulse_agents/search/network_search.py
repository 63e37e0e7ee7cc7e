"""Searches of many games that a network guides."""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.network.compiled import NO_NETWORK, CompiledNetwork
from impulse_agents.rng import RngStreams
from impulse_agents.search.kernel import NO_FOREST, NO_MEANING, NO_VIEWS, decide, frames_of
from impulse_agents.search.reuse import KeptTrees
from impulse_agents.search.tree import NONE, Forest
from impulse_env.compiled.compilation import call
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE


class NetworkSearch:
    """Searches of many games, one tree for each.

    A compiled network is part of the search, which handles one game after another. Any other
    network evaluates the leaves of all games at once. As long as rows are `waiting`, the caller
    evaluates `leaves`, and `ends` if values count, and calls `step`.

    Attributes:
        waiting: The rows whose search waits for the evaluation of its leaf; the others have ended.
        actions: The most visited actions so far, in the own frame, shape ``(n,)``.
        done: Number of complete simulations, shape ``(n,)``.
        forest: The trees.
    """

    def __init__(
        self,
        seen: ObservationBatch,
        config: np.ndarray,
        style: NDArray[np.float32],
        streams: RngStreams,
        room: int,
        network: CompiledNetwork = NO_NETWORK,
        meaning: np.ndarray = NO_MEANING,
        trees: KeptTrees | None = None,
    ) -> None:
        """Allocate the trees; `advance` starts the search.

        Args:
            seen: The observations, with views.
            config: One record of `SEARCH_CONFIG`, shape ``(1,)``.
            style: A row of `STYLES`, for the playouts.
            streams: A generator for each row.
            room: Number of simulations that a tree can hold, including those of stored trees.
            network: The compiled network that guides the search, if there is one.
            meaning: Calibration of its values, one record of `LEAF_VALUE`, shape ``(1,)``.
            trees: Stored trees to start from.
        """
        assert seen.views is not None
        self._seen, self._config, self._style, self._streams = seen, config, style, streams
        self._network, self._meaning = network, meaning
        self._frames = frames_of(seen.views)
        self._pairs = np.zeros(2 * len(seen), STATE)
        count, size = seen.observations.shape
        self._observations = np.zeros((count, 2, size), np.uint8)
        self._logits = np.zeros((len(seen), SIZE), np.float32)
        self._chances = np.zeros(len(seen), np.float32)
        self._is_fresh = True
        self.waiting = np.empty(0, np.intp)
        self.forest = Forest(len(seen), room)
        self.actions = np.zeros(len(seen), np.int64)
        self.done = np.zeros(len(seen), np.int64)
        if trees is not None:
            trees.take(self.forest, seen.views, streams.states)

    @property
    def leaves(self) -> NDArray[np.uint8]:
        """Observations of the seats at the waiting leaves, shape ``(k, size(players))``."""
        return self._observations[self.waiting, 0]

    @property
    def ends(self) -> NDArray[np.uint8]:
        """Observations of the deciding seats at the ends of the playouts, of the same shape.

        Rows of finished games have arbitrary content.
        """
        return self._observations[self.waiting, 1]

    @property
    def end_games(self) -> np.ndarray:
        """The games at the ends of the playouts, shape ``(k,)``, dtype `STATE`."""
        return self._pairs[2 * self.waiting + 1]

    @property
    def end_seats(self) -> NDArray[np.int32]:
        """The deciding seats at the ends of the playouts, shape ``(k,)``; -1 in finished games."""
        return self.forest.trees["end_seat"][self.waiting]

    def step(
        self, logits: NDArray[np.float32], chances: NDArray[np.float32], simulations: int
    ) -> None:
        """Finish the current simulations, and go down to the next leaves.

        Args:
            logits: The network's logits for `leaves`, shape ``(k, SIZE)``.
            chances: Chances to win of the sides of `end_seats`, 0 to 1, shape ``(k,)``.
            simulations: Largest number of simulations in total.
        """
        self._logits[self.waiting], self._chances[self.waiting] = logits, chances
        self.advance(simulations)

    def advance(self, simulations: int) -> None:
        """Search until a number of simulations in total are complete, or a leaf waits.

        A full tree stops earlier.
        """
        self._call(simulations, NO_FOREST, NO_VIEWS)
        self._is_fresh = False
        self.waiting = np.flatnonzero(self.forest.trees["leaf"] != NONE)

    def keep(self, trees: KeptTrees) -> None:
        """Store the subtrees for the next decisions, after the search has ended."""
        assert len(self.waiting) == 0, "leaves are waiting for the network"
        count = len(self._seen)
        below, views = Forest(count, self.forest.room), np.zeros(count, STATE)
        self._call(0, below, views)
        trees.put(below, views, self._streams.states)

    def _call(self, simulations: int, kept: Forest, next_views: np.ndarray) -> None:
        seen = self._seen
        call(
            decide,
            *(seen.views, seen.seats, self._frames, seen.masks, self._pairs),
            *(self.forest.arrays, self._config, self._style, simulations, self._is_fresh),
            *(self._streams.states, self._network, self._meaning),
            *((self._logits, self._chances), self._observations, self.actions, self.done),
            *(kept.arrays, next_views),
        )
