"""Many rows in threads: compiled code lets others run meanwhile."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Final, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray

from impulse_agents.network.compiled import evaluate_rows
from impulse_agents.network.compiled_weights import CompiledNetwork

T = TypeVar("T")

COMPILED_ROWS_PER_THREAD: Final = 64
"""Rows that are worth a thread of their own: some 2 ms of work, where starting one takes 0.2 ms."""


def in_slices(task: Callable[[slice], T], rows: int, threads: int, least: int) -> list[T]:
    """Do a task for all rows, a slice of them in each thread, and return what each returned.

    Args:
        task: Must not touch anything of rows outside its slice.
        rows: How many there are.
        threads: How many threads at most; fewer where they are not worth it.
        least: Rows that are worth a thread of their own.
    """
    parts = max(1, min(threads, rows // least))
    bounds = np.linspace(0, rows, parts + 1).astype(int).tolist()
    slices = [slice(a, b) for a, b in pairwise(bounds)]
    if parts == 1:
        return [task(slices[0])]
    with ThreadPoolExecutor(parts - 1) as pool:
        others = [pool.submit(task, part) for part in slices[1:]]
        return [task(slices[0]), *(other.result() for other in others)]


def evaluate_in_threads(
    network: CompiledNetwork,
    observations: NDArray[np.uint8],
    masks: NDArray[np.int8],
    needs_values: bool,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return the same bits as `evaluate_rows`, whose arguments these are, where it pays sooner.

    It uses as many threads as torch may.
    """

    def evaluate(part: slice) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        return evaluate_rows(network, observations[part], masks[part], needs_values)

    threads = torch.get_num_threads()
    found = in_slices(evaluate, len(observations), threads, COMPILED_ROWS_PER_THREAD)
    if len(found) == 1:
        return found[0]
    logits, values = zip(*found, strict=True)
    return np.concatenate(logits), np.concatenate(values)
