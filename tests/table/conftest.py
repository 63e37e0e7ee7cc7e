"""Processes that think, started once: each loads the compiled rules."""

import asyncio

import pytest

from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerPool


@pytest.fixture(scope="session")
def workers():
    agent_tasks.warm_up()  # compiled here, however long it takes; the processes only load it
    shared = WorkerPool(agent_tasks.warm_up, count=1)
    asyncio.run(shared.prepare())
    yield shared
    shared.close()
