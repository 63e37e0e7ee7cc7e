"""An agent that may not take points from one source, to see what the source is worth to it.

It does not choose what would bring it such points at once, as long as anything else is legal. What
it gets nevertheless, because it had no choice or because another decision brought it, is told.
"""

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.actions import N_ACTIONS
from impulse_env.batch import GameBatch, step_games, take_games
from impulse_env.frame import absolute_frame
from impulse_env.outcomes import SOURCE_NAMES


class Forbidding(Agent):
    """Plays as another agent does, among the choices that bring no points from a source at once.

    What a choice brings is found out by taking it in a copy of the game. So this agent knows more
    than a player may: it is for experiments, not for play.

    Args:
        agent: Whom it plays as.
        source: One of `SOURCE_NAMES`, such as "trade".

    Raises:
        ValueError: There is no such source.
    """

    def __init__(self, agent: Agent, source: str) -> None:
        if source not in SOURCE_NAMES:
            raise ValueError(f"points come from {', '.join(SOURCE_NAMES)}; not from {source!r}")
        self.agent = agent
        self.source = SOURCE_NAMES.index(source)
        self.name = f"{agent.name} without {source}"
        self.needs_views = agent.needs_views  # type: ignore[misc]

    def act(self, seen, streams):  # noqa: D102 - needs the games themselves
        raise NotImplementedError

    def act_in_batch(
        self, batch: GameBatch, games: NDArray[np.intp], streams: RngStreams, rows: NDArray[np.intp]
    ) -> NDArray[np.int64]:
        """Choose in some running games of a batch among what is allowed."""
        allowed = self._allowed(batch, games)
        kept = batch.masks[games]
        batch.masks[games] = allowed
        try:
            return self.agent.act_in_batch(batch, games, streams, rows)
        finally:
            batch.masks[games] = kept

    def _allowed(self, batch: GameBatch, games: NDArray[np.intp]) -> NDArray[np.int8]:
        """Return the masks without what brings points at once; whole where nothing is left."""
        masks = batch.masks[games]
        at, own = np.nonzero(masks)
        tried = take_games(batch.states, games[at])
        seats = batch.seats[games[at]].copy()
        players = batch.options.players
        rows = np.arange(len(at))
        before = tried["points"][rows, seats, self.source].copy()
        who = seats.copy()
        single = np.zeros((len(at), N_ACTIONS), np.int8)
        absolute = absolute_frame(players)[who, own]
        single[rows, absolute] = 1
        step_games(tried, absolute, single, seats)
        brings = tried["points"][rows, who, self.source] > before
        allowed = masks.copy()
        allowed[at[brings], own[brings]] = 0
        nothing = ~allowed.any(axis=1)
        allowed[nothing] = masks[nothing]
        return allowed
