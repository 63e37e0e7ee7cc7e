"""A stranger's first game, on a phone, from the start page to a link that a friend can open."""

import pytest

from accessible import faults
from table_pages import NOT_DOUBLE, READY, choose, expect, is_over, picture, step_of, wait_for_step

pytestmark = pytest.mark.browser

PHONE = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def test_a_stranger_plays_on_a_phone_takes_a_move_back_and_sends_the_moment_it_turned(visit):
    page = visit(**PHONE)
    page.wait_for_selector("#play-about:not(:empty)")
    picture(page, "phone-0-start")
    begin_against_two(page)
    # What showed hidden cards, or let others decide on, stays.
    while page.locator("#take-back").is_hidden():
        step = step_of(page)
        page.wait_for_timeout(NOT_DOUBLE)
        page.locator("#options button").first.tap()
        wait_for_step(page, step)
        await_decision(page)
    page.locator("#take-back").tap()
    expect(page.locator("#entries li[data-step]")).to_have_count(step)
    await_decision(page)
    picture(page, "phone-1-taken-back")
    for number in range(400):
        if is_over(page):
            break
        choose(page, number)
        await_decision(page)
    moment = page.locator("#moment")
    expect(moment).to_contain_text("The turning point")
    moment.scroll_into_view_if_needed()
    assert faults(page) == []
    picture(page, "phone-2-the-end")

    page.locator("#show-moment").tap()
    page.wait_for_url("**/replay#*")
    page.wait_for_selector("#analysis:not([hidden])")
    page.wait_for_selector("#analysing", state="hidden")
    picture(page, "phone-3-the-moment")
    prompt = page.inner_text("#prompt")
    friend = visit(page.url)
    expect(friend.locator("#where")).to_have_text(page.inner_text("#where"))
    assert friend.inner_text("#prompt") == prompt
    assert friend.locator("#choices .chosen").count() == 1
    picture(friend, "phone-4-the-link")


def begin_against_two(page):
    """A game for three to a few points, by the form of the start page."""
    page.locator("#custom > summary").tap()
    page.select_option("#players", "3")
    for seat, who in enumerate(("here", "miner", "miner")):
        page.select_option(f"#seat-{seat}", who)
    page.locator("#rule-options > summary").tap()
    page.fill("#target", "4")
    page.fill("#seed", "7")
    page.locator("#start-game").tap()
    page.wait_for_url("**/table/**")
    page.locator("#menu-button").tap()
    page.select_option("#pace", "0")
    page.locator("#menu-button").tap()
    await_decision(page)


def await_decision(page):
    """The button of the end is in the menu, which is closed on a phone."""
    page.wait_for_selector(READY, state="attached")
