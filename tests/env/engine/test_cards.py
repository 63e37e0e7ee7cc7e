"""The deck against what is printed (p. 3, pp. 6-7, section 1 of the rules)."""

import re
from collections import Counter

import pytest

from impulse_env.engine import cards
from impulse_env.engine.constants import Color, Family
from printed import PRINTED

WORDS = {"a": 1, "one": 1, "two": 2, "three": 3}
FAMILIES_BY_ACTION = {
    "command": 2,
    "research": 4,
    "execute": 2,
    "build": 3,
    "sabotage": 1,
    "plan": 4,
    "draw": 3,
    "trade": 2,
    "mine": 2,
    "refine": 2,
}


def text_without_box(row):
    return row["text"].replace("[", "").replace("]", "")


def faces():
    """Group the printed cards into faces: everything equal but the number."""
    grouped = {}
    for number, row in PRINTED.items():
        grouped.setdefault(tuple(v for k, v in row.items() if k != "id"), []).append(number)
    return list(grouped.values())


def test_there_are_108_cards_numbered_1_to_109_without_the_sector_core_p3():
    assert sorted(PRINTED) == [n for n in range(1, 110) if n != 21]


def test_there_are_27_cards_of_each_color_p23():
    assert Counter(row["color"] for row in PRINTED.values()) == dict.fromkeys(
        ("red", "blue", "green", "yellow"), 27
    )


def test_half_the_deck_is_size_1_a_third_size_2_and_a_sixth_size_3_p23():
    assert Counter(row["size"] for row in PRINTED.values()) == {"1": 54, "2": 34, "3": 20}


def test_the_ten_actions_have_their_numbers_of_cards():
    assert Counter(row["action"] for row in PRINTED.values()) == {
        "command": 27,
        "build": 12,
        "mine": 12,
        "research": 11,
        "trade": 11,
        "draw": 9,
        "plan": 8,
        "execute": 6,
        "refine": 6,
        "sabotage": 6,
    }


def test_there_are_80_faces_and_25_families():
    assert len(faces()) == 80
    families = {row["family"]: row["action"] for row in PRINTED.values()}
    assert len(families) == 25
    assert Counter(families.values()) == FAMILIES_BY_ACTION


def test_copies_of_a_face_share_an_index_and_its_lowest_number():
    by_index = [cards.NUMBERS_BY_CARD[card] for card in range(len(cards.NUMBERS_BY_CARD))]
    assert [list(numbers) for numbers in by_index] == faces()
    for card, numbers in enumerate(by_index):
        assert cards.NUMBER_BY_CARD[card] == min(numbers)
        assert cards.COPIES_BY_CARD[card] == len(numbers)
        assert {cards.CARD_BY_NUMBER[n] for n in numbers} == {card}
    assert list(cards.NUMBER_BY_CARD) == sorted(cards.NUMBER_BY_CARD)


@pytest.mark.parametrize("number", PRINTED)
def test_the_tables_say_what_the_printed_card_says(number):
    row, card = PRINTED[number], cards.CARD_BY_NUMBER[number]
    assert Color(int(cards.COLOR_BY_CARD[card])).name.lower() == row["color"]
    assert cards.SIZE_BY_CARD[card] == int(row["size"])
    assert Family(int(cards.FAMILY_BY_CARD[card])).name.lower() == row["family"]
    assert cards.ACTION_BY_CARD[card] == row["action"]
    assert cards.TEXT_BY_CARD[card] == row["text"]
    assert cards.BOXES[int(cards.BOX_BY_CARD[card])] == row["box"]
    for column, values, missing in (
        ("count", cards.COUNT_BY_CARD, 1),
        ("max_size", cards.MAX_SIZE_BY_CARD, 3),
        ("fleets", cards.FLEETS_BY_CARD, 0),
        ("moves", cards.MOVES_BY_CARD, 0),
        ("bombs", cards.BOMBS_BY_CARD, 0),
        ("points", cards.POINTS_BY_CARD, 0),
    ):
        assert values[card] == int(row[column] or missing), column
    ships = {"": 0, "all": 12}.get(row["ships"]) if row["ships"] in ("", "all") else None
    assert cards.SHIPS_BY_CARD[card] == (int(row["ships"]) if ships is None else ships)
    names = row["colors"].split("/") if row["colors"] else [c.name.lower() for c in Color]
    assert cards.COLORS_BY_CARD[card] == sum(1 << Color[name.upper()] for name in names)
    types = {"": 0, "transport": 1, "cruiser": 2, "any": 3}
    assert cards.SHIP_TYPES_BY_CARD[card] == types[row["ship_type"]]


@pytest.mark.parametrize("number", PRINTED)
def test_the_text_has_one_box_and_it_holds_the_number_that_is_boosted_p22(number):
    row = PRINTED[number]
    boxed = re.findall(r"\[(\d+)\]", row["text"])
    assert [row[row["box"]]] == boxed


@pytest.mark.parametrize("number", PRINTED)
def test_colors_sizes_and_ship_types_are_those_of_the_text(number):
    row, text = PRINTED[number], text_without_box(PRINTED[number]).lower()
    action, _, rest = text.partition(" ")
    assert action == row["action"]
    named = set(re.findall(r"\b(red|blue|green|yellow)\b", rest))
    assert named == set(filter(None, row["colors"].split("/")))
    sizes = re.findall(r"size (\w+)", rest)
    assert [str(WORDS.get(size, size)) for size in sizes] == list(filter(None, [row["max_size"]]))
    if row["action"] in ("command", "build", "sabotage"):
        types = set(re.findall(r"transport|cruiser", rest)) or {"any"}
        assert {row["ship_type"]} == types
    for source in ("hand", "deck", "plan"):
        assert (f"from your {source}" in rest or f"from the {source}" in rest) == (
            row["source"] == source
        )


@pytest.mark.parametrize("number", [n for n in PRINTED if PRINTED[n]["action"] == "command"])
def test_the_numbers_of_a_command_are_those_of_its_text(number):
    row, text = PRINTED[number], text_without_box(PRINTED[number])
    move = re.search(r"for (\w+) moves?", text)
    assert str(WORDS.get(move[1], move[1])) == row["moves"]
    ships = re.match(r"Command (?:a )?(\w+) (?:ship|Cruiser|Transport)", text)
    if ships:
        assert (str(WORDS.get(ships[1], ships[1])), row["fleets"]) == (row["ships"], "1")
        assert row["family"] == "command_fleet"
    else:
        fleets = re.match(r"Command (\d) fleets?", text)
        assert (fleets[1], row["ships"]) == (row["fleets"], "all")
        assert text.endswith("apiece. Each must move to the same card.")
