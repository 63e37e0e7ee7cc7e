"""Worker processes: they ignore Ctrl-C, and end with the main process."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any, ParamSpec, TypeVar

from impulse_agents.asking.process import end_with_parent

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class ProcessPool(ProcessPoolExecutor):
    """A pool whose processes ignore Ctrl-C; if its ``with`` block raises, they are killed at once.

    Args:
        workers: Number of processes.
        more: Arguments for `ProcessPoolExecutor`.
    """

    def __init__(self, workers: int, **more: Any) -> None:
        # A forked child would share the threads' locks of numba and torch, but not the threads.
        super().__init__(workers, get_context("spawn"), initializer=become_worker, **more)
        tell_start(workers)

    def submit(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Submit a call as the base class does, which may start a process."""
        with deaf_to_ctrl_c():
            return super().submit(call, *args, **kwargs)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for running calls, or kill their processes after an error."""
        self.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:
            # Only after the shutdown: the pool's thread raises if a process dies before that.
            for process in active_children():
                process.kill()
                process.join()


def spread_out(
    work: Callable[[S], T], items: Sequence[S], workers: int, at_once: int = 1
) -> Iterator[T]:
    """Yield the results of a function for each item, in order.

    Args:
        work: The function; worker processes must be able to import it.
        items: The arguments.
        workers: Maximum number of processes; with one process or one item, none is started.
        at_once: Items per task of a process.
    """
    if min(workers, len(items)) <= 1:
        yield from map(work, items)
        return
    with ProcessPool(min(workers, len(items))) as pool:
        yield from pool.map(work, items, chunksize=at_once)


def tell_start(processes: int) -> None:
    """Report on standard error that processes are starting, which takes seconds."""
    print(f"starting {processes} processes …", file=sys.stderr, flush=True)


def become_worker() -> None:
    """Ignore Ctrl-C in this process from now on, and let it end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent()


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Block Ctrl-C; a process that starts in this block never receives it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
