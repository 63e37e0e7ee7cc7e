"""A table with the pages around it: takes what they send, lets agents decide, tells what is new."""

import asyncio
from collections.abc import Callable
from typing import Any, Final

from impulse_agents.advice import worker_tasks
from impulse_agents.advice.worker_pool import WorkerError, WorkerPool
from impulse_agents.table import client_view
from impulse_agents.table.client import Client, News
from impulse_agents.table.illegal_moves import why_not
from impulse_agents.table.journal import Viewer
from impulse_agents.table.protocol import (
    Act,
    Hint,
    Join,
    Look,
    Message,
    Pace,
    ProtocolError,
    Replace,
    Retry,
    Skip,
)
from impulse_agents.table.store import Store
from impulse_agents.table.table import Table, TableError
from impulse_env.engine.constants import Seat
from impulse_env.errors import IllegalActionError, ImpulseError

PAUSE: Final = 0.8
"""Seconds between two moves of agents, unless a page asks for another pace."""


class RefusalError(ImpulseError, ValueError):
    """Something that a page cannot do now; the message is for the person at it."""


class Session:
    """One table, the pages around it, and the agents that sit at it.

    Attributes:
        thinking: The seat of the agent that is deciding; None if none is.
        trouble: Why the agent that is to decide does not, for people; None if all is well.
        pause: Seconds between two moves of agents.
    """

    def __init__(self, table: Table, store: Store, workers: WorkerPool) -> None:
        self.table = table
        self.journal = table.journal
        self.thinking: Seat | None = None
        self.trouble: str | None = None
        self.pause = PAUSE
        self.clients: set[Client] = set()
        self._store = store
        self._workers = workers
        self._skip = asyncio.Event()
        self._running: asyncio.Task[None] | None = None

    # --- Pages ------------------------------------------------------------------------------

    def enter(self, page: Client, tokens: list[str]) -> None:
        """Let a page sit down with the seats that its tokens open; raises `RefusalError`."""
        seats = self.table.seats_of(tokens)
        if tokens and not seats:
            raise RefusalError("these links open no seat at this table; you may watch without one")
        page.seats = seats
        self.clients.add(page)
        # With several persons at one screen, each says when it is looking.
        page.look(seats[0] if len(seats) == 1 else None)
        self._pass_on(page)
        self._go_on()

    def leave(self, page: Client) -> None:
        """Forget a page; the game stays."""
        self.clients.discard(page)
        if page.hint is not None:
            page.hint.cancel()

    def news(self, by: Viewer) -> News:
        """Return how the table stands, for a page that looks through these eyes."""
        fields = {
            **client_view.position(self.table, by),
            "seats": client_view.seats(self.table),
            "thinking": self.thinking,
            "trouble": self.trouble,
            "pause": self.pause,
        }
        return News(self.table.game.seat, fields, client_view.parts(self.table, by), self.journal)

    def _pass_on(self, page: Client) -> None:
        """Take a hand from the screen once another person at it is to decide."""
        if page.by is not None and page.pass_to(self.table.game.seat) is not None:
            page.look(None)

    def _tell_all(self) -> None:
        for page in self.clients:
            self._pass_on(page)
            page.refresh()

    # --- Messages ---------------------------------------------------------------------------

    def take(self, page: Client, message: Message) -> None:
        """Do what a page asks.

        Raises:
            RefusalError: It cannot be done now.
            ProtocolError: The page has not joined.
        """
        if isinstance(message, Join):
            return self.enter(page, message.tokens)
        if page not in self.clients:
            raise ProtocolError("a page must join before it says anything else")
        if isinstance(message, Look):
            return self._look(page, message.seat)
        if isinstance(message, Act):
            return self._act(page, message)
        if not page.seats and any(holder.is_person for holder in self.table.saved.seats):
            raise RefusalError("You are watching: only those who play can do that.")
        if isinstance(message, Hint):
            return self._hint(page, message.agent)
        return self._steer(message)

    def _look(self, page: Client, seat: Seat) -> None:
        if seat not in page.seats:
            raise RefusalError(f"Seat {seat} does not sit at this page.")
        page.look(seat)

    def _act(self, page: Client, message: Act) -> None:
        table = self.table
        if message.step != table.step:
            raise RefusalError("The game has gone on since you chose; look again.")
        game = table.game
        seats = [] if page.by is None else [page.by]
        if page.by != game.seat or message.action not in map(game.name, game.legal_actions()):
            raise RefusalError(why_not(game, self._players(), seats or page.seats, message.action))
        self._take(message.action)
        self._skip.clear()
        self._go_on()

    def _steer(self, message: Pace | Skip | Retry | Replace) -> None:
        if isinstance(message, Pace):
            self.pause = message.seconds
        elif isinstance(message, Skip):
            self._skip.set()
        else:
            if isinstance(message, Replace):
                try:
                    self.table.replace(message.seat, message.agent)
                except TableError as error:
                    raise RefusalError(str(error)) from error
                self._keep()
            self._stop()
            self._go_on()
        self._tell_all()

    def _players(self) -> list[str]:
        return [holder.player for holder in self.table.saved.seats]

    # --- Decisions --------------------------------------------------------------------------

    def _take(self, action: str) -> None:
        """Take a legal decision, keep it, and show it."""
        self.table.act(action)
        self._keep()
        self._tell_all()

    def _keep(self) -> None:
        """Keep the table; the game goes on even if that cannot be done."""
        try:
            self._store.keep(self.table)
        except OSError as error:
            for page in self.clients:
                page.note("refusal", message=f"The game could not be saved: {error}")

    def _go_on(self) -> None:
        """Let agents decide until a person is to, if they are not doing so already."""
        if self._running is None or self._running.done():
            self.trouble = None
            self._running = asyncio.create_task(self._let_agents_decide())

    def _stop(self) -> None:
        if self._running is not None:
            self._running.cancel()
            self._running, self.thinking = None, None

    async def _let_agents_decide(self) -> None:
        while (agent := self.table.agent) is not None:
            self.thinking = self.table.game.seat
            self._tell_all()
            try:
                action = await self._ask(worker_tasks.choose, agent)
                self.thinking = None
                self._take(action)
            except (WorkerError, IllegalActionError) as error:
                self.thinking, self.trouble = None, f"{agent} cannot decide: {error}"
                self._tell_all()
                return
            if not self._skip.is_set():
                await _sleep_unless(self._skip, self.pause)

    async def _ask(self, question: Callable[[str, bytes, tuple[int, ...]], Any], agent: str) -> Any:
        """Ask an agent about the decision, from the view of the seat that has it."""
        game = self.table.game
        assert game.seat is not None
        view = game.view(game.seat).state.tobytes()
        return await self._workers.ask(
            question, agent, view, (self.table.saved.agent_seed, self.table.step)
        )

    def _hint(self, page: Client, agent: str) -> None:
        if page.by is None or page.by != self.table.game.seat:
            raise RefusalError("A hint is for the seat that decides, when it is yours.")
        if page.hint is not None and not page.hint.done():
            raise RefusalError("The last hint is still on its way.")
        page.hint = asyncio.create_task(self._advise(page, agent))

    async def _advise(self, page: Client, agent: str) -> None:
        step = self.table.step
        try:
            found = await self._ask(worker_tasks.suggest, agent)
        except WorkerError as error:
            page.note("refusal", message=f"There is no hint: {error}")
            return
        if step == self.table.step:
            page.note("hint", step=step, **client_view.advice(self.table, found))

    def close(self) -> None:
        """Let nobody decide any more."""
        self._stop()


async def _sleep_unless(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        pass
