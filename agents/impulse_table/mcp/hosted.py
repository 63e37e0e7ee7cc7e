"""A game that clients and agents play at the same time.

Agents decide as soon as their seats must; a client waits for its seat. A client sees what its seat
may know, and the events since its last action; a spectator sees what is public.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Final

import numpy as np

from impulse_agents.asking.ask import ask_in_game
from impulse_agents.base import Agent, AgentError
from impulse_env.engine.constants import NO_SEAT, Seat
from impulse_env.frame import AbsoluteAction
from impulse_env.game import Game
from impulse_env.information import view_of
from impulse_env.language import Call, ReplyError, carry_out, view_text
from impulse_env.records.record import Move
from impulse_env.text.events import what_happened

MOST_EVENTS: Final = 100
"""Events that one answer lists; of more, the newest."""


class Hosted:
    """A game of clients and agents; no method changes the past.

    Attributes:
        game: The full game, which no client may see.
        stopped: Why the game cannot continue, or empty.
    """

    def __init__(
        self,
        game: Game,
        agents: Mapping[Seat, Agent],
        rngs: Mapping[Seat, np.random.Generator],
        *,
        with_legal: bool = True,
        pace: float = 0.0,
        note: Callable[[Move], None] | None = None,
    ) -> None:
        """Begin; nobody decides before `play` runs.

        Args:
            game: The game at its first decision.
            agents: The agents by seat; clients play all other seats.
            rngs: A generator for each agent.
            with_legal: Whether clients see the legal actions.
            pace: Seconds between two decisions of agents, at least 0.
            note: Called with each decision.
        """
        self.game, self.with_legal, self.stopped = game, with_legal, ""
        self._agents, self._rngs, self._pace, self._note = agents, rngs, pace, note
        self.clients: tuple[Seat, ...] = tuple(
            seat for seat in range(game.players) if seat not in agents
        )
        self._events: dict[Seat, list[str]] = {seat: [] for seat in (*self.clients, NO_SEAT)}
        self._seen = dict.fromkeys(self.clients, 0)
        self._changed = asyncio.Condition()

    # --- Playing --------------------------------------------------------------------------------

    async def play(self) -> None:
        """Let agents decide until the game is over, or until one fails."""
        while (seat := self.game.seat) is not None and not self.stopped:
            if seat not in self._agents:
                await self._until(partial(self._has_moved, seat))
                continue
            agent, rng = self._agents[seat], self._rngs[seat]
            try:
                action = await asyncio.to_thread(ask_in_game, agent, self.game, rng)
            except AgentError as error:
                self.stopped = str(error)
                await self._tell()
                return
            self._step(action)
            await self._tell()
            await asyncio.sleep(self._pace)

    def _has_moved(self, seat: Seat) -> bool:
        return self.game.seat != seat

    async def act(self, seat: Seat, call: Call) -> str:
        """Carry out a call of a client's seat; return what it did.

        Raises:
            ReplyError: The call cannot be carried out, or another seat decides; nothing changed.
        """
        if self.stopped:
            raise ReplyError(f"the game has stopped: {self.stopped}")
        if self.game.seat not in (seat, None):
            raise ReplyError(f"seat {self.game.seat} decides now; call wait")
        plan = carry_out(self.game, (call,), with_legal=self.with_legal)
        self._seen[seat] = len(self._events[seat])
        for action in plan.actions:
            self._step(action)
        await self._tell()
        return f"Done: {call}."

    def _step(self, action: AbsoluteAction) -> None:
        seat, name = self.game.seat, self.game.name(action)
        assert seat is not None
        before = {viewer: view_of(self.game.state, viewer) for viewer in self._events}
        self.game.step(action)
        for viewer, events in self._events.items():
            after = view_of(self.game.state, viewer)
            events += [event.text for event in what_happened(before[viewer], action, after)]
        if self._note is not None:
            self._note(Move(seat, name))

    # --- Looking --------------------------------------------------------------------------------

    def look(self, seat: Seat) -> str:
        """Return what a client's seat may know, below the events since its last action."""
        legal = self.game.seat == seat and self.with_legal
        actions = self.game.legal_actions() if legal else None
        events = self._events[seat][self._seen[seat] :]
        return self._shown("Since your last action:", events, seat, actions)

    def watch(self, after: int) -> str:
        """Return what is public, below the events after the first `after` ones."""
        events = self._events[NO_SEAT]
        return self._shown(f"Events: {len(events)}.", events[after:], NO_SEAT, None)

    def _shown(
        self, title: str, events: list[str], viewer: Seat, actions: list[AbsoluteAction] | None
    ) -> str:
        listed = [f"- {event}" for event in events[-MOST_EVENTS:]]
        lines = [title, *listed] if listed or viewer == NO_SEAT else []
        if self.stopped:
            lines.append(f"The game has stopped: {self.stopped}.")
        return "\n".join([*lines, view_text(self.game.state, viewer, actions)])

    # --- Waiting --------------------------------------------------------------------------------

    async def wait(self, seat: Seat, seconds: float) -> str:
        """Wait until a client's seat must decide, at most so many seconds; return what it sees."""
        await self._until(lambda: self.game.seat in (seat, None), seconds)
        return self.look(seat)

    async def wait_for_events(self, after: int, seconds: float) -> str:
        """Wait until there are more than `after` public events; return what is public."""
        await self._until(
            lambda: self.game.seat is None or len(self._events[NO_SEAT]) > after, seconds
        )
        return self.watch(after)

    async def _until(self, is_so: Callable[[], bool], seconds: float | None = None) -> None:
        async def waiting() -> None:
            async with self._changed:
                await self._changed.wait_for(lambda: bool(self.stopped) or is_so())

        try:
            await asyncio.wait_for(waiting(), seconds)
        except TimeoutError:
            pass

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()


def seats_of_agents(
    names: Iterable[str], clients: tuple[Seat, ...], players: int
) -> dict[Seat, str]:
    """Return the name of the agent on each seat without a client.

    Args:
        names: One agent for all these seats, or one for each in the order of seats.
        clients: Seats of clients.
        players: Number of players.

    Raises:
        AgentError: There are too few or too many names.
    """
    seats = [seat for seat in range(players) if seat not in clients]
    given = list(names)
    filled = given * len(seats) if len(given) == 1 else given
    if len(filled) != len(seats):
        raise AgentError(
            f"opponents must be one, or one for each of {len(seats)} other seats; not {len(given)}"
        )
    return dict(zip(seats, filled, strict=True))
