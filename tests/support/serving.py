"""A server of tables inside the test, and pages that talk to it as a browser's would."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import date

from aiohttp import ClientSession, WSMsgType
from aiohttp.test_utils import TestServer

from impulse_table.web.server import Server

PATIENCE = 240


class Wire:
    """One page, with all messages of its WebSocket."""

    def __init__(self, socket):
        self.socket = socket
        self.heard = []
        self.raw = []

    async def say(self, message):
        await self.socket.send_str(message if isinstance(message, str) else json.dumps(message))

    async def hear(self):
        """The next message; None once the connection is closed."""
        message = await asyncio.wait_for(self.socket.receive(), PATIENCE)
        if message.type != WSMsgType.TEXT:
            return None
        self.raw.append(message.data)
        self.heard.append(json.loads(message.data))
        return self.heard[-1]

    async def until(self, is_it):
        """The first message from here on that is it."""
        while not is_it(message := await self.hear()):
            assert message is not None, "the connection was closed"
        return message

    async def state(self, is_it=lambda state: True):
        return await self.until(lambda message: message["type"] == "state" and is_it(message))

    async def turn_of(self, seat):
        """The state in which that seat may choose."""
        return await self.state(lambda state: state["decides"] == seat and state["options"])

    async def refusal(self):
        return (await self.until(lambda message: message["type"] == "refusal"))["message"]

    async def fault(self):
        return (await self.until(lambda message: message["type"] == "fault"))["message"]

    async def act(self, state, action):
        await self.say({"type": "act", "step": state["step"], "action": action})


class Browser:
    """Whoever asks the server for something."""

    def __init__(self, session, server, tables):
        self.session = session
        self.tables = tables
        self.host = f"127.0.0.1:{server.port}"
        self.base = f"http://{self.host}"
        self.headers = {"Origin": self.base}

    async def new(self, *seats, **options):
        """Ask for a table: its name, and the tokens by seat."""
        status, answer = await self.post({"seats": list(seats), **options})
        assert status == 201, answer
        return answer["name"], {int(seat): token for seat, token in answer["tokens"].items()}

    async def post(self, body):
        async with self.session.post(
            f"{self.base}/api/tables", json=body, headers=self.headers
        ) as response:
            return response.status, await response.json()

    async def get(self, path, **headers):
        async with self.session.get(self.base + path, headers=headers) as response:
            return response.status, await response.text(), response.headers

    @asynccontextmanager
    async def page(self, name, *tokens, join=True):
        """A page at a table, with these seats."""
        path = f"{self.base}/api/tables/{name}/socket"
        async with self.session.ws_connect(path, headers=self.headers) as socket:
            wire = Wire(socket)
            if join:
                await wire.say({"type": "join", "tokens": tokens})
            yield wire

    async def room(self, name):
        """The server's own session, to look behind the curtain."""
        return await self.tables.open_tables.session(name)


@asynccontextmanager
async def serving(folder, workers, site=None, today=date.today):
    """A running server whose tables lie in that folder."""
    tables = Server(folder, workers, site=site, today=today)
    server = TestServer(tables.app(), host="127.0.0.1")
    await server.start_server()
    try:
        async with ClientSession() as session:
            yield Browser(session, server, tables)
    finally:
        await server.close()
