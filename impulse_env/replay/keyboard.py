"""Single keys from a terminal, without the Enter key; the caller must check for a terminal."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_NAMES: Final = {
    "\x1b[C": "right",
    "\x1b[D": "left",
    "\x1b[H": "home",
    "\x1b[1~": "home",
    "\x1bOH": "home",
    "\x1b[F": "end",
    "\x1b[4~": "end",
    "\x1bOF": "end",
    "\x1b[5~": "page up",
    "\x1b[6~": "page down",
    "\xe0M": "right",
    "\xe0K": "left",
    "\xe0G": "home",
    "\xe0O": "end",
    "\xe0I": "page up",
    "\xe0Q": "page down",
    "\r": "enter",
    "\n": "enter",
    "\x03": "q",
    "": "q",
}
"""The names of the codes that terminals send; those beginning with e0 come from Windows."""


@contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """Yield a function that waits for a key and returns its letter or its name, such as "left"."""
    if sys.platform == "win32":
        yield _key_of_windows
        return
    import termios
    import tty

    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    tty.setcbreak(file)
    try:
        # As bytes: a text stream would buffer keys that the next read would miss.
        yield lambda: _named(os.read(file, 16).decode(errors="replace"))
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)


def _named(sent: str) -> str:
    return _NAMES.get(sent, sent[:1])


if sys.platform == "win32":
    import msvcrt

    def _key_of_windows() -> str:
        first = msvcrt.getwch()
        return _named("\xe0" + msvcrt.getwch() if first in "\x00\xe0" else first)
