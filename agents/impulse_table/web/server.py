"""The web server of the table: pages, new tables, and a WebSocket for each page.

It answers only to its own address (`request_guard`), and a seat opens only with its token. On a
home network it admits only browsers that have used a one-time link (`access`), and limits the
requests of each address (`rate_limits`).
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from datetime import date
from pathlib import Path
from typing import Any, Final

from aiohttp import WSCloseCode, web

from impulse_env.actions import name_of
from impulse_env.drawing.style import style_sheet
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES
from impulse_env.pages.single_file import KIT
from impulse_table.sessions.listing import Listing
from impulse_table.sessions.open_tables import OpenTables
from impulse_table.sessions.replays import Replays
from impulse_table.sessions.session import Session
from impulse_table.tables import protocol
from impulse_table.tables.help import rules_of
from impulse_table.tables.store import DamagedTableError, Store
from impulse_table.tables.table import TableError
from impulse_table.web import bundles, page_socket, pages
from impulse_table.web.access import Access
from impulse_table.web.api.analyses import Analyses
from impulse_table.web.api.answers import fault, refused
from impulse_table.web.api.branches import Branches
from impulse_table.web.api.game_over import GameOver
from impulse_table.web.api.lobby import Lobby
from impulse_table.web.api.mistakes import Mistakes
from impulse_table.web.invitations import Invitations
from impulse_table.web.listening import Site
from impulse_table.web.logs import report_errors
from impulse_table.web.pages import STATIC
from impulse_table.web.rate_limits import RateLimits
from impulse_table.web.request_guard import Guard, add_security_headers
from impulse_table.workers.pool import WorkerPool

_log: Final = logging.getLogger(__name__)


class Server:
    """Tables over HTTP.

    Args:
        folder: Where to save tables.
        workers: The processes in which agents think; the caller closes them.
        agents: Agents of other authors that a person can choose, too.
        site: Address and names of the server.
        clock: The clock that the start page offers first, as fields of `NewTable`.
        today: Returns the day, which decides which puzzles are due.

    Attributes:
        invitations: Links that admit browsers; None on a server for this machine alone.
    """

    def __init__(
        self,
        folder: Path,
        workers: WorkerPool,
        agents: tuple[str, ...] = (),
        site: Site | None = None,
        clock: dict[str, int] | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        self._site = site or Site()
        self.invitations = Invitations(folder / "browsers") if self._site.is_shared else None
        self.store = Store(folder)
        self.workers = workers
        self.open_tables = OpenTables(self.store, workers)
        self.listing = Listing(self.store, self.open_tables)
        self.replays = Replays(self.store, workers)
        self._agents = agents
        self._clock = clock or {}
        self._today = today
        self._sockets: set[web.WebSocketResponse] = set()

    def app(self) -> web.Application:
        """Return the application."""
        middlewares = [Guard(self._site).check, bundles.show_not_found, report_errors]
        if self.invitations is not None:
            access = Access(self.invitations)
            middlewares += [RateLimits().limit, access.admit]
        app = web.Application(middlewares=middlewares, client_max_size=protocol.MAX_BYTES)
        if self.invitations is not None:
            app.add_routes([web.get("/invite", _page("invite.html")), *access.routes()])
        app.add_routes(
            [
                web.get("/", _page("lobby.html")),
                web.get("/table/{name}", _page("table.html")),
                *bundles.routes(),
                web.static("/static", STATIC),
                web.static("/kit", KIT),
                web.get("/drawing.css", self._style),
                web.get("/api/cards", self._cards),
                web.get("/api/tables", self._listed),
                web.get("/api/tables/{name}", self._summary),
                web.get("/api/tables/{name}/socket", self._socket),
                *pages.routes(),
                *self._lobby().routes(),
                *GameOver(self._session, self.replays).routes(),
                web.get("/analysis", _page("analysis.html")),
                *Analyses(self.replays).routes(),
                web.get("/mistakes", _page("mistakes.html")),
                web.get("/mistakes/practice", _page("practice.html")),
                *Mistakes(self.store, self.replays, self._today).routes(),
                *Branches(self.replays, self.workers, self._agents).routes(),
            ]
        )
        app.on_response_prepare.append(add_security_headers)
        app.cleanup_ctx.append(self._close_idle)
        app.on_shutdown.append(self._stop)
        return app

    def _lobby(self) -> Lobby:
        return Lobby(self.store, self.workers, self._agents, self._site.is_shared, self._clock)

    async def _close_idle(self, app: web.Application) -> AsyncIterator[None]:
        """Remove tables without pages from memory, as long as the server runs."""
        closing = asyncio.create_task(self.open_tables.close_idle_sessions())
        yield
        closing.cancel()

    async def _stop(self, app: web.Application) -> None:
        self.open_tables.close()
        self.replays.close()
        closing = [socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._sockets]
        await asyncio.gather(*closing)

    # --- Questions --------------------------------------------------------------------------

    async def _style(self, request: web.Request) -> web.Response:
        return web.Response(text=style_sheet(has_dark=True), content_type="text/css")

    async def _cards(self, request: web.Request) -> web.Response:
        """Answer with the printed rules of every card, by the name of its action."""
        rules = {name_of(CARD_0 + face): rules_of(face) for face in range(FACES)}
        response = web.json_response(rules)
        response.enable_compression()
        return response

    async def _listed(self, request: web.Request) -> web.Response:
        """Answer with the tables that their hosts have listed."""
        try:
            return web.json_response({"tables": await asyncio.to_thread(self.listing.rows)})
        except OSError as error:
            _log.error("the tables cannot be listed: %s", error)
            return fault(500, "the server cannot list the tables; its log says why")

    async def _summary(self, request: web.Request) -> web.Response:
        session = await self._session(request)
        game = session.table.game
        return web.json_response(
            {
                "players": [holder.player for holder in session.table.saved.seats],
                "turn": game.turn,
                "scores": game.scores,
                "winners": session.table.winners,
                "over": session.table.is_over,
            }
        )

    async def _session(self, request: web.Request) -> Session:
        """Return the session of a request's table."""
        try:
            return await self.open_tables.session(request.match_info["name"])
        except DamagedTableError as error:
            raise refused(str(error), web.HTTPInternalServerError) from error
        except TableError as error:
            raise web.HTTPNotFound(text=str(error)) from error

    # --- Play -------------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        socket = await page_socket.accept(request)
        self._sockets.add(socket)
        try:
            session = await self.open_tables.session(request.match_info["name"])
        except TableError as error:
            _log.info("%s: a page was refused: %s", request.path, error)
            await page_socket.dismiss(socket, f"You cannot play at this table: {error}.")
        except Exception as error:
            _log.error("%s failed", request.path, exc_info=error)
            await page_socket.dismiss(socket, "The server could not open this table.")
        else:
            await page_socket.serve_page(socket, session)
        finally:
            self._sockets.discard(socket)
            if socket.close_code == WSCloseCode.ABNORMAL_CLOSURE and request.transport is not None:
                request.transport.abort()  # unsent data would wait for a dead peer
        return socket


def _page(name: str) -> Any:
    async def handler(request: web.Request) -> web.Response:
        return bundles.page(name)

    return handler
