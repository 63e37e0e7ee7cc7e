"""Colours and classes. What a colour says is said by a letter, a number or a shape as well."""

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
"""Fill and letter."""
PAPER_BY_COLOR: Final = {
    Color.RED: "#f9d8d2",
    Color.BLUE: "#d3e4f8",
    Color.GREEN: "#d5edd3",
    Color.YELLOW: "#fbf0bb",
}
"""Of cards; pale enough for black words."""
FACE_DOWN: Final = "#dcdfe5"
SECTOR_CORE: Final = "#e6daf5"
SEAT_FILLS: Final = ("#0072b2", "#c04a00", "#00795a", "#a8407c", "#5b3fd0", "#5a3c1e")
"""After Okabe and Ito, darker, so that white numbers can be read on them."""
_RULES: Final = {
    "text": f"font-family:'{FAMILY}',sans-serif;font-kerning:none;fill:{INK}",
    "text.b": "font-weight:700",
    "text.w": "fill:#fff",
    "text.m": "fill:#5d6675",
    ".paper": f"fill:{PAPER}",
    ".panel": "fill:#fff;stroke:#c9cdd4",
    ".panel.on": f"stroke:{INK};stroke-width:2.5",
    ".card": "stroke:#555d6b;stroke-width:.8",
    ".basic": "fill:#e9eaee",
    ".back": "fill:#6b7586;stroke:#3d4452;stroke-width:.8",
    ".backmark": "fill:none;stroke:#aab2c0;stroke-width:1",
    ".boxed": f"fill:none;stroke:{INK};stroke-width:.7",
    ".hex": "stroke:#3d4452;stroke-width:1",
    ".down": f"fill:{FACE_DOWN}",
    ".core": f"fill:{SECTOR_CORE}",
    ".hole": "fill:#f1f1ef",
    ".secret": "fill-opacity:.45;stroke-dasharray:5 3",
    ".dot": "fill:#8d96a5",
    ".touch": "fill:#fff;fill-opacity:0",
    ".home": "fill:none;stroke-width:4",
    ".pill": "fill:#fff;stroke-width:1.6",
    ".inuse": f"fill:none;stroke:{INK};stroke-width:2.5",
    ".flag": f"fill:{INK}",
    ".track": "fill:#e3e6eb",
}


def style_sheet() -> str:
    """Return the CSS, for drawings in an element of the class ``impulse``."""
    rules = dict(_RULES)
    for color in Color:
        name = color.name.lower()
        fill, letter = _GEM_BY_COLOR[color]
        rules[f".{name}"] = f"fill:{PAPER_BY_COLOR[color]}"
        rules[f".gem-{name}"] = f"fill:{fill};stroke:{INK};stroke-width:.5"
        rules[f"text.on-{name}"] = f"fill:{letter}"
    for seat, fill in enumerate(SEAT_FILLS):
        rules[f".seat{seat}"] = f"fill:{fill}"
        rules[f".rim{seat}"] = f"stroke:{fill}"
    return font_faces() + "".join(f".impulse {name}{{{rule}}}" for name, rule in rules.items())
