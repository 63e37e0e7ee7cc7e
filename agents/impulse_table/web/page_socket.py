"""The WebSocket of a page: listens to it and tells it how its table stands, until one of them goes.

Whatever a page sends or fails to read is its own loss: it is answered, slowed down or put out, and
no other page waits for it.
"""

import asyncio
import logging
from typing import Final

from aiohttp import WSCloseCode, WSMsgType, web

from impulse_table.sessions.client import Client, farewell
from impulse_table.sessions.session import RefusalError, Session
from impulse_table.tables import protocol
from impulse_table.tables.protocol import ProtocolError

_HEARTBEAT: Final = 20.0
_FAREWELL: Final = 2.0
"""Seconds for a page to answer that a connection is closed."""
_JOINING: Final = 30.0
"""Seconds for a page to join."""
_MOST_FAULTS: Final = 20
"""Malformed messages after which a connection is closed."""
_MOST_A_SECOND: Final = 60
"""Messages of one page; the others wait in its connection."""

_log: Final = logging.getLogger(__name__)


async def accept(request: web.Request) -> web.WebSocketResponse:
    """Return the open WebSocket; raises `ConnectionError` if the page has gone already."""
    socket = web.WebSocketResponse(
        timeout=_FAREWELL, heartbeat=_HEARTBEAT, max_msg_size=protocol.MAX_BYTES
    )
    await socket.prepare(request)
    return socket


async def dismiss(socket: web.WebSocketResponse, message: str) -> None:
    """Say why there is nothing to be seen, and close; raises `ConnectionError`."""
    await socket.send_json(farewell(message))
    await socket.close(code=WSCloseCode.POLICY_VIOLATION)


async def serve_page(socket: web.WebSocketResponse, session: Session) -> None:
    """Let a page take part until it goes, or is put out."""
    page = Client(socket.send_json)
    name = session.table.name
    code = WSCloseCode.INTERNAL_ERROR
    try:
        async with asyncio.TaskGroup() as tasks:
            telling = tasks.create_task(_tell(socket, session, page))
            code = await _listen(socket, session, page)
            telling.cancel()
    except* ConnectionError as gone:
        _log.debug("table %s: a page went: %s", name, gone.exceptions[0])
    except* Exception as failed:
        _log.error("table %s: a page was closed", name, exc_info=failed.exceptions[0])
    finally:
        session.leave(page)
    # Nothing may be told meanwhile: that would fail, and cut the farewell short.
    await socket.close(code=code)


async def _tell(socket: web.WebSocketResponse, session: Session, page: Client) -> None:
    """Tell a page what is new, and close the connection once it is put out."""
    await page.tell(session.news)
    await socket.close(code=WSCloseCode.POLICY_VIOLATION)


async def _listen(socket: web.WebSocketResponse, session: Session, page: Client) -> WSCloseCode:
    """Take what a page sends until it goes, says nothing at all, or too much nonsense.

    Returns:
        Why it is over.
    """
    faults = taken = 0
    clock = asyncio.get_running_loop().time
    began = clock()
    while faults < _MOST_FAULTS:
        try:
            message = await socket.receive(None if page in session.clients else _JOINING)
        except TimeoutError:
            return WSCloseCode.POLICY_VIOLATION
        if message.type != WSMsgType.TEXT:
            return WSCloseCode.OK
        try:
            session.take(page, protocol.read_message(message.data))
        except RefusalError as error:
            await socket.send_json({"type": "refusal", "message": str(error)})
        except ProtocolError as error:
            await socket.send_json({"type": "fault", "message": str(error)})
            faults += 1
        taken += 1
        if taken == _MOST_A_SECOND:
            await asyncio.sleep(max(0.0, began + 1 - clock()))
            began, taken = clock(), 0
    return WSCloseCode.POLICY_VIOLATION
