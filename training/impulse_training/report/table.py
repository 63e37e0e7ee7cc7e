"""A table of text, to be printed, written as Markdown or put into a page."""

from dataclasses import dataclass
from typing import Final

from impulse_training.statistics.intervals import Share

EMPTY: Final = "-"


PER_CENT: Final = ",\u00a0%"
"""After a heading; no line breaks before the sign."""


@dataclass(frozen=True)
class Table:
    """A table of text.

    Attributes:
        title: What it shows.
        columns: Their headings; the first column is text, the others are numbers.
        rows: As many cells each.
        note: How to read it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share as a number of per cents."""
    return EMPTY if share is None else f"{100 * share:z.{digits}f}"


def with_interval(won: Share) -> str:
    """Return a share and its interval as text."""
    return with_ends(won.share, (won.low, won.high))


def with_ends(share: float | None, ends: tuple[float | None, float | None] | None) -> str:
    """Return a share as a number of per cents, and the ends of its interval if it has any."""
    if share is None or ends is None or None in ends:
        return percent(share)
    return f"{percent(share)} [{percent(ends[0])}, {percent(ends[1])}]"
