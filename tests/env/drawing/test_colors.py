"""Nothing is said by color alone, and all words can be read without seeing some colors or any."""

import re
from itertools import combinations

import numpy as np
import pytest

from impulse_env import drawing
from impulse_env.drawing.style import style_sheet
from impulse_env.engine.cards import CARD_BY_NUMBER, COLOR_BY_CARD, SIZE_BY_CARD
from impulse_env.engine.constants import MAX_PLAYERS, Color
from impulse_env.game import Game

# Machado, Oliveira and Fernandes 2009, in linear light; severity 1. Grey by luminance.
SIGHTS = {
    "everything": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "no blue": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "greys": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
LUMINANCE = np.array([0.2126, 0.7152, 0.0722])
READABLE = 4.5
"""Contrast of small text, WCAG 2.2, success criterion 1.4.3."""
LETTER_BY_COLOR = {Color.RED: "R", Color.BLUE: "B", Color.GREEN: "G", Color.YELLOW: "Y"}


def linear(shade):
    digits = shade.removeprefix("#")
    digits = digits if len(digits) == 6 else "".join(digit * 2 for digit in digits)
    values = np.array([int(digits[at : at + 2], 16) for at in (0, 2, 4)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def contrast(one, other, sight):
    seen = [np.clip(np.asarray(SIGHTS[sight]) @ linear(shade), 0, 1) for shade in (one, other)]
    low, high = sorted(float(LUMINANCE @ shade) for shade in seen)
    return (high + 0.05) / (low + 0.05)


@pytest.fixture(scope="module", params=["light", "dark"])
def shade_of(request):
    """The fill of a class, on a light or a dark ground."""
    sheet = style_sheet(has_dark=True)
    place = ("light", "dark").index(request.param)

    def shade_of(selector):
        rule = re.search(re.escape(f".impulse {selector}") + r"\{([^}]*)\}", sheet)[1]
        fill = re.search(r"fill:(light-dark\([^)]*\)|#\w+)", rule)[1]
        return re.findall(r"#\w+", fill)[place if fill.startswith("light-dark") else 0]

    return shade_of


WORDS = [
    *((f".{color.name.lower()}", "text") for color in Color),
    *((f".gem-{color.name.lower()}", f"text.on-{color.name.lower()}") for color in Color),
    *((f".seat{seat}", "text.w") for seat in range(MAX_PLAYERS)),
    *((ground, "text") for ground in (".paper", ".panel", ".basic", ".down", ".core", ".hole")),
]


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize(("ground", "words"), WORDS)
def test_words_can_be_read_whatever_colors_are_seen(shade_of, ground, words, sight):
    assert contrast(shade_of(ground), shade_of(words), sight) >= READABLE


def definition(name):
    whole = drawing.svg(Game(MAX_PLAYERS, seed=1).state, drawing.EVERYTHING)
    found = re.search(rf'<g id="{name}".*?</g>', whole)
    return found[0] if found else ""


def without_colors_and_numbers(mark):
    return re.sub(r'class="[^"]*"|id="[^"]*"|<text.*?</text>', "", mark)


def test_marks_of_seats_differ_in_shape_and_in_number():
    marks = [definition(f"mark-{seat}") for seat in range(MAX_PLAYERS)]
    for seat, mark in enumerate(marks):
        assert f">{seat}</text>" in mark
    for one, other in combinations(map(without_colors_and_numbers, marks), 2):
        assert one != other


@pytest.mark.parametrize("color", Color)
def test_a_card_tells_its_color_in_letters_as_many_as_its_size(color):
    whole = drawing.svg(Game(MAX_PLAYERS, seed=1).state, drawing.EVERYTHING)
    found = re.findall(r'<g id="face-(\d+)"(.*?)</g>', whole)
    faces = {CARD_BY_NUMBER[int(number)]: drawn for number, drawn in found}
    of_color = [card for card in faces if COLOR_BY_CARD[card] == color]
    assert of_color
    for card in of_color:
        letters = re.findall(r'class="[^"]*on-\w+[^"]*"[^>]*>(\w)</text>', faces[card])
        assert letters == [LETTER_BY_COLOR[color]] * SIZE_BY_CARD[card]
