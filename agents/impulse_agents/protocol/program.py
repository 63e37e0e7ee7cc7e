"""A program with its pipes: it is started without a shell, and ended at any moment.

Neither side can block the other: what the program does not read waits here, and what it writes is
read only when a line is expected. No program outlives this process, even one that is killed.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import IO, Any, Final, Literal, Protocol

from impulse_agents.protocol.messages import MOST_LINE
from impulse_env.errors import ImpulseError

_PIECE: Final = 1 << 16
"""Bytes that are read at once."""
_GRACE: Final = 1.0
"""Seconds in which a program must end after `Program.quit`."""
_KEEPER: Final = (
    (sys.executable, "-c", "import os, sys; sys.stdin.read(); os.kill(int(sys.argv[1]), 9)")
    if os.name == "nt"
    else ("/bin/sh", "-c", 'read -r _; kill -s KILL -- "-$0"')
)
"""Ends a program, whose process id follows, at the end of its own input."""

ProgramFault = Literal["error", "time", "died"]


class ProgramError(ImpulseError, RuntimeError):
    """A program gave no answer; the message says why.

    Attributes:
        kind: ``time``: no answer in time. ``died``: it ended. ``error``: it refused to answer, or
            wrote too much.
    """

    def __init__(self, message: str, kind: ProgramFault = "error") -> None:
        super().__init__(message)
        self.kind = kind


class Channel(Protocol):
    """The pipes to and from a program."""

    def send(self, data: bytes) -> None:
        """Send bytes without waiting until they are read."""

    def receive(self, seconds: float) -> bytes | None:
        """Return the next bytes; none (``b""``) at the end, None if there are none in time."""

    def close(self) -> None:
        """Free what waits for the program, which has ended."""


class PolledChannel:
    """Pipes that one thread polls: fast, but not on Windows."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        import select

        assert process.stdin is not None
        assert process.stdout is not None
        self._input, self._output = process.stdin.fileno(), process.stdout.fileno()
        os.set_blocking(self._input, False)
        self._unsent = b""
        self._poll: Any = select.poll()
        self._poll.register(self._output, select.POLLIN)
        self._writable = select.POLLOUT

    def send(self, data: bytes) -> None:
        """See `Channel.send`."""
        if self._unsent:
            self._unsent += data
            return
        self._unsent = data[self._write(data) :]
        if self._unsent:
            self._poll.register(self._input, self._writable)

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._input, data)
        except BlockingIOError:
            return 0
        except OSError:
            return len(data)  # it reads no more; whether it still answers is for `receive` to see

    def receive(self, seconds: float) -> bytes | None:
        """See `Channel.receive`."""
        until = 0.0
        while True:
            ready = self._poll.poll(seconds * 1000)
            if len(ready) == 1 and ready[0][0] == self._output:
                return os.read(self._output, _PIECE)
            if not ready:
                return None
            self._unsent = self._unsent[self._write(self._unsent) :]
            if not self._unsent:
                self._poll.unregister(self._input)
            until = until or monotonic() + seconds
            seconds = max(0.0, until - monotonic())

    def close(self) -> None:
        """See `Channel.close`."""


class ThreadedChannel:
    """Pipes with a thread each, for Windows, where pipes cannot be polled."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._unsent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        # Few pieces: a program that writes without end waits, as it does for a full pipe.
        self._received: queue.Queue[bytes] = queue.Queue(maxsize=4)
        for work, pipe in (self._write, process.stdin), (self._read, process.stdout):
            threading.Thread(target=work, args=(pipe,), daemon=True).start()

    def send(self, data: bytes) -> None:
        """See `Channel.send`."""
        self._unsent.put(data)

    def receive(self, seconds: float) -> bytes | None:
        """See `Channel.receive`."""
        try:
            return self._received.get(timeout=seconds)
        except queue.Empty:
            return None

    def close(self) -> None:
        """See `Channel.close`: end the two threads."""
        self._unsent.put(None)
        with suppress(queue.Empty):
            while True:
                self._received.get_nowait()

    def _write(self, pipe: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # the program, or its pipe, is closed
            while (data := self._unsent.get()) is not None:
                pipe.write(data)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        piece = b" "
        while piece:
            try:
                piece = os.read(pipe.fileno(), _PIECE)
            except (OSError, ValueError):
                piece = b""
            self._received.put(piece)


class Program:
    """A running program that reads and writes lines; its standard error is ours.

    Args:
        words: The command: a program and its arguments.
        channel: The class of its pipes.

    Raises:
        OSError: It cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        channel: type[PolledChannel] | type[ThreadedChannel] = (
            ThreadedChannel if os.name == "nt" else PolledChannel
        ),
    ) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # Ctrl-C is for the host, which ends its programs
        )
        try:
            # Its input ends with this process, however that ends.
            self._keeper = subprocess.Popen(
                (*_KEEPER, str(self._process.pid)),
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            self._process.kill()
            raise
        self._owner = os.getpid()
        self._channel: Channel = channel(self._process)
        self._buffer = b""

    @property
    def is_ours(self) -> bool:
        """Whether this process started it; after a fork, two would read the same lines."""
        return self._owner == os.getpid()

    def send(self, lines: bytes) -> None:
        """Send whole lines."""
        self._channel.send(lines)

    def receive(self, seconds: float) -> bytes | None:
        """Return the next line without its end; None if there is none in time.

        Raises:
            ProgramError: The program has ended, or the line is too long.
        """
        line, found, rest = self._buffer.partition(b"\n")
        if found:
            self._buffer = rest
            return line
        until = monotonic() + seconds
        while True:
            piece = self._channel.receive(max(0.0, until - monotonic()))
            if piece is None:
                return None
            if not piece:
                raise ProgramError(f"the program ended{self._how_it_ended()}", "died")
            line, found, rest = piece.partition(b"\n")
            if len(self._buffer) + len(line) > MOST_LINE:
                raise ProgramError(f"it wrote a line of more than {MOST_LINE} bytes")
            line = self._buffer + line
            if found:
                self._buffer = rest
                return line
            self._buffer = line

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            return ": it closed its output"
        if code < 0:
            with suppress(ValueError):
                return f" ({signal.Signals(-code).name})"
        return f" (exit code {code})"

    def wait(self, seconds: float) -> int | None:
        """Return its exit code; None if it does not end in time."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def close_input(self) -> None:
        """Close its input, as the end of this process does."""
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()

    def kill(self) -> None:
        """End it and its children at once."""
        if not self.is_ours:
            return
        try:
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        except OSError:
            pass  # it has ended
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        with self._keeper:
            self._keeper.kill()
        self._channel.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()

    def quit(self, line: bytes) -> None:
        """Send a last line, wait briefly, and end it."""
        if not self.is_ours:
            return
        self.send(line)
        self.close_input()
        self.wait(_GRACE)
        self.kill()
