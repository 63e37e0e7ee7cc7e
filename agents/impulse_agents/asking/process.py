"""A process that answers questions, one at a time, and can be ended whatever it is doing."""

import logging
import multiprocessing
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, Literal, TypeAlias

from impulse_agents.asking.faults import in_a_line
from impulse_env.errors import ImpulseError

_GRACE: Final = 5.0
"""Seconds for a killed process to be gone."""
_START: Final = 120.0
"""Seconds for a new process to be ready, which is not the fault of whom it is to ask."""

_log: Final = logging.getLogger(__name__)


WorkerFault: TypeAlias = Literal["error", "time", "died", "unready"]


class WorkerError(ImpulseError, RuntimeError):
    """A question was not answered; the message says why.

    Attributes:
        details: A traceback of the process in which it went wrong; empty if there is none.
        kind: Whether there was no answer in time, the process died, none could be started, or the
            question raised an error.
    """

    def __init__(self, message: str, details: str = "", kind: WorkerFault = "error") -> None:
        super().__init__(message)
        self.details = details
        self.kind = kind


_Answer = tuple[Any, str, str]
"""What was answered, or what went wrong in one line, and where."""


def _serve(channel: Connection, warm_up: Callable[[], Any]) -> None:
    """Get ready, say so, and answer questions until the other end is closed."""
    # Ctrl-C reaches the whole group; the server ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # standard output is for results, not for what agents print
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    with suppress(EOFError, OSError):  # the server is gone
        _, fault, details = _answer(warm_up)
        channel.send((None, fault, details))
        while not fault:
            question, args, kwargs = channel.recv()
            _send(channel, _answer(question, *args, **kwargs))


def _end_with(parent: int) -> None:
    """End this process, whatever it is doing, once the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _answer(question: Callable[..., Any], *args: Any, **kwargs: Any) -> _Answer:
    try:
        return question(*args, **kwargs), "", ""
    except BaseException as error:  # whatever an agent does wrong is for its seat to see
        return None, in_a_line(error), traceback.format_exc()


def _send(channel: Connection, answer: _Answer) -> None:
    try:
        channel.send(answer)
    except OSError:
        raise
    except Exception as error:  # pickle has no error of its own for what cannot be pickled
        channel.send((None, f"its answer cannot be sent: {in_a_line(error)}", ""))


class Worker:
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

    def ask(
        self, question: Callable[..., Any], args: Any, kwargs: Any, timeout: float | None
    ) -> Any:
        """Wait for an answer, so many seconds at most.

        Other threads may `close` it meanwhile.

        Raises:
            WorkerError: There is none.
        """
        try:
            channel = self._started()
            channel.send((question, args, kwargs))
            if not channel.poll(timeout):
                self.kill()
                raise WorkerError(f"there was no answer within {timeout:g} seconds", kind="time")
            answer, fault, details = channel.recv()
        except WorkerError:
            raise
        except (EOFError, OSError) as error:
            told = f"the process that it runs in died{self._how_it_ended()}"
            raise WorkerError(told, kind="died") from error
        except Exception as error:  # what an agent of another author says may not be read here
            self.kill()
            raise WorkerError(f"its answer cannot be read: {in_a_line(error)}") from error
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
                    f"its process could not be started: {error.strerror or error}", kind="unready"
                ) from error
            theirs.close()
            self._process, self._channel = process, channel
            return channel

    def _ready(self, channel: Connection) -> Connection:
        if not channel.poll(_START):
            self.kill()
            told = f"its process was not ready within {_START:g} seconds"
            raise WorkerError(told, kind="unready")
        _, fault, details = channel.recv()
        if fault:
            self.kill()
            raise WorkerError(f"its process could not get ready: {fault}", details, "unready")
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
