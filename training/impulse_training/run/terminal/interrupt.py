"""Ctrl-C and SIGTERM that let a training end in good order."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Interrupt:
    """Whether the training is wanted to end."""

    is_wanted: bool = False


@contextmanager
def interruptible(
    then: Callable[[], None] = lambda: None,
    on_continue: Callable[[], None] | None = None,
    after: str = "this update",
) -> Iterator[Interrupt]:
    """Take note of Ctrl-C and of SIGTERM, and call `then` at the first of them.

    A second Ctrl-C raises `KeyboardInterrupt`. SIGTERM may come again, as from those who send it to
    a process and to its group: it changes nothing any more. On Windows SIGTERM ends a process at
    once, whatever it does; Ctrl-Break is taken note of there.

    Args:
        then: What to do about it; called once.
        on_continue: Called when the process goes on after it was stopped by SIGSTOP or Ctrl-Z.
        after: What is still finished, in words.
    """
    interrupt = Interrupt()
    said = f"ending after {after}, and saving; Ctrl-C again ends at once\n"

    def take_note(number: int, _frame: Any) -> None:
        if number == signal.SIGINT:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        if interrupt.is_wanted:
            return
        interrupt.is_wanted = True
        then()
        # Not by `print`: a signal may come while that is under way, which then raises.
        with suppress(OSError):
            os.write(2, said.encode())

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
    except ValueError:  # not in the main thread: somebody else handles signals
        yield interrupt
        return
    try:
        yield interrupt
    finally:
        for number, earlier in before.items():
            signal.signal(number, signal.SIG_DFL if earlier is None else earlier)


@contextmanager
def resumable(folder: Path, games: str = "games.jsonl") -> Iterator[None]:
    """Let Ctrl-C say whether finished games are kept, and how to go on.

    Args:
        folder: Where the command keeps games.
        games: A pattern of the names of their files, in that folder or in any below it.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if any(path.stat().st_size for path in folder.rglob(games)):
            told = f"finished games are in {folder}, and the same command plays the missing ones"
        else:
            told = "no finished game was saved yet"
        raise KeyboardInterrupt(f"interrupted; {told}") from interrupt
