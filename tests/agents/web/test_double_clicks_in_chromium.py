"""A click counts for what was on the screen when the finger came down, or not at all."""

import pytest

from impulse_agents.table.store import Store
from table_pages import begin, expect

pytestmark = pytest.mark.browser

DELAYS = (60, 120, 180, 240, 300)
"""Milliseconds from one press to the next."""
APART = 500
"""From one decision to the next of somebody who means both."""
FIRST = "#options button >> nth=0"
TOUCH = {"has_touch": True}


@pytest.fixture
def taken(served):
    """Returns how many decisions of seat 0 the table of a page has on disk."""

    def taken(page):
        name = page.url.split("/table/")[1].split("#")[0]
        return [entry.seat for entry in Store(served.folder).read(name).journal].count(0)

    return taken


def settled(page):
    """Wait until the person is to decide, and has looked."""
    page.wait_for_selector("#options button")
    page.wait_for_timeout(APART)


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_sentence(page, delay, times):
    x, y = middle(page, FIRST)
    for _ in range(times):
        page.mouse.click(x, y)
        page.wait_for_timeout(delay)


def double_click(page, delay, times):
    x, y = middle(page, FIRST)
    page.mouse.move(x, y)
    for count in range(times):
        page.mouse.down(click_count=count + 1)
        page.mouse.up(click_count=count + 1)
        page.wait_for_timeout(delay)


def click_board(page, delay, times):
    # A Transport in the middle of a cell belongs to it.
    legal = page.locator("main .legal")
    if not legal.count():
        return click_sentence(page, delay, times)
    box = legal.first.bounding_box()
    for _ in range(times):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_timeout(delay)


def tap(page, delay, times):
    x, y = middle(page, FIRST)
    for number in range(times):
        page.touchscreen.tap(x + 6 * number, y + 3 * number)
        page.wait_for_timeout(delay)


def press_enter(page, delay, times):
    page.locator(FIRST).focus()
    for _ in range(times):
        page.keyboard.press("Enter")
        page.wait_for_timeout(delay)


def hold_enter(page, delay, times):
    page.locator(FIRST).focus()
    for _ in range(times):
        page.keyboard.down("Enter")
        page.wait_for_timeout(delay)
    page.keyboard.up("Enter")


def hold_space(page, delay, times):
    page.locator(FIRST).focus()
    for _ in range(times):
        page.keyboard.down(" ")
        page.wait_for_timeout(delay)
    page.keyboard.up(" ")


def press_number(page, delay, times):
    for _ in range(times):
        page.keyboard.press("1")
        page.wait_for_timeout(delay)
    if page.locator("#options button").count() > 9:  # the number might have gone on
        page.keyboard.press("Enter")


def hold_number(page, delay, times):
    for _ in range(times):
        page.keyboard.down("1")
        page.wait_for_timeout(delay)
    page.keyboard.up("1")


def click_hint(page, delay, times):
    page.click("#hint-button")
    page.wait_for_selector("#hint .share")
    x, y = middle(page, "#hint button >> nth=0")
    for _ in range(times):
        page.mouse.click(x, y)
        page.wait_for_timeout(delay)


WAYS = (
    click_sentence,
    double_click,
    click_board,
    tap,
    press_enter,
    hold_enter,
    hold_space,
    press_number,
    hold_number,
    click_hint,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_presses_in_one_moment_decide_once(way, visit, taken):
    page = visit(**(TOUCH if way is tap else {}))
    begin(page, "here", "greedy", seed=3)
    found = {}
    for times in (2, 3):
        for delay in DELAYS:
            settled(page)
            before = taken(page)
            way(page, delay, times)
            page.wait_for_timeout(300)
            found[times, delay] = taken(page) - before
            expect(page.locator("#notice")).to_be_hidden()
    assert found == dict.fromkeys(found, 1)
