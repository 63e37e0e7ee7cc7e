"""A person leaves: lets an agent play, takes the seat back, resigns, agrees to end the game."""

import pytest

from accessible import faults
from page_sizes import covered, fits
from table_pages import begin, expect, picture, wait_for_step

pytestmark = pytest.mark.browser


def leave(page, *presses):
    if not page.locator("#leave-button").is_visible():
        page.click("#menu-button")
    page.click("#leave-button")
    for button in presses:
        page.click(button)


def test_an_agent_plays_on_until_the_person_takes_the_seat_back_and_resigns(visit):
    page = visit()
    begin(page, "here", "here")
    page.click("#curtain-button")
    page.wait_for_selector("#options button")
    leave(page)
    assert faults(page) == []
    picture(page, "leave")
    page.select_option("#leave-seat", "1")
    page.select_option("#leave-agent", "random")
    page.click("#play-on")
    expect(page.locator("#played-for")).to_contain_text("random plays for seat 2.")
    assert page.locator("#options button").count() > 0
    page.evaluate("document.querySelector('#played-for button').isThere = true")
    page.locator("#options button").first.click()
    wait_for_step(page, 1)
    # A button that is replaced while a person presses it would do nothing.
    assert page.evaluate("document.querySelector('#played-for button').isThere")
    # The agent decides for seat 1 without a curtain, and the screen stays with seat 0.
    expect(page.locator("#whose")).to_contain_text("you decide, seat 1")
    assert page.locator("#curtain[open]").count() == 0
    expect(page.locator("#standings")).to_contain_text("random for you")
    page.set_viewport_size({"width": 390, "height": 664})
    picture(page, "leave-played-for-phone")
    assert covered(page) == []
    assert fits(page)
    assert faults(page) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    page.click("#played-for button")
    expect(page.locator("#played-for")).to_be_hidden()
    leave(page, "#resign")
    expect(page.locator("#resign")).to_have_text("Resign for good")
    page.keyboard.press("Escape")
    leave(page)
    expect(page.locator("#resign")).to_have_text("Resign")
    page.click("#resign")
    page.click("#resign")
    expect(page.locator("#prompt")).to_contain_text("won, because seat 1 resigned")
    expect(page.locator("#ending-how")).to_contain_text("resigned after 1 turn:")
    expect(page.locator("#leave-button")).to_be_hidden()
    picture(page, "leave-resigned")
    page.click("#analyse")
    page.wait_for_url("**/replay")
    page.wait_for_selector("#where")


def test_two_people_agree_to_end_the_game(visit):
    host = visit()
    begin(host, "here", "elsewhere")
    link = host.locator("#seat-list input[readonly]").input_value()
    host.click("#links button.primary")
    guest = visit(link, 390, 664)
    expect(host.locator("#people")).to_be_hidden()
    leave(guest, "#concede", "#concede")
    expect(guest.locator("#conceding")).to_contain_text("You propose to end the game")
    expect(host.locator("#conceding")).to_contain_text("proposes to end the game now")
    host.click("#concede-refuse")
    expect(guest.locator("#notice")).to_have_text("The game continues: not everybody agrees.")
    leave(guest, "#concede", "#concede")
    picture(guest, "leave-conceding-phone")
    assert covered(host) == []
    assert faults(host) == []
    host.click("#concede-agree")
    for page in (host, guest):
        expect(page.locator("#prompt")).to_contain_text("everybody agreed to end it")
    expect(host.locator("#ending-how")).to_contain_text("Everybody agreed to end the game after")
