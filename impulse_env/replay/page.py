"""A replay as one HTML file that needs no other files and no network.

The script inserts texts as text nodes, so the name of an agent cannot become markup.
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
    "follower.js",
    "player.js",
)
"""The scripts of the page, joined in this order."""


def page(
    record: Record,
    viewers: Sequence[Viewer] | None = None,
    analysis: Analysis | None = None,
    branches: str = "",
    follows: str = "",
) -> str:
    """Return the page.

    Args:
        record: The game.
        viewers: The viewers to choose from, in this order; None: all of them. The file contains
            only what at least one of them may know.
        analysis: The analysis of the game. It reveals the legal actions of every seat, so it needs
            a page for all viewers.
        branches: The path on the page's server that answers questions about branches of the game;
            empty: the page sends no requests.
        follows: The path on the page's server of an analysis that is not finished, which fills in;
            empty: `analysis` is all.

    Raises:
        ViewerError: Both `analysis` and `viewers` are given.
    """
    if analysis is not None and viewers is not None:
        raise ViewerError(
            "an analysis reveals the legal actions of every seat: its page must be for all viewers"
        )
    chosen = all_viewers(record.header.options.players) if viewers is None else viewers
    return single_file(
        "impulse_env.replay",
        "page",
        _SCRIPTS,
        bundle(record, chosen, analysis) | {"branches": branches, "follows": follows},
        asks_server=bool(branches),
    )


def write(
    record: Record,
    path: str | Path,
    viewers: Sequence[Viewer] | None = None,
    analysis: Analysis | None = None,
) -> None:
    """Write the page into a file; arguments and errors as in `page`."""
    write_atomically(path, page(record, viewers, analysis))
