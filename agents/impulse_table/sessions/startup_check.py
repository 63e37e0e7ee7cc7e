"""Check of the saved tables when a server starts: one line in the log for each problem."""

import asyncio
import logging
from typing import Final

from impulse_table.tables.store import DamagedTableError, Store
from impulse_table.tables.table import SavedTable, TableError
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

_log: Final = logging.getLogger(__name__)


async def check_tables(store: Store, workers: WorkerPool) -> None:
    """Log the damaged tables, and the seats whose agent is missing.

    Changes no file. Takes milliseconds per table, in a thread, and may be cancelled.
    """
    tables = await asyncio.to_thread(_unfinished, store)
    places_of: dict[tuple[str, int], list[str]] = {}
    for saved in tables:
        for seat, holder in enumerate(saved.seats):
            agent = holder.agent if holder.is_person else holder.player
            if agent is not None:
                where = f"table {saved.name}, seat {seat}"
                places_of.setdefault((agent, len(saved.seats)), []).append(where)
    for (agent, players), places in places_of.items():
        try:
            await workers.ask(agent_tasks.check, [agent], players)
        except WorkerError as error:
            for where in places:
                _log.warning("%s: %s cannot play: %s", where, agent, error)


def _unfinished(store: Store) -> list[SavedTable]:
    """Return the tables whose games are not over; log the damaged ones."""
    unfinished, good, damaged = [], 0, 0
    try:
        for name in store.names():
            try:
                saved, game = store.check(name)
            except DamagedTableError as error:
                _log.warning("%s; the file stays unchanged", error)
                damaged += 1
            except TableError as error:
                _log.warning("%s/%s.json is not a table: %s", store.folder, name, error)
            else:
                good += 1
                if not game.is_over and saved.stopped is None:
                    unfinished.append(saved)
    except OSError as error:
        _log.warning("the tables in %s cannot be listed: %s", store.folder, error)
    if good or damaged:
        _log.info("tables in %s: %d good, %d damaged", store.folder, good, damaged)
    return unfinished
