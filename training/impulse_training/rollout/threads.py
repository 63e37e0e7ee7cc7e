"""Games side by side in threads: compiled code lets others run meanwhile."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np

LEAST: Final = 512
"""Rows that are worth a thread of their own."""

T = TypeVar("T")


def in_slices(task: Callable[[slice], T], rows: int, threads: int) -> list[T]:
    """Do a task for all rows, a slice of them in each thread, and return what each returned.

    Args:
        task: Must not touch anything of rows outside its slice.
        rows: How many there are.
        threads: How many threads at most; fewer where they are not worth it.
    """
    parts = max(1, min(threads, rows // LEAST))
    bounds = np.linspace(0, rows, parts + 1).astype(int).tolist()
    slices = [slice(a, b) for a, b in pairwise(bounds)]
    if parts == 1:
        return [task(slices[0])]
    with ThreadPoolExecutor(parts - 1) as pool:
        others = [pool.submit(task, part) for part in slices[1:]]
        return [task(slices[0]), *(other.result() for other in others)]
