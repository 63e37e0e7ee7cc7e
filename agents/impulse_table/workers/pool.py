"""Worker processes with time limits, which run agents for a server and may fail safely."""

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from impulse_agents.asking.process import Worker, WorkerError

__all__ = ["WorkerError", "WorkerPool"]

P = ParamSpec("P")
T = TypeVar("T")


def _nothing() -> None:
    """A question that does nothing but start a process."""


class WorkerPool:
    """A few processes that answer questions, each one at a time.

    Args:
        warm_up: Called in each process before its first question, for example to load code.
        count: The largest number of processes; another one starts when all others are busy.
        timeout: Seconds after which a process that has not answered is ended; None: never.
    """

    def __init__(
        self, warm_up: Callable[[], Any], count: int = 2, timeout: float | None = 120.0
    ) -> None:
        self.timeout = timeout
        self._warm_up = warm_up
        self._busy: set[Worker] = set()
        self._idle: asyncio.PriorityQueue[tuple[bool, int, Worker]] = asyncio.PriorityQueue()
        self._turn = itertools.count(0, -1)
        for _ in range(count):
            self._put(Worker(warm_up))

    def _put(self, worker: Worker) -> None:
        """Queue a process, after loaded ones and those used more recently."""
        self._idle.put_nowait((not worker.is_started, next(self._turn), worker))

    async def prepare(self) -> None:
        """Start the first process, so that the first question need not wait for it."""
        await self.ask(_nothing)

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question, a function at the top of a module.

        Cancelling this ends the process.

        Raises:
            WorkerError: The process failed, died, or took too long.
        """
        _, _, worker = await self._idle.get()
        following = worker
        self._busy.add(worker)
        try:
            answer: T = await asyncio.to_thread(worker.ask, question, args, kwargs, self.timeout)
            return answer
        except asyncio.CancelledError:
            # A thread still waits for this process, so it cannot be used again.
            worker.close()
            following = Worker(self._warm_up)
            raise
        finally:
            self._busy.discard(worker)
            self._put(following)

    def close(self) -> None:
        """End all processes."""
        while not self._idle.empty():
            self._busy.add(self._idle.get_nowait()[-1])
        for worker in self._busy:
            worker.close()
