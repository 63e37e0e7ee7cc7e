"""A click counts for what was on the screen when the finger came down, or not at all."""

import time

import pytest

from impulse_table.tables.store import Store
from table_pages import begin, expect

pytestmark = pytest.mark.browser

PRESSES = ((2, 60), (2, 300), (3, 180))
"""How many, and milliseconds from one to the next."""
APART = 700
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


def decided(page, taken, before, count=1):
    """How many decisions are on disk: so many, however busy the machine, and time for more."""
    for _ in range(100):
        if taken(page) - before >= count:
            break
        page.wait_for_timeout(100)
    page.wait_for_timeout(300)
    return taken(page) - before


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def at_times(page, delay, times):
    """Go on at these times, whatever a press takes."""
    began = time.monotonic()
    for number in range(times):
        yield number
        left = began + (number + 1) * delay / 1000 - time.monotonic()
        page.wait_for_timeout(max(0, 1000 * left))


def click_sentence(page, delay, times):
    x, y = middle(page, FIRST)
    for _ in at_times(page, delay, times):
        page.mouse.click(x, y)


def double_click(page, delay, times):
    x, y = middle(page, FIRST)
    page.mouse.move(x, y)
    for count in at_times(page, delay, times):
        page.mouse.down(click_count=count + 1)
        page.mouse.up(click_count=count + 1)


def click_board(page, delay, times):
    # A Transport in the middle of a cell belongs to it.
    legal = page.locator("main .legal")
    if not legal.count():
        return click_sentence(page, delay, times)
    box = legal.first.bounding_box()
    for _ in at_times(page, delay, times):
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def tap(page, delay, times):
    x, y = middle(page, FIRST)
    for number in at_times(page, delay, times):
        page.touchscreen.tap(x + 6 * number, y + 3 * number)


def press_enter(page, delay, times):
    page.locator(FIRST).focus()
    for _ in at_times(page, delay, times):
        page.keyboard.press("Enter")


def hold_enter(page, delay, times):
    page.locator(FIRST).focus()
    for _ in at_times(page, delay, times):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")


def press_number(page, delay, times):
    for _ in at_times(page, delay, times):
        page.keyboard.press("1")
    if page.locator("#options button").count() > 9:  # the number might have gone on
        page.keyboard.press("Enter")


def hold_number(page, delay, times):
    for _ in at_times(page, delay, times):
        page.keyboard.down("1")
    page.keyboard.up("1")


def click_hint(page, delay, times):
    page.click("#hint-button")
    page.wait_for_selector("#hint .share")
    x, y = middle(page, "#hint button >> nth=0")
    for _ in at_times(page, delay, times):
        page.mouse.click(x, y)


WAYS = (
    click_sentence,
    double_click,
    click_board,
    tap,
    press_enter,
    hold_enter,
    press_number,
    hold_number,
    click_hint,
)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_presses_in_one_moment_decide_once(way, visit, taken):
    page = visit(**(TOUCH if way is tap else {}))
    begin(page, "here", "greedy", seed=3)
    found = {}
    for times, delay in PRESSES:
        settled(page)
        before = taken(page)
        way(page, delay, times)
        found[times, delay] = decided(page, taken, before)
        expect(page.locator("#notice")).to_be_hidden()
    assert found == dict.fromkeys(found, 1)


def test_somebody_who_plays_fast_decides_each_time(visit, taken):
    page = visit()
    begin(page, "here", "greedy", seed=3)
    settled(page)
    before = taken(page)
    # Other keys and other places are other decisions, however soon.
    for key in ("1", "Enter", "1", "Enter"):
        page.wait_for_selector("#options button")
        page.locator(FIRST).focus()
        page.keyboard.press(key)
        page.wait_for_timeout(150)
    expect(page.locator("#notice")).to_be_hidden()
    assert decided(page, taken, before, 4) == 4
    before = taken(page)
    for _ in range(4):
        page.wait_for_timeout(APART)
        page.click(FIRST)
    assert decided(page, taken, before, 4) == 4
    # A program that reads the page aloud clicks without a finger.
    before = taken(page)
    for _ in range(3):
        page.wait_for_selector("#options button")
        page.locator(FIRST).evaluate("button => button.click()")
        page.wait_for_timeout(150)
    assert decided(page, taken, before, 3) == 3


@pytest.fixture
def slow(visit):
    """A page, and what lets through what the server has said to it since the last call."""
    page, held = visit(), None
    begin(page, "here", "greedy", seed=3)

    def route(socket):
        def hear(message):
            socket.send(message) if held is None else held.append(message)

        socket.connect_to_server().on_message(hear)
        sockets.append(socket)

    sockets = []
    page.route_web_socket("**/socket", route)
    page.reload()
    settled(page)
    held = []

    def let_through():
        while held:
            sockets[-1].send(held.pop(0))

    return page, let_through


