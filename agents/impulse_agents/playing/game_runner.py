"""Playing games side by side: the loop that whoever plays games shares."""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from impulse_agents.asking.ask import ask_in_batch
from impulse_agents.asking.faults import AgentFault, AgentFaultError
from impulse_agents.asking.guard import GuardedAgent
from impulse_agents.base import Agent, AgentError
from impulse_agents.rng import RngStreams
from impulse_env.batch import NOBODY, GameBatch, step_some
from impulse_env.engine.state import STATE
from impulse_env.environments.batched_opponents import choose_by_agent
from impulse_env.frame import absolute_frame
from impulse_env.options import Options


class GameRunner:
    """Games side by side, one on each table; an agent is asked once for all games it decides in.

    Subclasses look on, or interfere, by overriding `choose_actions` and `before_step`.

    Attributes:
        entrants: The agents.
        faults: What an agent did wrong, by the table at which it did and whose game was given up;
            only a `LenientRunner` has some.
        batch: The games; no seat decides where a game is over, or was given up.
        deals: The seed of each game's deal; None if they go on from positions.
        agent_by_seat: The entrant on each seat, shape ``(tables, players)``.
        streams: A generator for each game, or one for each seat: that of `seat` at `table` in row
            ``table * players + seat``.
    """

    def __init__(
        self,
        entrants: Sequence[Agent],
        options: Options,
        games: Sequence[int] | np.ndarray,
        agent_by_seat: NDArray[np.int64],
        streams: RngStreams,
    ) -> None:
        """Deal the games, or go on from positions.

        Args:
            entrants: See the class, also what follows.
            options: The options of all games.
            games: The seed of each deal, or full records, which are copied; shape ``(tables,)``.
            agent_by_seat: Who sits where.
            streams: Where the agents' chance comes from.
        """
        self.entrants = entrants
        self.deals: NDArray[np.int64] | None = None
        if isinstance(games, np.ndarray) and games.dtype == STATE:
            self.batch = GameBatch.of_states(options, games)
        else:
            self.batch = GameBatch(options, games)
            self.deals = np.array(games, np.int64)
        self.faults: dict[int, AgentFault] = {}
        self.agent_by_seat = agent_by_seat
        self.streams = streams

    def step(self) -> NDArray[np.intp]:
        """Take one decision in every running game; return the tables where one was asked for.

        Raises:
            AgentError: An agent fails, or does not play such games.
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

    def play_to_end(self) -> int:
        """Play all games to their ends; return how many decisions were taken."""
        decisions = 0
        while taken := len(self.step()):
            decisions += taken
        return decisions

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return what an entrant chooses at some tables, in the own frame of who decides there.

        It is asked for all of them at once; if that fails, or its time is limited, for each alone.
        Where this sets `batch.seats` to `NOBODY`, the game is given up and the choice not looked
        at.

        Raises:
            AgentError: See `step`.
        """
        rows = self.rows(tables)
        before = self.streams.take(rows)
        agent = self.entrants[entrant]
        if not (isinstance(agent, GuardedAgent) and agent.is_asked_alone):
            try:
                return self.ask(entrant, tables)
            except AgentFaultError:
                self.streams.put(rows, before)
        answers = np.zeros(len(tables), np.int64)
        for index, table in enumerate(tables.tolist()):
            try:
                answers[index] = self.ask(entrant, tables[index : index + 1])[0]
            except AgentFaultError as error:
                deal = None if self.deals is None else int(self.deals[table])
                place = deal, int(self.batch.seats[table]), self.decisions_taken(table)
                self.failed(table, error.fault.at(*place))
        return answers

    def ask(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Ask an entrant at some tables; raises `AgentError`, and answers are legal."""
        agent = self.entrants[entrant]
        return ask_in_batch(agent, self.batch, tables, self.streams, self.rows(tables))

    def failed(self, table: int, fault: AgentFault) -> None:
        """Stop because of a fault: raises `AgentFaultError`."""
        raise AgentFaultError(fault)

    def decisions_taken(self, table: int) -> int | None:
        """Return how many decisions of a game were taken; None if nobody counts them."""
        return None

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Look at the actions, in the own frame, that are about to be taken."""

    def rows(self, tables: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the rows of `streams` that belong to who decides at these tables."""
        if len(self.streams) == len(self.batch.seats):
            return tables
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

    def decisions_taken(self, table: int) -> int:
        """Return how many decisions of a game were taken."""
        return len(self.actions[table])


class LenientRunner(RecordingRunner):
    """Games of which one is given up where an agent fails, and the others go on.

    Attributes:
        seconds: Time that each seat has spent deciding, shape ``(tables, players)``.
    """

    def __init__(self, *arguments: Any, is_warm: bool = False) -> None:
        """See `GameRunner` for the arguments.

        With `is_warm`, every agent has decided once. Otherwise one that plays no such games may say
        so by an `AgentError`, as long as it has answered nothing.
        """
        super().__init__(*arguments)
        self.seconds = np.zeros((len(self.batch.seats), self.batch.options.players))
        self._has_answered = np.full(len(self.entrants), is_warm)

    def ask(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Ask and measure the time, which the games share."""
        agent, seats = self.entrants[entrant], self.batch.seats[tables]
        if isinstance(agent, GuardedAgent):
            agent.used = float(self.seconds[tables, seats].max())
        start = perf_counter()
        try:
            answers = super().ask(entrant, tables)
            self._has_answered[entrant] = True
        except AgentFaultError:
            raise
        except AgentError as error:
            if not self._has_answered[entrant]:
                raise
            raise AgentFaultError(AgentFault.of(agent.name, error)) from error
        finally:
            self.seconds[tables, seats] += (perf_counter() - start) / len(tables)
        return answers

    def failed(self, table: int, fault: AgentFault) -> None:
        """Give the game up."""
        self.faults[table] = fault
        self.batch.seats[table] = NOBODY
