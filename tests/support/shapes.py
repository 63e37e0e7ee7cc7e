"""Where the words and the rectangles of a drawing are on the page, with all copies resolved."""

import re
from dataclasses import dataclass
from xml.etree import ElementTree

from impulse_env.drawing.lettering import width_of

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Shape:
    """A text or a rectangle, with its place on the page."""

    part: str
    tag: str
    role: str
    words: str
    size: float
    left: float
    top: float
    right: float
    bottom: float

    def is_inside(self, box, slack=0.2):
        return (
            self.left >= box.left - slack
            and self.top >= box.top - slack
            and self.right <= box.right + slack
            and self.bottom <= box.bottom + slack
        )


def shapes_of(document):
    """Return every text and rectangle of a drawing, in drawing order."""
    root = ElementTree.fromstring(document)
    defined = {node.get("id"): node for node in root.iter() if node.get("id")}
    found = []
    for part in root:
        _walk(part, (0.0, 0.0, 1.0, 1.0), part.get("id").removeprefix("part-"), defined, found)
    return found


def _walk(node, place, part, defined, found):
    x, y, across, down = _moved(place, node)
    tag = node.tag.removeprefix(SVG)
    if tag in ("defs", "style", "title"):
        return
    if tag == "use":
        offset = float(node.get("x", 0)), float(node.get("y", 0))
        at = (x + across * offset[0], y + down * offset[1], across, down)
        _walk(defined[node.get("href").removeprefix("#")], at, part, defined, found)
    elif tag == "rect":
        left, top = x + across * float(node.get("x")), y + down * float(node.get("y"))
        box = left, top, left + across * float(node.get("width")), 0
        bottom = top + down * float(node.get("height"))
        found.append(Shape(part, tag, node.get("class", ""), "", 0, *box[:3], bottom))
    elif tag == "text":
        found.append(_text(node, (x, y, across, down), part))
    for child in node:
        _walk(child, (x, y, across, down), part, defined, found)


def _moved(place, node):
    x, y, across, down = place
    for name, values in re.findall(r"(\w+)\(([^)]*)\)", node.get("transform", "")):
        numbers = [float(value) for value in re.split(r"[ ,]+", values)]
        if name == "translate":
            x, y = x + across * numbers[0], y + down * numbers[1]
        else:
            assert name == "scale"
            across, down = across * numbers[0], down * numbers[-1]
    return x, y, across, down


def _text(node, place, part):
    x, y, across, down = place
    size, role = float(node.get("font-size")), node.get("class", "")
    width = across * width_of(node.text, size, "b" in role.split())
    left = x + across * float(node.get("x"))
    left -= {None: 0, "middle": width / 2, "end": width}[node.get("text-anchor")]
    baseline = y + down * float(node.get("y"))
    # Capitals are 0.71 of the size high, and nothing goes deeper than 0.21 (g, p).
    top, bottom = baseline - 0.71 * down * size, baseline + 0.21 * down * size
    return Shape(part, "text", role, node.text, down * size, left, top, left + width, bottom)
