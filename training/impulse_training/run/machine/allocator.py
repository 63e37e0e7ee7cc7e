"""Keeps glibc from returning freed memory to the system, which saves a sixth of training time."""

import ctypes
import sys
from typing import Final

_TRIM_THRESHOLD: Final = -1
_MMAP_THRESHOLD: Final = -3
_MOST_MMAP: Final = 32 << 20
"""The largest value that glibc accepts."""
_NEVER: Final = 2**31 - 1


def keep_freed_memory() -> None:
    """Let glibc keep freed memory; does nothing with other C libraries.

    PyTorch allocates and frees megabytes in every learning step. By default glibc returns them to
    the system, which zeroes every page again: a sixth of the time.
    """
    if sys.platform != "linux":
        return
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # other C libraries lack it
        mallopt(_MMAP_THRESHOLD, _MOST_MMAP)
        mallopt(_TRIM_THRESHOLD, _NEVER)
