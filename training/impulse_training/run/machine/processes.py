"""Processes beside this one: Ctrl-C is for this one alone, which ends them."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")


class ProcessPool(ProcessPoolExecutor):
    """A pool whose processes hear no Ctrl-C; if its block raises, they are killed at once.

    Args:
        workers: How many processes.
        more: For `ProcessPoolExecutor`.
    """

    def __init__(self, workers: int, **more: Any) -> None:
        # A forked child would share the threads' locks of numba and torch, but not the threads.
        super().__init__(workers, get_context("spawn"), initializer=ignore_ctrl_c, **more)
        tell_start(workers)

    def submit(self, call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Do the same as the base class, which may start a process now."""
        with deaf_to_ctrl_c():
            return super().submit(call, *args, **kwargs)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Wait for what is being done, or after an error kill it."""
        self.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:
            # Only now: the pool's thread raises where a process dies whose work was cancelled.
            for process in active_children():
                process.kill()
                process.join()


def spread_out(
    work: Callable[[S], T], items: Sequence[S], workers: int, at_once: int = 1
) -> Iterator[T]:
    """Yield what a function returns for each item, in their order.

    Args:
        work: The function; a process has to be able to import it.
        items: What it is given.
        workers: How many processes at most; for one alone, or one item, none is started.
        at_once: Items that a process is given at a time.
    """
    if min(workers, len(items)) <= 1:
        yield from map(work, items)
        return
    with ProcessPool(min(workers, len(items))) as pool:
        yield from pool.map(work, items, chunksize=at_once)


def tell_start(processes: int) -> None:
    """Print to standard error what takes some seconds now."""
    print(f"starting {processes} processes, which takes a while", file=sys.stderr, flush=True)


def ignore_ctrl_c() -> None:
    """Let this process hear no Ctrl-C from now on."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def deaf_to_ctrl_c() -> Iterator[None]:
    """Hold Ctrl-C back; a process that is started meanwhile never hears it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
