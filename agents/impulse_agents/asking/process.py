"""A process that answers questions, one at a time, and can be ended at any moment."""

import logging
import multiprocessing
import os
import signal
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any, Final, Literal, TypeAlias

from impulse_agents.asking.faults import in_a_line
from impulse_env.errors import ImpulseError

_GRACE: Final = 5.0
"""Seconds that a killed process may take to end."""
_START: Final = 120.0
"""Seconds that a new process may take to get ready."""

_log: Final = logging.getLogger(__name__)


WorkerFault: TypeAlias = Literal["error", "time", "died", "unready"]


class WorkerError(ImpulseError, RuntimeError):
    """A question got no answer; the message says why.

    Attributes:
        details: The traceback in the process; empty without one.
        kind: ``time``: no answer in time. ``died``: the process died. ``unready``: no process could
            be started. ``error``: the question raised an error.
    """

    def __init__(self, message: str, details: str = "", kind: WorkerFault = "error") -> None:
        super().__init__(message)
        self.details = details
        self.kind = kind


_Answer = tuple[Any, str, str]
"""An answer, or else the error in one line and its traceback."""


def _serve(channel: Connection, warm_up: Callable[[], Any]) -> None:
    """Get ready, report that, and answer questions until the other end is closed."""
    # Ctrl-C reaches the whole group; the server ends its processes itself.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.dup2(2, 1)  # standard output is for results, not for what agents print
    end_with_parent()
    with suppress(EOFError, OSError):  # the server is gone
        _, fault, details = _answer(warm_up)
        channel.send((None, fault, details))
        while not fault:
            question, args, kwargs = channel.recv()
            _send(channel, _answer(question, *args, **kwargs))


def end_with_parent() -> None:
    """Let this process end as soon as the one that started it by `multiprocessing` has ended."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(question: Callable[..., Any], *args: Any, **kwargs: Any) -> _Answer:
    try:
        return question(*args, **kwargs), "", ""
    except BaseException as error:  # the server reports any error of an agent at its seat
        return None, in_a_line(error), traceback.format_exc()


def _send(channel: Connection, answer: _Answer) -> None:
    try:
        channel.send(answer)
    except OSError:
        raise
    except Exception as error:  # pickle raises many types for objects that it cannot pickle
        channel.send((None, f"its answer cannot be sent: {in_a_line(error)}", ""))


class Worker:
    """One process, started at the first question, and again after it has died."""

    def __init__(self, warm_up: Callable[[], Any]) -> None:
        self._warm_up = warm_up
        self._process: Any = None
        self._channel: Connection | None = None
        self._is_closed = False
        self._lock = threading.Lock()

    @property
    def is_started(self) -> bool:
        """Whether the process exists, so that the next question need not wait for it."""
        return self._channel is not None

    def ask(
        self, question: Callable[..., Any], args: Any, kwargs: Any, timeout: float | None
    ) -> Any:
        """Return the answer to a question; wait at most `timeout` seconds.

        Other threads may call `close` meanwhile.

        Raises:
            WorkerError: The process gave no answer.
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
            message = f"the process that it runs in died{self._how_it_ended()}"
            raise WorkerError(message, kind="died") from error
        except Exception as error:  # another author's answer may not be readable here
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
            _log.warning(
                "an idle process of agents had died%s; starting a new one", self._how_it_ended()
            )
        return self._ready(self._start())

    def _start(self) -> Connection:
        with self._lock:
            if self._is_closed:
                raise WorkerError("the server has ended its process")
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
            message = f"its process was not ready within {_START:g} seconds"
            raise WorkerError(message, kind="unready")
        _, fault, details = channel.recv()
        if fault:
            self.kill()
            raise WorkerError(f"its process could not get ready: {fault}", details, "unready")
        return channel

    def _how_it_ended(self) -> str:
        """Return in brackets how the process ended by itself, and drop it."""
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
        """End the process at once; the next question starts another."""
        with self._lock:
            process, self._process, self._channel = self._process, None, None
        if process is not None:
            process.kill()
            process.join(_GRACE)

    def close(self) -> None:
        """End the process for good."""
        self._is_closed = True
        self.kill()
