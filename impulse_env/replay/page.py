"""A replay as one HTML file that needs nothing else, no network either.

All that comes from the record is in the compressed data, and the script puts texts on the page as
texts: the name of an agent cannot become a part of the page. A policy in the file lets no other
script run and nothing be loaded.
"""

import base64
import gzip
import hashlib
import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from impulse_env.drawing.style import DARK_SEAT_FILLS, SEAT_FILLS, theme_switch
from impulse_env.files import write_atomically
from impulse_env.records.record import Record
from impulse_env.replay.analysis import Analysis
from impulse_env.replay.bundle import bundle
from impulse_env.replay.steps import Viewer, ViewerError, all_viewers

_SCRIPTS: Final = (
    "store.js",
    "board.js",
    "log.js",
    "decision.js",
    "chart.js",
    "learning.js",
    "analysis.js",
    "branches.js",
    "tree.js",
    "whatif.js",
    "player.js",
)
"""Joined in this order."""


def page(
    record: Record,
    eyes: Sequence[Viewer] | None = None,
    analysis: Analysis | None = None,
    branches: str = "",
) -> str:
    """Return the page.

    Args:
        record: The game.
        eyes: Who may look on, the first of them first; all if not given. The file tells nothing
            that none of them may know.
        analysis: What was found out about the game. It tells what every seat could choose, and so
            is for a file by all eyes alone.
        branches: Where the server that the page comes from answers questions about branches of the
            game, a path; empty: the page asks nobody anything.

    Raises:
        ViewerError: There is an analysis, and there are `eyes`.
    """
    if analysis is not None and eyes is not None:
        raise ViewerError("an analysis tells what every seat could choose: its page is for all")
    shown = all_viewers(record.header.options.players) if eyes is None else eyes
    script = theme_switch() + "".join(_resource(name) for name in _SCRIPTS)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    shades = zip(SEAT_FILLS, DARK_SEAT_FILLS, strict=True)
    colors = "".join(
        f"--seat{seat}:light-dark({light},{dark});" for seat, (light, dark) in enumerate(shades)
    )
    connect = "connect-src 'self'; " if branches else ""
    filled = {
        "POLICY": f"default-src 'none'; script-src 'sha256-{digest}'; "
        f"style-src 'unsafe-inline'; font-src data:; {connect}base-uri 'none'; form-action 'none'",
        "STYLE": f":root{{{colors}}}\n" + _resource("page.css"),
        "DATA": _packed(bundle(record, shown, analysis) | {"branches": branches}),
        "SCRIPT": script,
    }
    html = _resource("page.html")
    for name, text in filled.items():
        html = html.replace(f"<!--{name}-->", text)
    return html


def write(
    record: Record,
    path: str | Path,
    eyes: Sequence[Viewer] | None = None,
    analysis: Analysis | None = None,
) -> None:
    """Write the page into a file; arguments and errors as of `page`."""
    write_atomically(path, page(record, eyes, analysis))


def _packed(data: dict[str, Any]) -> str:
    """Return the data as base64 of gzip of JSON; the same for the same data."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()


def _resource(name: str) -> str:
    return (files("impulse_env.replay") / "web" / name).read_text(encoding="utf-8")
