"""Branches of analysed games over HTTP: positions after other choices, evaluated by agents.

The server stores no branch. Every request names one in the notation of
`impulse_env.replay.branches`. The server plays it from the record that is stored with the game's
page.
"""

import asyncio
import re
from collections.abc import Callable
from itertools import islice
from typing import Annotated, Final, Literal, ParamSpec, TypeVar

from aiohttp import web
from msgspec import Meta

from impulse_agents import registry
from impulse_agents.checkpoints import BASELINE
from impulse_env.records.record import Record
from impulse_env.replay.branches import Branch, BranchError, opened, position_text, shown
from impulse_env.replay.steps import Viewer, ViewerError, viewer_of
from impulse_table.sessions.replays import Replays
from impulse_table.tables.protocol import AgentName, Asked, ProtocolError, read
from impulse_table.web.api.answers import fault, refused, while_here
from impulse_table.workers import branch_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

MOST_PLAYOUTS: Final = 20
"""Playouts of one request; for more, a page sends another request."""
_MOST_POSITIONS: Final = 50
"""Positions of one answer; for more, a page sends another request."""
_MOST_WAITING: Final = 8
"""Waiting questions to agents. Only one runs at a time: tables need the other process."""
_TRAINED: Final = re.compile(rf"policy(?:\+search)?:(?:{BASELINE})?(\d)p\b")

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
    """The branches of analysed games.

    Args:
        replays: The pages, with their records.
        workers: The processes in which agents think.
        agents: Agents of other authors that a person can choose, too.
    """

    def __init__(self, replays: Replays, workers: WorkerPool, agents: tuple[str, ...] = ()) -> None:
        self._replays = replays
        self._workers = workers
        self._agents = agents
        self._turns = asyncio.Semaphore(1)
        self._waiting = 0

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        at = "/api/branches/{name}"
        return [
            web.get(at, self._agent_names),
            web.get(f"{at}/positions", self._positions),
            web.get(f"{at}/text", self._text),
            web.post(f"{at}/values", self._values),
            web.post(f"{at}/play", self._play_on),
            web.post(f"{at}/playouts", self._play_out),
        ]

    # --- Positions --------------------------------------------------------------------------

    async def _agent_names(self, request: web.Request) -> web.Response:
        """Answer with the agents that a person can choose, and the default one."""
        _, record = await self._record(request)
        options = record.header.options
        return web.json_response(
            {"agents": self._allowed(options.players), "usual": self._replays.player(options)}
        )

    async def _positions(self, request: web.Request) -> web.Response:
        record, branch, by = await self._asked_for(request)
        first = request.query.get("first", "0")
        if not first.isdecimal() or len(first) > 5:
            raise refused(f"first must be a number of choices, not {first[:40]!r}")
        positions = shown(record, branch, by, int(first))
        page = await _answered(lambda: list(islice(positions, _MOST_POSITIONS)))
        return web.json_response({"positions": page})

    async def _text(self, request: web.Request) -> web.Response:
        record, branch, by = await self._asked_for(request)
        return web.Response(text=await _answered(lambda: position_text(record, branch, by)))

    async def _asked_for(self, request: web.Request) -> tuple[Record, Branch, Viewer]:
        _, record = await self._record(request)
        try:
            branch = Branch.read(request.query.get("at", ""))
            viewer = viewer_of(request.query.get("eyes", "all"), record.header.options.players)
        except (BranchError, ViewerError) as error:
            raise refused(str(error)) from error
        return record, branch, viewer

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
        """Return the agents that can play with this number of players, with the default one."""
        known = [*registry.choices(), *self._agents]
        return [
            name
            for name in known
            if (trained := _TRAINED.match(name)) is None or int(trained[1]) == players
        ]

    def _check(self, agent: str, record: Record) -> None:
        allowed = self._allowed(record.header.options.players)
        if agent not in allowed:
            raise refused(f"{agent} cannot be chosen here; choose one of {', '.join(allowed)}")

    async def _question(self, request: web.Request, kind: type[Q]) -> tuple[str, Record, Q]:
        """Return the record, as text and read, and the question about an existing branch."""
        text, record = await self._record(request)
        try:
            asked = read(await request.read(), kind, "invalid question about a branch")
            branch = Branch.read(asked.at)
        except (ProtocolError, BranchError) as error:
            raise refused(str(error)) from error
        await _answered(lambda: opened(record, branch))
        return text, record, asked

    async def _ask(
        self, request: web.Request, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs
    ) -> web.Response:
        """Answer with an agent's answer; cancel the question once the page has gone."""
        if self._waiting >= _MOST_WAITING:
            return fault(429, "Agents are busy with other branches: try again in a few seconds.")
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
        """Return the record of the game that a request names, as text and read."""
        text = await asyncio.to_thread(self._replays.record, request.match_info["name"])
        if text is None:
            raise refused("This server has no analysis of this game.", web.HTTPNotFound)
        return text, await asyncio.to_thread(branch_tasks.record_of, text)


async def _answered(question: Callable[[], T]) -> T:
    """Return the result of a function that runs in a thread; answer 400 to an impossible branch."""
    try:
        return await asyncio.to_thread(question)
    except BranchError as error:
        raise refused(str(error)) from error
