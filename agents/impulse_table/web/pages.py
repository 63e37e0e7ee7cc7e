"""The pages: their common head, their version, and the page for unknown addresses."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from impulse_env import __version__
from impulse_env.pages.single_file import KIT

STATIC: Final = Path(__file__).parent / "static"
_FOR_PROGRAMS: Final = ("/api/", "/static/", "/kit/")
"""Addresses that scripts request, not people."""


@cache
def version() -> str:
    """Return the version of the pages' files: 12 hexadecimal digits of their digest."""
    digest = hashlib.sha256(__version__.encode())
    for file in sorted((*STATIC.iterdir(), *KIT.iterdir()), key=lambda file: file.name):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def routes() -> list[web.RouteDef]:
    """Return the routes by which a page compares its version with the server's."""
    return [web.get("/version.js", _module), web.get("/api/version", _version)]


@web.middleware
async def show_not_found(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer an unknown address with a page that links to the start page, not to a script."""
    try:
        return await handler(request)
    except web.HTTPNotFound:
        if request.method != "GET" or request.path.startswith(_FOR_PROGRAMS):
            raise
        return page("404.html", 404)


def page(name: str, status: int = 200) -> web.Response:
    """Return one of the pages, with the common head."""
    head, text = ((STATIC / file).read_text(encoding="utf-8") for file in ("head.html", name))
    text = text.replace("<!--HEAD-->\n", head)
    return web.Response(text=text, status=status, content_type="text/html")


async def _module(request: web.Request) -> web.Response:
    text = f'export const VERSION = "{version()}";\n'
    return web.Response(text=text, content_type="text/javascript")


async def _version(request: web.Request) -> web.Response:
    return web.json_response({"version": version()})
