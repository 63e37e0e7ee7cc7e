"""The pages as they are served, and the page for unknown addresses.

A page has all its scripts in one file and all its style sheets in another: few requests, which
matters on a slow network. Browsers store both, because their addresses contain the version. In the
bundle of scripts each module is a function that runs once, after those that it imports, and returns
its exports.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from aiohttp import web
from aiohttp.typedefs import Handler

from impulse_env.drawing.style import style_sheet
from impulse_env.errors import ImpulseError
from impulse_env.pages.single_file import KIT
from impulse_table.web import pages

_FOR_PROGRAMS: Final = ("/api/", "/static/", "/kit/")
"""Addresses that scripts request, not people."""
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT: Final = re.compile(
    r"^export (?=(?:const|class|function|async function) (\w+))", re.MULTILINE
)
_SCRIPT: Final = re.compile(r'(?<=<script type="module" src="/static)(?=/\w+\.js")')
_STYLE: Final = re.compile(r' *<link rel="stylesheet" href="([^"]+)">\n')
_FOREVER: Final = {"Cache-Control": "public, max-age=31536000, immutable"}
_TYPES: Final = {"js": "text/javascript", "css": "text/css"}


class BundleError(ImpulseError, ValueError):
    """A module imports itself, or has a form of import or export that bundles do not support."""


def routes() -> list[web.RouteDef]:
    """Return the routes of the bundles, which must precede that of the static files."""
    return [web.get(r"/static/{version:[0-9a-f]{12}}/{name:\w+}.{kind:js|css}", _bundle)]


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
    """Return one of the pages, with one script and one style sheet."""
    version, text = pages.version(), pages.source(name)
    first, *others = (found[0] for found in _STYLE.finditer(text))
    stem = name.removesuffix(".html")
    text = text.replace(first, f'  <link rel="stylesheet" href="/static/{version}/{stem}.css">\n')
    for other in others:
        text = text.replace(other, "")
    return _compressed(_SCRIPT.sub(f"/{version}", text), "text/html", status)


async def _bundle(request: web.Request) -> web.Response:
    name, kind = request.match_info["name"], request.match_info["kind"]
    try:
        text = script(name) if kind == "js" else style(name)
    except FileNotFoundError:
        raise web.HTTPNotFound from None
    response = _compressed(text, _TYPES[kind])
    if request.match_info["version"] == pages.version():
        response.headers.update(_FOREVER)
    return response


def _compressed(text: str, content_type: str, status: int = 200) -> web.Response:
    response = web.Response(text=text, status=status, content_type=content_type)
    response.enable_compression()
    return response


@cache
def style(name: str) -> str:
    """Return the style sheets of a page as one; raises `FileNotFoundError`."""
    return "".join(
        style_sheet(has_dark=True) if address == "/drawing.css" else _text(address)
        for address in _STYLE.findall(pages.source(f"{name}.html"))
    )


@cache
def script(name: str) -> str:
    """Return a module of the pages with all modules that it imports, as one module.

    Raises:
        BundleError: A module imports itself, or has another form of import or export.
        FileNotFoundError: A module does not exist.
    """
    modules: dict[str, str] = {}
    _collect(f"/static/{name}.js", modules, ())
    return "".join(modules.values())


def _collect(address: str, modules: dict[str, str], importing: tuple[str, ...]) -> None:
    """Add a module after those that it imports."""
    if address in importing:
        raise BundleError(f"{address} imports itself, by way of {', '.join(importing)}")
    if address in modules:
        return
    text, taken = _text(address), ""
    for names, other in _IMPORT.findall(text):
        origin = re.sub(r"^\.", address.rpartition("/")[0], other)
        _collect(origin, modules, (*importing, address))
        taken += f"const {{{names}}} = {_variable(origin)};\n"
    exported = ", ".join(_EXPORT.findall(text))
    body = _EXPORT.sub("", _IMPORT.sub("", text))
    if re.search(r"^(import|export)\b", body, re.MULTILINE):
        raise BundleError(f"{address} has an import or export that is not of one line with names")
    modules[address] = (
        f"const {_variable(address)} = await (async () => {{\n{taken}{body}"
        f"return {{ {exported} }};\n}})();\n"
    )


def _variable(address: str) -> str:
    return "module" + re.sub(r"\W", "_", address)


def _text(address: str) -> str:
    if address == "/version.js":
        return pages.version_module()
    return _file(address).read_text(encoding="utf-8")


def _file(address: str) -> Path:
    folder = KIT if address.startswith("/kit/") else pages.STATIC
    return folder / address.rpartition("/")[2]
