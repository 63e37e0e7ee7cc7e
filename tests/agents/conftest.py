"""Processes that think, started once: each loads the compiled rules."""

import asyncio

import pytest

from impulse_agents.advice import worker_tasks
from impulse_agents.advice.worker_pool import WorkerPool


@pytest.fixture(scope="session")
def workers():
    worker_tasks.warm_up()  # compiled here, however long it takes; the processes only load it
    shared = WorkerPool(worker_tasks.warm_up, count=1)
    asyncio.run(shared.prepare())
    yield shared
    shared.close()
