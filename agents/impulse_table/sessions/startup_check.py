"""What lies in the folder of tables when a server starts: a line for each that is not as it was."""

import asyncio
import logging
from typing import Final

from impulse_table.tables.store import DamagedTableError, Store
from impulse_table.tables.table import SavedTable, TableError
from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerError, WorkerPool

_log: Final = logging.getLogger(__name__)


async def check_tables(store: Store, workers: WorkerPool) -> None:
    """Say in the log which tables cannot be played on, and where an agent is missing.

    No file is changed. It takes milliseconds a table, in a thread, and may be cancelled.
    """
    tables = await asyncio.to_thread(_readable, store)
    wanted: dict[tuple[str, int], list[str]] = {}
    for saved in tables:
        for seat, holder in enumerate(saved.seats):
            if not holder.is_person:
                where = f"table {saved.name}, seat {seat}"
                wanted.setdefault((holder.player, len(saved.seats)), []).append(where)
    for (agent, players), places in wanted.items():
        try:
            await workers.ask(agent_tasks.check, [agent], players)
        except WorkerError as error:
            for where in places:
                _log.warning("%s: %s cannot play: %s", where, agent, error)


def _readable(store: Store) -> list[SavedTable]:
    """Return the tables that go on; say which do not."""
    going_on, good, damaged = [], 0, 0
    try:
        for name in store.names():
            try:
                saved, game = store.check(name)
            except DamagedTableError as error:
                _log.warning("%s; it is left as it is", error)
                damaged += 1
            except TableError as error:
                _log.warning("%s/%s.json is no table: %s", store.folder, name, error)
            else:
                good += 1
                if not game.is_over:
                    going_on.append(saved)
    except OSError as error:
        _log.warning("the tables in %s cannot be listed: %s", store.folder, error)
    if good or damaged:
        _log.info("tables in %s: %d good, %d damaged", store.folder, good, damaged)
    return going_on
