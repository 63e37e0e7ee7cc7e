"""Cards beside each other, as many as there are."""

from collections.abc import Sequence
from typing import Final

from impulse_env.drawing.elements import Box, rectangle, use
from impulse_env.drawing.symbols import CHIP_HEIGHT, CHIP_WIDTH, SIZES
from impulse_env.engine.cards import NUMBER_BY_CARD
from impulse_env.engine.constants import FACES, RUNNING, Card, Op, State

_GAP: Final = 3
_SMALLEST: Final = 0.8


def used_index(state: State, phase: Op) -> int:
    """Return the place of the card that the phase offers or uses, -1 in another phase.

    While a card is in use it stays where it is, and the cursor is one past it (R7).
    """
    if state["phase"] != phase or state["status"] != RUNNING:
        return -1
    return int(state["cursor"]) - (1 if state["stack_count"] else 0)


def drawn_cards(cards: Sequence[Card], box: Box, size: str, in_use: int = -1) -> str:
    """Draw cards into a box, smaller if they are many.

    Args:
        cards: Faces, or `HIDDEN` for a back.
        box: Where.
        size: One of `SIZES`.
        in_use: Index of the one with a rim.
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
    """Draw cards in the first of two of the `SIZES`, or in the second if many would be small."""
    scale, _ = flow(len(cards), box, *SIZES[sizes[0]])
    return drawn_cards(cards, box, sizes[0] if scale > _SMALLEST else sizes[1])


def flow(
    count: int, box: Box, width: float, height: float
) -> tuple[float, list[tuple[float, float]]]:
    """Lay out equal things row by row; they become smaller until all of them are in the box.

    Args:
        count: How many.
        box: Where.
        width: Of one thing with its margin.
        height: Of one thing with its margin.

    Returns:
        The scale, at most 1, and the top left corner of each.
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
