"""Branches of analysed games over HTTP: positions after other choices, what agents make of them.

Nothing of a branch is kept here. Every request names one, as `impulse_env.replay.branches` writes
it, and it is played again from the record that lies beside the game's page.
"""

import asyncio
import re
from collections.abc import Callable
from itertools import islice
from typing import Annotated, Final, Literal, ParamSpec, TypeVar

from aiohttp import web
from msgspec import Meta

from impulse_agents import registry
from impulse_env.records.record import Record
from impulse_env.replay.branches import Branch, BranchError, opened, position_text, shown
from impulse_env.replay.steps import Viewer, ViewerError, viewer_of
from impulse_table.sessions.replays import Replays
from impulse_table.tables.protocol import AgentName, Asked, ProtocolError, read
from impulse_table.web.api.answers import fault, refused, while_here
from impulse_table.workers import branch_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

MOST_PLAYOUTS: Final = 20
"""Playouts of one request: a page asks for the next ones as long as it wants more."""
_MOST_POSITIONS: Final = 50
"""Positions of one answer; a page asks for the next ones."""
_MOST_WAITING: Final = 8
"""Questions to agents that wait; one is asked at a time, so that tables have the other process."""
_TRAINED: Final = re.compile(r"policy(?:\+search)?:(\d)p\b")

P = ParamSpec("P")
T = TypeVar("T")


class _Question(Asked, frozen=True):
    at: Annotated[str, Meta(min_length=1, max_length=4000)]


class _PlayOn(_Question, frozen=True):
    agent: AgentName
    until: Literal["choice", "turn", "end"]


class _PlayOut(_Question, frozen=True):
    agent: AgentName
    first: Annotated[int, Meta(ge=0, lt=1 << 20)]
    count: Annotated[int, Meta(ge=1, le=MOST_PLAYOUTS)]


Q = TypeVar("Q", bound=_Question)


class Branches:
    """The branches of games whose pages are served.

    Args:
        replays: The pages, with their records.
        workers: Who think for the agents.
        agents: Agents of other authors that can be chosen besides the project's own.
    """

    def __init__(self, replays: Replays, workers: WorkerPool, agents: tuple[str, ...] = ()) -> None:
        self._replays = replays
        self._workers = workers
        self._agents = agents
        self._turns = asyncio.Semaphore(1)
        self._waiting = 0

    def routes(self) -> list[web.RouteDef]:
        """Return what is answered."""
        at = "/api/branches/{name}"
        return [
            web.get(at, self._who),
            web.get(f"{at}/positions", self._positions),
            web.get(f"{at}/text", self._text),
            web.post(f"{at}/values", self._values),
            web.post(f"{at}/play", self._play_on),
            web.post(f"{at}/playouts", self._play_out),
        ]

    # --- Positions --------------------------------------------------------------------------

    async def _who(self, request: web.Request) -> web.Response:
        """Which agents can be asked, and who is usually."""
        _, record = await self._record(request)
        options = record.header.options
        return web.json_response(
            {"agents": self._allowed(options.players), "usual": self._replays.player(options)}
        )

    async def _positions(self, request: web.Request) -> web.Response:
        record, branch, by = await self._asked_for(request)
        first = request.query.get("first", "0")
        if not first.isdecimal() or len(first) > 5:
            raise refused(f"first is a number of choices, not {first[:40]!r}")
        positions = shown(record, branch, by, int(first))
        told = await _answered(lambda: list(islice(positions, _MOST_POSITIONS)))
        return web.json_response({"positions": told})

    async def _text(self, request: web.Request) -> web.Response:
        record, branch, by = await self._asked_for(request)
        return web.Response(text=await _answered(lambda: position_text(record, branch, by)))

    async def _asked_for(self, request: web.Request) -> tuple[Record, Branch, Viewer]:
        _, record = await self._record(request)
        try:
            branch = Branch.read(request.query.get("at", ""))
            eyes = viewer_of(request.query.get("eyes", "all"), record.header.options.players)
        except (BranchError, ViewerError) as error:
            raise refused(str(error)) from error
        return record, branch, eyes

    # --- Agents -----------------------------------------------------------------------------

    async def _values(self, request: web.Request) -> web.Response:
        text, record, asked = await self._question(request, _Question)
        by = self._replays.analyst(record.header.options)
        return await self._ask(request, branch_tasks.values, text, asked.at, by)

    async def _play_on(self, request: web.Request) -> web.Response:
        text, record, asked = await self._question(request, _PlayOn)
        self._check(asked.agent, record)
        how = asked.agent, asked.until
        return await self._ask(request, branch_tasks.play_on, text, asked.at, *how)

    async def _play_out(self, request: web.Request) -> web.Response:
        text, record, asked = await self._question(request, _PlayOut)
        self._check(asked.agent, record)
        how = asked.agent, asked.first, asked.count
        return await self._ask(request, branch_tasks.play_out, text, asked.at, *how)

    def _allowed(self, players: int) -> list[str]:
        """Return the agents that can be chosen for so many players, the usual one among them."""
        known = [*registry.choices(), *self._agents]
        return [
            name
            for name in known
            if (trained := _TRAINED.match(name)) is None or int(trained[1]) == players
        ]

    def _check(self, agent: str, record: Record) -> None:
        allowed = self._allowed(record.header.options.players)
        if agent not in allowed:
            raise refused(f"{agent} cannot be chosen here; there are {', '.join(allowed)}")

    async def _question(self, request: web.Request, kind: type[Q]) -> tuple[str, Record, Q]:
        """Return the record, as text too, and what is asked of a branch that there is."""
        text, record = await self._record(request)
        try:
            asked = read(await request.read(), kind, "this cannot be asked of a branch")
            branch = Branch.read(asked.at)
        except (ProtocolError, BranchError) as error:
            raise refused(str(error)) from error
        await _answered(lambda: opened(record, branch))
        return text, record, asked

    async def _ask(
        self, request: web.Request, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> web.Response:
        """Answer with what an agent says, for as long as the page waits for it."""
        if self._waiting >= _MOST_WAITING:
            return fault(429, "Agents are asked about other branches: try again in some seconds.")
        self._waiting += 1
        try:
            answer = await while_here(request, self._in_turn(question, *args, **kwargs))
        except WorkerError as error:
            return fault(400, f"The agent gave no answer: {error}.")
        finally:
            self._waiting -= 1
        return web.json_response({"answer": answer})

    async def _in_turn(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        async with self._turns:
            return await self._workers.ask(question, *args, **kwargs)

    async def _record(self, request: web.Request) -> tuple[str, Record]:
        """Return the record of the game that a request names, as text too."""
        text = await asyncio.to_thread(self._replays.record, request.match_info["name"])
        if text is None:
            raise refused("This game is not analysed here.", web.HTTPNotFound)
        return text, await asyncio.to_thread(branch_tasks.record_of, text)


async def _answered(question: Callable[[], T]) -> T:
    """Return what is found out in a thread; there being no such branch is the asker's fault."""
    try:
        return await asyncio.to_thread(question)
    except BranchError as error:
        raise refused(str(error)) from error
