"""Playing games side by side: the loop that matches and tournaments share."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_agents.base import Agent
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch, step_some
from impulse_env.environments.batched_opponents import choose_by_agent
from impulse_env.frame import absolute_frame
from impulse_env.options import Options


class GameRunner:
    """Games side by side, one on each table; an agent is asked once for all games it decides in.

    Subclasses look on, or interfere, by overriding `choose_actions` and `before_step`.

    Attributes:
        entrants: The agents.
        batch: The games; no seat decides where a game is over, or was given up.
        agent_by_seat: The entrant on each seat, shape ``(tables, players)``.
        streams: A generator for each seat, that of `seat` at `table` in row
            ``table * players + seat``.
    """

    def __init__(
        self,
        entrants: Sequence[Agent],
        options: Options,
        deals: Sequence[int] | NDArray[np.int64],
        agent_by_seat: NDArray[np.int64],
        streams: RngStreams,
    ) -> None:
        """Deal one game for each seed in `deals`."""
        self.entrants = entrants
        self.batch = GameBatch(options, deals)
        self.agent_by_seat = agent_by_seat
        self.streams = streams

    def go_on_from(self, states: np.ndarray) -> None:
        """Put positions, as many as there are tables, in the place of the games that were dealt.

        Args:
            states: Full records of the same options, shape ``(tables,)``; they are copied.
        """
        self.batch = GameBatch.of_states(self.batch.options, states)

    def step(self) -> NDArray[np.intp]:
        """Take one decision in every running game; return the tables where one was asked for.

        Raises:
            IllegalActionError: An agent's answer is not legal.
        """
        batch = self.batch
        playing = np.flatnonzero(batch.seats != NOBODY)
        entrants = self.agent_by_seat[playing, batch.seats[playing]]
        actions = choose_by_agent(playing, entrants, self.choose_actions)
        is_going = batch.seats[playing] != NOBODY
        going, actions = playing[is_going], actions[is_going]
        if len(going):
            self.before_step(going, actions)
            step_some(batch, going, actions)
        return playing

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return what an entrant chooses at some tables, in the own frame of who decides there.

        Where it sets `batch.seats` to `NOBODY`, the game is given up and the choice not looked at.
        """
        return self.entrants[entrant].act_in_batch(
            self.batch, tables, self.streams, self.rows(tables)
        )

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Look at the actions, in the own frame, that are about to be taken."""

    def rows(self, tables: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the rows of `streams` that belong to who decides at these tables."""
        return tables * self.batch.options.players + self.batch.seats[tables]


class RecordingRunner(GameRunner):
    """Games whose actions are written down.

    Attributes:
        actions: Those of each game so far, absolute and in order.
    """

    def __init__(self, *arguments: Any) -> None:
        """See `GameRunner` for the arguments."""
        super().__init__(*arguments)
        self.actions: list[list[int]] = [[] for _ in self.batch.seats]

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Write the actions down."""
        absolute = absolute_frame(self.batch.options.players)[self.batch.seats[tables], actions]
        for table, action in zip(tables.tolist(), absolute.tolist(), strict=True):
            self.actions[table].append(action)

    def play_to_end(self) -> int:
        """Play all games to their ends; return how many decisions were taken."""
        decisions = 0
        while taken := len(self.step()):
            decisions += taken
        return decisions
