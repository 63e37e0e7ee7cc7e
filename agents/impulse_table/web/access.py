"""Access to a server on a home network: one-time links admit browsers, which can invite others."""

from typing import Annotated, Any, Final

import segno
from aiohttp import web
from aiohttp.typedefs import Handler
from msgspec import Meta

from impulse_table.tables.protocol import Asked, ProtocolError, Token, read
from impulse_table.web import bundles
from impulse_table.web.api.answers import fault
from impulse_table.web.invitations import InvitationError, Invitations

_OPEN_TO_ALL: Final = ("/invite", "/api/invitations/use", "/drawing.css")
_FILES: Final = ("/static/", "/kit/")
_SECONDS: Final = 90 * 24 * 3600
"""Lifetime of the cookie by which the server knows a browser."""
_STRANGER: Final = (
    "This browser has not been let in: open a link that the server printed, or ask somebody who "
    "plays here for one (Invite somebody, on the start page)."
)
_Page = Annotated[
    str, Meta(pattern=r"^/(table/[A-Za-z0-9_-]{1,32}(#[A-Za-z0-9_,-]{1,400})?)?$", max_length=450)
]


class _Use(Asked, frozen=True):
    token: Token


class _Invite(Asked, frozen=True):
    to: _Page = "/"


class Access:
    """Admits browsers that have used a link.

    Args:
        invitations: The links, and the browsers that have used one.
    """

    def __init__(self, invitations: Invitations) -> None:
        self._invitations = invitations

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        return [
            web.post("/api/invitations", self._invite),
            web.post("/api/invitations/use", self._use),
        ]

    @web.middleware
    async def admit(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer 403 to a browser that has not used a link."""
        is_open = request.path in _OPEN_TO_ALL or request.path.startswith(_FILES)
        if is_open or self._invitations.knows(request.cookies.get(_cookie(request), "")):
            return await handler(request)
        if request.path.startswith("/api/"):
            return fault(403, _STRANGER)
        if "text/html" not in request.headers.get("Accept", ""):
            return web.Response(status=403, text=_STRANGER)
        return bundles.page("forbidden.html", 403)

    async def _use(self, request: web.Request) -> web.Response:
        try:
            asked = read(await request.read(), _Use, "this is not a link's token")
            secret, to = self._invitations.use(asked.token)
        except ProtocolError as error:
            return fault(400, str(error))
        except InvitationError as error:
            return fault(410, str(error))
        except OSError as error:
            return fault(507, f"this browser could not be saved: {error.strerror or error}")
        response = web.json_response({"to": to})
        response.set_cookie(
            _cookie(request),
            secret,
            max_age=_SECONDS,
            httponly=True,
            secure=request.secure,
            # A link on another site may open a page; a request that changes something must come
            # from a page of this server.
            samesite="Lax",
        )
        return response

    async def _invite(self, request: web.Request) -> web.Response:
        try:
            asked = read(await request.read(), _Invite, "an invitation cannot lead there")
        except ProtocolError as error:
            return fault(400, str(error))
        link = link_for(f"{request.scheme}://{request.host}", self._invitations.new(asked.to))
        answer: dict[str, Any] = {"link": link, "picture": qr_code(link).svg_data_uri(scale=4)}
        return web.json_response(answer, status=201)


def link_for(origin: str, token: str) -> str:
    """Return the address that uses a token. Logs and previews leave out what follows ``#``."""
    return f"{origin}/invite#{token}"


def qr_code(link: str) -> segno.QRCode:
    """Return the QR code of a link."""
    return segno.make_qr(link, error="l")


def _cookie(request: web.Request) -> str:
    """Return a name with the server's port: browsers share cookies between ports of a host."""
    local = request.transport.get_extra_info("sockname") if request.transport else None
    return f"impulse-{local[1] if local else 0}"
