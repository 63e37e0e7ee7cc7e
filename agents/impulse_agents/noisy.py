"""An agent that takes one kind of decision at random, to see which decisions are worth thought."""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent, ObservationBatch
from impulse_agents.rng import RngStreams
from impulse_env.batch import GameBatch
from impulse_env.engine.constants import FIRST_AUTOMATIC, Op
from impulse_env.engine.state import OP

KINDS = tuple(op.name.lower() for op in Op if 0 < op < FIRST_AUTOMATIC)
"""The kinds of decision, as of `impulse_env.Game.decision`."""


class Careless(Agent):
    """Plays as another agent does, but for some kinds of decision, where it draws a legal action.

    Args:
        agent: Whom it plays as.
        kinds: Some of `KINDS`.
        name: The agent's name.

    Raises:
        ValueError: There is no such kind.
    """

    def __init__(self, agent: Agent, kinds: Collection[str], name: str = "") -> None:
        self.ops = ops_of(kinds)
        self.agent = agent
        self.name = name or f"{agent.name}, careless in {', '.join(kinds)}"
        self.needs_views = agent.needs_views  # type: ignore[misc]

    def act(self, seen: ObservationBatch, streams: RngStreams) -> NDArray[np.int64]:
        """Refuse: it needs the games themselves, which `act_in_batch` has."""
        raise NotImplementedError

    def check_players(self, players: int) -> None:
        """Raise `AgentError` if the other agent does not play such games."""
        self.agent.check_players(players)

    def act_in_batch(
        self, batch: GameBatch, games: NDArray[np.intp], streams: RngStreams, rows: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Choose in some running games of a batch."""
        actions = self.agent.act_in_batch(batch, games, streams, rows).copy()
        at = np.flatnonzero(np.isin(pending_kinds(batch.states, games), self.ops))
        if len(at):
            drawing = streams.take(rows[at])
            legal = (batch.masks[games[at]] != 0).cumsum(axis=1)
            wanted = (drawing.random() * legal[:, -1]).astype(np.int64)
            actions[at] = (legal > wanted[:, None]).argmax(axis=1)
            streams.put(rows[at], drawing)
        return actions


def ops_of(kinds: Collection[str]) -> NDArray[np.int64]:
    """Return the `Op` of each of some `KINDS`; raises `ValueError` if there is no such kind."""
    for kind in kinds:
        if kind not in KINDS:
            raise ValueError(f"kinds of decision are {', '.join(KINDS)}; not {kind!r}")
    return np.array([Op[kind.upper()] for kind in kinds], np.int64)


def pending_kinds(states: np.ndarray, games: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return the `Op` that is to be decided in some running games, shape ``(len(games),)``."""
    tops = states["stack_count"][games].astype(np.int64) - 1
    frames = states["stack"][games, np.maximum(tops, 0), OP]
    return np.where(tops >= 0, frames, states["phase"][games]).astype(np.int64)
