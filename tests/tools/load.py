"""How many tables with people one server bears: ``make load``.

Opens more and more tables on a server in a process of its own, with two simulated people and an
agent at each. Prints a line for each step: decisions per second, the time from a person's choice to
the page that shows it, and the memory of the server.
"""

import argparse
import asyncio
import json
import random
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import numpy as np

from table_pages import Served

SEATS = ("person", "person", "greedy")


@dataclass
class Load:
    """The settings of the simulated people, and their measurements since the last line.

    Attributes:
        think: Mean thinking time of a person, in seconds.
        answers: Seconds from a choice to its answer.
        moves: Decisions taken, agents' too.
        faults: What went wrong.
    """

    think: float
    answers: list[float] = field(default_factory=list)
    moves: int = 0
    faults: list[str] = field(default_factory=list)


class Person:
    """A page at a table that chooses at random."""

    def __init__(self, load, socket, seat):
        self.load, self.socket, self.seat = load, socket, seat
        self.chose = None
        self.step = 0
        self.thinking = None

    async def play(self):
        try:
            await self.listen()
        finally:
            if self.thinking is not None:
                self.thinking.cancel()

    async def listen(self):
        async for message in self.socket:
            if message.type != aiohttp.WSMsgType.TEXT:
                return
            news = json.loads(message.data)
            if news["type"] != "state":
                self.load.faults.append(str(news)[:200])
                continue
            self.hear(news)
            if news["over"]:
                return
            if news["decides"] == self.seat and self.chose is None:
                self.thinking = asyncio.create_task(self.choose(news))
                self.chose = 0.0

    def hear(self, news):
        if news["step"] > self.step:
            if self.chose:
                self.load.answers.append(time.perf_counter() - self.chose)
            if self.seat == 0:
                self.load.moves += news["step"] - self.step
            self.chose, self.step = None, news["step"]

    async def choose(self, news):
        await asyncio.sleep(random.expovariate(1 / self.load.think))
        action = random.choice(news["options"])["action"]
        self.chose = time.perf_counter()
        await self.socket.send_json({"type": "act", "step": news["step"], "action": action})


async def table(load, session, address):
    """Let two people play one game after another."""
    headers = {"Origin": address.rstrip("/")}
    while True:
        async with session.post(
            f"{address}api/tables", json={"seats": SEATS}, headers=headers
        ) as answer:
            made = await answer.json()
        path = f"{address}api/tables/{made['name']}/socket"
        people = []
        for seat, token in made["tokens"].items():
            socket = await session.ws_connect(path, headers=headers)
            await socket.send_json({"type": "join", "tokens": [token]})
            people.append(Person(load, socket, int(seat)))
        await asyncio.gather(*(person.play() for person in people))
        for person in people:
            await person.socket.close()


def memory(pid):
    """The resident memory of a process, MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1000
    return float("nan")


async def measure(served, options):
    load = Load(options.think)
    tables = []
    print("tables  moves/s  median ms  p99 ms  server MB  faults")
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:
        for number in options.tables:
            while len(tables) < number:
                playing = table(load, session, served.address)
                tables.append(asyncio.create_task(playing))
                await asyncio.sleep(0.1)
            await asyncio.sleep(options.settle)
            load.answers, load.moves, began = [], 0, time.perf_counter()
            await asyncio.sleep(options.seconds)
            tell(number, load, time.perf_counter() - began, served)
        for playing in tables:
            playing.cancel()
        await asyncio.gather(*tables, return_exceptions=True)
    await asyncio.sleep(2)
    print(f"all pages closed: {memory(served.process.pid):.0f} MB")


def tell(number, load, seconds, served):
    waits = 1000 * np.array(load.answers or [np.nan])
    half, most = np.percentile(waits, [50, 99])
    print(
        f"{number:6d} {load.moves / seconds:8.1f} {half:10.0f} {most:7.0f}"
        f" {memory(served.process.pid):10.0f} {len(load.faults):7d}",
        flush=True,
    )
    for fault in load.faults[:3]:
        print(f"  {fault}")
    load.faults.clear()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, nargs="+", default=[25, 50, 100, 200])
    parser.add_argument("--seconds", type=float, default=30, help="measured at each step")
    parser.add_argument("--settle", type=float, default=10, help="waited before that")
    parser.add_argument("--think", type=float, default=5, help="of a person, in the mean")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder))
        try:
            asyncio.run(measure(served, options))
        finally:
            served.stop()


if __name__ == "__main__":
    main()
