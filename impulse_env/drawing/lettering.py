"""The width of texts, and line breaks, by the widths of the bundled font."""

import base64
import json
from collections.abc import Sequence
from importlib.resources import files
from typing import Final

_FONT: Final = files("impulse_env.drawing.font")
_WIDTHS: Final[dict[str, dict[str, float]]] = json.loads(
    (_FONT / "widths.json").read_text(encoding="utf-8")
)
FILES: Final = {
    400: str(_FONT / "RobotoCondensed-Regular.ttf"),
    700: str(_FONT / "RobotoCondensed-Bold.ttf"),
}
"""The font files by weight."""
FAMILY: Final = "Roboto Condensed"
LEADING: Final = 1.14
"""Distance between two lines, in font sizes."""


def font_faces() -> str:
    """Return the CSS that contains the font, for browsers."""
    return "".join(
        f"@font-face{{font-family:'{FAMILY}';font-weight:{weight};"
        f"src:url(data:font/ttf;base64,{_encoded(path)})}}"
        for weight, path in FILES.items()
    )


def _encoded(path: str) -> str:
    with open(path, "rb") as file:
        return base64.b64encode(file.read()).decode("ascii")


def width_of(words: str, size: float, is_bold: bool = False) -> float:
    """Return the width of a line; raises `KeyError` for a letter that the font does not have."""
    widths = _WIDTHS["bold" if is_bold else "regular"]
    return size * sum(widths[letter] for letter in words)


def wrapped(words: str, width: float, size: float) -> list[str]:
    """Break a text at its spaces into lines of at most that width, if each word fits."""
    lines: list[str] = []
    for word in words.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def size_to_fit(
    paragraphs: Sequence[str],
    width: float,
    height: float,
    largest: float,
) -> tuple[float, list[str]]:
    """Return the largest font size in which the paragraphs fit a box, and their lines.

    The size decreases from `largest` in small steps, without a lower limit.
    """
    size = largest
    while True:
        lines = [line for words in paragraphs for line in wrapped(words, width, size)]
        widest = max((width_of(line, size) for line in lines), default=0.0)
        if widest <= width and len(lines) * size * LEADING <= height:
            return size, lines
        size = round(size - (0.5 if size > 6 else 0.1), 1)
