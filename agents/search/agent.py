"""The agents that search."""

import re
from dataclasses import dataclass
from time import perf_counter
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from agents.base import Agent, AgentError, Seen
from agents.randomness import Streams
from agents.rules.styles import BALANCED, STYLES
from agents.search.playout import AT_RANDOM, BY_RULES
from agents.search.simulate import _simulate
from agents.search.tree import EDGE, NONE, NODE, room_for
from impulse_env.engine._jit import call
from impulse_env.engine.action_space import SIZE
from impulse_env.engine.state import STATE
from impulse_env.frame import own_frame


@dataclass(frozen=True)
class SearchSettings:
    """How a search goes about it.

    Attributes:
        simulations: How many at most, or None.
        seconds: How long at most, or None.
        playout: "rules" or "random": who plays on from a leaf, and whose taste guides the tree.
        turns: Player turns from the root to where playouts are weighed; the one under way is the
            first.
        temperature: Points by which an action must look better to be e times as likely.
        exploration: PUCT's constant.
    """

    simulations: int | None = None
    seconds: float | None = None
    playout: str = "rules"
    turns: int = 1
    temperature: float = 1.0
    exploration: float = 0.5


_POLICIES: Final = {"random": AT_RANDOM, "rules": BY_RULES}
SLICE: Final = 64
"""Simulations between two looks at the clock."""


class SearchAgent(Agent):
    """Information-set Monte Carlo tree search."""

    summary: ClassVar[str] = "tree search over what might be hidden"
    needs_views: ClassVar[bool] = True

    def __init__(self, name: str, settings: SearchSettings) -> None:
        self.name = name
        self.settings = settings
        self._games = np.zeros(1, STATE)
        self._room = room_for(settings.simulations or 100_000)

    def act(self, seen: Seen, streams: Streams) -> NDArray[np.int64]:
        """Search in each view; the action tried most is played."""
        assert seen.views is not None
        to_own = own_frame(int(seen.views["players"][0]))
        actions = np.empty(len(seen), np.int64)
        for row in range(len(seen)):
            seat = int(seen.seats[row])
            self.search(seen.views[row : row + 1], seat, streams.states[row : row + 1])
            actions[row] = to_own[seat, self.best_action()]
        return actions

    def search(self, view, seat, stream) -> int:
        settings = self.settings
        tree, nodes, edges = self._room
        fixed = (
            _POLICIES[settings.playout],
            settings.turns,
            STYLES[BALANCED],
            settings.temperature,
            settings.exploration,
        )
        arguments = (view, seat, self._games, tree, nodes, edges, stream)
        if settings.seconds is None:
            return call(_simulate, *arguments, settings.simulations, True, *fixed)
        end = perf_counter() + settings.seconds
        done = 0
        while done == 0 or perf_counter() < end:
            done += call(_simulate, *arguments, SLICE, done == 0, *fixed)
        return done

    def best_action(self) -> int:
        """Return the action of the root tried most in the latest search."""
        _, nodes, edges = self._room
        edge = int(nodes[0]["first_edge"])
        best = edge
        while edge != NONE:
            if edges[edge]["visits"] > edges[best]["visits"]:
                best = edge
            edge = int(edges[edge]["next_edge"])
        return int(edges[best]["action"])
