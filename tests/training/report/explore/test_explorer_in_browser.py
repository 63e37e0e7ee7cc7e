"""The explorer in a real Chromium: moves, keys, filters, and names that are texts."""

import re
from dataclasses import replace

import pytest

from accessible import faults, in_every_look, show
from impulse_env.records.record import SeatedAgent
from impulse_training.report.explore.explore_options import ExploreArgs
from impulse_training.report.explore.page import page
from impulse_training.report.explore.table import rows_of
from openings import explored
from recorded import TABLES, played

pytestmark = pytest.mark.browser

EVIL = "<img src=x onerror=document.title='broken'>"


def games():
    """Some short games, in which somebody with a name to beware of has the second seat."""
    for seed in range(10):
        record, _ = played(TABLES[8], seed)
        agents = (SeatedAgent("a"), SeatedAgent(EVIL))
        yield replace(record, header=replace(record.header, agents=agents))


@pytest.fixture(scope="module")
def found():
    return explored(list(games()), least=2, cards="action")


@pytest.fixture(scope="module")
def file(tmp_path_factory, found):
    path = tmp_path_factory.mktemp("page") / "openings.html"
    path.write_text(page(found, ExploreArgs(least=2), {0: "openings_games/0.html"}), "utf-8")
    return path


def node_of(tab):
    return int(tab.url.partition("#")[2] or 0)


def first_of(tab, column):
    """The text of a column in the first row."""
    return tab.locator(f"#moves tbody .{column}").first.inner_text()


def test_keys_play_a_move_and_take_it_back(tab, found):
    rows = rows_of(found)
    first = found.tree.children(0)[0]
    assert first_of(tab, "played").split()[0] == str(rows[first].played)
    tab.keyboard.press("ArrowDown")
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#path li:nth-child(2)")
    assert node_of(tab) == first
    assert rows[first].choice in tab.inner_text("#path")
    tab.keyboard.press("ArrowLeft")
    tab.wait_for_selector("#path li:only-child")
    assert node_of(tab) == 0
    tab.locator("#moves tbody a").first.click()
    tab.wait_for_selector("#path li:nth-child(2)")
    tab.go_back()
    tab.wait_for_selector("#path li:only-child")


def test_an_interval_is_that_of_the_command(tab, found):
    rows = rows_of(found)
    shown = tab.locator("#moves tbody .won").all_inner_texts()
    children = found.tree.children(0)
    assert len(shown) == len(children)
    for text, node in zip(shown, children, strict=True):
        row = rows[node]
        low, high = (f"{100 * end:.0f}" for end in (row.low, row.high))
        assert text.split("%")[1].split() == [f"{low}\N{EN DASH}{high}"]


def test_a_filter_counts_again(tab, found):
    for seat in (0, 1):
        tab.select_option("#seat", str(seat + 1))
        lines = [line for line in found.lines if line.seat == seat]
        counts = found.tree.visits(lines)
        most = max(counts[child] for child in found.tree.children(0))
        assert first_of(tab, "played").split()[0] == str(most)
        assert tab.inner_text("#summary").startswith("10 of 20 lines")
    tab.select_option("#agent", "a")
    assert "None of these lines reach this node." in tab.inner_text("#here")
    assert tab.is_hidden("#moves")
    tab.click("#all")
    assert tab.inner_text("#summary").startswith("20 lines")


def test_games_are_listed_with_their_results_and_the_pages_that_there_are(tab):
    links = tab.locator("#list a")
    assert links.count() == 2, "one for each seat of the game with a page"
    assert links.first.get_attribute("href") == "openings_games/0.html#0"
    assert tab.locator("#list li").count() == 15
    tab.click("#more")
    assert tab.locator("#list li").count() == 20
    assert tab.is_hidden("#more")
    results = "\n".join(tab.locator("#list li").all_inner_texts())
    own_first = re.findall(r"(\d+)\u2013(\d+)", results)
    assert len(own_first) == 20
    assert any(own != other for own, other in own_first)
    assert sorted(own_first) == sorted((other, own) for own, other in own_first)


def test_names_are_texts(tab):
    assert EVIL in tab.inner_text("#list")
    assert tab.title() == "Impulse: openings"
    assert tab.locator("img").count() == 0


def test_the_board_is_drawn_and_changes_with_the_move(tab):
    before = tab.inner_html("#board")
    assert tab.locator("#board svg").bounding_box()["height"] > 200
    tab.keyboard.press("ArrowRight")
    tab.wait_for_selector("#path li:nth-child(2)")
    assert tab.inner_html("#board") != before
    assert "as this seat sees it" in tab.inner_text("#caption")


@pytest.mark.parametrize("end", ["99999", "x", "-1", "1.5"])
def test_an_unknown_place_is_the_deal(chromium, file, end):
    page = chromium.new_page()
    page.goto(f"{file.as_uri()}#{end}")
    page.wait_for_selector("main:not([hidden])")
    assert page.locator("#path li").count() == 1
    page.close()


@in_every_look
def test_axe_finds_nothing_wrong_and_nothing_sticks_out_at_the_side(tab, look):
    show(tab, look)
    for _ in range(3):
        assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert faults(tab) == []
        tab.keyboard.press("ArrowRight")
        tab.wait_for_timeout(100)
