"""Processes that think, started once: each loads the compiled rules; and asynchronous tests."""

import asyncio
import atexit
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from functools import cache
from inspect import iscoroutinefunction

import pytest

from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerPool


@cache
def _loop():
    """The event loop of all tests: those who wait for the shared processes wait in one loop."""
    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


@pytest.fixture(scope="session")
def workers():
    agent_tasks.warm_up()  # compiled here, however long it takes; the processes only load it
    shared = WorkerPool(agent_tasks.warm_up, count=1)
    _loop().run(shared.prepare())
    yield shared
    shared.close()


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Run an asynchronous test to its end, inside the context managers among its fixtures."""
    if not iscoroutinefunction(pyfuncitem.obj):
        return None

    async def run():
        async with AsyncExitStack() as entered:
            given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
            for name, value in given.items():
                if isinstance(value, AbstractAsyncContextManager):
                    given[name] = await entered.enter_async_context(value)
            await pyfuncitem.obj(**given)

    _loop().run(run())
    return True
