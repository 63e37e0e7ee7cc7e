"""Who may talk to the server: pages of its own, on this machine.

A page from elsewhere that is open in the same browser can reach loopback, too: by naming it, which
shows in ``Origin``, or by having its own name point there, which shows in ``Host``.
"""

from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

LOOPBACK: Final = "127.0.0.1"
NAMES: Final = (LOOPBACK, "localhost")
"""What the server answers to."""


_HEADERS: Final = {
    # Nothing but this server's own files, and no script but theirs.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def rejection_reason(request: web.BaseRequest) -> str | None:
    """Return why a request is refused; None if it is not."""
    host = request.headers.get("Host", "")
    name, _, port = host.rpartition(":")
    local = request.transport and request.transport.get_extra_info("sockname")
    if name not in NAMES or not local or port != str(local[1]):
        return "this server answers to its address on this machine only"
    origin = request.headers.get("Origin")
    # Browsers send no origin with a page's own GET, but one with every WebSocket and POST.
    is_plain = request.method in ("GET", "HEAD") and "Upgrade" not in request.headers
    if origin is None and is_plain:
        return None
    if origin != f"http://{host}":
        return "this server takes requests from its own pages only"
    return None


@web.middleware
async def guard(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Refuse strangers, and tell browsers what the pages may load."""
    fault = rejection_reason(request)
    if fault is not None:
        return web.Response(status=403, text=fault)
    return await handler(request)


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that keep a page to itself, where it has no stricter or other ones.

    For `Application.on_response_prepare`.
    """
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
