"""Work for a request that ends with it: nobody computes for a client that has gone."""

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aiohttp import web

_LOOK: Final = 0.5
"""Seconds between two looks whether the client is there; what is quicker comes to its end."""

T = TypeVar("T")


async def while_here(request: web.Request, work: Coroutine[Any, Any, T]) -> T:
    """Return what comes of some work, which is cancelled once the client has gone.

    Raises:
        ConnectionResetError: The client has gone.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=_LOOK))[0]:
            if request.transport is None or request.transport.is_closing():
                raise ConnectionResetError("nobody waits for the answer any more")
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task})


def seen_by(request: web.Request) -> int:
    """Return how many decisions a page that waits for an analysis has seen done; -1: not said."""
    seen = request.query.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 6 else -1
