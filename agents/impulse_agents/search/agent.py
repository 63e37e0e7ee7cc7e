"""The agents that look ahead: one step, or by tree search."""

from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Advice, Agent, AgentError, ObservationBatch, Suggestion, Variation
from impulse_agents.calibration import Calibration, log_odds, progress_of
from impulse_agents.heuristics.styles import BALANCED, STYLE_NAMES, STYLES
from impulse_agents.rng import RngStreams
from impulse_agents.search import calibrations
from impulse_agents.search.kernel import search, search_one_ply
from impulse_agents.search.playout import AT_RANDOM, BY_RULES
from impulse_agents.search.simulation import SEARCH_CONFIG
from impulse_agents.search.tree import Forest
from impulse_agents.search.variations import principal_variations, visit_shares
from impulse_env.engine.constants import State

SLICE: Final = 64
"""Number of simulations between two checks of the clock."""
MOST_SIMULATIONS: Final = 200_000
"""Largest number of simulations of one decision: the size of a tree."""
TO_THE_END: Final = 1_000
"""More turns than any game has."""
TRIED_ENOUGH: Final = 0.1
"""Advice ranks an action by its chance to win only if it has this share of the most visits."""


@dataclass(frozen=True)
class Budget:
    """The budget of a search: a number of simulations, or seconds.

    With a number of simulations, a search ends early once the remaining ones could not change the
    action. With seconds, actions depend on the machine and its load.
    """

    simulations: int | None = None
    seconds: float | None = None

    @classmethod
    def read(cls, text: str) -> "Budget":
        """Return the budget of ``1000`` or ``0.5s``; raises `AgentError`."""
        try:
            if text.endswith("s"):
                budget = cls(seconds=float(text[:-1]))
            else:
                budget = cls(simulations=int(text))
        except ValueError:
            budget = cls(0)
        amount = budget.seconds if budget.simulations is None else budget.simulations
        if amount is None or not 0 < amount < float("inf"):
            raise AgentError(
                f"a search takes a number of simulations such as 1000, or seconds such as 0.5s; "
                f"not {text!r}"
            )
        if amount == budget.simulations and amount > MOST_SIMULATIONS:
            raise AgentError(
                f"a search has room for at most {MOST_SIMULATIONS} simulations, not {text}"
            )
        return budget

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.simulations is None else str(self.simulations)

    @property
    def room(self) -> int:
        """Number of simulations for which a tree needs room."""
        return self.simulations or MOST_SIMULATIONS


class GreedyAgent(Agent):
    """Tries every action in a game drawn from the view, and plays the one with the best result."""

    needs_views: ClassVar[bool] = True
    rows_per_thread: ClassVar[int | None] = 128

    def __init__(self) -> None:
        self.name = "greedy"

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Look one step ahead in each view."""
        return search_one_ply(seen, STYLES[BALANCED], streams)


def settings(
    policy: int,
    turns: int,
    temperature: float = 1.0,
    exploration: float = 0.5,
    value_weight: float = 0.5,
    reuse: int = 1,
) -> np.ndarray:
    """Return the settings of a search, one record of `SEARCH_CONFIG`, shape ``(1,)``."""
    fields = policy, turns, temperature, exploration, value_weight, reuse, True
    return np.array([fields], SEARCH_CONFIG)


class TreeSearchAgent(Agent):
    """Base of agents that search with trees: their advice and variations.

    Attributes:
        budget: The budget of each decision.
        config: The settings of the search, one record of `SEARCH_CONFIG`, shape ``(1,)``.
    """

    needs_views: ClassVar[bool] = True
    budget: Budget
    config: np.ndarray

    @abstractmethod
    def search_tree(self, seen: ObservationBatch, streams: RngStreams) -> Forest:
        """Search in the view of the only row; the forest's first tree is the result."""

    def variations(
        self, seen: ObservationBatch, streams: RngStreams, count: int = 3, depth: int = 6
    ) -> list[Variation]:
        """Search in a single view, and return the lines with the most visits.

        Their values are chances to win if the search is calibrated, see `calibration_at`.
        """
        assert seen.views is not None
        lines = principal_variations(self.search_tree(seen, streams), count, depth)
        calibration = self.calibration_at(seen.views[0])
        if calibration is None:
            return lines
        values = log_odds(np.array([line.value for line in lines]))
        chances = calibration.win_probabilities(values, progress_of(seen.views[:1]))
        return [
            replace(line, value=float(chance)) for line, chance in zip(lines, chances, strict=True)
        ]

    @abstractmethod
    def calibration_at(self, view: State) -> Calibration | None:
        """Return the calibration of the search for a game; None if it is not calibrated."""

    def advise(self, seen: ObservationBatch, streams: RngStreams, count: int = 3) -> Advice:
        """Suggest the actions with the most visits, with the visits and the chance to win.

        The first suggestion is the action that the agent would play. The others are sorted by their
        chances, with rarely visited ones last.
        """
        assert seen.views is not None
        lines = self.variations(seen, streams, count, depth=1)
        best, *others = [line for line in lines if line.visits]
        enough = TRIED_ENOUGH * best.visits
        others.sort(key=lambda line: (line.visits >= enough, line.value), reverse=True)
        suggestions = (
            Suggestion(line.actions[0], line.share, line.visits, line.value)
            for line in (best, *others)
        )
        calibration = self.calibration_at(seen.views[0])
        error = None if calibration is None else calibration.error
        return Advice(self.name, tuple(suggestions), error=error)


