"""Dragging beside clicks: a drag stands for a choice that is offered now, or for nothing."""

import pytest

from page_sizes import TOUCH
from table_pages import expect, picture, step_of, wait_for_step

pytestmark = pytest.mark.browser

PLACES = {
    "add_impulse": "#tile-impulse.drop",
    "place_explored": "#tile-map [data-action^=cell].drop",
    "mine_card": "#own svg.drop",
    "reinforce": "#tile-map [data-action^=gate].drop",
}
"""Where a card of the hand is dropped, by the kind of decision."""


def middle(thing):
    box = thing.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def sit(visit, address, *size, **device):
    page = visit(address, *size, **device)
    page.wait_for_selector("#options button", state="attached")
    page.wait_for_selector("#tile-hand [aria-label*=',']", state="attached")
    return page


def lift(page, thing):
    """Press on something, and move far enough for a drag."""
    x, y = middle(thing)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 30, steps=3)


def finger(page):
    """Return a function that sends a touch event with some points."""
    touch = page.context.new_cdp_session(page)

    def send(kind, *points):
        points = [{"x": x, "y": y} for x, y in points]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    return send


# The next two choose nothing, and come first: the others change their tables.


def test_a_button_released_elsewhere_ends_a_drag(visit, tables):
    page = sit(visit, tables["add_impulse"])
    lift(page, page.locator("#tile-hand .legal").first)
    expect(page.locator("#dragged")).to_have_count(1)
    moved = "dispatchEvent(new PointerEvent('pointermove', {pointerId: 1, buttons: 0}))"
    page.evaluate(moved)
    expect(page.locator(".drop, #dragged")).to_have_count(0)


def test_a_finger_drags_a_card_sideways_only_if_the_hand_does_not_scroll(visit, tables):
    shown = {}
    for kind in ("mine_card", "place_home"):
        page = sit(visit, tables[kind], 844, 390, **TOUCH)
        send, (x, y) = finger(page), middle(page.locator("#tile-hand .legal").last)
        x = min(x, 800)
        send("touchStart", (x, y))
        for step in range(1, 9):
            send("touchMove", (x - 20 * step, y))
            page.wait_for_timeout(20)
        scrolled = page.evaluate("document.querySelector('#hand').scrollLeft > 50")
        shown[kind] = page.locator("#dragged").count(), scrolled
        send("touchCancel")
    assert shown == {"mine_card": (1, False), "place_home": (0, True)}


@pytest.mark.parametrize("kind", PLACES)
def test_a_card_is_dropped_on_its_place_or_stays(visit, tables, kind):
    page = sit(visit, tables[kind])
    step, card = step_of(page), page.locator("#tile-hand .legal").first
    lift(page, card)
    assert page.locator(PLACES[kind]).count() == 1
    picture(page, f"drag-{kind}")
    page.mouse.move(640, 5, steps=3)
    page.mouse.up()
    expect(page.locator(".drop, #dragged")).to_have_count(0)
    page.wait_for_timeout(100)
    assert (step_of(page), page.locator("#notice").is_hidden()) == (step, True)
    number = card.get_attribute("data-face").split()[-1]
    lift(page, card)
    page.mouse.move(*middle(page.locator(PLACES[kind]).first), steps=3)
    expect(page.locator(".drop.over")).to_have_count(1)
    page.mouse.up()
    wait_for_step(page, step)
    assert f"card {number} " in page.locator("#entries li[data-step]").last.inner_text()
    assert page.evaluate("String(getSelection())") == ""


def test_the_moving_fleet_is_dropped_on_one_of_its_next_places(visit, tables):
    page = sit(visit, tables["choose_move"])
    step = step_of(page)
    legal = page.locator("#tile-map g.legal")
    names = [place.get_attribute("data-action") for place in legal.all()]
    words = page.locator("#options button").all_inner_texts()
    start = next(text for text in words if " from " in text).split(" from ")[1].split(" to ")[0]
    start = "cell 10" if "Core" in start else start
    lift(page, page.locator(f"#tile-map [data-action='{start}']"))
    expect(page.locator(".drop")).to_have_count(len(names))
    page.keyboard.press("Escape")
    expect(page.locator(".drop, #dragged")).to_have_count(0)
    page.mouse.up()
    assert step_of(page) == step
    lift(page, page.locator(f"#tile-map [data-action='{start}']"))
    place = legal.first.locator(".pill, .dot, polygon").first
    page.mouse.move(*middle(place), steps=3)
    page.mouse.up()
    wait_for_step(page, step)


def test_a_finger_drags_a_card_to_the_button_of_a_view_that_is_not_shown(visit, tables):
    page = sit(visit, tables["trade_card"], 390, 664, **TOUCH)
    step, (x, y) = step_of(page), middle(page.locator("#tile-hand .legal").first)
    to = middle(page.locator("#views [data-view=everyone]"))
    send = finger(page)
    send("touchStart", (x, y))
    for share in (0.1, 0.3, 0.6, 1):
        send("touchMove", (x + share * (to[0] - x) * share, y + share * (to[1] - y)))
        page.wait_for_timeout(30)
    expect(page.locator("#views .drop.over")).to_have_count(1)
    picture(page, "drag-phone")
    send("touchEnd")
    wait_for_step(page, step)
