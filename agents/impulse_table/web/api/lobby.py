"""The start page over HTTP: opponents, new tables, today's deal, a first game."""

import asyncio
import logging
from dataclasses import asdict
from datetime import date
from typing import Any, Final

from aiohttp import web

from impulse_agents import registry
from impulse_agents.base import AgentError
from impulse_agents.standings import StandingsError, cards
from impulse_env.engine.constants import MAX_PLAYERS, MIN_PLAYERS
from impulse_env.options import TEAM_SIZES, OptionError, Options
from impulse_table import levels
from impulse_table.sessions.replays import adviser
from impulse_table.tables import daily_deal, protocol
from impulse_table.tables.protocol import ProtocolError
from impulse_table.tables.store import Store
from impulse_table.tables.table import Table
from impulse_table.web.api.answers import fault, while_here
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

_log: Final = logging.getLogger(__name__)
_MEASURE: Final = "greedy"
"""The opponent against which an agent's strength is measured."""


def measured() -> dict[str, dict[str, float | int | None]]:
    """Return measured strength and speed of agents, by name.

    ``wins`` is the share of games won against greedy, in per cent. ``ms`` is the time of a
    decision in milliseconds. ``players`` is the number of players in these games. Each is None if
    it was not measured. Agents without a card are missing; all are if a card cannot be read.
    """
    try:
        known = cards()
    except AgentError:
        return {}
    return {
        card.agent: {
            "players": card.players,
            "wins": card.won.get(_MEASURE),
            "ms": 1000 / card.decisions_per_second if card.decisions_per_second else None,
        }
        for card in known
    }


def _tables() -> dict[str, tuple[int, int | None]]:
    """Return players and size of a team for each kind of table: "4" is (4, None), "4-2" (4, 2)."""
    each = {f"{players}": (players, None) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    return each | {
        f"{players}-{size}": (players, size)
        for players, sizes in TEAM_SIZES.items()
        for size in sizes
    }


def offered_levels() -> dict[str, list[dict[str, Any]]]:
    """Return the levels of opponents by kind of table: "4" is four players, "4-2" teams of two.

    Each has a name, an agent and a rating. The rating is missing (None) if the ratings cannot be
    read.
    """
    tables = _tables()
    try:
        levels_by_table = {name: levels.levels_at(*table) for name, table in tables.items()}
    except StandingsError as error:
        _log.warning("levels have no ratings: %s", error)
        levels_by_table = {
            name: levels.levels_at(*table, rated=()) for name, table in tables.items()
        }
    return {name: [asdict(level) for level in here] for name, here in levels_by_table.items()}


def setup(own: tuple[str, ...]) -> dict[str, Any]:
    """Return the choices for a new table, JSON-able.

    Args:
        own: Agents of other authors, as the server's options name them.
    """
    named = dict.fromkeys(own, "an agent of your own")
    return {
        "agents": registry.choices() | named,
        "advisers": {name: adviser(Options(*table)) for name, table in _tables().items()},
        "measured": measured(),
        "levels": offered_levels(),
        "usual_level": levels.USUAL,
        "opponents": daily_deal.OPPONENTS,
        "patterns": registry.names(),
        "teams": TEAM_SIZES,
    }


class Lobby:
    """New tables over HTTP, and the choices for them.

    Args:
        store: Where to save them.
        workers: The processes in which the opponents think.
        agents: Agents of other authors that a person can choose, too.
        invites: Whether the server has links that admit browsers.
        clock: The clock that the page offers first, as fields of `NewTable`.
    """

    def __init__(
        self,
        store: Store,
        workers: WorkerPool,
        agents: tuple[str, ...],
        invites: bool,
        clock: dict[str, int],
    ) -> None:
        self._store = store
        self._workers = workers
        self._agents = agents
        self._invites = invites
        self._clock = clock

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        return [
            web.get("/api/setup", self._setup),
            web.post("/api/tables", self._begin),
            web.post("/api/today", self._begin_today),
            web.get("/api/today", self._today),
            web.post("/api/first", self._begin_first),
        ]

    async def _setup(self, request: web.Request) -> web.Response:
        """Answer with the choices for a new table."""
        choices = await asyncio.to_thread(setup, self._agents)
        response = web.json_response({**choices, "invites": self._invites, "clock": self._clock})
        response.enable_compression()
        return response

    async def _begin(self, request: web.Request) -> web.Response:
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="the request must be application/json")
        try:
            table = Table.create(protocol.read_new_table(await request.read()))
        except (ProtocolError, OptionError) as error:
            return fault(400, str(error))
        return await self._seated(request, table)

    async def _begin_today(self, request: web.Request) -> web.Response:
        return await self._seated(request, daily_deal.todays_deal(date.today()))

    async def _begin_first(self, request: web.Request) -> web.Response:
        return await self._seated(request, daily_deal.first_game())

    async def _today(self, request: web.Request) -> web.Response:
        """Answer with today's date, and the results of its deal on this server."""
        day = date.today()
        results = await asyncio.to_thread(daily_deal.results, self._store, day)
        return web.json_response({"day": day.isoformat(), "results": results})

    async def _seated(self, request: web.Request, table: Table) -> web.Response:
        """Check a new table's agents, save the table, and answer with the tokens that open it."""
        seats = table.saved.seats
        agents = [who.player for who in seats if not who.is_person]
        if table.saved.clock is not None:
            agents.append(table.saved.clock.agent)
        try:
            if agents:
                checked = self._workers.ask(agent_tasks.check, agents, len(seats))
                await while_here(request, checked)
            self._store.keep(table)
        except WorkerError as error:
            return fault(400, str(error))
        except OSError as error:
            _log.error("a new table could not be saved: %s", error)
            return fault(507, f"the game could not be saved: {error.strerror or error}")
        tokens = {seat: who.token for seat, who in enumerate(seats) if who.token}
        answer = {"name": table.name, "tokens": tokens, "host": table.saved.host}
        return web.json_response(answer, status=201)
