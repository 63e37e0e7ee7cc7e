"""Symbols that are defined once and drawn often: cards, gems, marks of the seats; rows of cards.

A card has four drawings:

    ``face-41``  its print without paper, for a cell
    ``card-41``  the whole card
    ``chip-41``  a small card without its effect
    ``gems-41``  a mineral card, which shows only its gems
"""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final
from xml.sax.saxutils import escape

from impulse_env.drawing.elements import Box, element, group, polygon, rectangle, text, use
from impulse_env.drawing.lettering import LEADING, size_to_fit, width_of
from impulse_env.engine.cards import (
    ACTION_BY_CARD,
    COLOR_BY_CARD,
    NUMBER_BY_CARD,
    SIZE_BY_CARD,
    TEXT_BY_CARD,
)
from impulse_env.engine.constants import FACES, MAX_PLAYERS, RUNNING, Card, Color, Op, Race, State
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
    """Return a tooltip for the surrounding element."""
    return element("title", escape(words))


def _defined(name: str, content: str) -> str:
    """Return a definition; browsers style it by its own classes, not by those of its uses."""
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
    # A non-breaking space on either side separates the number from its box.
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
    """Draw the print of a card: its title, its gems and its effect."""
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
"""The shapes by seat, which distinguish seats without colours and numbers."""
_NUMBER_Y: Final = (4.6, 4.6, 6.6, 4.6, 2.4, 4.6)


def _mark(seat: int) -> str:
    role = f"seat{seat}"
    shape = polygon(_SHAPES[seat], role) if _SHAPES[seat] else element("circle", class_=role, r=10)
    number = text(str(seat), 0, _NUMBER_Y[seat], 13, role="w", is_bold=True, anchor="middle")
    return _defined(f"mark-{seat}", shape + number)


def symbols() -> str:
    """Return the definitions other than faces: marks of the seats, backs, Basic Techs."""
    back = rectangle(Box(0, 0, CHIP_WIDTH, CHIP_HEIGHT), "back", 4) + rectangle(
        Box(3, 3, CHIP_WIDTH - 6, CHIP_HEIGHT - 6), "backmark", 3
    )
    return element(
        "defs",
        "".join(_mark(seat) for seat in range(MAX_PLAYERS))
        + _defined("back", back)
        + _basic_techs(),
    )


_GAP: Final = 3
_SMALLEST: Final = 0.8


def used_index(state: State, phase: Op) -> int:
    """Return the place of the card that the phase offers or uses, -1 in another phase.

    A card in use stays in its place, and the cursor is one past it (R7).
    """
    if state["phase"] != phase or state["status"] != RUNNING:
        return -1
    return int(state["cursor"]) - (1 if state["stack_count"] else 0)


def drawn_cards(cards: Sequence[Card], box: Box, size: str, in_use: int = -1) -> str:
    """Draw cards into a box, reduced if there are many.

    Args:
        cards: Faces, or `HIDDEN` for a back.
        box: The box.
        size: One of `SIZES`.
        in_use: Index of the card with a rim; -1 for none.
    """
    width, height = SIZES[size]
    scale, corners = flow(len(cards), box, width + _GAP, height + _GAP)
    drawn = ""
    for index, (card, (x, y)) in enumerate(zip(cards, corners, strict=True)):
        place = f"translate({x:.5g} {y:.5g}) scale"
        if not 0 <= card < FACES:
            across, down = scale * width / CHIP_WIDTH, scale * height / CHIP_HEIGHT
            drawn += use("back", 0, 0, transform=f"{place}({across:.4g} {down:.4g})")
        else:
            name, face = f"{size}-{NUMBER_BY_CARD[card]}", f"card {NUMBER_BY_CARD[card]}"
            if scale == 1:
                drawn += use(name, x, y, data_face=face)
            else:
                drawn += use(name, 0, 0, transform=f"{place}({scale:.4g})", data_face=face)
        if index == in_use:
            rim = Box(x - 1, y - 1, width * scale + 2, height * scale + 2)
            drawn += rectangle(rim, "inuse", 5 * scale)
    return drawn


def drawn_to_read(cards: Sequence[Card], box: Box, sizes: tuple[str, str]) -> str:
    """Draw cards in the first of two `SIZES`, or in the second if they would become too small."""
    scale, _ = flow(len(cards), box, *SIZES[sizes[0]])
    return drawn_cards(cards, box, sizes[0] if scale > _SMALLEST else sizes[1])


def flow(
    count: int, box: Box, width: float, height: float
) -> tuple[float, list[tuple[float, float]]]:
    """Lay out equal items row by row, reduced until all of them fit the box.

    Args:
        count: Number of items.
        box: The box.
        width: Width of one item with its margin.
        height: Height of one item with its margin.

    Returns:
        The scale, at most 1, and the top left corner of each item.
    """
    scale = min(1.0, box.width / width, box.height / height)
    while True:
        columns = int(box.width / (width * scale) + 1e-9)
        rows = int(box.height / (height * scale) + 1e-9)
        if columns * rows >= count:
            break
        scale *= 0.98
    return scale, [
        (
            box.x + width * scale * (index % columns),
            box.y + height * scale * (index // columns),
        )
        for index in range(count)
    ]
