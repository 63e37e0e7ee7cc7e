"""Worker processes with time limits that run agents for a server, whatever becomes of them."""

import asyncio
import itertools
import logging
import multiprocessing
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, ParamSpec, TypeVar

from impulse_env.errors import ImpulseError

_GRACE: Final = 5.0
"""Seconds for a killed process to be gone."""
_START: Final = 120.0
"""Seconds for a new process to be ready, which is not the fault of whom it is to ask."""
_LONGEST: Final = 300
"""Characters of what an agent's error says that are passed on."""

_log: Final = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class WorkerError(ImpulseError, RuntimeError):
    """A question was not answered; the message says why.

    Attributes:
        details: A traceback of the process in which it went wrong; empty if there is none.
    """

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


_Answer = tuple[Any, str, str]
"""What was answered, or what went wrong in one line, and where."""


def _serve(channel: Connection, warm_up: Callable[[], Any]) -> None:
    """Get ready, say so, and answer questions until the other end is closed."""
    # Ctrl-C reaches the whole group; the server ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError, OSError):  # the server is gone
        _, fault, details = _answer(warm_up)
        channel.send((None, fault, details))
        while not fault:
            question, args, kwargs = channel.recv()
            _send(channel, _answer(question, *args, **kwargs))


def _answer(question: Callable[..., Any], *args: Any, **kwargs: Any) -> _Answer:
    try:
        return question(*args, **kwargs), "", ""
    except BaseException as error:  # whatever an agent does wrong is for its seat to see
        return None, _told(error), traceback.format_exc()


def _told(error: BaseException) -> str:
    """Return an error in one line; what nobody foresaw is told with its type."""
    said = " ".join(str(error).split())[:_LONGEST]
    if isinstance(error, ImpulseError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _send(channel: Connection, answer: _Answer) -> None:
    try:
        channel.send(answer)
    except OSError:
        raise
    except Exception as error:  # pickle has no error of its own for what cannot be pickled
        channel.send((None, f"its answer cannot be sent: {_told(error)}", ""))


def _nothing() -> None:
    """The question that only needs a process."""


class _Worker:
    """One process, started when it is first asked, and anew after it has died."""

    def __init__(self, warm_up: Callable[[], Any]) -> None:
        self._warm_up = warm_up
        self._process: Any = None
        self._channel: Connection | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    @property
    def is_started(self) -> bool:
        """Whether there is a process, so that the next question need not wait for it."""
        return self._channel is not None

    def ask(self, question: Callable[..., Any], args: Any, kwargs: Any, timeout: float) -> Any:
        """Wait for an answer; raises `WorkerError`. Other threads may `close` it meanwhile."""
        try:
            channel = self._started()
            channel.send((question, args, kwargs))
            if not channel.poll(timeout):
                self.kill()
                raise WorkerError(f"there was no answer within {timeout:g} seconds")
            answer, fault, details = channel.recv()
        except WorkerError:
            raise
        except (EOFError, OSError) as error:
            raise WorkerError(f"the process that it runs in died{self._how_it_ended()}") from error
        except Exception as error:  # what an agent of another author says may not be read here
            self.kill()
            raise WorkerError(f"its answer cannot be read: {_told(error)}") from error
        if fault:
            raise WorkerError(fault, details)
        return answer

    def _started(self) -> Connection:
        with self._lock:
            if self._channel is not None and self._process.is_alive():
                return self._channel
        if self._channel is not None:
            _log.warning("an idle process of agents had died%s; a new one", self._how_it_ended())
        return self._ready(self._start())

    def _start(self) -> Connection:
        with self._lock:
            if self._is_closed:
                raise WorkerError("the server has given it up")
            spawning = multiprocessing.get_context("spawn")
            channel, theirs = spawning.Pipe()
            process = spawning.Process(target=_serve, args=(theirs, self._warm_up), daemon=True)
            try:
                process.start()
            except OSError as error:
                raise WorkerError(
                    f"its process could not be started: {error.strerror or error}"
                ) from error
            theirs.close()
            self._process, self._channel = process, channel
            return channel

    def _ready(self, channel: Connection) -> Connection:
        if not channel.poll(_START):
            self.kill()
            raise WorkerError(f"its process was not ready within {_START:g} seconds")
        _, fault, details = channel.recv()
        if fault:
            self.kill()
            raise WorkerError(f"its process could not get ready: {fault}", details)
        return channel

    def _how_it_ended(self) -> str:
        """Return how the process ended by itself, in brackets, and forget it."""
        process = self._process
        if process is None:
            return ""
        process.join(_GRACE)
        code = process.exitcode
        self.kill()
        if code is None:
            return ""
        return f" ({signal.Signals(-code).name})" if code < 0 else f" (exit code {code})"

    def kill(self) -> None:
        """End the process, whatever it is doing; the next question starts another."""
        with self._lock:
            process, self._process, self._channel = self._process, None, None
        if process is not None:
            process.kill()
            process.join(_GRACE)

    def close(self) -> None:
        """End the process for good."""
        self._is_closed = True
        self.kill()


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
        self._idle: asyncio.PriorityQueue[tuple[bool, int, _Worker]] = asyncio.PriorityQueue()
        self._turn = itertools.count(0, -1)
        for _ in range(count):
            self._put(_Worker(warm_up))

    def _put(self, worker: _Worker) -> None:
        """Let a process be asked, after those that are loaded and were used later."""
        self._idle.put_nowait((not worker.is_started, next(self._turn), worker))

    async def prepare(self) -> None:
        """Start the first process, so that the first question need not wait for it."""
        await self.ask(_nothing)

    async def ask(self, question: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Return the answer to a question, a function at the top of a module.

        Giving up waiting ends the process.

        Raises:
            WorkerError: It failed, died, or took too long.
        """
        _, _, worker = await self._idle.get()
        following = worker
        self._busy.add(worker)
        try:
            answer: T = await asyncio.to_thread(worker.ask, question, args, kwargs, self.timeout)
            return answer
        except asyncio.CancelledError:
            # A thread still waits at this one, so it is of no more use.
            worker.close()
            following = _Worker(self._warm_up)
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
