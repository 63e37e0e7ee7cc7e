"""The analysis of any recorded game: a person drops a file on a page, and the board opens."""

import asyncio
import hashlib
import re
from typing import Final

from aiohttp import web

from impulse_env.errors import RecordError
from impulse_env.records import reader
from impulse_env.records.record import Record
from impulse_table.sessions.replays import Replays
from impulse_table.web.api.answers import fault, long_body, refused, seen_by, while_here
from impulse_table.web.api.game_over import page_response

_MOST_BYTES: Final = 1 << 20
"""Size limit of a record: ten times the longest game of six players."""
_MOST_STORED: Final = 200
"""Pages of dropped records on disk; the server deletes the oldest ones."""
_PREFIX: Final = "record-"
_DIGITS: Final = 20
_NAME: Final = re.compile(rf"{_PREFIX}[0-9a-f]{{{_DIGITS}}}")
_UNKNOWN: Final = "this server has no analysis of this game: drop its record again"


class Analyses:
    """Recorded games over HTTP.

    Args:
        replays: Makes their pages. Equal records share one page, whoever drops them.
    """

    def __init__(self, replays: Replays) -> None:
        self._replays = replays

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        return [
            web.post("/api/analyses", self._begin),
            web.get("/api/analyses/{name}", self._state),
            web.get("/analysis/{name}", self._page),
            web.get("/api/replays/{name}", self._follow),
            web.post("/api/replays/{name}", self._resume),
        ]

    async def _begin(self, request: web.Request) -> web.Response:
        text = await _text_of(request)
        try:
            record = await asyncio.to_thread(reader.parse, text)
        except RecordError as error:
            return fault(400, f"This is not the record of a game: {error}")
        if not record.moves:
            return fault(400, "This game has no decisions.")
        name = _PREFIX + hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
        is_new = not self._replays.is_made(name)
        if is_new and self._replays.is_busy:
            return fault(429, "The server is analysing other games: try again in a minute.")
        self._forget_old()
        self._replays.begin(name, record)
        return web.json_response({"name": name, **self._replays.state(name)}, status=201)

    async def _state(self, request: web.Request) -> web.Response:
        name = _name(request)
        await while_here(request, self._replays.follow(name, seen_by(request)))
        return web.json_response(self._replays.state(name))

    async def _page(self, request: web.Request) -> web.StreamResponse:
        path = self._replays.page(_name(request))
        if path is None:
            raise web.HTTPNotFound(text=_UNKNOWN)
        return page_response(path)

    async def _resume(self, request: web.Request) -> web.Response:
        """Continue the analysis of an open page, after a stop or a restart of the server."""
        name, record = await self._open(request)
        self._replays.begin(name, record)
        return self._so_far(name, record)

    async def _follow(self, request: web.Request) -> web.Response:
        name, record = await self._open(request)
        await while_here(request, self._replays.follow(name, seen_by(request)))
        return self._so_far(name, record)

    def _so_far(self, name: str, record: Record) -> web.Response:
        state = self._replays.state(name, len(record.moves))
        return web.json_response({**state, "analysis": self._replays.analysis(name, record)})

    async def _open(self, request: web.Request) -> tuple[str, Record]:
        """Return the name and the record of an open page's game."""
        name = request.match_info["name"]
        text = await asyncio.to_thread(self._replays.record, name)
        if text is None:
            raise refused("This server has no analysis of this game.", web.HTTPNotFound)
        return name, await asyncio.to_thread(reader.parse, text)

    def _forget_old(self) -> None:
        folder = self._replays.path(_PREFIX).parent
        records = sorted(folder.glob(f"{_PREFIX}*.jsonl"), key=lambda path: path.stat().st_mtime)
        for path in records[: 1 - _MOST_STORED]:
            self._replays.remove(path.with_suffix(".html"))


async def _text_of(request: web.Request) -> str:
    """Return the body of a request as text."""
    data = await long_body(request, _MOST_BYTES, "A record")
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise refused("This is not the record of a game: it is not UTF-8.") from None


def _name(request: web.Request) -> str:
    name = request.match_info["name"]
    if not _NAME.fullmatch(name):
        raise web.HTTPNotFound(text=_UNKNOWN)
    return name
