"""What requests are answered with, and work for one that ends with it.

Nobody computes for a client that has gone.
"""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aiohttp import web

_LOOK: Final = 0.5
"""Seconds between two looks whether the client is there; what is quicker comes to its end."""

T = TypeVar("T")


def fault(status: int, message: str) -> web.Response:
    """Return why something is not done."""
    return web.json_response({"message": message}, status=status)


def refused(
    message: str, kind: type[web.HTTPException] = web.HTTPBadRequest, **sizes: Any
) -> web.HTTPException:
    """Return the same to be raised, from wherever it is noticed."""
    text = json.dumps({"message": message})
    return kind(text=text, content_type="application/json", **sizes)


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
