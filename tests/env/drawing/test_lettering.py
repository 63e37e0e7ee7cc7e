"""Widths are the font's, lines break where they must, and things are laid out in their boxes."""

import itertools
import json
import string
from importlib.resources import files

import pytest
from fontTools.ttLib import TTFont

from impulse_env.drawing import lettering
from impulse_env.drawing.elements import Box, element, line_to_fit, short
from impulse_env.drawing.symbols import flow
from impulse_env.engine.cards import TEXT_BY_CARD
from impulse_env.text.describe import COMMON_TECH_TEXT, RACE_TECH_TEXTS


@pytest.mark.parametrize("weight", lettering.FILES)
def test_widths_are_those_of_the_font_file(weight):
    font = TTFont(lettering.FILES[weight])
    glyphs, ems = font.getBestCmap(), font["head"].unitsPerEm
    assert set(string.printable) - set(string.whitespace) <= set(map(chr, glyphs))
    for code, glyph in glyphs.items():
        width = font["hmtx"][glyph][0] / ems
        assert lettering.width_of(chr(code), 100, weight == 700) == pytest.approx(100 * width)
    assert font["name"].getDebugName(1) == lettering.FAMILY
    assert font["OS/2"].usWeightClass == weight
    assert not {"kern", "GPOS"} & set(font.keys())


def test_the_widths_kept_are_of_the_same_letters_in_both_weights():
    text = (files("impulse_env.drawing.font") / "widths.json").read_text(encoding="utf-8")
    regular, bold = json.loads(text).values()
    assert set(regular) == set(bold)


def test_the_font_has_every_letter_of_the_cards():
    for words in (*TEXT_BY_CARD, *RACE_TECH_TEXTS.values(), COMMON_TECH_TEXT):
        assert lettering.width_of(words, 10) > 0
    with pytest.raises(KeyError):
        lettering.width_of("é", 10)


def test_lines_are_as_long_as_they_may_be_and_lose_nothing():
    words = TEXT_BY_CARD[0]
    for width in (60, 100, 300):
        lines = lettering.wrapped(words, width, 10)
        assert " ".join(lines) == words
        assert all(lettering.width_of(line, 10) <= width for line in lines)
        for line, following in itertools.pairwise(lines):
            first, *_ = following.split(" ")
            assert lettering.width_of(f"{line} {first}", 10) > width


def test_the_largest_size_that_fits_is_found():
    words = [TEXT_BY_CARD[0], "The end."]
    size, lines = lettering.size_to_fit(words, 150, 60, 20)
    assert len(lines) * size * lettering.LEADING <= 60
    assert lettering.size_to_fit(words, 150, 60, size)[0] == size
    larger = [line for each in words for line in lettering.wrapped(each, 150, size + 0.5)]
    assert len(larger) * (size + 0.5) * lettering.LEADING > 60
    assert lettering.size_to_fit(["short"], 150, 60, 20) == (20, ["short"])
    assert lettering.size_to_fit(words * 30, 50, 20, 20)[0] > 0


def test_a_line_becomes_smaller_rather_than_too_wide():
    assert 'font-size="12"' in line_to_fit("short", 0, 0, 100, 12)
    line = line_to_fit("much too long", 0, 0, 30, 12)
    size = float(line.split('font-size="')[1].split('"')[0])
    assert lettering.width_of("much too long", size) <= 30


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 40, 90])
def test_things_flow_into_their_box(count):
    box = Box(10, 20, 530, 36)
    scale, corners = flow(count, box, 53, 35)
    assert len(corners) == len(set(corners)) == count
    assert (scale == 1) == (count <= 10)
    for x, y in corners:
        assert box.x <= x <= box.right - 53 * scale + 1e-6
        assert box.y <= y <= box.bottom - 35 * scale + 1e-6


def test_elements_are_quoted_and_short():
    assert element("g", "x", data_a='1 & "2"', class_=None) == "<g data-a='1 &amp; \"2\"'>x</g>"
    assert element("rect", class_="a", x=1.04, y=-0.001) == '<rect class="a" x="1" y="0"/>'
    assert short(1200) == "1200"
