"""One HTML file without dependencies: it contains style, script and data.

Everything from records is in the compressed data. A policy in the file forbids other scripts and
all loading.
"""

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from impulse_env.drawing.style import DARK_SEAT_FILLS, SEAT_FILLS

KIT: Final = Path(__file__).parent / "kit"
"""The folder of style sheets and scripts; a server of pages serves them as files."""
_STYLES: Final = ("base.css", "board.css")
_SCRIPTS: Final = (
    "theme.js",
    "elements.js",
    "keys.js",
    "data.js",
    "interval.js",
    "numbering.js",
    "board.js",
    "why.js",
)
_MODULES_WORDS: Final = re.compile(r"^(?:import .*\n|export )", re.MULTILINE)


def single_file(
    package: str,
    name: str,
    scripts: Sequence[str],
    data: dict[str, Any],
    *,
    asks_server: bool = False,
) -> str:
    """Return a page with the kit; equal data give equal pages.

    Args:
        package: The package whose folder ``web`` contains the page.
        name: ``NAME.html`` has the placeholders ``<!--HEAD-->``, for all before the title,
            ``<!--DATA-->`` and ``<!--SCRIPT-->``. ``NAME.css`` is the page's own style; the colours
            of the seats, ``--seat0`` and so on, are added.
        scripts: The page's own scripts, joined in this order after those of the kit.
        data: JSON-able; the page contains it as base64 of gzip of JSON, which the kit's `openPage`
            reads.
        asks_server: Whether the script may send requests to the page's server.
    """
    own = files(package) / "web"
    style = "".join(_kit(sheet) for sheet in _STYLES)
    style += (own / f"{name}.css").read_text(encoding="utf-8")
    script = "".join(_MODULES_WORDS.sub("", _kit(module)) for module in _SCRIPTS)
    script += "".join((own / each).read_text(encoding="utf-8") for each in scripts)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    shades = zip(SEAT_FILLS, DARK_SEAT_FILLS, strict=True)
    colors = "".join(
        f"--seat{seat}:light-dark({light},{dark});" for seat, (light, dark) in enumerate(shades)
    )
    connect = "connect-src 'self'; " if asks_server else ""
    filled = {
        "HEAD": (Path(__file__).parent / "head.html").read_text(encoding="utf-8").rstrip("\n"),
        "POLICY": f"default-src 'none'; script-src 'sha256-{digest}'; "
        f"style-src 'unsafe-inline'; font-src data:; {connect}base-uri 'none'; form-action 'none'",
        "STYLE": f":root{{{colors}}}\n" + style,
        "DATA": _packed(data),
        "SCRIPT": script,
    }
    page = (own / f"{name}.html").read_text(encoding="utf-8")
    for place, text in filled.items():
        page = page.replace(f"<!--{place}-->", text)
    return page


def _kit(name: str) -> str:
    return (KIT / name).read_text(encoding="utf-8")


def _packed(data: dict[str, Any]) -> str:
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
