"""Faults for tests: a process is killed, or the disk is full, at any operation on files."""

import errno
import io
import os
import sys
from contextlib import contextmanager

from impulse_env import files

KILLED = 9
_EVENTS = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.link"}


class _Operations:
    """Counts operations on files, and lets something happen at one of them."""

    def __init__(self, at, happen):
        self.at, self.happen, self.count = at, happen, 0

    def next(self, half=lambda: None):
        """Count an operation that comes now; `half` does half of it."""
        self.count += 1
        if self.count == self.at:
            half()
            self.happen()

    def audit(self, event, given):
        is_writing = event == "open" and isinstance(given[2], int) and given[2] & os.O_WRONLY
        if is_writing or event in _EVENTS:
            self.next()

    def fsync(self, descriptor, call=os.fsync):
        self.next()
        call(descriptor)


class _Raw(io.RawIOBase):
    """A file whose writes are counted as they come to the system."""

    def __init__(self, descriptor, operations):
        self._descriptor, self._operations = descriptor, operations

    def writable(self):
        return True

    def fileno(self):
        return self._descriptor

    def write(self, content):
        half = bytes(content[: len(content) // 2])
        self._operations.next(lambda: os.write(self._descriptor, half))
        return os.write(self._descriptor, content)

    def close(self):
        if not self.closed:
            super().close()
            os.close(self._descriptor)


@contextmanager
def _watched(operations):
    """Count the operations of files that are replaced; others are counted by `audit`."""

    class Os:
        def __getattr__(self, name):
            return getattr(os, name)

        fsync = staticmethod(operations.fsync)

        @staticmethod
        def fdopen(descriptor, _mode):
            return io.BufferedWriter(_Raw(descriptor, operations), 1 << 16)

    files.os = Os()
    try:
        yield
    finally:
        files.os = os


def killed_at(number, do):
    """Call `do` in a process of its own, killed at such an operation on files, the first being 1.

    Returns:
        Whether it was killed; otherwise there are fewer operations, and all of them were done.
    """
    child = os.fork()
    if child == 0:
        try:
            operations = _Operations(number, lambda: os._exit(KILLED))
            sys.addaudithook(operations.audit)
            with _watched(operations):
                do()
        except BaseException as error:
            sys.__stderr__.write(f"{type(error).__name__}: {error}\n")
            os._exit(1)
        os._exit(0)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, KILLED), "it failed by itself"
    return code == KILLED


@contextmanager
def full_disk(at):
    """Let writing fail from such an operation on within the block; yields what counts them."""

    def fail():
        operations.at += 1  # it stays full
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    operations = _Operations(at, fail)
    with _watched(operations):
        yield operations
