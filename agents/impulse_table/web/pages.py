"""The texts of the pages with their common head, and their version."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import web

from impulse_env import __version__
from impulse_env.drawing.style import style_sheet
from impulse_env.pages.single_file import KIT

STATIC: Final = Path(__file__).parent / "static"


@cache
def version() -> str:
    """Return the version of the pages' files and of the drawing's style: 12 hexadecimal digits."""
    digest = hashlib.sha256(f"{__version__} {style_sheet(has_dark=True)}".encode())
    for file in sorted((*STATIC.iterdir(), *KIT.iterdir()), key=lambda file: file.name):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:12]


def routes() -> list[web.RouteDef]:
    """Return the routes by which a page compares its version with the server's."""
    return [web.get("/version.js", _module), web.get("/api/version", _version)]


def source(name: str) -> str:
    """Return the text of one of the pages, with the common head."""
    head, text = ((STATIC / file).read_text(encoding="utf-8") for file in ("head.html", name))
    return text.replace("<!--HEAD-->\n", head)


def version_module() -> str:
    """Return the text of the script with the version."""
    return f'export const VERSION = "{version()}";\n'


async def _module(request: web.Request) -> web.Response:
    return web.Response(text=version_module(), content_type="text/javascript")


async def _version(request: web.Request) -> web.Response:
    return web.json_response({"version": version()})
