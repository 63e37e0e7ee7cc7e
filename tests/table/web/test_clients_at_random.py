"""Many clients that say anything and go at any moment: the server's log has no traceback."""

import asyncio
import json
import random
import re
import signal
import socket
import subprocess

import aiohttp
import pytest

from commands import PROGRAM
from paths import ROOT

PATIENCE = 120


class Served:
    """`impulse play` in a process of its own; its log is a file."""

    def __init__(self, folder, log, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.log = log
        words = ["play", "--port", self.port, "--dir", folder, "--no-open", *options]
        with open(log, "wb") as stderr:
            self.process = subprocess.Popen(
                [*PROGRAM, *map(str, words)],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=stderr,
                text=True,
            )
        assert self.base in self.process.stdout.readline()

    def stop(self):
        """End it as Ctrl-C does; return its log."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(60)
        self.process.stdout.close()
        assert code == 0
        return self.log.read_text()


class Clients:
    """Clients that do at random what no page does, around a table that two pages play at."""

    def __init__(self, served, session, seed):
        self.served, self.session, self.rng = served, session, random.Random(seed)
        self.origin = {"Origin": served.base}

    async def new(self, *seats):
        body = {"seats": list(seats), "seed": 7}
        async with self.session.post(
            f"{self.served.base}/api/tables", json=body, headers=self.origin
        ) as response:
            answer = await response.json()
        return answer["name"], list(answer["tokens"].values())

    def page(self, name):
        path = f"{self.served.base}/api/tables/{name}/socket"
        return self.session.ws_connect(path, headers=self.origin)

    def message(self, tokens):
        """Something a page could say, or could not."""
        rng = self.rng
        return rng.choice(
            [
                {"type": "join", "tokens": tokens},
                {"type": "join", "tokens": []},
                {"type": "join", "tokens": ["x" * rng.randrange(70)]},
                {"type": "look", "seat": rng.randrange(8)},
                {"type": "act", "step": rng.randrange(3), "action": rng.choice(["use", "card 7"])},
                {"type": "hint", "agent": "random"},
                {"type": "pace", "seconds": rng.choice([0, 1, 1e9])},
                {"type": "skip"},
                {"type": "retry"},
                {"type": "replace", "seat": rng.randrange(3), "agent": "nobody"},
                {"type": "revoke", "seat": rng.randrange(3)},
                {"type": rng.choice(["", "shout", None, [], {}])},
                [],
                rng.random(),
                "\0" * rng.randrange(10),
            ]
        )

    async def talk(self, name, tokens):
        """Say a few things over a WebSocket, and go in one way or another."""
        rng = self.rng
        async with self.page(name) as socket:
            for _ in range(rng.randrange(12)):
                kind = rng.random()
                if kind < 0.8:
                    await socket.send_str(json.dumps(self.message(tokens)))
                elif kind < 0.9:
                    await socket.send_str(rng.randbytes(rng.randrange(60)).decode("latin-1"))
                elif kind < 0.95:
                    await socket.send_bytes(rng.randbytes(rng.randrange(60)))
                else:
                    await socket.send_str("x" * rng.choice([4095, 4097, 70_000]))
                if rng.random() < 0.3:
                    await asyncio.sleep(rng.random() / 20)
            connection = socket._response.connection
            if rng.random() < 0.7 and connection is not None and connection.transport is not None:
                connection.transport.abort()  # no farewell: the process was killed, the cable cut

    async def shout(self, name):
        """Send bytes to the port, of HTTP or not, and go."""
        rng = self.rng
        reader, writer = await asyncio.open_connection("127.0.0.1", self.served.port)
        host = f"Host: 127.0.0.1:{self.served.port}\r\nOrigin: {self.served.base}\r\n"
        upgrade = (
            f"GET /api/tables/{name}/socket HTTP/1.1\r\n{host}Connection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        ).encode()
        post = f"POST /api/tables HTTP/1.1\r\n{host}Content-Type: application/json\r\n"
        writer.write(
            rng.choice(
                [
                    b"",
                    rng.randbytes(rng.randrange(1, 300)),
                    upgrade,
                    upgrade[: rng.randrange(len(upgrade))],
                    upgrade + rng.randbytes(40),
                    upgrade.replace(b"websocket", b"websucket"),
                    (post + "Content-Length: 999\r\n\r\n{").encode(),
                    (post + "Content-Length: -1\r\n\r\n{").encode(),
                    (post + "Content-Length: 9999999\r\n\r\n").encode() + b"[" * 9000,
                    (post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n").encode(),
                    (post + "Content-Length: 2000\r\n\r\n" + "[" * 2000).encode(),
                    b"GET /\r\n\r\n",
                    b"GET " + b"/x" * 9000 + b" HTTP/1.1\r\n\r\n",
                ]
            )
        )
        if rng.random() < 0.5:
            await asyncio.sleep(rng.random() / 20)
            await asyncio.wait([asyncio.ensure_future(reader.read(100))], timeout=0.05)
        writer.transport.abort()

    async def one(self, name, tokens):
        try:
            if self.rng.random() < 0.7:
                await self.talk(name, tokens)
            else:
                await self.shout(name)
        except (aiohttp.ClientError, ConnectionError):
            pass  # the server may have had enough of it first


async def _play(clients, name, token, rounds):
    """Play a page's seat whatever others do; every state that comes goes on from the last."""
    async with clients.page(name) as socket:
        await socket.send_json({"type": "join", "tokens": [token]})
        await socket.send_json({"type": "pace", "seconds": 0})
        step = 0
        while step < rounds:
            message = await asyncio.wait_for(socket.receive_json(), PATIENCE)
            if message["type"] != "state":
                continue
            assert message["step"] >= step
            step = message["step"]
            if message["options"]:
                action = message["options"][0]["action"]
                await socket.send_json({"type": "act", "step": step, "action": action})
        return step


async def _storm(served, rounds, at_once):
    timeout = aiohttp.ClientTimeout(total=PATIENCE)
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(timeout=timeout, connector=connector) as session:
        clients = Clients(served, session, seed=1)
        quiet, (own, other) = await clients.new("person", "person")
        loud, tokens = await clients.new("person", "random")
        good = [asyncio.create_task(_play(clients, quiet, token, 20)) for token in (own, other)]
        for _ in range(rounds):
            named = [clients.rng.choice([loud, loud, quiet]) for _ in range(at_once)]
            await asyncio.gather(
                *[clients.one(name, tokens if name == loud else []) for name in named]
            )
        assert min(await asyncio.gather(*good)) >= 20
        async with clients.page(loud) as socket:
            await socket.send_json({"type": "join", "tokens": []})
            assert (await socket.receive_json(timeout=PATIENCE))["type"] == "state"


LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (INFO|WARNING|ERROR) [\w.]+: \S.*")


@pytest.mark.parametrize(
    ("rounds", "at_once"), [(8, 15), pytest.param(150, 40, marks=pytest.mark.slow)]
)
def test_clients_that_say_anything_leave_no_traceback_and_disturb_no_game(
    rounds, at_once, tmp_path
):
    served = Served(tmp_path / "games", tmp_path / "log")
    try:
        asyncio.run(_storm(served, rounds, at_once))
    finally:
        log = served.stop()
    assert "Traceback" not in log
    assert [line for line in log.splitlines() if not LINE.fullmatch(line)] == []
    assert "ERROR" not in log
