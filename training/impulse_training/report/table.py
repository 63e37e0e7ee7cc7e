"""A table of text, to be printed, written as Markdown or put into a page."""

from dataclasses import dataclass
from typing import Final

from impulse_training.statistics.intervals import Share

EMPTY: Final = "-"


PER_CENT: Final = ",\u00a0%"
"""The unit after a heading, with a no-break space."""


@dataclass(frozen=True)
class Table:
    """A table of text.

    Attributes:
        title: The title.
        columns: The headings; the first column is text, the others are numbers.
        rows: The rows, each with one cell per column.
        note: An explanation of the columns.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def percent(share: float | None, digits: int = 1) -> str:
    """Return a share, 0 to 1, as a percentage without the sign."""
    return EMPTY if share is None else f"{100 * share:z.{digits}f}"


def with_interval(won: Share) -> str:
    """Return a share and its interval as text."""
    return with_ends(won.share, (won.low, won.high))


def with_ends(share: float | None, ends: tuple[float | None, float | None] | None) -> str:
    """Return a share as a percentage, with the ends of its interval if it has one."""
    if share is None or ends is None or None in ends:
        return percent(share)
    return f"{percent(share)} [{percent(ends[0])}, {percent(ends[1])}]"
