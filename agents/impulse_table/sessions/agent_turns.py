"""Agents at a table: they decide in turn until a person must, or until one of them fails."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any, Final

from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_table.tables.table import Table
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

PAUSE: Final = 0.8
"""Seconds between two moves of agents, unless a page asks for another pace."""
_ADVICE: Final = "Try it again, or let another agent play."

_log: Final = logging.getLogger(__name__)


class AgentTurns:
    """Lets the agents of a table decide.

    Args:
        table: The table.
        workers: The processes in which they think.
        take: Takes a decision and the agent that made it; raises `IllegalActionError`,
            `UnknownActionError`.
        changed: Called when `thinking` or `trouble` has changed.

    Attributes:
        thinking: The seat of the agent that is deciding; None if none is.
        trouble: Why the agent cannot decide, in a sentence for people; None if all is well.
        pause: Seconds between two moves of agents.
    """

    def __init__(
        self,
        table: Table,
        workers: WorkerPool,
        take: Callable[[str, str], None],
        changed: Callable[[], None],
    ) -> None:
        self.thinking: Seat | None = None
        self.trouble: str | None = None
        self.pause = PAUSE
        self._table = table
        self._workers = workers
        self._take = take
        self._changed = changed
        self._skip = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    def go_on(self) -> None:
        """Start the agents, unless they are running; they decide until a person must."""
        if self._running is None or self._running.done():
            self.trouble = None
            self._running = asyncio.create_task(self._decide_in_turn())

    def person_decided(self) -> None:
        """Start the agents after a person's decision, with pauses again."""
        self._skip.clear()
        self.go_on()

    def skip(self) -> None:
        """Make no pauses until a person must decide."""
        self._skip.set()

    def stop(self) -> None:
        """Stop the agents, and interrupt the one that is thinking."""
        if self._running is not None:
            self._running.cancel()
            self._running, self.thinking = None, None

    async def check(self, agent: str) -> None:
        """Raise `WorkerError` if there is no such agent, or it cannot play at this table."""
        await self._workers.ask(agent_tasks.check, [agent], len(self._table.saved.seats))

    async def ask(self, question: Callable[[str, bytes, tuple[int, ...]], Any], agent: str) -> Any:
        """Ask an agent about the current decision, with the view of the deciding seat.

        Raises:
            WorkerError: The agent gave no answer.
        """
        game = self._table.game
        assert game.seat is not None
        view = game.view(game.seat).state.tobytes()
        return await self._workers.ask(
            question, agent, view, (self._table.saved.agent_seed, self._table.step)
        )

    async def _decide_in_turn(self) -> None:
        while (agent := self._table.agent) is not None:
            self.thinking = self._table.game.seat
            self._changed()
            try:
                action = await self.ask(agent_tasks.choose, agent)
                self.thinking = None
                self._take(action, agent)
            except Exception as error:  # people at the table must learn of any error
                return self._give_up(agent, error)
            if not self._skip.is_set():
                await _sleep_unless(self._skip, self.pause)

    def _give_up(self, agent: str, error: Exception) -> None:
        """Report in the log and at the table why the agent cannot decide."""
        if isinstance(error, ImpulseError):
            why, unforeseen = str(error), None
        else:
            why, unforeseen = "the server's log says why", error
        where = self._table.name, self._table.game.seat, agent
        _log.warning("table %s, seat %s: %s cannot decide: %s", *where, why, exc_info=unforeseen)
        if isinstance(error, WorkerError) and error.details:
            _log.debug("table %s, seat %s: %s failed there:\n%s", *where, error.details)
        self.thinking, self.trouble = None, f"{agent} cannot decide: {why.rstrip('.')}. {_ADVICE}"
        self._changed()


async def _sleep_unless(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        pass
