"""What all effects on cards of the hand have in common: colors, sizes and number (p. 24)."""

import pytest

from helpers import known, names, play
from printed import (
    COLORS,
    NEXT,
    PRINTED,
    SIZES,
    cards_of,
    color_and_size,
    gems,
    is_done,
    name_of,
    offering,
    using,
)

TRADE = [
    (11, ("red",), 3, 1, "count"),
    (16, ("blue",), 3, 1, "count"),
    (17, ("green",), 3, 1, "count"),
    (28, ("yellow",), 3, 1, "count"),
    (68, COLORS, 1, 2, "size"),
    (83, COLORS, 3, 1, "count"),
]
MINE = [
    (7, COLORS, 1, 1, "size"),
    (23, ("red",), 3, 1, "count"),
    (29, ("blue",), 3, 1, "count"),
    (72, ("yellow",), 3, 1, "count"),
    (85, ("green",), 3, 1, "count"),
    (92, COLORS, 2, 1, "count"),
    (93, COLORS, 1, 2, "size"),
]
PLAN = [
    (8, ("blue",), 3, 2, "count"),
    (14, ("yellow",), 3, 2, "count"),
    (25, ("red",), 3, 2, "count"),
    (50, COLORS, 1, 2, "count"),
    (59, ("green",), 3, 2, "count"),
]
RESEARCH = [
    (2, COLORS, 1, 1, "size"),
    (18, COLORS, 1, 1, "size"),
    (20, ("green",), 3, 1, "count"),
    (60, ("yellow",), 3, 1, "count"),
    (74, ("blue",), 3, 1, "count"),
    (76, ("red",), 3, 1, "count"),
]


def admitted_from_hand(card: int, minerals: list[int]) -> set[tuple[str, int]]:
    """Return the colours and sizes that the card, used by seat 0, admits of all twelve."""
    admitted = set()
    for color in COLORS:
        used = (card, NEXT, *minerals)
        hand = [n for size in SIZES for n in cards_of(color, size, 1, used)]
        game = offering(card, hand=hand, minerals=minerals)
        if "use" in names(game):
            play(game, "use")
            by_name = {name_of(n): color_and_size(n) for n in hand}
            assert set(names(game)) <= set(by_name), "no pass once the card is in use (P4)"
            admitted |= {by_name[name] for name in names(game)}
    return admitted


@pytest.mark.parametrize(
    ("card", "colors", "size", "count", "box"), [*TRADE, *MINE, *PLAN, *RESEARCH]
)
def test_each_card_from_hand_admits_its_colors_sizes_and_number_at_every_boost_p24(
    card, colors, size, count, box
):
    # `box` is what a boost increases.
    own = PRINTED[card]["color"]
    for boost, gem_count in enumerate((1, 3, 4)):
        minerals = gems(own, gem_count, (card,))
        largest = min(size + boost * (box == "size"), 3)
        expected = {(color, n) for color in colors for n in range(1, largest + 1)}
        assert admitted_from_hand(card, minerals) == expected
        used = (card, NEXT, *minerals)
        hand = [n for color in colors for n in cards_of(color, 1, 10 // len(colors), used)]
        game = using(card, hand=hand, minerals=minerals)
        chosen = 0
        while not is_done(game):
            if game.decision.kind == "research_slot":
                play(game, "tech 0")
            elif game.decision.kind == "use_researched":
                play(game, "pass")
            else:
                assert ("pass" in names(game)) == (chosen > 0), "pass from the second card on"
                play(game, names(game)[-1])
                chosen += 1
        assert chosen == count + boost * (box == "count")
    others = [n for color in COLORS if color != own for n in gems(color, 2, (card,))]
    expected = {(color, n) for color in colors for n in range(1, size + 1)}
    assert admitted_from_hand(card, others) == expected, "gems of other colours do not count"


@pytest.mark.parametrize(
    ("card", "hand", "moves", "left"),
    [
        (64, [83, 75], ("card 83", "pass"), [75]),  # Execute
        (14, [31, 13], ("card 13", "pass"), [31]),  # Plan
        (2, [1, 3], ("card 1", "tech 0"), [3]),  # Research
    ],
)
def test_r12_a_card_that_leaves_the_hand_leaves_its_known_part(card, hand, moves, left):
    assert known(play(using(card, hand=hand, known=hand), *moves)) == left
