"""SVG elements as text, and boxes to place them."""

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple, Self
from xml.sax.saxutils import escape, quoteattr

from impulse_env.drawing.lettering import LEADING, size_to_fit, width_of

_ASCENT: Final = 0.93
"""Distance from the top of a line to its baseline, in font sizes."""


class Box(NamedTuple):
    """A rectangle: its top left corner and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        """The right edge."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.y + self.height

    def inset(self, left: float, top: float, right: float, bottom: float) -> Self:
        """Return the box with these margins removed."""
        return self._replace(
            x=self.x + left,
            y=self.y + top,
            width=self.width - left - right,
            height=self.height - top - bottom,
        )


def short(value: float) -> str:
    """Return a number with at most one decimal."""
    # Adding zero turns -0 into 0.
    return f"{round(value, 1) + 0.0:.10g}"


_quoted = lru_cache(maxsize=4096)(quoteattr)
"""Cached, because most texts occur in every drawing."""


def element(tag: str, content: str = "", /, **attributes: str | float | None) -> str:
    """Return an element.

    Args:
        tag: Its name.
        content: Its content, as SVG.
        **attributes: Its attributes. An underscore in a name becomes a hyphen, and ``class_``
            becomes class. Numbers are shortened to one decimal, texts are quoted, and None leaves
            an attribute out.
    """
    written = "".join(
        f" {name.strip('_').replace('_', '-')}="
        + (f'"{short(value)}"' if isinstance(value, (int, float)) else _quoted(value))
        for name, value in attributes.items()
        if value is not None
    )
    return f"<{tag}{written}>{content}</{tag}>" if content else f"<{tag}{written}/>"


def group(content: str, /, **attributes: str | float | None) -> str:
    """Return a group."""
    return element("g", content, **attributes)


def rectangle(box: Box, role: str, radius: float = 0) -> str:
    """Return a rectangle with a CSS class."""
    return element(
        "rect",
        class_=role,
        x=box.x,
        y=box.y,
        width=box.width,
        height=box.height,
        rx=radius or None,
    )


def polygon(corners: Sequence[tuple[float, float]], role: str | None = None) -> str:
    """Return a polygon with a CSS class."""
    points = " ".join(f"{short(x)},{short(y)}" for x, y in corners)
    return element("polygon", class_=role, points=points)


def use(name: str, x: float, y: float, **attributes: str | float | None) -> str:
    """Return a copy of a defined drawing at a position."""
    return element("use", href=f"#{name}", x=x, y=y, **attributes)


def text(
    words: str,
    x: float,
    baseline: float,
    size: float,
    *,
    role: str | None = None,
    is_bold: bool = False,
    anchor: str | None = None,
) -> str:
    """Return a line of text; `anchor` is None (begins at x), "middle" or "end"."""
    roles = " ".join(filter(None, (role, "b" if is_bold else None))) or None
    return element(
        "text",
        escape(words),
        class_=roles,
        x=x,
        y=baseline,
        font_size=size,
        text_anchor=anchor,
    )


def line_to_fit(
    words: str,
    x: float,
    baseline: float,
    width: float,
    size: float,
    *,
    anchor: str | None = None,
) -> str:
    """Return a line of text, smaller if it would be wider than `width`."""
    wide = width_of(words, size)
    fitting = size if wide <= width else math.floor(10 * size * width / wide) / 10
    return text(words, x, baseline, fitting, anchor=anchor)


def paragraphs(words: Sequence[str], box: Box, largest: float) -> str:
    """Return texts below each other, in the largest font size that fits the box."""
    size, lines = size_to_fit(words, box.width, box.height, largest)
    return "".join(
        text(line, box.x, box.y + size * (_ASCENT + LEADING * row), size)
        for row, line in enumerate(lines)
    )
