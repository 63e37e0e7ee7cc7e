"""Ctrl-C that lets a training end in good order."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass
class Interrupt:
    """Whether the training is wanted to end."""

    is_wanted: bool = False


@contextmanager
def interruptible(then: Callable[[], None] = lambda: None) -> Iterator[Interrupt]:
    """Take note of the first Ctrl-C, and call `then`; the second raises `KeyboardInterrupt`."""
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)

    def take_note(*_: Any) -> None:
        interrupt.is_wanted = True
        then()
        signal.signal(signal.SIGINT, signal.default_int_handler)
        print("ending after this update, and saving; Ctrl-C again ends at once", flush=True)

    try:
        signal.signal(signal.SIGINT, take_note)
    except ValueError:  # not in the main thread: somebody else handles Ctrl-C
        yield interrupt
        return
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def resumable(folder: Path) -> Iterator[None]:
    """Let Ctrl-C say that what is finished is kept, and how to go on."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        raise KeyboardInterrupt(
            f"\ninterrupted; the finished games are in {folder}, "
            "and the same command plays the missing ones"
        ) from interrupt
