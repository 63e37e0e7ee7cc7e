"""The command on a pseudo-terminal, driven as a person would: read, type, read on."""

import os
import re
import select
import subprocess
import time

from commands import PROGRAM
from paths import ROOT

_CODES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


class Terminal:
    """Runs ``impulse COMMAND OPTIONS``; a context manager that ends it on exit."""

    def __init__(self, *words):
        self._own, other = os.openpty()
        self._process = subprocess.Popen(
            [*PROGRAM, *words], stdin=other, stdout=other, stderr=other, cwd=ROOT
        )
        os.close(other)
        self.raw = ""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self._own)
        self._process.kill()
        self._process.wait()

    def wait_for(self, text, seconds=60):
        """Read until `text` has come, and return what was read with it."""
        end = time.monotonic() + seconds
        while text not in _CODES.sub("", self.raw):
            if time.monotonic() > end:
                raise AssertionError(f"{text!r} did not come; there is {self.raw[-2000:]!r}")
            if select.select([self._own], [], [], 0.2)[0]:
                try:
                    self.raw += os.read(self._own, 65536).decode(errors="replace")
                except OSError:  # the program has ended
                    if text not in _CODES.sub("", self.raw):
                        raise AssertionError(f"ended without {text!r}: {self.raw!r}") from None
        found = self.raw
        self.raw = ""
        return found

    def type(self, keys):
        os.write(self._own, keys.encode())

    def end(self):
        """Wait for the program; return its exit code."""
        while True:
            try:
                if not os.read(self._own, 65536):
                    break
            except OSError:
                break
        return self._process.wait(timeout=30)
