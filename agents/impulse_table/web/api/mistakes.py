"""The mistakes of a browser's own games over HTTP: puzzles, answers, and a profile.

A browser shows by a seat's token that the seat is its own. Only finished games have mistakes, and a
question does not contain its solution.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import date
from itertools import chain
from typing import Annotated, Any, Final, Protocol, TypeVar

from aiohttp import web
from msgspec import Meta

from impulse_env.engine.constants import MAX_PLAYERS, Seat
from impulse_env.records.record import Record
from impulse_table.sessions import client_view
from impulse_table.sessions.replays import Replays
from impulse_table.tables.mistake_files import NotDueError
from impulse_table.tables.mistakes import Mistake, SavedMistakes, Tally, line_of
from impulse_table.tables.protocol import Asked, ProtocolError, Token, read
from impulse_table.tables.store import Store
from impulse_table.tables.table import SavedTable, Table, TableError
from impulse_table.web.api.answers import fault, long_body, refused, while_here

MOST_GAMES: Final = 50
"""Games of one request: as many as a browser remembers."""
RECENT: Final = 10
"""The newest games, which the profile compares with all others."""
_MOST_BYTES: Final = 1 << 15
_MOST_DUE: Final = 200
"""Puzzles of one answer."""
_NOT_OWN: Final = "This browser has no seat in such a finished game."
_NOT_FIT: Final = "This puzzle does not fit its game."
_NO_PUZZLE: Final = "There is no such puzzle, or no such choice."

_TableName = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,32}$")]
T = TypeVar("T")


class _BySeat(Protocol):
    @property
    def seat(self) -> Seat: ...


R = TypeVar("R", bound=_BySeat)


class _OwnSeats(Asked, frozen=True):
    table: _TableName
    tokens: Annotated[list[Token], Meta(min_length=1, max_length=MAX_PLAYERS)]


class _Overview(Asked, frozen=True):
    games: Annotated[list[_OwnSeats], Meta(max_length=MOST_GAMES)]


class _Puzzle(_OwnSeats, frozen=True):
    step: Annotated[int, Meta(ge=0)]


class _Answer(_Puzzle, frozen=True):
    choice: Annotated[str, Meta(min_length=1, max_length=40)]


class _Analyse(_OwnSeats, frozen=True):
    seen: Annotated[int, Meta(ge=-1)] = -1


class Mistakes:
    """The mistakes of a browser's games.

    Args:
        store: The tables on disk.
        replays: The analyses of games, with their mistakes.
        today: Returns the day, which decides which puzzles are due.
    """

    def __init__(
        self, store: Store, replays: Replays, today: Callable[[], date] = date.today
    ) -> None:
        self._store = store
        self._replays = replays
        self._today = today

    def routes(self) -> list[web.RouteDef]:
        """Return the routes; the tokens are in the bodies, which no log contains."""
        return [
            web.post("/api/mistakes", self._overview),
            web.post("/api/mistakes/puzzle", self._puzzle),
            web.post("/api/mistakes/answer", self._answer),
            web.post("/api/mistakes/analysis", self._analyse),
        ]

    # --- All games --------------------------------------------------------------------------

    async def _overview(self, request: web.Request) -> web.Response:
        """Answer with the profile, the due puzzles, and what is not analysed yet.

        A game of which no token opens a seat is left out.
        """
        body = await long_body(request, _MOST_BYTES, "A list of games")
        asked = _read(body, _Overview)
        return web.json_response(await asyncio.to_thread(self._told, asked.games))

    def _told(self, games: list[_OwnSeats]) -> dict[str, Any]:
        known: list[tuple[str, list[Mistake]]] = []
        tallies: list[list[Tally]] = []
        unanalysed: list[dict[str, Any]] = []
        unfinished = untrained = 0
        for asked in {one.table: one for one in games}.values():
            try:
                saved, seats = self._own(asked)
                found = self._found(saved)
                if not saved.actions and self._is_over(saved):
                    continue  # without a decision there is no mistake
                if found is not None:
                    known.append((asked.table, _of(found.mistakes, seats)))
                    tallies.append(_of(found.tallies, seats))
                elif not self._is_over(saved):
                    unfinished += 1
                elif not self._replays.finds_mistakes(saved.header().options):
                    untrained += 1
                else:
                    unanalysed.append({"table": asked.table, "decisions": len(saved.actions)})
            except (web.HTTPForbidden, TableError):
                continue
        return {
            "games": len(known),
            "unanalysed": unanalysed,
            "unfinished": unfinished,
            "untrained": untrained,
            **_puzzles(known, self._today()),
            **_profile(tallies),
        }

    def _is_over(self, saved: SavedTable) -> bool:
        """Whether a game is over; replays it; raises `DamagedTableError`."""
        return self._store.check(saved.name)[1].is_over or saved.stopped is not None

    def _found(self, saved: SavedTable) -> SavedMistakes | None:
        """Return the mistakes of this game; None if it is not analysed."""
        found = self._replays.mistakes.read(saved.name)
        is_same = found is not None and found.steps == len(saved.actions)
        return found if is_same else None

    def _own(self, asked: _OwnSeats) -> tuple[SavedTable, list[Seat]]:
        """Return a table, and the seats that the tokens open; refuse if there is none."""
        try:
            saved = self._store.saved(asked.table)
        except TableError as error:  # the check at the server's start has reported a damaged one
            raise refused(_NOT_OWN, web.HTTPForbidden) from error
        seats = saved.seats_of(asked.tokens)
        if not seats:
            raise refused(_NOT_OWN, web.HTTPForbidden)
        return saved, seats

    # --- A puzzle ---------------------------------------------------------------------------

    async def _puzzle(self, request: web.Request) -> web.Response:
        """Answer with the state of the table as its seat saw it then, without the solution.

        It has the fields of the message ``state`` of a page at the table that show the game.
        """
        asked = _read(await request.read(), _Puzzle)
        mistake = await asyncio.to_thread(self._find, asked)
        response = web.json_response(await asyncio.to_thread(self._position, asked, mistake))
        response.enable_compression()
        return response

    def _position(self, asked: _Puzzle, mistake: Mistake) -> dict[str, Any]:
        try:
            table = Table(self._store.saved(asked.table).before(asked.step))
        except (ValueError, TypeError) as error:  # the table's file was damaged
            raise refused(_NOT_FIT, web.HTTPConflict) from error
        by = mistake.seat
        position, parts = client_view.position(table, by), client_view.parts(table, by)
        options = {option["action"] for option in position["options"]}
        if options != mistake.judgement.chances.keys():
            raise refused(_NOT_FIT, web.HTTPConflict)
        return {
            "type": "state",
            "whole": True,
            "by": by,
            "here": [by],
            "topic": mistake.topic,
            "trouble": None,
            **position,
            "seats": client_view.seats(table, None),
            "order": list(parts),
            "parts": parts,
            "log": [entry.seen_by(by) for entry in table.journal],
        }

    async def _answer(self, request: web.Request) -> web.Response:
        """Take an answer; tell what it gives away, the best choice, and the next day."""
        asked = _read(await request.read(), _Answer)
        await asyncio.to_thread(self._find, asked)
        try:
            mistake, is_right = await asyncio.to_thread(
                self._replays.mistakes.answer, asked.table, asked.step, asked.choice, self._today()
            )
        except LookupError as error:
            raise refused(_NO_PUZZLE, web.HTTPNotFound) from error
        except NotDueError as error:
            words = f"This puzzle is not due before {error.due.isoformat()}."
            raise refused(words, web.HTTPConflict) from error
        except OSError as error:
            return fault(507, f"the answer could not be saved: {error.strerror or error}")
        assert mistake.due is not None, "an answer sets it"
        return web.json_response(
            {
                "right": is_right,
                "cost": mistake.cost_of(asked.choice),
                "taken": mistake.taken,
                "judged": mistake.judged,
                "days": (mistake.due - self._today()).days,
            }
        )

    def _find(self, asked: _Puzzle) -> Mistake:
        """Return the mistake of a puzzle, if its seat is the browser's own."""
        saved, seats = self._own(asked)
        found = self._found(saved)
        mistakes = [] if found is None else _of(found.mistakes, seats)
        mistake = next((one for one in mistakes if one.step == asked.step), None)
        if mistake is None:
            raise refused(_NO_PUZZLE, web.HTTPNotFound)
        return mistake

    # --- Analysis ---------------------------------------------------------------------------

    async def _analyse(self, request: web.Request) -> web.Response:
        """Analyse a game, unless that is done; answer when more is done than the page has seen.

        The analysis stops once the page no longer asks.
        """
        asked = _read(await request.read(), _Analyse)
        saved, _ = await asyncio.to_thread(self._own, asked)
        name, is_found = asked.table, await asyncio.to_thread(self._found, saved) is not None
        if not is_found and not self._replays.state(name)["running"]:
            record = await asyncio.to_thread(self._finished, name)
            is_found = await asyncio.to_thread(self._found, saved) is not None
            is_running = self._replays.state(name)["running"]
            if not is_found and not is_running and self._replays.is_busy:
                return fault(429, "The server is analysing other games: try again in a minute.")
            if not is_found:
                self._replays.begin(name, record, again=True)
        await while_here(request, self._replays.follow(name, asked.seen))
        is_found = await asyncio.to_thread(self._found, saved) is not None
        state = self._replays.state(name, len(saved.actions))
        return web.json_response({**state, "ready": is_found and not state["running"]})

    def _finished(self, name: str) -> Record:
        """Return the record of a finished game; refuse if it is not over or cannot be analysed."""
        try:
            table = self._store.read(name)
        except TableError as error:
            raise refused(_NOT_OWN, web.HTTPForbidden) from error
        if not table.is_over:
            raise refused("The game is not over.", web.HTTPConflict)
        if not table.step:
            raise refused("This game has no decisions.", web.HTTPConflict)
        record = table.record()
        if not self._replays.finds_mistakes(record.header.options):
            raise refused("This server has no trained agent for such games.", web.HTTPConflict)
        return record


