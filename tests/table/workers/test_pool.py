"""Processes that think: whatever happens in them, the next question is answered."""

import asyncio
import errno
import multiprocessing
import os
import signal
import sys
import threading
import time
from multiprocessing.context import SpawnProcess

import pytest

from impulse_agents.base import AgentError
from impulse_table.workers.pool import WorkerError, WorkerPool


def fail(message):
    raise ValueError(message)


async def asked(questions, count=1, timeout=30.0):
    """The answers or errors to questions asked one after the other."""
    workers = WorkerPool(list, count, timeout)
    answers = []
    try:
        for question, *args in questions:
            try:
                answers.append(await workers.ask(question, *args))
            except WorkerError as error:
                answers.append(str(error))
    finally:
        workers.close()
    return answers


def test_errors_and_deaths_are_reported_and_survived():
    questions = [(divmod, 7, 2), (fail, "no idea"), (fail, ""), (os._exit, 3), (divmod, 9, 2)]
    assert asyncio.run(asked(questions)) == [
        (3, 1),
        "ValueError: no idea",
        "ValueError",
        "the process that it runs in died (exit code 3)",
        (4, 1),
    ]


def test_patience_ends():
    answers = asyncio.run(asked([(divmod, 7, 2), (time.sleep, 60), (divmod, 9, 2)], timeout=2.0))
    assert answers == [(3, 1), "there was no answer within 2 seconds", (4, 1)]


async def test_a_slow_question_does_not_hold_up_the_next_one():
    workers = WorkerPool(list, count=2)
    try:
        slow = asyncio.create_task(workers.ask(time.sleep, 30))
        await asyncio.sleep(0.1)
        other = await asyncio.wait_for(workers.ask(os.getpid), 20)
        slow.cancel()
        with pytest.raises(asyncio.CancelledError):
            await slow
        assert await workers.ask(os.getpid) == other, "a process that has to be started"
        assert await asyncio.gather(*[workers.ask(divmod, n, 2) for n in range(4)])
    finally:
        workers.close()


async def test_a_process_that_cannot_get_ready_is_reported():
    workers = WorkerPool(sys.exit)
    with pytest.raises(WorkerError, match=r"its process could not get ready: SystemExit$"):
        await workers.prepare()
    workers.close()


def kill_itself():
    os.kill(os.getpid(), signal.SIGKILL)


def refuse():
    raise AgentError("it plays no such game")


def say_much():
    raise ValueError("a\nb " * 1000)


def test_a_machine_without_free_processes_is_reported_and_asked_again(monkeypatch):
    start, refusals = SpawnProcess.start, [OSError(errno.EAGAIN, "no more processes")]

    def refused(process):
        if refusals:
            raise refusals.pop()
        start(process)

    monkeypatch.setattr(SpawnProcess, "start", refused)
    answers = asyncio.run(asked([(divmod, 7, 2), (divmod, 9, 2)]))
    assert answers == ["its process could not be started: no more processes", (4, 1)]


async def test_what_went_wrong_is_one_short_line_and_where_it_did_is_kept_apart():
    workers = WorkerPool(list, count=1)
    try:
        for question, words in (
            (kill_itself, r"^the process that it runs in died \(SIGKILL\)$"),
            (refuse, "^it plays no such game$"),
            (sys.exit, "^SystemExit$"),
            (threading.Lock, "^its answer cannot be sent: TypeError: cannot pickle"),
        ):
            with pytest.raises(WorkerError, match=words):
                await workers.ask(question)
        with pytest.raises(WorkerError, match=r"^ValueError: a b a b") as failed:
            await workers.ask(say_much)
        assert len(str(failed.value)) < 400
        assert "in say_much" in failed.value.details
        assert await workers.ask(divmod, 7, 2) == (3, 1)
    finally:
        workers.close()


def test_an_idle_process_that_was_killed_is_restarted_with_a_line_in_the_log(caplog):
    async def test():
        workers = WorkerPool(list, count=1)
        try:
            os.kill(await workers.ask(os.getpid), signal.SIGKILL)
            await asyncio.sleep(0.2)
            assert await workers.ask(divmod, 7, 2) == (3, 1)
        finally:
            workers.close()

    asyncio.run(test())
    assert caplog.messages == ["an idle process of agents had died (SIGKILL); starting a new one"]


def test_a_process_that_is_given_up_while_it_starts_does_not_stay():
    async def test():
        workers = WorkerPool(list, count=1)
        try:
            for wait in (0, 0.001, 0.01, 0.05):
                asked = asyncio.create_task(workers.ask(time.sleep, 60))
                await asyncio.sleep(wait)
                asked.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await asked
            assert await workers.ask(divmod, 7, 2) == (3, 1)
            assert len(set(multiprocessing.active_children()) - others) == 1
        finally:
            workers.close()

    others = set(multiprocessing.active_children())  # those of other tests of the same run
    asyncio.run(test())
    assert set(multiprocessing.active_children()) == others
