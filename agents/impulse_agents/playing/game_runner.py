"""The loop that plays many games in parallel; all commands that play games share it."""

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
    """Parallel games, one on each table; one call asks an agent about all games where it decides.

    Subclasses observe or change play by overriding `choose_actions` and `before_step`.

    Attributes:
        entrants: The agents.
        faults: Agents' faults by table; the game of that table was abandoned. Only a
            `LenientRunner` has faults.
        batch: The games. `GameBatch.seats` is `NOBODY` in finished and abandoned games.
        deals: The seed of each game's deal; None if the games continue from positions.
        agent_by_seat: Index of the entrant on each seat, shape ``(tables, players)``.
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
        """Deal the games, or continue from positions.

        Args:
            entrants: The agents.
            options: The options of all games.
            games: The seed of each deal, or full states, which are copied; shape ``(tables,)``.
            agent_by_seat: Index of the entrant on each seat, shape ``(tables, players)``.
            streams: The agents' random generators, see the class.
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
        """Take one decision in every running game; return the tables where an agent was asked.

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
        """Play all games to their ends; return the number of decisions."""
        decisions = 0
        while taken := len(self.step()):
            decisions += taken
        return decisions

    def choose_actions(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Return an entrant's actions at some tables, in the deciding seats' own frames.

        One call asks about all tables. If that fails, or the entrant's time is limited, it is asked
        about each table separately. If a table's entry of `batch.seats` becomes `NOBODY`, its game
        is abandoned and the action ignored.

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
        """Ask an entrant at some tables and return legal actions; raises `AgentError`."""
        agent = self.entrants[entrant]
        return ask_in_batch(agent, self.batch, tables, self.streams, self.rows(tables))

    def failed(self, table: int, fault: AgentFault) -> None:
        """Handle a fault; here, raise `AgentFaultError`."""
        raise AgentFaultError(fault)

    def decisions_taken(self, table: int) -> int | None:
        """Return the number of decisions of a game; None if the runner does not count them."""
        return None

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Observe actions before they are taken; they are in the seats' own frames."""

    def rows(self, tables: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the rows of `streams` for the deciding seats at some tables."""
        if len(self.streams) == len(self.batch.seats):
            return tables
        return tables * self.batch.options.players + self.batch.seats[tables]


class RecordingRunner(GameRunner):
    """Games whose actions are recorded.

    Attributes:
        actions: The actions of each game so far, absolute and in order.
    """

    def __init__(self, *arguments: Any) -> None:
        """See `GameRunner` for the arguments."""
        super().__init__(*arguments)
        self.actions: list[list[int]] = [[] for _ in self.batch.seats]

    def before_step(self, tables: NDArray[np.intp], actions: NDArray[np.int64]) -> None:
        """Record the actions."""
        absolute = absolute_frame(self.batch.options.players)[self.batch.seats[tables], actions]
        for table, action in zip(tables.tolist(), absolute.tolist(), strict=True):
            self.actions[table].append(action)

    def decisions_taken(self, table: int) -> int:
        """Return the number of decisions of a game."""
        return len(self.actions[table])


class LenientRunner(RecordingRunner):
    """Games that are abandoned if an agent fails, while the others continue.

    Attributes:
        seconds: Seconds that each seat has spent on decisions, shape ``(tables, players)``.
    """

    def __init__(self, *arguments: Any, is_warm: bool = False) -> None:
        """See `GameRunner` for the arguments.

        With `is_warm`, every agent has already decided once. Otherwise an agent may raise
        `AgentError` before its first answer, which means that it does not play such games.
        """
        super().__init__(*arguments)
        self.seconds = np.zeros((len(self.batch.seats), self.batch.options.players))
        self._has_answered = np.full(len(self.entrants), is_warm)

    def ask(self, entrant: int, tables: NDArray[np.intp]) -> NDArray[np.int64]:
        """Ask and measure the time, shared equally between the games."""
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
        """Abandon the game."""
        self.faults[table] = fault
        self.batch.seats[table] = NOBODY
