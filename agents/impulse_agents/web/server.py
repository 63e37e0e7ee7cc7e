"""The web server of the table: pages, new tables, and a WebSocket for each page.

It is for this machine alone. It listens on loopback and answers to no other name (`guard`), and a
seat opens to nobody who has not its token.
"""

import asyncio
from pathlib import Path
from typing import Any, Final

from aiohttp import WSCloseCode, WSMsgType, web

from impulse_agents import registry
from impulse_agents.advice import worker_tasks
from impulse_agents.advice.worker_pool import WorkerError, WorkerPool
from impulse_agents.table import protocol
from impulse_agents.table.card_help import rules_of
from impulse_agents.table.client import Client
from impulse_agents.table.protocol import ProtocolError
from impulse_agents.table.session import RefusalError, Session
from impulse_agents.table.store import Store
from impulse_agents.table.table import Table, TableError
from impulse_agents.web.request_guard import add_security_headers, guard
from impulse_env.actions import name_of
from impulse_env.drawing.style import style_sheet
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES
from impulse_env.options import TEAM_SIZES, OptionError

STATIC: Final = Path(__file__).parent / "static"
_HEARTBEAT: Final = 20.0
_FAREWELL: Final = 2.0
"""Seconds for a page to answer that a connection is closed."""
_MOST_FAULTS: Final = 20
"""Malformed messages after which a connection is closed."""
_MOST_SESSIONS: Final = 200


class Server:
    """Tables over HTTP.

    Args:
        folder: Where tables are kept.
        workers: Who think for the agents; whoever made them closes them.
        agents: Agents of other authors that can be chosen besides the project's own.
    """

    def __init__(self, folder: Path, workers: WorkerPool, agents: tuple[str, ...] = ()) -> None:
        self.store = Store(folder)
        self.workers = workers
        self._agents = agents
        self._sessions: dict[str, Session] = {}
        self._sockets: set[web.WebSocketResponse] = set()

    def app(self) -> web.Application:
        """Return the application."""
        app = web.Application(middlewares=[guard], client_max_size=protocol.MAX_BYTES)
        app.add_routes(
            [
                web.get("/", _page("lobby.html")),
                web.get("/table/{name}", _page("table.html")),
                web.static("/static", STATIC),
                web.get("/drawing.css", self._style),
                web.get("/api/setup", self._setup),
                web.get("/api/cards", self._cards),
                web.post("/api/tables", self._new_table),
                web.get("/api/tables/{name}", self._summary),
                web.get("/api/tables/{name}/record", self._record),
                web.get("/api/tables/{name}/socket", self._socket),
            ]
        )
        app.on_response_prepare.append(add_security_headers)
        app.on_shutdown.append(self._stop)
        return app

    async def _stop(self, app: web.Application) -> None:
        for session in self._sessions.values():
            session.close()
        closing = [socket.close(code=WSCloseCode.GOING_AWAY) for socket in self._sockets]
        await asyncio.gather(*closing)

    # --- Questions --------------------------------------------------------------------------

    async def _setup(self, request: web.Request) -> web.Response:
        """What a new table can be made of."""
        own = dict.fromkeys(self._agents, "an agent of your own")
        return web.json_response(
            {
                "agents": own | registry.choices(),
                "patterns": registry.names(),
                "teams": TEAM_SIZES,
            }
        )

    async def _style(self, request: web.Request) -> web.Response:
        return web.Response(text=style_sheet(), content_type="text/css")

    async def _cards(self, request: web.Request) -> web.Response:
        """The printed rules of every card, by the name of its action."""
        return web.json_response({name_of(CARD_0 + face): rules_of(face) for face in range(FACES)})

    async def _new_table(self, request: web.Request) -> web.Response:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="a new table is asked for as application/json")
        try:
            wanted = protocol.read_new_table(await request.read())
            wanted.options()
            names = [name for name in wanted.seats if name != protocol.PERSON]
            if names:
                await self.workers.ask(worker_tasks.check, names, len(wanted.seats))
            table = Table.create(wanted)
        except (ProtocolError, OptionError, WorkerError) as error:
            return _fault(400, str(error))
        self.store.keep(table)
        tokens = {seat: who.token for seat, who in enumerate(table.saved.seats) if who.token}
        return web.json_response({"name": table.name, "tokens": tokens}, status=201)

    async def _summary(self, request: web.Request) -> web.Response:
        session = self._session(request)
        game = session.table.game
        return web.json_response(
            {
                "players": [holder.player for holder in session.table.saved.seats],
                "turn": game.turn,
                "scores": game.scores,
                "over": game.is_over,
            }
        )

    async def _record(self, request: web.Request) -> web.Response:
        table = self._session(request).table
        if not table.game.is_over:
            return _fault(409, "a record shows every hand: it can be saved once the game is over")
        return web.Response(
            text=table.record().text(),
            content_type="application/jsonl",
            headers={"Content-Disposition": f'attachment; filename="impulse-{table.name}.jsonl"'},
        )

    def _session(self, request: web.Request) -> Session:
        """Return the session of a request's table; it is read from disk if it has to be."""
        name = request.match_info["name"]
        if name not in self._sessions:
            if len(self._sessions) >= _MOST_SESSIONS:
                self._close_empty_sessions()
            try:
                self._sessions[name] = Session(self.store.read(name), self.store, self.workers)
            except TableError as error:
                raise web.HTTPNotFound(text=str(error)) from error
        return self._sessions[name]

    def _close_empty_sessions(self) -> None:
        for name in [name for name, session in self._sessions.items() if not session.clients]:
            self._sessions.pop(name).close()

    # --- Play -------------------------------------------------------------------------------

    async def _socket(self, request: web.Request) -> web.WebSocketResponse:
        session = self._session(request)
        socket = web.WebSocketResponse(
            timeout=_FAREWELL, heartbeat=_HEARTBEAT, max_msg_size=protocol.MAX_BYTES
        )
        await socket.prepare(request)
        self._sockets.add(socket)
        page = Client(socket.send_json)
        try:
            async with asyncio.TaskGroup() as tasks:
                telling = tasks.create_task(page.tell(session.news))
                await _listen(socket, session, page)
                telling.cancel()
        except* ConnectionError:
            pass  # the page went while it was being told something
        finally:
            self._sockets.discard(socket)
            session.leave(page)
        return socket


async def _listen(socket: web.WebSocketResponse, session: Session, page: Client) -> None:
    """Take what a page sends until it goes, or has sent too much nonsense."""
    faults = 0
    async for message in socket:
        if message.type != WSMsgType.TEXT:
            break
        try:
            session.take(page, protocol.read_message(message.data))
        except RefusalError as error:
            await socket.send_json({"type": "refusal", "message": str(error)})
        except ProtocolError as error:
            await socket.send_json({"type": "fault", "message": str(error)})
            faults += 1
            if faults == _MOST_FAULTS:
                break
    is_abused = faults == _MOST_FAULTS
    await socket.close(code=WSCloseCode.POLICY_VIOLATION if is_abused else WSCloseCode.OK)


def _page(name: str) -> Any:
    async def handler(request: web.Request) -> web.FileResponse:
        return web.FileResponse(STATIC / name)

    return handler


def _fault(status: int, message: str) -> web.Response:
    return web.json_response({"message": message}, status=status)
