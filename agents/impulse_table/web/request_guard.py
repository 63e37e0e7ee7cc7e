"""Refuse requests that do not come from the server's own pages.

A page of another site in the same browser can reach the server, too. If it names the server, the
header ``Origin`` shows that. If its own name points to the server, ``Host`` shows that.
"""

from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from impulse_table.web.listening import Site

_HEADERS: Final = {
    # Only this server's own files, and only their scripts.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def rejection_reason(request: web.BaseRequest, site: Site) -> str | None:
    """Return why to refuse a request; None if it is allowed."""
    local = request.transport and request.transport.get_extra_info("sockname")
    own = site.origins(local[1]) if local else ()
    addressed = f"{site.scheme}://{request.headers.get('Host', '')}"
    if addressed not in own:
        where = "its own address" if site.is_shared else "its address on this machine"
        return f"this server answers to {where} only"
    origin = request.headers.get("Origin")
    # Browsers send no origin with a page's own GET, but with every WebSocket and POST.
    is_plain = request.method in ("GET", "HEAD") and "Upgrade" not in request.headers
    if origin is None and is_plain:
        return None
    if origin != addressed:
        return "this server takes requests from its own pages only"
    return None


class Guard:
    """Refuses requests from other sites.

    Args:
        site: Address and names of the server.
    """

    def __init__(self, site: Site) -> None:
        self._site = site

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer 403 to a request that is not for this server, or not from its pages."""
        fault = rejection_reason(request, self._site)
        if fault is not None:
            return web.Response(status=403, text=fault)
        return await handler(request)


async def add_security_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add the headers that isolate a page, unless the response has its own.

    For `Application.on_response_prepare`.
    """
    for name, value in _HEADERS.items():
        response.headers.setdefault(name, value)
    # Browsers accept this one only over https or from this machine, and warn otherwise.
    if request.secure or request.headers.get("Host", "").split(":")[0] in Site().names:
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
