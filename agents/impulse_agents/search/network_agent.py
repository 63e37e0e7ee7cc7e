"""A trained network with search: its policy guides the tree, and playouts evaluate leaves."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.calibration import Calibration
from impulse_agents.heuristics.styles import BALANCED, STYLES
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.network.compiled import NO_NETWORK, CompiledNetwork
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import SLICE, Budget, TreeSearchAgent, settings
from impulse_agents.search.kernel import NO_FOREST, NO_MEANING, NO_VIEWS, decide, frames_of
from impulse_agents.search.playout import LEAF_VALUE
from impulse_agents.search.reuse import KeptTrees
from impulse_agents.search.simulation import BY_NETWORK
from impulse_agents.search.tree import NONE, Forest
from impulse_agents.search.variations import visit_shares
from impulse_env.compiled.compilation import call
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.constants import State
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
        self.forest = Forest(len(seen), room, 0 if network is NO_NETWORK else size)
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
        features = self.forest.observations.shape[2]
        below, views = Forest(count, self.forest.room, features), np.zeros(count, STATE)
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


ROOM: Final = 1 << 28
"""Bytes for the trees of parallel searches."""
VALUE_WEIGHT: Final = 0.0
"""Share of the network's calibrated chance in the evaluation at the end of a playout.

At equal time, a share of 0.5 won 49.6 ± 5.1 % of 240 games against a search without it, and 1 won
46.4 ± 7.1 % of 110. Printed by `impulse agents search-trials value_weight=0.5 value_weight=1
--agent policy+search:2p:100 --difference 0.06 --games 320 --seed 2000`.
"""
TEMPERATURE: Final = 2.0
"""Divisor of the policy's logits for the priors of actions: a trained policy is too confident.
Measured by `impulse agents search-trials`; the table is in `agents/README.md`."""
REUSE: Final = 4
"""Size of a tree, in multiples of a decision's simulations: a turn's decisions share a tree."""


class PolicySearchAgent(TreeSearchAgent):
    """PUCT with the policy of a trained network; playouts evaluate the leaves.

    The playout is that of `SearchAgent`, by the rules of thumb to the end of the next player's
    turn. The evaluation there includes the network's value with the share `VALUE_WEIGHT`.

    The subtree of the chosen action stays for the next decision (`REUSE`), if the same seat decides
    and has seen nothing new.

    Args:
        policy: The trained agent.
        budget: The budget of each decision.
        config: Other settings, a record of `SEARCH_CONFIG`, for experiments.
    """

    def __init__(
        self, policy: PolicyAgent, budget: Budget, config: np.ndarray | None = None
    ) -> None:
        self.name = f"policy+search:{policy.name.removeprefix('policy:')}:{budget}"
        self.policy = policy
        self.budget = budget
        self.config = (
            settings(
                BY_NETWORK,
                2,
                TEMPERATURE,
                exploration=1.0,
                value_weight=VALUE_WEIGHT,
                reuse=REUSE,
            )
            if config is None
            else config
        )
        self.is_batched = budget.seconds is None and policy.compiled is None
        # No early stop for a budget in seconds, nor if later decisions reuse the tree.
        self.config["early_stop"] = budget.seconds is None and self.config["reuse"] == 1
        self._trees = KeptTrees()

    @property
    def room(self) -> int:
        """Number of simulations for which a tree has room, including those of earlier decisions."""
        return self.budget.room * int(self.config["reuse"][0])

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Search in as many views at once as fit into memory, and store subtrees for reuse.

        A game's generator state identifies its stored tree; nobody else may advance the generator.
        """
        actions = np.empty(len(seen), np.int64)
        trees = self._trees if self.config["reuse"] > 1 else None
        for rows, search in self._searches(seen, streams, trees):
            actions[rows] = search.actions
            if trees is not None:
                search.keep(trees)
        return actions

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return the share of the simulations that began with each action."""
        shares = np.zeros(seen.masks.shape, np.float32)
        assert seen.views is not None
        for rows, search in self._searches(seen, streams):
            for tree, row in enumerate(rows):
                seat, chosen = int(seen.seats[row]), int(search.actions[tree])
                shares[row] = visit_shares(search.forest, tree, seen.views[row], seat, chosen)
        return shares

    def check_players(self, players: int) -> None:
        """Raise `AgentError` unless its network was trained for this number of players."""
        self.policy.check_players(players)

    def calibration_at(self, view: State) -> Calibration | None:
        """Return the calibration of searches in the network's file."""
        return self.policy.search_calibration

    def search_tree(self, seen: ObservationBatch, streams: RngStreams) -> Forest:
        """Search in the view of the only row."""
        self.policy.check(seen.observations)
        return self.search(seen, streams).forest

    def _searches(
        self, seen: ObservationBatch, streams: RngStreams, trees: KeptTrees | None = None
    ) -> Iterator[tuple[NDArray[np.intp], NetworkSearch]]:
        """Search in as many views at once as fit into memory; yield each search with its rows."""
        self.policy.check(seen.observations)
        features = 0 if self.policy.compiled is None else seen.observations.shape[1]
        size = Forest.size(self.room, features)
        at_once = max(1, ROOM // size) if self.budget.seconds is None else 1
        for start in range(0, len(seen), at_once):
            rows = np.arange(start, min(start + at_once, len(seen)))
            own = streams.take(rows)
            yield rows, self.search(seen.take(rows), own, trees)
            streams.put(rows, own)

    def search(
        self, seen: ObservationBatch, streams: RngStreams, trees: KeptTrees | None = None
    ) -> NetworkSearch:
        """Search all views, starting from stored trees, and return the search."""
        most, network = self.budget.room, self.policy.compiled
        room = most if trees is None else self.room
        about = seen, self.config, STYLES[BALANCED], streams, room
        end = perf_counter() + (self.budget.seconds or np.inf)
        if network is None:
            search = NetworkSearch(*about, trees=trees)
            search.advance(most)
            while len(search.waiting):
                logits, chances = self._evaluate(search)
                search.step(logits, chances, most if perf_counter() < end else 0)
            return search
        search = NetworkSearch(*about, network, self._value_meaning(), trees)
        at_once = most if self.budget.seconds is None else SLICE
        for simulations in range(at_once, most + 1, at_once):
            search.advance(simulations)
            if perf_counter() >= end:
                break
        return search

    def _evaluate(self, search: NetworkSearch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the logits at the waiting leaves, and the chances at the ends if values count."""
        logits, _ = self.policy.evaluate(search.leaves)
        if self.config["value_weight"] == 0:
            return logits, np.zeros(len(logits), np.float32)
        _, values = self.policy.evaluate(search.ends)
        seats = np.maximum(search.end_seats, 0)  # chances of finished games are not used
        return logits, self.policy.win_probabilities(values, search.end_games, seats)

    def _value_meaning(self) -> np.ndarray:
        """Return a record of `LEAF_VALUE`, of zeros if values do not count."""
        meaning = np.zeros(1, LEAF_VALUE)
        if self.config["value_weight"] > 0:
            terms = self.policy.fitted_calibration().terms
            meaning[0] = (*terms, self.policy.has_score_reward)
        return meaning
