"""An HTML file that needs nothing else: style, script and data are in it.

All that comes from records is in the compressed data. A policy in the file lets no other script run
and nothing be loaded.
"""

import base64
import gzip
import hashlib
import json
from importlib.resources import files
from typing import Any

from impulse_env.drawing.style import DARK_SEAT_FILLS, SEAT_FILLS, theme_switch


def single_file(
    template: str, style: str, script: str, data: dict[str, Any], *, asks_server: bool = False
) -> str:
    """Return the page; the same for the same data.

    Args:
        template: The HTML, with ``<!--POLICY-->``, ``<!--STYLE-->``, ``<!--DATA-->`` and
            ``<!--SCRIPT-->`` where these go.
        style: CSS; the colours of the seats, ``--seat0`` and so on, are added.
        script: JavaScript; the choice between light and dark is added.
        data: JSON-able; on the page it is base64 of gzip of JSON, which `unpack` of the script
            ``store.js`` reads.
        asks_server: Whether the script may ask the server that the page comes from.
    """
    script = theme_switch() + script
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    shades = zip(SEAT_FILLS, DARK_SEAT_FILLS, strict=True)
    colors = "".join(
        f"--seat{seat}:light-dark({light},{dark});" for seat, (light, dark) in enumerate(shades)
    )
    connect = "connect-src 'self'; " if asks_server else ""
    filled = {
        "POLICY": f"default-src 'none'; script-src 'sha256-{digest}'; "
        f"style-src 'unsafe-inline'; font-src data:; {connect}base-uri 'none'; form-action 'none'",
        "STYLE": f":root{{{colors}}}\n" + style,
        "DATA": _packed(data),
        "SCRIPT": script,
    }
    for name, text in filled.items():
        template = template.replace(f"<!--{name}-->", text)
    return template


def resource(name: str, package: str = "impulse_env.replay") -> str:
    """Return a file of a package's folder ``web``."""
    return (files(package) / "web" / name).read_text(encoding="utf-8")


def _packed(data: dict[str, Any]) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
