"""An agent dies, hangs or does what it may not: a line in the log, a sentence at the table."""

import asyncio
import os
import re
import signal
from functools import partial

import pytest

from impulse_table.workers import agent_tasks
from impulse_table.workers.pool import WorkerPool
from serving import serving

SOURCE = """
import os
import signal
import sys
import time

from impulse_agents.heuristics.random_agent import RandomAgent


class Dies(RandomAgent):
    def act(self, seen, streams):
        os.kill(os.getpid(), signal.SIGKILL)


class DiesAtStart(RandomAgent):
    def __init__(self):
        os._exit(3)


class Raises(RandomAgent):
    def act(self, seen, streams):
        raise KeyError("lost\\nits way")


class Quits(RandomAgent):
    def act(self, seen, streams):
        sys.exit("enough")


class Illegal(RandomAgent):
    def act_in_game(self, game, rng):
        return 0 if 0 not in game.legal_actions() else 1


class Nonsense(RandomAgent):
    def act_in_game(self, game, rng):
        return 10**9


class Hangs(RandomAgent):
    def act(self, seen, streams):
        time.sleep(600)
"""
FAILURES = {
    "Dies": r"the process that it runs in died \(SIGKILL\)",
    "DiesAtStart": r"the process that it runs in died \(exit code 3\)",
    "Raises": r"KeyError: 'lost\\nits way'",
    "Quits": "SystemExit: enough",
    "Illegal": ".*not legal|Not .*|illegal.*",
    "Nonsense": "action 1000000000 is not in 0 to",
    "Hangs": "there was no answer within 2 seconds",
}


FAST = ("Dies", "Raises", "Illegal")


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("agents") / "mine.py"
    path.write_text(SOURCE)
    return path


@pytest.fixture(scope="module")
def pool(file):
    agent_tasks.warm_up()
    names = tuple(f"{file}:{name}" for name in FAILURES)
    pool = WorkerPool(partial(agent_tasks.warm_up, names), count=2)
    asyncio.run(pool.prepare())
    yield pool
    pool.close()


async def _failed(browser, agent, pool):
    """Let an agent fail beside a table that goes on: what its page was told, and its table."""
    healthy, _ = await browser.new("random", "random", seed=7)
    name, tokens = await browser.new("person", "random", seed=7, start_player=1)
    (await browser.room(name)).table.replace(1, agent)
    pool.timeout = 2.0 if agent.endswith("Hangs") else 120.0
    async with browser.page(healthy) as other, browser.page(name, tokens[0]) as page:
        await other.say({"type": "pace", "seconds": 0})
        told = await page.state(lambda state: state["trouble"])
        pool.timeout = 120.0
        seen = (await other.state())["step"]
        await other.state(lambda state: state["step"] > seen + 5)
        await page.say({"type": "replace", "seat": 1, "agent": "random"})
        assert (await page.turn_of(0))["trouble"] is None
    return name, told["trouble"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        pytest.param(kind, why, id=kind, marks=() if kind in FAST else pytest.mark.slow)
        for kind, why in FAILURES.items()
    ],
)
def test_an_agent_that_fails_is_one_line_and_one_sentence_and_its_table_continues(
    kind, why, file, pool, tmp_path, caplog
):
    async def test():
        async with serving(tmp_path, pool) as browser:
            return await _failed(browser, agent, pool)

    agent = f"{file}:{kind}"
    caplog.set_level("INFO", logger="impulse_table")
    name, told = asyncio.run(test())
    (line,) = caplog.messages
    prefix = f"table {name}, seat 1: {agent} cannot decide: "
    assert line.startswith(prefix)
    assert re.match(why, line.removeprefix(prefix)), line
    assert told.startswith(f"{agent} cannot decide: ")
    assert told.endswith("Try it again, or let another agent play.")
    assert "\n" not in told


def test_the_place_of_a_failure_is_logged_at_the_level_debug(file, pool, tmp_path, caplog):
    async def test():
        async with serving(tmp_path, pool) as browser:
            await _failed(browser, f"{file}:Raises", pool)

    caplog.set_level("DEBUG", logger="impulse_table.sessions")
    asyncio.run(test())
    assert any("mine.py" in line and "Traceback" in line for line in caplog.messages)


def test_a_process_that_is_killed_while_it_thinks_can_be_asked_again(pool, tmp_path, caplog):
    async def test():
        async with serving(tmp_path, pool) as browser:
            name, tokens = await browser.new("person", "ismcts:60s", seed=7, start_player=1)
            async with browser.page(name, tokens[0]) as page:
                await page.state(lambda state: state["thinking"] == 1)
                await asyncio.sleep(0.5)
                for worker in list(pool._busy):
                    os.kill(worker._process.pid, signal.SIGKILL)
                state = await page.state(lambda state: state["trouble"])
                assert "(SIGKILL)" in state["trouble"]
                await page.say({"type": "retry"})
                await page.state(lambda state: state["thinking"] == 1 and not state["trouble"])
                await page.say({"type": "retry"})
                assert "No agent needs another try" in await page.refusal()
                await page.say({"type": "replace", "seat": 1, "agent": "random"})
                await page.turn_of(0)

    caplog.set_level("INFO", logger="impulse_table")
    asyncio.run(test())
    assert [line for line in caplog.messages if "cannot decide" not in line] == []
    assert len(caplog.messages) == 1


async def test_a_question_that_no_agent_answers_is_reported_to_the_asking_page(
    file, pool, tmp_path, caplog
):
    async with serving(tmp_path, pool) as browser:
        name, tokens = await browser.new("person", "random", seed=7, start_player=0)
        async with browser.page(name, tokens[0]) as page:
            await page.turn_of(0)
            await page.say({"type": "hint", "agent": f"{file}:Dies"})
            assert "No hint: the process" in await page.refusal()
            await page.say({"type": "hint", "agent": "greedy"})
            await page.until(lambda message: message["type"] == "hint")


async def test_no_message_of_a_page_starts_a_program(browser, tmp_path):
    there = tmp_path / "there"
    agent = f"cmd:/usr/bin/touch {there}"
    status, answer = await browser.post({"seats": ["person", agent]})
    assert (status, "is code, which a page cannot run" in answer["message"]) == (400, True)
    name, tokens = await browser.new("person", "random", seed=7, start_player=0)
    async with browser.page(name, tokens[0]) as page:
        await page.turn_of(0)
        await page.say({"type": "hint", "agent": agent})
        assert "is code, which a page cannot run" in await page.refusal()
    name, tokens = await browser.new("person", "random", seed=7, start_player=1)
    async with browser.page(name, tokens[0]) as page:
        (await browser.room(name)).table.replace(1, agent)
        told = await page.state(lambda state: state["trouble"])
        assert "is code, which a page cannot run" in told["trouble"]
    assert not there.exists()
