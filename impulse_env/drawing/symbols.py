"""What is drawn again and again, defined once: cards, gems, the marks of the seats.

A card is drawn in four sizes: ``face-41`` is what is printed on it, to be laid over the paper of
a cell; ``card-41`` is a card with its paper; ``chip-41`` is a small one without its effect, and
``gems-41`` a mineral, of which gems alone matter.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from impulse_env.drawing.elements import Box, element, group, polygon, rectangle, text
from impulse_env.drawing.lettering import LEADING, size_to_fit, width_of
from impulse_env.engine.cards import (
    ACTION_BY_CARD,
    COLOR_BY_CARD,
    NUMBER_BY_CARD,
    SIZE_BY_CARD,
    TEXT_BY_CARD,
)
from impulse_env.engine.constants import MAX_PLAYERS, Card, Color, Race
from impulse_env.text.describe import COMMON_TECH_TEXT, RACE_TECH_TEXTS, card_text

CARD_WIDTH: Final = 106
CARD_HEIGHT: Final = 76
CHIP_WIDTH: Final = 50
CHIP_HEIGHT: Final = 32
SIZES: Final = {
    "card": (CARD_WIDTH, CARD_HEIGHT),
    "chip": (CHIP_WIDTH, CHIP_HEIGHT),
    "gems": (CHIP_WIDTH, 15),
}
"""Width and height of a card by the first word of its drawing's name."""
_MARGIN: Final = 4
_TITLE: Final = 16
"""Height of the line with the action and the gems."""
_GEM: Final = 10.5


def title_of(words: str) -> str:
    """Return the tooltip of the element it stands in."""
    return element("title", escape(words))


def _defined(name: str, content: str) -> str:
    """Return a definition; browsers look for its style in itself, not where it is used."""
    return group(content, id=name, class_="impulse")


# --- Cards ------------------------------------------------------------------------------------


@cache
def _gems(color: Color, count: int, right: float, top: float, size: float) -> str:
    """Draw a gem with its colour's letter for each icon of a card, to the left of `right`."""
    name = color.name
    drawn = ""
    for icon in range(count):
        x = right - (size + 1) * (count - icon) + 1
        cut = size * 0.28
        drawn += polygon(
            [
                (x + cut, top),
                (x + size - cut, top),
                (x + size, top + cut),
                (x + size, top + size - cut),
                (x + size - cut, top + size),
                (x + cut, top + size),
                (x, top + size - cut),
                (x, top + cut),
            ],
            f"gem-{name.lower()}",
        ) + text(
            name[0],
            x + size / 2,
            top + size * 0.84,
            size * 0.9,
            role=f"on-{name.lower()}",
            is_bold=True,
            anchor="middle",
        )
    return drawn


def gem(color: Color, x: float, y: float, size: float) -> str:
    """Draw one gem of a colour."""
    return _gems(color, 1, x + size, y, size)


def _effect(words: str, box: Box, largest: float) -> str:
    """Draw a printed effect, the boxed number in a box, in the middle of `box`."""
    # A space that does not break on either side keeps the number apart from its box.
    printed = words.replace("[", "\xa0").replace("]", "\xa0")
    boxed = words[words.index("[") + 1 : words.index("]")] if "[" in words else ""
    size, lines = size_to_fit([printed], box.width, box.height, largest)
    leading = size * LEADING
    top = box.y + (box.height - leading * len(lines)) / 2
    drawn = ""
    for row, line in enumerate(lines):
        left = box.x + (box.width - width_of(line, size)) / 2
        baseline = top + leading * row + size * 0.93
        drawn += text(line, left, baseline, size)
        before, mark, _ = line.partition(f"\xa0{boxed}\xa0") if boxed else (line, "", "")
        if mark:
            space = width_of("\xa0", size) / 3
            around = Box(
                left + width_of(before, size) + space,
                baseline - size * 0.82,
                width_of(mark, size) - 2 * space,
                size * 0.94,
            )
            drawn += rectangle(around, "boxed")
    return drawn


def _face(title: str, effect: str, corner: str) -> str:
    """Draw what is printed on a card: its title, its gems and its effect."""
    words = Box(0, 0, CARD_WIDTH, CARD_HEIGHT).inset(_MARGIN, _TITLE + 1, _MARGIN, 3)
    heading = text(title, _MARGIN, _TITLE - 4, 11.5, is_bold=True)
    return heading + corner + _effect(effect, words, 12)


