"""Processes that think: whatever happens in them, the next question is answered."""

import asyncio
import os
import sys
import time

import pytest

from impulse_agents.advice.worker_pool import WorkerError, WorkerPool


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


def test_errors_and_deaths_are_told_and_survived():
    questions = [(divmod, 7, 2), (fail, "no idea"), (fail, ""), (os._exit, 3), (divmod, 9, 2)]
    assert asyncio.run(asked(questions)) == [
        (3, 1),
        "no idea",
        "ValueError",
        "the process that it runs in died",
        (4, 1),
    ]


def test_patience_ends():
    answers = asyncio.run(asked([(divmod, 7, 2), (time.sleep, 60), (divmod, 9, 2)], timeout=2.0))
    assert answers == [(3, 1), "there was no answer within 2 seconds", (4, 1)]


def test_a_slow_question_does_not_hold_up_the_next_one():
    async def test():
        workers = WorkerPool(list, count=2)
        try:
            slow = asyncio.create_task(workers.ask(time.sleep, 30))
            await asyncio.sleep(0.1)
            assert await asyncio.wait_for(workers.ask(divmod, 7, 2), 20) == (3, 1)
            slow.cancel()
            with pytest.raises(asyncio.CancelledError):
                await slow
            assert await asyncio.gather(*[workers.ask(divmod, n, 2) for n in range(4)])
        finally:
            workers.close()

    asyncio.run(test())


def test_a_process_that_cannot_get_ready_is_told():
    async def test():
        workers = WorkerPool(sys.exit)
        with pytest.raises(WorkerError, match="died"):
            await workers.prepare()
        workers.close()

    asyncio.run(test())
