"""A replay as one HTML file that needs nothing else, no network either.

The script puts texts on the page as texts: the name of an agent cannot become a part of the page.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from impulse_env.files import write_atomically
from impulse_env.pages.single_file import single_file
from impulse_env.records.record import Record
from impulse_env.replay.analysis import Analysis
from impulse_env.replay.bundle import bundle
from impulse_env.replay.steps import Viewer, ViewerError, all_viewers

_SCRIPTS: Final = (
    "store.js",
    "log.js",
    "decision.js",
    "plot.js",
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
    return single_file(
        "impulse_env.replay",
        "page",
        _SCRIPTS,
        bundle(record, shown, analysis) | {"branches": branches},
        asks_server=bool(branches),
    )


def write(
    record: Record,
    path: str | Path,
    eyes: Sequence[Viewer] | None = None,
    analysis: Analysis | None = None,
) -> None:
    """Write the page into a file; arguments and errors as of `page`."""
    write_atomically(path, page(record, eyes, analysis))