@cache
def _definitions_of(card: Card) -> str:
    number, size = NUMBER_BY_CARD[card], int(SIZE_BY_CARD[card])
    color = Color(int(COLOR_BY_CARD[card]))
    title = ACTION_BY_CARD[card].capitalize()
    right = CARD_WIDTH - _MARGIN
    end = right - (_GEM + 1) * size - 3
    corner = text(str(number), end, _TITLE - 4.5, 9, role="m", anchor="end") + _gems(
        color, size, right, 3.5, _GEM
    )
    tooltip = title_of(card_text(card))
    paper = {
        name: rectangle(Box(0, 0, *extent), f"card {color.name.lower()}", 4)
        for name, extent in SIZES.items()
    }

    def small(height: float) -> str:
        """Draw number and gems along the lower edge of a card of that height."""
        return text(str(number), 2.5, height - 4.5, 8, role="m") + _gems(
            color, size, CHIP_WIDTH - 2, height - 12.5, 9.5
        )

    drawn = {
        "face": tooltip + _face(title, TEXT_BY_CARD[card], corner),
        "card": paper["card"] + element("use", href=f"#face-{number}"),
        "chip": tooltip
        + paper["chip"]
        + text(title, CHIP_WIDTH / 2, 13, 11, is_bold=True, anchor="middle")
        + small(CHIP_HEIGHT),
        "gems": tooltip + paper["gems"] + small(SIZES["gems"][1]),
    }
    return "".join(_defined(f"{name}-{number}", content) for name, content in drawn.items())


def _basic_techs() -> str:
    texts = {"common": COMMON_TECH_TEXT} | {
        race.name.lower(): words for race, words in RACE_TECH_TEXTS.items()
    }
    return "".join(
        _defined(
            f"tech-{name}",
            rectangle(Box(0, 0, CARD_WIDTH, CARD_HEIGHT), "card basic", 5)
            + _face("Basic Tech", words, ""),
        )
        for name, words in texts.items()
    )


def definitions(cards: Iterable[Card]) -> str:
    """Return the definitions of those faces, in all their sizes."""
    return element("defs", "".join(_definitions_of(card) for card in cards))


def tech_of(race: int) -> str:
    """Return the name of the drawing of a race's Basic Tech."""
    return f"tech-{Race(race).name.lower()}"


# --- Marks ------------------------------------------------------------------------------------

_SHAPES: Final = (
    (),  # a circle
    ((-9, -9), (9, -9), (9, 9), (-9, 9)),
    ((0, -12.5), (12, 8.5), (-12, 8.5)),
    ((0, -12.5), (12.5, 0), (0, 12.5), (-12.5, 0)),
    ((0, 12.5), (12, -8.5), (-12, -8.5)),
    (
        *((-4.5, -11), (4.5, -11), (4.5, -4.5), (11, -4.5), (11, 4.5), (4.5, 4.5)),
        *((4.5, 11), (-4.5, 11), (-4.5, 4.5), (-11, 4.5), (-11, -4.5), (-4.5, -4.5)),
    ),
)
"""By seat: told apart without colours and without reading the number."""
_NUMBER_Y: Final = (4.6, 4.6, 6.6, 4.6, 2.4, 4.6)


def _mark(seat: int) -> str:
    role = f"seat{seat}"
    shape = polygon(_SHAPES[seat], role) if _SHAPES[seat] else element("circle", class_=role, r=10)
    number = text(str(seat), 0, _NUMBER_Y[seat], 13, role="w", is_bold=True, anchor="middle")
    return _defined(f"mark-{seat}", shape + number)


def symbols() -> str:
    """Return the definitions that belong to no face: marks of the seats, backs, Basic Techs."""
    back = rectangle(Box(0, 0, CHIP_WIDTH, CHIP_HEIGHT), "back", 4) + rectangle(
        Box(3, 3, CHIP_WIDTH - 6, CHIP_HEIGHT - 6), "backmark", 3
    )
    return element(
        "defs",
        "".join(_mark(seat) for seat in range(MAX_PLAYERS))
        + _defined("back", back)
        + _basic_techs(),
    )
