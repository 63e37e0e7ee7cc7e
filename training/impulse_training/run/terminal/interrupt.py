"""Ctrl-C and SIGTERM that let a run save before it ends."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Interrupt:
    """Whether the run should end.

    Attributes:
        is_requested: True after Ctrl-C or SIGTERM.
    """

    is_requested: bool = False


@contextmanager
def interruptible(
    then: Callable[[], None] = lambda: None,
    on_continue: Callable[[], None] | None = None,
    after: str = "this update",
) -> Iterator[Interrupt]:
    """Record Ctrl-C and SIGTERM, and call `then` at the first of them.

    A second Ctrl-C raises `KeyboardInterrupt`. A second SIGTERM has no effect, as some senders send
    it to the process and to its group. On Windows SIGTERM ends a process at once; there, Ctrl-Break
    is recorded instead.

    Args:
        then: The callback, called once.
        on_continue: Called when the process continues after SIGSTOP or Ctrl-Z.
        after: The work that is still finished, in words.
    """
    interrupt = Interrupt()
    message = f"ending after {after}, and saving; Ctrl-C again ends at once\n"

    def take_note(number: int, _frame: Any) -> None:
        if number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if interrupt.is_requested:
            return
        interrupt.is_requested = True
        then()
        # `print` would raise if the signal interrupts another `print`.
        with suppress(OSError):
            os.write(2, message.encode())

    handlers: dict[int, Callable[[int, Any], None]] = {
        getattr(signal, name): take_note
        for name in ("SIGINT", "SIGTERM", "SIGBREAK")
        if hasattr(signal, name)
    }
    if on_continue is not None and hasattr(signal, "SIGCONT"):
        handlers[signal.SIGCONT] = lambda *_: on_continue()
    before = {number: signal.getsignal(number) for number in handlers}
    try:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    except ValueError:  # not in the main thread, which handles signals
        yield interrupt
        return
    try:
        yield interrupt
    finally:
        for number, earlier in before.items():
            signal.signal(number, signal.SIG_DFL if earlier is None else earlier)


@contextmanager
def resumable(folder: Path, games: str = "games.jsonl") -> Iterator[None]:
    """Let Ctrl-C report whether finished games are saved, and how to continue.

    Args:
        folder: The folder of the games.
        games: A pattern for the names of their files, in that folder or in a subfolder.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if any(path.stat().st_size for path in folder.rglob(games)):
            saved = f"finished games are in {folder}, and the same command plays the missing ones"
        else:
            saved = "no finished game was saved yet"
        raise KeyboardInterrupt(f"interrupted; {saved}") from interrupt
