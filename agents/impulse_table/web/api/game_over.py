"""Finished games over HTTP: summary, analysis, replay and record."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from aiohttp import web

from impulse_table.sessions.replays import Replays
from impulse_table.sessions.session import Session
from impulse_table.tables.ending import ending
from impulse_table.tables.table import Table
from impulse_table.web.api.answers import fault, refused, seen_by, while_here

REPLAY_POLICY: Final = (
    # The page contains its one script, and names the script's digest in its own policy.
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; font-src data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

_HEADERS: Final = {"Content-Security-Policy": REPLAY_POLICY, "Content-Type": "text/html"}

FindSession = Callable[[web.Request], Awaitable[Session]]


class GameOver:
    """Finished games over HTTP; answers 409 for an unfinished game.

    Args:
        session: Finds the session of a request's table.
        replays: The pages of finished games.
    """

    def __init__(self, session: FindSession, replays: Replays) -> None:
        self._session = session
        self._replays = replays

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        return [
            web.get("/api/tables/{name}/record", self._record),
            web.get("/api/tables/{name}/ending", self._ending),
            web.get("/api/tables/{name}/analysis", self._analysis),
            web.post("/api/tables/{name}/analysis", self._analyse),
            web.get("/table/{name}/replay", self._replay),
        ]

    async def _record(self, request: web.Request) -> web.Response:
        table = await self._finished(request)
        return web.Response(
            text=table.record().text(),
            content_type="application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="impulse-{table.name}.jsonl"'},
        )

    async def _ending(self, request: web.Request) -> web.Response:
        table = await self._finished(request)
        return web.json_response(await asyncio.to_thread(ending, table.saved))

    async def _analysis(self, request: web.Request) -> web.Response:
        table = await self._finished(request)
        await while_here(request, self._replays.follow(table.name, seen_by(request)))
        return self._progress(table)

    async def _analyse(self, request: web.Request) -> web.Response:
        table = await self._finished(request)
        if not table.step:
            return fault(409, "This game has no decisions.")
        self._replays.begin(table.name, table.record())
        return self._progress(table)

    async def _replay(self, request: web.Request) -> web.StreamResponse:
        table = await self._finished(request)
        path = self._replays.page(table.name)
        if path is None:
            raise web.HTTPNotFound(text="this game has no analysis yet: start it at the table")
        return page_response(path)

    def _progress(self, table: Table) -> web.Response:
        return web.json_response(self._replays.state(table.name, table.step))

    async def _finished(self, request: web.Request) -> Table:
        """Return a request's table; refuse if its game is not over: until then hands are hidden."""
        table = (await self._session(request)).table
        if not table.is_over:
            message = "a record shows every hand: save it once the game is over"
            raise refused(message, web.HTTPConflict)
        return table


def page_response(path: Path) -> web.FileResponse:
    """Return the page of a game as an answer."""
    return web.FileResponse(path, headers=_HEADERS)
