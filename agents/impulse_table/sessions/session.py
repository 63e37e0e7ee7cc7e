"""A table with its pages: takes their messages, lets agents decide, sends the news."""

import asyncio
import logging
from typing import Final

from impulse_env.engine.constants import Seat
from impulse_env.errors import ImpulseError
from impulse_table.sessions import client_view
from impulse_table.sessions.agent_turns import AgentTurns
from impulse_table.sessions.chat import Chat
from impulse_table.sessions.client import Client, News, RefusalError
from impulse_table.sessions.clock import Clock
from impulse_table.sessions.leaving import Leaving
from impulse_table.sessions.presence import Presence
from impulse_table.tables import protocol
from impulse_table.tables.agreement import Agreement, Proposal
from impulse_table.tables.help import OVER, why_not
from impulse_table.tables.journal import Viewer
from impulse_table.tables.protocol import (
    Absent,
    Act,
    Answer,
    Concede,
    Delegate,
    Hint,
    Join,
    Look,
    Message,
    Name,
    Pace,
    ProtocolError,
    Relieve,
    Rematch,
    Replace,
    Resign,
    Retry,
    Revoke,
    Skip,
    TakeBack,
)
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table, TableError
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

_REVOKED: Final = (
    "This page's link was replaced by a new one and no longer opens its seat: ask the person who "
    "began the game for the new link."
)
_NO_SEAT: Final = (
    "These links open no seat at this table: ask the person who began the game for a new one, or "
    "watch without one."
)

_log: Final = logging.getLogger(__name__)


