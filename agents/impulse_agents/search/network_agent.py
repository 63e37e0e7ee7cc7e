"""A trained network that searches: its policy guides the tree, playouts weigh the leaves."""

from collections.abc import Iterator
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import ObservationBatch
from impulse_agents.calibration import Calibration
from impulse_agents.heuristics.styles import BALANCED, STYLES
from impulse_agents.network.agent import PolicyAgent
from impulse_agents.rng import RngStreams
from impulse_agents.search.agent import SLICE, Budget, TreeSearchAgent, settings
from impulse_agents.search.leaf_chance import LEAF_VALUE
from impulse_agents.search.network_search import NetworkSearch
from impulse_agents.search.reuse import KeptTrees
from impulse_agents.search.simulation import BY_NETWORK
from impulse_agents.search.tree import Forest
from impulse_agents.search.variations import visit_shares
from impulse_env.engine.constants import State

ROOM: Final = 1 << 28
"""Bytes for the trees that grow side by side."""
VALUE_WEIGHT: Final = 0.0
"""Share of the network's value, as a calibrated chance, in what the end of a playout is worth.

It wins more with as many simulations, and takes as much longer: at equal time 0.5 won 51.6 ± 4.9 %
of 320 games against a search without. Printed by `impulse agents search-trials value_weight=0.5
--agent policy+search:2p:100 --difference 0.06 --games 320 --seed 2000`.
"""
TEMPERATURE: Final = 2.0
"""Of the policy's logits where they say how likely an action looks: a trained policy is too sure of
what it would play. `impulse agents search-trials` measured it; the table is in
`agents/README.md`."""
REUSE: Final = 4
"""How many times a decision's simulations a tree has room for, as it goes on from decision to
decision of a turn."""


class PolicySearchAgent(TreeSearchAgent):
    """PUCT with the policy of a trained network; a leaf is weighed by a playout.

    The playout is the one of `SearchAgent`, by the rules of thumb to the end of the next player's
    turn. There the position is weighed; `VALUE_WEIGHT` says how much of the network's value is
    mixed in.
    Of what a search has found, all that is below the action that is played is kept for the next
    decision (`REUSE`), if that is the same seat's, and has shown it nothing new.

    Args:
        policy: The trained agent.
        budget: How long to search for each decision.
        config: Another record of `SEARCH_CONFIG`, to try something out.
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
        # The clock alone ends a search by time, and what is settled now is still of use later.
        self.config["early_stop"] = budget.seconds is None and self.config["reuse"] == 1
        self._trees = KeptTrees(Forest.size(self.room))

    @property
    def room(self) -> int:
        """Simulations for which a tree has room, those that it begins with included."""
        return self.budget.room * int(self.config["reuse"][0])

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Search in as many views at once as there is room for, and keep what goes on from there.

        What was kept is found by the state of a game's generator, which nobody else may have moved.
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
        """Raise `AgentError` unless its network was trained for so many players."""
        self.policy.check_players(players)

    def calibration_at(self, view: State) -> Calibration | None:
        """Return what the file of its network says of searches."""
        return self.policy.search_calibration

    def search_tree(self, seen: ObservationBatch, streams: RngStreams) -> Forest:
        """Search in the view of the only row."""
        self.policy.check(seen.observations)
        return self.search(seen, streams).forest

    def _searches(
        self, seen: ObservationBatch, streams: RngStreams, trees: KeptTrees | None = None
    ) -> Iterator[tuple[NDArray[np.intp], NetworkSearch]]:
        """Search in as many views at once as there is room for; yield their rows with each."""
        self.policy.check(seen.observations)
        at_once = max(1, ROOM // Forest.size(self.room)) if self.budget.seconds is None else 1
        for start in range(0, len(seen), at_once):
            rows = np.arange(start, min(start + at_once, len(seen)))
            own = streams.take(rows)
            yield rows, self.search(seen.take(rows), own, trees)
            streams.put(rows, own)

    def search(
        self, seen: ObservationBatch, streams: RngStreams, trees: KeptTrees | None = None
    ) -> NetworkSearch:
        """Search all views, beginning with trees that were kept, and return the new ones."""
        wanted, network = self.budget.room, self.policy.compiled
        room = wanted if trees is None else self.room
        about = seen, self.config, STYLES[BALANCED], streams, room
        end = perf_counter() + (self.budget.seconds or np.inf)
        if network is None:
            search = NetworkSearch(*about, trees=trees)
            search.advance(wanted)
            while len(search.waiting):
                logits, chances = self._evaluate(search)
                search.step(logits, chances, wanted if perf_counter() < end else 0)
            return search
        search = NetworkSearch(*about, network, self._value_meaning(), trees)
        at_once = wanted if self.budget.seconds is None else SLICE
        for simulations in range(at_once, wanted + 1, at_once):
            search.advance(simulations)
            if perf_counter() >= end:
                break
        return search

    def _evaluate(self, search: NetworkSearch) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Return the logits at the leaves that wait, and the chances at the ends if they count."""
        logits, _ = self.policy.evaluate(search.leaves)
        if self.config["value_weight"] == 0:
            return logits, np.zeros(len(logits), np.float32)
        _, values = self.policy.evaluate(search.ends)
        seats = np.maximum(search.end_seats, 0)  # where the game has ended nobody asks
        return logits, self.policy.win_probabilities(values, search.end_games, seats)

    def _value_meaning(self) -> np.ndarray:
        """Return a record of `LEAF_VALUE`, of zeros if no value is asked for."""
        meaning = np.zeros(1, LEAF_VALUE)
        if self.config["value_weight"] > 0:
            terms = self.policy.fitted_calibration().terms
            meaning[0] = (*terms, self.policy.has_score_reward)
        return meaning
