"""A table in the page's worker: answers the requests that a server answers elsewhere."""

import asyncio
import json
import time

import msgspec
import numpy as np
from in_browser.network import PLAYERS, NumpyPolicy
from pyodide.webloop import WebLoop

from impulse_agents import registry
from impulse_agents.asking.ask import ask_in_game
from impulse_env.actions import name_of
from impulse_env.engine.action_space import CARD_0
from impulse_env.engine.constants import FACES
from impulse_env.game import Game
from impulse_env.records.record import Header, Move, Record, Result, SeatedAgent
from impulse_table.sessions.client import Client, RefusalError
from impulse_table.sessions.session import Session
from impulse_table.tables import protocol
from impulse_table.tables.ending import ending
from impulse_table.tables.help import rules_of
from impulse_table.tables.table import SavedTable, Table
from impulse_table.workers.pool import WorkerPool

NETWORK = "policy:sb3-2p"
LEVELS = {"easy": "miner", "medium": "greedy", "hard": NETWORK}

np.seterr(over="ignore")


def _end_task(loop, task, end=WebLoop._decrement_in_progress):
    """End a task; Pyodide's own method fails for a cancelled one."""
    end(loop, None if task is not None and task.cancelled() else task)


WebLoop._decrement_in_progress = _end_task
registry.KINDS["policy"] = registry.Kind(NumpyPolicy, "trained network", "PATH")


class Play:
    """One table and its page.

    Args:
        send: Takes each message to the page, as JSON.
        keep: Takes the saved table after each change, as JSON, and whether the game is over.
    """

    def __init__(self, send, keep):
        self._send, self._keep = send, keep
        self._page = self._telling = None

    def begin(self, text):
        """Deal a new table; return the token of the person's seat."""
        return self._open(Table.create(protocol.read_new_table(text)))

    def resume(self, text):
        """Open a saved table; return the token of the person's seat."""
        return self._open(Table(SavedTable.read(text)))

    def _open(self, table):
        self._table = table
        self._session = Session(table, self, WorkerPool())
        self.keep(table)
        return next(holder.token for holder in table.saved.seats if holder.is_person)

    def keep(self, table):
        """Send a saved table to the page, which stores it."""
        self._keep(msgspec.json.encode(table.saved).decode(), table.is_over)

    def connect(self):
        """Open the connection of the page."""
        self._page = Client(self._write)
        if self._telling is not None:
            self._telling.cancel()
        self._telling = asyncio.ensure_future(self._tell())

    def hear(self, text):
        """Take a message of the page."""
        try:
            self._session.take(self._page, protocol.read_message(text))
        except (RefusalError, protocol.ProtocolError) as error:
            self._send(json.dumps({"type": "refusal", "message": str(error)}))

    async def _tell(self):
        try:
            await self._page.tell(self._session.news)
        except Exception as error:
            await self._write({"type": "end", "message": f"The game failed: {error!r}."})
            raise

    async def _write(self, message):
        self._send(json.dumps(message))

    def answer(self, path):
        """Return the answer to a request, as text."""
        if path == "/api/setup":
            return json.dumps(setup())
        if path == "/api/cards":
            return json.dumps({name_of(CARD_0 + face): rules_of(face) for face in range(FACES)})
        if path.endswith("/ending"):
            return json.dumps(ending(self._table.saved))
        if path.endswith("/record") and self._table.is_over:
            return self._table.record().text()
        return None


def setup():
    """Return the choices at a table, JSON-able."""
    levels = [{"name": name, "agent": agent, "rating": None} for name, agent in LEVELS.items()]
    rules = {name: registry.KINDS[name].description for name in registry.RULE_BASED}
    table = str(PLAYERS)
    return {
        "agents": {NETWORK: "trained network", **rules, "random": "anything that is legal"},
        "advisers": {table: NETWORK},
        "measured": {},
        "levels": {table: levels},
        "usual_level": "medium",
        "invites": False,
        "clock": {},
    }


def play_out(names, seed, agent_seed):
    """Let agents play a game without pauses: return its record and each decision's milliseconds."""
    game = Game(seed=seed)
    record = Record(Header.of_game(game, [SeatedAgent(name) for name in names]), [])
    times = {name: [] for name in names}
    agents = [registry.make(name) for name in names]
    while not game.is_over:
        seat, began = game.seat, time.perf_counter()
        rng = np.random.default_rng((agent_seed, len(record.moves)))
        action = ask_in_game(agents[seat], game, rng)
        times[names[seat]].append(1000 * (time.perf_counter() - began))
        record.moves.append(Move(seat, game.name(action)))
        game.step(action)
    record.result = Result.of(game)
    return record.text(), times


def play_out_from(text):
    """Answer `play_out` for arguments in JSON, as JSON."""
    record, times = play_out(*json.loads(text))
    return json.dumps({"record": record, "times": times})