class Session:
    """One table with its pages and agents."""

    def __init__(self, table: Table, store: Store, workers: WorkerPool) -> None:
        self.table = table
        self.journal = table.journal
        self.clients: set[Client] = set()
        self._store = store
        self._agents = AgentTurns(table, workers, self._take, self._tell_all)
        self._take_backs = Agreement(self._rewind)
        self._people = Presence(table, self._taken_over)
        self._leaving = Leaving(table, self._people, self._agents.check, self._player_changed)
        self._clock = Clock(table, self._time_is_up)
        self._chat = Chat(table)
        self._drawn: dict[Viewer, dict[str, str]] = {}
        self._drawn_at: tuple[int, int] | None = None

    # --- Pages ------------------------------------------------------------------------------

    def enter(self, page: Client, join: Join) -> None:
        """Give a page the seats that its tokens open, or dismiss it."""
        seats = self.table.saved.seats_of(join.tokens)
        page.is_host = self.table.is_host(join.host)
        if join.tokens and not seats and not page.is_host:
            return self._dismiss(page, _NO_SEAT)
        page.seats = seats
        self.clients.add(page)
        if len(seats) < len(set(join.tokens)):
            page.note("refusal", message="One of this page's links no longer opens a seat.")
        # With several persons at one screen, each confirms before the page shows a hand.
        page.look(seats[0] if len(seats) == 1 else None)
        if seats and self._chat.lines:
            page.note("chat", lines=list(self._chat.lines), whole=True)
        self._pass_on(page)
        self._note_people()
        self._agents.go_on()

    def leave(self, page: Client) -> None:
        """Remove a page; the game stays."""
        if page in self.clients:
            self.clients.remove(page)
            self._note_people()
        page.drop_hint()

    def _note_people(self) -> None:
        """Note who is here; a person who is back decides again, at once if it is their turn."""
        given_back = self._people.update({seat for page in self.clients for seat in page.seats})
        if self.table.game.seat in given_back:
            self._agents.stop()
        self._tell_all()

    def _taken_over(self) -> None:
        self._agents.go_on()
        self._tell_all()

    def _time_is_up(self) -> None:
        self._drop_hints()
        self._keep()
        self._taken_over()

    def _player_changed(self, seat: Seat | None) -> None:
        """Save that another player has a seat, or that the persons have ended the game (None)."""
        if seat is None:
            self._take_backs.drop()
            self._leaving.proposal.drop()
        elif self.table.agent_at(seat) is not None:
            self._take_backs.answer([seat], self.table.step, agrees=True)
        if seat in (None, self.table.game.seat):
            self._agents.stop()
            self._drop_hints()
        self._people.wait()
        self._keep()
        self._taken_over()

    def news(self, by: Viewer) -> News:
        """Return the state of the table for a viewer."""
        fields = {
            **client_view.position(self.table, by),
            "seats": client_view.seats(self.table, self._people),
            "away_minutes": self.table.saved.away_minutes,
            "thinking": self._agents.thinking,
            "trouble": self._agents.trouble,
            "pause": self._agents.pause,
            "back": by is not None and self.table.ways_back.of(by) is not None,
            "asked": self._take_backs.summary(self.table.step),
            "conceding": self._leaving.proposal.summary(self.table.step),
            "clock": self._clock.summary(),
            "chat": self._chat.is_open,
            "agreed": self.table.saved.is_agreed,
            "rematch": self.table.saved.rematch,
        }
        parts = self._parts(by)
        person = self.table.deciding_person
        return News(person, fields, parts, self.journal, self.table.taken_back)

    def _parts(self, by: Viewer) -> dict[str, str]:
        """Return the drawing, from a cache: it takes most of the time and is often sent again."""
        at = self.table.step, self.table.taken_back
        if self._drawn_at != at:
            self._drawn, self._drawn_at = {}, at
        if by not in self._drawn:
            self._drawn[by] = client_view.parts(self.table, by)
        return self._drawn[by]

    def _pass_on(self, page: Client) -> None:
        """Hide the hand once another person at the same screen must decide."""
        if page.by is not None and page.pass_to(self.table.deciding_person) is not None:
            page.look(None)

    def _tell_all(self) -> None:
        self._follow_clock()
        for page in self.clients:
            self._pass_on(page)
            page.refresh()

    def _follow_clock(self) -> None:
        self._clock.follow(is_empty=not any(page.seats for page in self.clients))

    def _dismiss(self, page: Client, message: str) -> None:
        """Remove a page, which then sees and does nothing."""
        self.leave(page)
        page.seats, page.by, page.is_host = [], None, False
        page.dismiss(message)

    # --- Messages ---------------------------------------------------------------------------

    def take(self, page: Client, message: Message) -> None:
        """Handle a page's message.

        Raises:
            RefusalError: The request is not possible now.
            ProtocolError: The page has not joined.
        """
        if isinstance(message, Join):
            return self.enter(page, message)
        if page not in self.clients:
            raise ProtocolError("a page must join before it sends anything else")
        if isinstance(message, Look):
            return self._look(page, message.seat)
        if isinstance(message, Act):
            return self._act(page, message)
        if isinstance(message, Revoke):
            return self._revoke(page, message.seat)
        if isinstance(message, Name):
            return self._name(page, message)
        if isinstance(message, Absent | Relieve):
            return self._arrange(page, message)
        if not page.seats and any(holder.is_person for holder in self.table.saved.seats):
            raise RefusalError("You are watching: only players can do that.")
        if isinstance(message, Hint):
            return self._hint(page, message.agent)
        if isinstance(message, Rematch):
            return self._rematch()
        if isinstance(message, TakeBack):
            return self._take_back(page)
        if isinstance(message, Answer):
            return self._answer(page, message)
        if isinstance(message, protocol.Chat):
            return self._say(page, message.text)
        if isinstance(message, Delegate | Resign | Concede):
            self._leaving.take(page, message)
            return self._tell_all()
        return self._steer(page, message)

    def _look(self, page: Client, seat: Seat) -> None:
        if seat not in page.seats:
            raise RefusalError(f"Seat {seat} is not at this page.")
        page.look(seat)

    def _name(self, page: Client, message: Name) -> None:
        if message.seat not in page.seats:
            raise RefusalError(f"Seat {message.seat} is not at this page.")
        self.table.saved.seats[message.seat].name = message.name
        self._keep()
        self._tell_all()

    def _arrange(self, page: Client, message: Absent | Relieve) -> None:
        """Handle the host's messages about persons who are away."""
        if not page.is_host:
            raise RefusalError(
                "Only the person who began this game decides who plays for an absent one."
            )
        if isinstance(message, Absent):
            self.table.saved.away_minutes = message.minutes
            self._keep()
            self._people.wait()
            return self._tell_all()
        try:
            self._people.relieve(message.seat)
        except TableError as error:
            raise RefusalError(f"Not now: {error}.") from error
        self._taken_over()

    def _say(self, page: Client, text: str) -> None:
        """Send a line of a page to all pages with a seat."""
        line = self._chat.add(next(iter(page.seats), None) if page.by is None else page.by, text)
        for other in self.clients:
            if other.seats:
                other.note("chat", lines=[line], whole=False)

    def _act(self, page: Client, message: Act) -> None:
        table = self.table
        if message.step != table.step:
            if self._has_other_answer(page, message.step):
                raise RefusalError("The game has changed since you chose; look again.")
            return
        game = table.game
        if table.is_over:
            raise RefusalError(OVER)
        seats = [] if page.by is None else [page.by]
        if page.by is not None and page.by == game.seat and table.agent is not None:
            is_chosen = table.saved.seats[page.by].agent is not None
            why = "take it back to decide yourself" if is_chosen else "your time is up"
            raise RefusalError(f"{table.agent} plays your seat: {why}.")
        if page.by != game.seat or message.action not in map(game.name, game.legal_actions()):
            raise RefusalError(why_not(game, self._players(), seats or page.seats, message.action))
        page.decided = message.step
        self._take(message.action)
        self._agents.person_decided()

    def _has_other_answer(self, page: Client, step: int) -> bool:
        """Whether somebody else took, or took back, a decision of this page."""
        journal = self.table.journal
        if step == page.decided:  # the page sends it twice, as after a double click
            return False
        return step >= len(journal) or journal[step].seat in page.seats

    def _steer(self, page: Client, message: Pace | Skip | Retry | Replace) -> None:
        if isinstance(message, Pace):
            self._agents.pause = message.seconds
        elif isinstance(message, Skip):
            self._agents.skip()
        elif isinstance(message, Replace):
            self._replace(page, message.seat, message.agent)
        elif self._agents.trouble is None:
            raise RefusalError("No agent needs another try now.")
        else:
            self._agents.go_on()
        self._tell_all()

    def _replace(self, page: Client, seat: Seat, agent: str) -> None:
        holders = self.table.saved.seats
        is_chosen = seat < len(holders) and holders[seat].agent and not holders[seat].has_resigned
        if is_chosen and seat not in page.seats and self._agents.trouble is None:
            raise RefusalError(f"The person at seat {seat} has chosen the agent that plays it.")
        try:
            self.table.replace(seat, agent)
        except TableError as error:
            raise RefusalError(str(error)) from error
        self._keep()
        if seat == self.table.game.seat:
            self._agents.stop()
        self._agents.go_on()

    def _take_back(self, page: Client) -> None:
        table = self.table
        if page.by is None:
            raise RefusalError("Only a seat can take back its decision.")
        if table.is_over:
            raise RefusalError("The game is over: nothing can be taken back.")
        if table.agent_at(page.by) is not None:
            raise RefusalError("An agent plays your seat: only its person can take back a choice.")
        step = table.ways_back.of(page.by)
        if step is None:
            raise RefusalError(
                "Nothing can be taken back: since your last choice something hidden was shown."
            )
        others = [
            seat
            for seat, holder in enumerate(table.saved.seats)
            if holder.is_person and seat not in page.seats and table.agent_at(seat) is None
        ]
        self._take_backs.ask(page.by, others, table.step, step)
        self._tell_all()

    def _answer(self, page: Client, message: Answer) -> None:
        if message.to == "concede":
            proposal, refused = self._leaving.answer(page, message), "The game continues"
        else:
            given = self._take_backs.answer(page.seats, self.table.step, message.agrees)
            if given is None:
                raise RefusalError("Nobody asks you now to allow a choice to be taken back.")
            proposal, refused = given, "Your choice stands"
        if not message.agrees:
            for other in self.clients:
                if proposal.seat in other.seats:
                    other.note("refusal", message=f"{refused}: not everybody agrees.")
        self._tell_all()

    def _rewind(self, proposal: Proposal) -> None:
        """Go back to an earlier decision; the table is saved before pages get the news."""
        assert proposal.to is not None, "a proposal to take back names the decision"
        self._agents.stop()
        self._drop_hints()
        self.table.take_back(proposal.to)
        self._keep()
        self._agents.go_on()

    def _rematch(self) -> None:
        """Begin another game and send it to every page; a table has at most one rematch."""
        saved = self.table.saved
        if saved.rematch is not None:
            return self._tell_all()
        try:
            following = self.table.again()
            self._store.keep(following)
            saved.rematch = following.name
            self._store.keep(self.table)
        except TableError as error:
            raise RefusalError(f"Not yet: {error}.") from error
        except OSError as error:
            saved.rematch = None
            raise RefusalError(f"The new game could not be saved: {error}") from error
        self._tell_all()

    def _revoke(self, page: Client, seat: Seat) -> None:
        """Give a seat a new token, save the table, and dismiss pages with the old token."""
        if not page.is_host:
            raise RefusalError("Only the person who began this game can give a seat a new link.")
        try:
            before = self.table.revoke(seat)
        except TableError as error:
            raise RefusalError(str(error)) from error
        try:
            self._store.keep(self.table)
        except OSError as error:
            self.table.saved.seats[seat] = before
            raise RefusalError(
                f"Seat {seat} keeps its link: the new one could not be saved: {error}"
            ) from error
        _log.info("table %s: seat %d has a new link", self.table.name, seat)
        page.note(
            "link", seat=seat, token=self.table.saved.seats[seat].token, instead_of=before.token
        )
        for other in [other for other in self.clients if seat in other.seats and other != page]:
            self._take_seat(other, seat)
        self._note_people()

    def _take_seat(self, page: Client, seat: Seat) -> None:
        """Take a seat from a page; dismiss the page if that was its only one."""
        if page.seats == [seat] and not page.is_host:
            return self._dismiss(page, _REVOKED)
        if page.by == seat:
            page.drop_hint()
        page.seats = [other for other in page.seats if other != seat]
        page.look(page.seats[0] if len(page.seats) == 1 else None)
        page.note("refusal", message=f"Seat {seat} has a new link and is no longer at this page.")

    def _players(self) -> list[str]:
        return [holder.player for holder in self.table.saved.seats]

    # --- Decisions --------------------------------------------------------------------------

    def _take(self, action: str, by: str | None = None) -> None:
        """Take a legal decision, of an agent or (None) a person; save and show it; cancel hints."""
        self.table.act(action, by)
        self._follow_clock()
        self._drop_hints()
        self._keep()
        self._tell_all()

    def _keep(self) -> None:
        """Save the table; the game continues even if that fails."""
        try:
            self._store.keep(self.table)
        except OSError as error:
            _log.error("table %s could not be saved: %s", self.table.name, error)
            for page in self.clients:
                page.note("refusal", message=f"The game could not be saved: {error}")

    def _hint(self, page: Client, agent: str) -> None:
        if page.by is None or page.by != self.table.deciding_person:
            raise RefusalError("You can get a hint only when it is your decision.")
        if page.hint is not None and not page.hint.done():
            if page.hint.get_name() == agent:
                return
            page.drop_hint()
        page.hint = asyncio.create_task(self._advise(page, agent), name=agent)

    def _drop_hints(self) -> None:
        for page in self.clients:
            page.drop_hint()

    async def _advise(self, page: Client, agent: str) -> None:
        step = self.table.step
        try:
            advice = await self._agents.ask(agent_tasks.suggest, agent)
            if step == self.table.step:
                page.note("hint", step=step, **client_view.advice(self.table, advice))
        except (WorkerError, ImpulseError) as error:
            _log.info("table %s: no hint from %s: %s", self.table.name, agent, error)
            page.note("refusal", message=f"No hint: {error}")
        except Exception as error:
            _log.error("table %s: no hint from %s", self.table.name, agent, exc_info=error)
            page.note("refusal", message="No hint: the server's log says why.")

    def close(self) -> None:
        """Stop the agents and the timer."""
        self._agents.stop()
        self._people.close()
        self._clock.close()
