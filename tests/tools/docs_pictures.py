"""Make pictures of the table and the boards in docs/ from those that the tests of the pages took.

    make pictures

Screens that the documentation shows side by side are joined to one picture.
"""

from pathlib import Path
from typing import Final

from PIL import Image

from table_pages import PICTURES

DOCS: Final = Path(__file__).parents[2] / "docs"
JOINED: Final = {
    "table_phone": (
        *("phone-0-start", "phone-1-taken-back", "phone-2-the-end", "phone-3-the-moment"),
    ),
    "table_link": ("phone-4-the-link",),
    "table_dark": ("21-small-laptop-dark",),
    "table_people": ("people-away",),
    "mistakes": ("mistakes-profile", "mistakes-puzzle", "mistakes-verdict"),
    "analysis": ("board-analysis",),
    "what_if": ("board-what-if",),
    "replay": ("board-replay",),
}
"""The screens of each picture, from left to right."""
GAP: Final = 16
COLORS: Final = 128
"""Colors of a picture: enough for drawings in plain colors, at a third of the size."""


def joined(names: tuple[str, ...]) -> Image.Image:
    """Return screens beside one another."""
    screens = [Image.open(PICTURES / f"{name}.png").convert("RGB") for name in names]
    width = sum(screen.width for screen in screens) + GAP * (len(screens) - 1)
    whole = Image.new("RGB", (width, max(screen.height for screen in screens)), "white")
    left = 0
    for screen in screens:
        whole.paste(screen, (left, 0))
        left += screen.width + GAP
    return whole.quantize(COLORS, dither=Image.Dither.NONE)


if __name__ == "__main__":
    for name, screens in JOINED.items():
        target = DOCS / f"{name}.png"
        joined(screens).save(target, optimize=True)
        print(f"{target.relative_to(DOCS.parent)}: {target.stat().st_size / 1000:.0f} kB")