def test_on_a_slow_network_a_decision_is_awaited(slow, taken):
    page, let_through = slow
    before, (x, y) = taken(page), middle(page, FIRST)
    for selector in (FIRST, FIRST, "#options button >> nth=1"):
        page.click(selector)
        page.wait_for_timeout(450)
    page.keyboard.press("2")
    assert page.get_attribute("#decision", "aria-busy") == "true"
    assert decided(page, taken, before) == 1
    page.mouse.move(x, y)
    page.wait_for_timeout(APART)
    page.mouse.down()  # a finger that comes down before the answer
    let_through()
    page.wait_for_timeout(100)
    page.mouse.up()
    page.mouse.click(x, y)
    page.wait_for_timeout(200)
    let_through()
    assert decided(page, taken, before) == 1
    expect(page.locator("#notice")).to_be_hidden()
    expect(page.locator("#decision[aria-busy]")).to_have_count(0)
    page.wait_for_timeout(APART)
    page.mouse.click(x, y)
    assert decided(page, taken, before, 2) == 2


def test_a_finger_that_comes_down_before_the_screen_changes_chooses_nothing(visit, taken):
    """The cell below the finger stays where it is, but another decision is at hand."""
    page = visit()
    begin(page, "here", "greedy", seed=3)
    found = []
    for _ in range(16):
        settled(page)
        before, cells = taken(page), page.locator("#tile-map .legal")
        if cells.count():
            cell = cells.last.bounding_box()
            page.mouse.move(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
            page.mouse.down()
        page.locator(FIRST).evaluate("button => button.click()")
        page.wait_for_timeout(200)
        page.mouse.up()
        found.append(decided(page, taken, before))
        expect(page.locator("#notice")).to_be_hidden()
    assert found == [1] * 16


def test_a_choice_is_taken_back_once(visit, taken):
    page = visit()
    begin(page, "here", "greedy", seed=3)
    press = {"z": lambda: page.keyboard.press("z"), "click": lambda: page.mouse.click(*place)}
    for how, once in press.items():
        while True:  # two choices in a row that can be taken back
            settled(page)
            before, button = taken(page), page.locator("#take-back")
            was_there = button.is_visible()
            page.click(FIRST)
            settled(page)
            if was_there and button.is_visible() and taken(page) == before + 1:
                break
        place = middle(page, "#take-back")
        for _ in range(2):
            once()
            page.wait_for_timeout(150)
        page.wait_for_timeout(300)
        assert taken(page) == before, how
        expect(page.locator("#notice")).to_be_hidden()


def test_a_double_click_does_not_look_behind_the_curtain(visit):
    page = visit()
    begin(page, "here", "here", seed=3)
    page.wait_for_selector("#curtain[open]")
    page.mouse.dblclick(*middle(page, "#curtain-button"))
    settled(page)
    assert page.locator("#entries li[data-step]").count() == 0
    # The button of the curtain comes up below the finger that has just decided.
    place_button = """([x, y]) => {
        const at = { position: "fixed", left: `${x - 30}px`, top: `${y - 10}px` };
        Object.assign(document.getElementById("curtain-button").style, at);
        Object.assign(document.getElementById("curtain").style, { transform: "none" });
    }"""
    seat = page.inner_text("#whose")[-1]
    while page.locator("#curtain[open]").count() == 0:
        settled(page)
        x, y = middle(page, FIRST)
        page.evaluate(place_button, [x, y])
        for _ in range(2):
            page.mouse.click(x, y)
            page.wait_for_timeout(150)
        page.wait_for_timeout(200)
        assert page.inner_text("#whose")[-1] in (seat, "p")  # "Setup": nobody is looking


def test_a_double_click_continues_by_one_lesson_and_forgets_one_game(visit, served):
    page = visit()
    for _ in range(2):
        page.goto(served.address)
        page.wait_for_selector("#play-about:not(:empty)")
        page.click("#first-game")
        page.wait_for_selector("#lesson:not([hidden])")
    for number in (1, 2):
        expect(page.locator("#lesson-title")).to_contain_text(f"{number} of 3")
        page.wait_for_timeout(APART)
        page.mouse.dblclick(*middle(page, "#lesson-next"))
    expect(page.locator("#lesson-title")).to_contain_text("3 of 3")
    page.goto(served.address)
    forget = page.locator("#game-list button")
    expect(forget).to_have_count(2)
    forget.first.scroll_into_view_if_needed()
    page.wait_for_timeout(APART)
    page.mouse.dblclick(*middle(page, "#game-list button >> nth=0"))
    page.wait_for_timeout(200)
    expect(forget).to_have_count(1)
