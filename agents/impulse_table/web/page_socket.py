"""The WebSocket of a page: takes its messages, and sends it the state of its table.

A page that sends nonsense, sends too much or reads too slowly harms only itself. The server answers
it, slows it down or closes its connection, and no other page waits.
"""

import asyncio
import logging
from typing import Final

from aiohttp import WSCloseCode, WSMsgType, web

from impulse_table.sessions.client import Client, RefusalError, farewell
from impulse_table.sessions.session import Session
from impulse_table.tables import protocol
from impulse_table.tables.protocol import ProtocolError

_HEARTBEAT: Final = 20.0
_FAREWELL: Final = 2.0
"""Seconds that a page has to confirm the end of its connection."""
_JOINING: Final = 30.0
"""Seconds that a page has to join."""
_MOST_FAULTS: Final = 20
"""Malformed messages after which the server closes a connection."""
_MOST_A_SECOND: Final = 60
"""Messages that the server takes from one page in a second; others wait in its connection."""

_log: Final = logging.getLogger(__name__)


async def accept(request: web.Request) -> web.WebSocketResponse:
    """Return the open WebSocket; raises `ConnectionError` if the page has already gone."""
    socket = web.WebSocketResponse(
        timeout=_FAREWELL, heartbeat=_HEARTBEAT, max_msg_size=protocol.MAX_BYTES
    )
    await socket.prepare(request)
    return socket


async def dismiss(socket: web.WebSocketResponse, message: str) -> None:
    """Tell a page why it cannot join, and close its connection; raises `ConnectionError`."""
    await socket.send_json(farewell(message))
    await socket.close(code=WSCloseCode.POLICY_VIOLATION)


async def serve_page(socket: web.WebSocketResponse, session: Session) -> None:
    """Serve a page until it goes or is removed."""
    page = Client(socket.send_json)
    name = session.table.name
    code = WSCloseCode.INTERNAL_ERROR
    try:
        async with asyncio.TaskGroup() as tasks:
            telling = tasks.create_task(_tell(socket, session, page))
            code = await _listen(socket, session, page)
            telling.cancel()
    except* ConnectionError as gone:
        _log.debug("table %s: a page disconnected: %s", name, gone.exceptions[0])
    except* Exception as failed:
        _log.error("table %s: a page was closed", name, exc_info=failed.exceptions[0])
    finally:
        session.leave(page)
    # Nothing may be sent meanwhile: that would fail, and cut the farewell short.
    await socket.close(code=code)


async def _tell(socket: web.WebSocketResponse, session: Session, page: Client) -> None:
    """Send a page what is new; close its connection once it is removed."""
    await page.tell(session.news)
    await socket.close(code=WSCloseCode.POLICY_VIOLATION)


async def _listen(socket: web.WebSocketResponse, session: Session, page: Client) -> WSCloseCode:
    """Take a page's messages until it goes, does not join in time, or sends too many faults.

    Returns:
        The code with which to close the connection.
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
