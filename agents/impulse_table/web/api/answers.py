"""Error responses, and work that is cancelled when its client has gone."""

import asyncio
import json
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aiohttp import web

_POLL: Final = 0.5
"""Seconds between two checks that the client is connected. Shorter work is never cancelled."""

T = TypeVar("T")


def fault(status: int, message: str) -> web.Response:
    """Return an error response with a message."""
    return web.json_response({"message": message}, status=status)


def refused(
    message: str, kind: type[web.HTTPException] = web.HTTPBadRequest, **sizes: Any
) -> web.HTTPException:
    """Return an error response as an exception to raise.

    Args:
        message: What was wrong.
        kind: The exception, which sets the status.
        sizes: More arguments of `kind`.
    """
    text = json.dumps({"message": message})
    return kind(text=text, content_type="application/json", **sizes)


async def while_here(request: web.Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work; cancel the work once the client has gone.

    Raises:
        ConnectionResetError: The client has gone.
    """
    task = asyncio.create_task(work)
    try:
        while not (await asyncio.wait({task}, timeout=_POLL))[0]:
            if request.transport is None or request.transport.is_closing():
                raise ConnectionResetError("the client no longer waits for the answer")
        return task.result()
    finally:
        task.cancel()
        await asyncio.wait({task})


async def long_body(request: web.Request, most: int, what: str) -> bytes:
    """Return the body of a request that may be longer than a page's other messages.

    Args:
        request: The request.
        most: Number of bytes that are allowed; more are refused.
        what: The content, for the message, at the start of a sentence.
    """
    data = bytearray()
    async for chunk in request.content.iter_chunked(1 << 16):
        data += chunk
        if len(data) > most:
            raise refused(
                f"{what} has at most {most:,} bytes.",
                web.HTTPRequestEntityTooLarge,
                max_size=most,
                actual_size=len(data),
            )
    return bytes(data)


def seen_by(request: web.Request) -> int:
    """Return how many analysed decisions a waiting page has seen; -1 if it does not say."""
    seen = request.query.get("seen", "")
    return int(seen) if seen.isdecimal() and len(seen) < 6 else -1
