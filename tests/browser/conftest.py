"""Processes that think, started once: each loads the compiled rules."""

import asyncio

import pytest

from agents.browser import thinking
from agents.browser.thinkers import Thinkers


@pytest.fixture(scope="session")
def thinkers():
    thinking.warm_up()  # compiled here, however long it takes; the processes only load it
    shared = Thinkers(thinking.warm_up, count=1)
    asyncio.run(shared.prepare())
    yield shared
    shared.close()