def _read(content: bytes, kind: type[T]) -> T:
    try:
        return read(content, kind, "invalid question about mistakes")
    except ProtocolError as error:
        raise refused(str(error)) from error


def _of(rows: Iterable[R], seats: list[Seat]) -> list[R]:
    """Return the rows of some seats."""
    return [row for row in rows if row.seat in seats]


def _puzzles(known: list[tuple[str, list[Mistake]]], today: date) -> dict[str, Any]:
    """Return the due puzzles, first those asked before, then the costliest; and the next day.

    Args:
        known: The mistakes of each game, with its name.
        today: The day.
    """
    rows = [(name, one) for name, mistakes in known for one in mistakes]
    due = [(name, one) for name, one in rows if one.is_due(today)]
    due.sort(key=lambda row: (row[1].due or date.max, -row[1].judgement.loss))
    later = [one.due for _, one in rows if one.due is not None and one.due > today]
    return {
        "puzzles": len(rows),
        "due": len(due),
        "next": [{"table": name, "step": one.step} for name, one in due[:_MOST_DUE]],
        "days": (min(later) - today).days if later else None,
    }


def _profile(tallies: list[list[Tally]]) -> dict[str, Any]:
    """Return the profile: a line for each topic, the one with the highest sum of losses first.

    Args:
        tallies: Those of each game, the newest first.
    """
    by_topic: dict[str, list[Tally]] = {}
    for tally in chain.from_iterable(tallies):
        by_topic.setdefault(tally.topic, []).append(tally)
    topics = sorted(by_topic, key=lambda topic: -sum(tally.loss for tally in by_topic[topic]))
    recent, before = tallies[:RECENT], tallies[RECENT:]
    return {
        "topics": [{"topic": topic, **_line(by_topic[topic])} for topic in topics],
        "all": _line(chain.from_iterable(tallies)),
        "recent": _line(chain.from_iterable(recent)) if before else None,
        "before": _line(chain.from_iterable(before)),
    }


def _line(tallies: Iterable[Tally]) -> dict[str, Any]:
    line = line_of(tallies)
    return {} if line is None else asdict(line)
