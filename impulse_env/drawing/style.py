"""Colours and classes; a letter, a number or a shape repeats the meaning of each colour."""

from typing import Final

from impulse_env.drawing.lettering import FAMILY, font_faces
from impulse_env.engine.constants import Color

INK: Final = "#1d2430"
PAPER: Final = "#fbfaf7"
_GEM_BY_COLOR: Final = {
    Color.RED: ("#b3261e", "#fff"),
    Color.BLUE: ("#1b5fab", "#fff"),
    Color.GREEN: ("#2a7a3b", "#fff"),
    Color.YELLOW: ("#e3b505", INK),
}
"""The colours of a gem's fill and of its letter."""
PAPER_BY_COLOR: Final = {
    Color.RED: "#f9d8d2",
    Color.BLUE: "#d3e4f8",
    Color.GREEN: "#d5edd3",
    Color.YELLOW: "#fbf0bb",
}
"""The colours of cards, pale enough for black text."""
FACE_DOWN: Final = "#dcdfe5"
SECTOR_CORE: Final = "#e6daf5"
SEAT_FILLS: Final = ("#0072b2", "#bc4800", "#00795a", "#a8407c", "#5b3fd0", "#5a3c1e")
"""Colours by Okabe and Ito for all kinds of vision, darkened so that white numbers are legible."""
DARK_SEAT_FILLS: Final = ("#56b4e9", "#f0894a", "#3fc79a", "#e58fc6", "#aa9cff", "#c9a06a")
"""The same hues for a dark background, light enough for dark numbers."""
_PALETTE: Final = {
    "ink": (INK, "#e8ebf0"),
    "quiet": ("#5d6675", "#a9b3c1"),
    "inverse": ("#fff", "#14181f"),
    "paper": (PAPER, "#14181f"),
    "panel": ("#fff", "#1e242d"),
    "line": ("#c9cdd4", "#3f4957"),
    "edge": ("#555d6b", "#8d97a6"),
    "basic": ("#e9eaee", "#2b323d"),
    "back": ("#6b7586", "#4a5364"),
    "outline": ("#3d4452", "#828d9d"),
    "backmark": ("#aab2c0", "#8d97a6"),
    "down": (FACE_DOWN, "#2c333e"),
    "core": (SECTOR_CORE, "#43345f"),
    "hole": ("#f1f1ef", "#191e26"),
    "track": ("#e3e6eb", "#39424f"),
    "red": (PAPER_BY_COLOR[Color.RED], "#5a2b2b"),
    "blue": (PAPER_BY_COLOR[Color.BLUE], "#1f3d63"),
    "green": (PAPER_BY_COLOR[Color.GREEN], "#24492d"),
    "yellow": (PAPER_BY_COLOR[Color.YELLOW], "#51451b"),
    **{
        f"seat{seat}": shades
        for seat, shades in enumerate(zip(SEAT_FILLS, DARK_SEAT_FILLS, strict=True))
    },
}
"""By name: the colours on a light and on a dark background."""
_RULES: Final = {
    "text": "font-family:'{family}',sans-serif;font-kerning:none;fill:{ink}",
    "text.b": "font-weight:700",
    "text.w": "fill:{inverse}",
    "text.m": "fill:{quiet}",
    ".paper": "fill:{paper}",
    ".panel": "fill:{panel};stroke:{line}",
    ".panel.on": "stroke:{ink};stroke-width:2.5",
    ".card": "stroke:{edge};stroke-width:.8",
    ".basic": "fill:{basic}",
    ".back": "fill:{back};stroke:{outline};stroke-width:.8",
    ".backmark": "fill:none;stroke:{backmark};stroke-width:1",
    ".boxed": "fill:none;stroke:{ink};stroke-width:.7",
    ".hex": "stroke:{outline};stroke-width:1",
    ".down": "fill:{down}",
    ".core": "fill:{core}",
    ".hole": "fill:{hole}",
    ".secret": "fill-opacity:.45;stroke-dasharray:5 3",
    ".dot": "fill:#8d96a5",
    ".touch": "fill:#fff;fill-opacity:0",
    ".home": "fill:none;stroke-width:4",
    ".pill": "fill:{panel};stroke-width:1.6",
    ".inuse": "fill:none;stroke:{ink};stroke-width:2.5",
    ".flag": "fill:{ink}",
    ".track": "fill:{track}",
}


def style_sheet(has_dark: bool = False) -> str:
    """Return the CSS for drawings in an element of the class ``impulse``.

    Args:
        has_dark: Whether the colours follow the page's ``color-scheme``, which needs a browser. If
            False, they are always the light ones.
    """
    rules = dict(_RULES)
    for color in Color:
        name = color.name.lower()
        fill, letter = _GEM_BY_COLOR[color]
        rules[f".{name}"] = f"fill:{{{name}}}"
        rules[f".gem-{name}"] = f"fill:{fill};stroke:{INK};stroke-width:.5"
        rules[f"text.on-{name}"] = f"fill:{letter}"
    for seat in range(len(SEAT_FILLS)):
        rules[f".seat{seat}"] = f"fill:{{seat{seat}}}"
        rules[f".rim{seat}"] = f"stroke:{{seat{seat}}}"
    shades = {
        name: f"light-dark({light},{dark})" if has_dark else light
        for name, (light, dark) in _PALETTE.items()
    }
    return font_faces() + "".join(
        f".impulse {name}{{{rule.format(family=FAMILY, **shades)}}}" for name, rule in rules.items()
    )
