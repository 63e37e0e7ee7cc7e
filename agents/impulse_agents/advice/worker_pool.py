"""Worker processes with time limits that run agents for a server, whatever becomes of them."""

import asyncio
import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from impulse_env.errors import ImpulseError

_GRACE: Final = 5.0
"""Seconds for a killed process to be gone."""
_START: Final = 120.0
"""Seconds for a new process to be ready, which is not the fault of whom it is to ask."""

P = ParamSpec("P")
T = TypeVar("T")


class WorkerError(ImpulseError, RuntimeError):
    """A question was not answered; the message says why."""


def _serve(channel: Connection, warm_up: Callable[[], Any]) -> None:
    """Get ready, say so, and answer questions until the other end is closed."""
    # Ctrl-C reaches the whole group; the server ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warm_up()
    channel.send(None)
    while True:
        try:
            question, args, kwargs = channel.recv()
        except EOFError:
            return
        try:
            answer = question(*args, **kwargs), ""
        except Exception as error:  # whatever an agent does wrong is for its seat to see
            answer = None, str(error) or type(error).__name__
        channel.send(answer)


def _nothing() -> None:
    """The question that only needs a process."""


class _Worker:
    """One process, started when it is first asked, and anew after it has died."""

    def __init__(self, warm_up: Callable[[], Any]) -> None:
        self._warm_up = warm_up
        self._process: Any = None
        self._channel: Connection | None = None

    def ask(self, question: Callable[..., Any], args: Any, kwargs: Any, timeout: float) -> Any:
        """Wait for an answer; raises `WorkerError`. Other threads may `kill` it meanwhile."""
        try:
            channel = self._started()
            channel.send((question, args, kwargs))
            if not channel.poll(timeout):
                self.kill()
                raise WorkerError(f"there was no answer within {timeout:g} seconds")
            answer, fault = channel.recv()
        except (EOFError, OSError) as error:
            self.kill()
            raise WorkerError("the process that it runs in died") from error
        if fault:
            raise WorkerError(fault)
        return answer

    def _started(self) -> Connection:
        if self._channel is None or not self._process.is_alive():
            self.kill()
            spawning = multiprocessing.get_context("spawn")
            self._channel, theirs = spawning.Pipe()
            self._process = spawning.Process(
                target=_serve, args=(theirs, self._warm_up), daemon=True
            )
            self._process.start()
            theirs.close()
            return self._ready(self._channel)
        return self._channel

    def _ready(self, channel: Connection) -> Connection:
        if not channel.poll(_START):
            self.kill()
            raise WorkerError(f"its process was not ready within {_START:g} seconds")
        channel.recv()
        return channel

    def kill(self) -> None:
        """End the process, whatever it is doing."""
        process, self._process, self._channel = self._process, None, None
        if process is not None:
            process.kill()
            process.join(_GRACE)


class WorkerPool:
    """A few processes that answer questions, each one at a time.

    Args:
        warm_up: What each does before its first question, such as loading what all need.
        count: How many at most; a second one is started when the first is busy.
        timeout: Seconds until a process is ended that has not answered.
    """

    def __init__(self, warm_up: Callable[[], Any], count: int = 2, timeout: float = 120.0) -> None:
        self.timeout = timeout
        self._warm_up = warm_up
        self._busy: set[_Worker] = set()
        # The one used last is loaded already.
        self._idle: asyncio.LifoQueue[_Worker] = asyncio.LifoQueue()
        for _ in range(count):
            self._idle.put_nowait(_Worker(warm_up))

    async def prepare(self) -> None:
        """Start the first process, so that the first question need not wait for it."""
        await self.ask(_nothing)

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question, a function at the top of a module.

        Giving up waiting ends the process.

        Raises:
            WorkerError: It failed, died, or took too long.
        """
        worker = following = await self._idle.get()
        self._busy.add(worker)
        try:
            answer: T = await asyncio.to_thread(worker.ask, question, args, kwargs, self.timeout)
            return answer
        except asyncio.CancelledError:
            # A thread still waits at this one, so it is of no more use.
            worker.kill()
            following = _Worker(self._warm_up)
            raise
        finally:
            self._busy.discard(worker)
            self._idle.put_nowait(following)

    def close(self) -> None:
        """End all processes."""
        while not self._idle.empty():
            self._busy.add(self._idle.get_nowait())
        for worker in self._busy:
            worker.kill()
