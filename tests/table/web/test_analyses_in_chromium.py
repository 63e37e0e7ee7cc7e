"""A recorded game is chosen on a page, and its board opens, in a real Chromium."""

import re

import pytest

from accessible import faults
from impulse_training.statistics.intervals import wilson
from recorded import TABLES, played, short_game

pytestmark = pytest.mark.browser


def test_a_file_is_chosen_and_the_board_opens(visit, tmp_path):
    file = tmp_path / "game.jsonl"
    short_game().save(file)
    page = visit()
    page.click("text=Analyse a recorded game")
    page.wait_for_selector("#file")
    assert faults(page) == []
    page.set_input_files("#file", file)
    page.wait_for_url("**/analysis/record-*")
    page.wait_for_selector("#analysis:not([hidden])")
    assert page.inner_text("#analysis-by").startswith("By policy:2p")
    page.wait_for_selector("#analysing", state="hidden")
    branches_are_tried(page)


def test_an_analysis_that_is_stopped_or_left_is_computed_no_more(visit, served, tmp_path):
    def running(name):
        return page.request.get(f"{served.address}api/analyses/{name}").json()["running"]

    page = visit()
    stop = {
        "Stop": lambda: page.click("#analysing-stop"),
        "leaving": lambda: page.goto(served.address),
    }
    for seed, how in enumerate(stop):
        file = tmp_path / f"{seed}.jsonl"
        played(TABLES[0], seed)[0].save(file)
        page.goto(f"{served.address}analysis")
        page.set_input_files("#file", file)
        page.wait_for_url("**/analysis/record-*")
        page.wait_for_selector("#analysing:not([hidden])")
        name = page.url.rpartition("/")[2].partition("#")[0]
        assert running(name)
        stop[how]()
        for _ in range(20):  # a busy machine takes some seconds, the analysis many more
            page.wait_for_timeout(250)
            if not running(name):
                break
        assert not running(name), how


def test_a_double_click_answers_one_puzzle_and_tries_one_choice(visit, tmp_path):
    file = tmp_path / "game.jsonl"
    short_game().save(file)
    page = visit()
    page.goto(f"{page.url}analysis")
    page.set_input_files("#file", file)
    page.wait_for_url("**/analysis/record-*")
    page.wait_for_selector("#analysing", state="hidden")

    def double(selector):
        page.locator(selector).scroll_into_view_if_needed()
        page.wait_for_timeout(700)
        box = page.locator(selector).bounding_box()
        for _ in range(2):
            page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.wait_for_timeout(150)

    page.click("#learn button >> nth=0")
    count = int(re.search(r"of (\d+)", page.inner_text("#learn-said"))[1])
    assert count > 1
    for number in range(1, min(count, 3)):
        assert page.inner_text("#learn-said").startswith(f"{number} of {count}")
        double("#choices button >> nth=0")
        assert "~" not in page.url, "the second click has tried a choice"
        assert "best" in page.inner_text("#learn-said")
        double("#learn-next")
    page.click("#learn-end")
    double("#choices li:not(.chosen) .try >> nth=0")
    page.wait_for_selector("#tree .branch")
    assert page.locator("#tree .branch > li").count() <= 1


def branches_are_tried(page):
    """Other choices lead into a branch, which has an address; agents play on and play it out."""
    page.keyboard.press("PageDown")
    while page.locator("#choices .try").count() < 3:
        page.keyboard.press("ArrowRight")
    step = page.url.partition("#")[2]
    other = page.locator("#choices li:not(.chosen) .try").first
    words = other.inner_text()
    other.click()
    page.wait_for_selector("#tree .branch [aria-current]")
    assert page.inner_text("#tree .branch [aria-current]") == words
    assert page.inner_text("#where").startswith(f"{step} + 1 of ")
    assert page.url.partition("#")[2].startswith(f"{step}~")
    page.wait_for_selector("#note >> text=/policy:2p: chance to win \\d+ %/")
    page.keyboard.press("ArrowUp")
    assert page.url.endswith(f"#{int(step) + 1}")
    page.keyboard.press("ArrowDown")
    page.select_option("#agent", "greedy")
    page.click("#play-turn")
    page.wait_for_selector("#stop", state="hidden")
    count, address = page.locator("#tree .branch > li").count(), page.url
    assert count > 1
    page.click("#play-out")
    page.wait_for_selector("#shares >> text=Won in 100 playouts")
    for row in page.locator("#shares tr").all():
        share, low, high = map(int, re.findall(r"(\d+)(?= %|\u2013)", row.inner_text()))
        assert (low, high) == tuple(round(100 * end) for end in wilson(share, 100))
    assert faults(page) == []
    page.click("#as-text")
    page.wait_for_selector("#text >> text=SECTOR CORE")
    page.click("#close-text")
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("#tree .branch [aria-current]")
    assert page.locator("#tree .branch > li").count() == count
    page.click("#tree .remove")
    page.wait_for_selector("#tree", state="hidden")
    assert page.url.endswith(f"#{step}")
