"""The server's log on standard error: one line for each event, all in the same format.

Tracebacks appear at the level debug only (``impulse play --log-level debug``).
"""

import asyncio
import logging
import sys
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.typedefs import Handler

FORMAT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_TIME: Final = "%Y-%m-%d %H:%M:%S"
_PEERS_FAULTS: Final = (ConnectionError, HttpProcessingError, asyncio.TimeoutError)
"""Errors that a client causes when it disconnects, or sends something other than HTTP."""

_log: Final = logging.getLogger(__name__)


class OneLine(logging.Formatter):
    """Format each record as one line, with the type and message of its exception.

    Args:
        has_tracebacks: Whether a traceback follows an exception.
    """

    def __init__(self, has_tracebacks: bool) -> None:
        super().__init__(FORMAT, _TIME)
        self._has_tracebacks = has_tracebacks

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as text; nothing that a client sent can start a new line."""
        if self._has_tracebacks:
            return super().format(record)
        message = record.getMessage()
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            message = f"{message}: {type(error).__name__}: {error}"
        line = logging.makeLogRecord({**record.__dict__, "exc_info": None, "exc_text": None})
        line.msg, line.args, line.stack_info = _printable(message), (), None
        return super().format(line)


def _printable(text: str) -> str:
    return "".join(
        character if character.isprintable() else "?" for character in " ".join(text.split())
    )


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Whether to log a record: aiohttp reports even a client that disconnected as an error."""
    error = record.exc_info[1] if record.exc_info else None
    return not (record.name.startswith("aiohttp") and isinstance(error, _PEERS_FAULTS))


def configure(level: str) -> None:
    """Write this process's records of a level and above to standard error."""
    is_debug = level == "debug"
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine(is_debug))
    if not is_debug:
        handler.addFilter(_is_worth_a_line)
    logging.basicConfig(level=level.upper(), handlers=[handler])


@web.middleware
async def report_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer an unexpected error with status 500 and one sentence, and log the error."""
    try:
        return await handler(request)
    except web.HTTPException:
        raise
    except ConnectionError as error:
        _log.debug("%s %s: the client disconnected: %s", request.method, request.path, error)
        return web.Response(status=400)  # nobody receives it
    except Exception as error:
        _log.error("%s %s failed", request.method, request.path, exc_info=error)
        message = "The server could not do that; its log says why."
        return web.json_response({"message": message}, status=500)