class SearchAgent(TreeSearchAgent):
    """Information-set Monte Carlo tree search.

    Args:
        name: The agent's name.
        budget: The budget of each decision.
        playout: The policy of playouts. "random" plays random actions to the end of the game. One
            of `STYLE_NAMES` plays by rules to the end of the next player's turn, and evaluates the
            position there. The style also guides the tree.
        config: Other settings, a record of `SEARCH_CONFIG`, for experiments.
    """

    rows_per_thread: ClassVar[int | None] = 4

    def __init__(
        self,
        name: str,
        budget: Budget,
        playout: str = STYLE_NAMES[BALANCED],
        config: np.ndarray | None = None,
    ) -> None:
        if playout != "random" and playout not in STYLE_NAMES:
            raise AgentError(
                f"unknown playout {playout!r}; there are random, {', '.join(STYLE_NAMES)}"
            )
        self.name = name
        self.budget = budget
        self.playout = playout
        is_random = playout == "random"
        self.config = settings(AT_RANDOM, TO_THE_END) if is_random else settings(BY_RULES, 2)
        if config is not None:
            self.config = config
        # A search with a budget in seconds uses all of its time.
        self.config["early_stop"] = budget.seconds is None
        self._style = STYLES[BALANCED if is_random else STYLE_NAMES.index(playout)]
        self._idle: list[Forest] = []  # in the order of their last use

    @property
    def forest(self) -> Forest:
        """The forest of the latest search; its first tree is that of the last row."""
        return self._idle[-1]

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Search in each view, and play the action with the most visits."""
        with self._lent_forest() as forest:
            if self.budget.simulations is not None:
                fixed = self.config, self._style, self.budget.simulations
                return search(seen, *fixed, streams, forest)[0]
            actions = np.empty(len(seen), np.int64)
            for row in range(len(seen)):
                own = streams.take(np.array([row]))
                actions[row] = self._search_for_a_while(seen.take(np.array([row])), own, forest)
                streams.put(np.array([row]), own)
            return actions

    def action_probabilities(
        self, seen: ObservationBatch, streams: RngStreams
    ) -> NDArray[np.float32]:
        """Return the share of the simulations that began with each action."""
        shares = np.zeros(seen.masks.shape, np.float32)
        for row in range(len(seen)):
            one = np.array([row])
            own, view = streams.take(one), seen.take(one)
            chosen = self.act(view, own)[0]
            streams.put(one, own)
            assert view.views is not None
            seat = int(view.seats[0])
            shares[row] = visit_shares(self.forest, 0, view.views[0], seat, chosen)
        return shares

    def calibration_at(self, view: State) -> Calibration | None:
        """Return the calibration of its playouts for the game's number of players and teams."""
        return calibrations.find(self.playout, int(view["players"]), int(view["teams"]))

    def search_tree(self, seen: ObservationBatch, streams: RngStreams) -> Forest:
        """Search in the view of the only row; the tree lasts until the next search."""
        self.act(seen, streams)
        return self.forest

    @contextmanager
    def _lent_forest(self) -> Iterator[Forest]:
        """Lend a forest of one tree exclusively; several threads may call this."""
        try:
            forest = self._idle.pop()
        except IndexError:
            forest = Forest(1, self.budget.room)
        try:
            yield forest
        finally:
            self._idle.append(forest)

    def _search_for_a_while(
        self, seen: ObservationBatch, streams: RngStreams, forest: Forest
    ) -> int:
        """Search the only row until the time is over."""
        assert self.budget.seconds is not None
        end = perf_counter() + self.budget.seconds
        simulations = 0
        while True:
            actions, done = search(
                seen, self.config, self._style, SLICE, streams, forest, simulations == 0
            )
            simulations += int(done[0])
            if perf_counter() >= end or simulations + SLICE > self.budget.room:
                return int(actions[0])
